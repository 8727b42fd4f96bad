//! Work that is counted before it is done, because a short input may ask for very much of it.

use std::fmt;

use crate::diag::{Code, Diagnostic, Span};
use crate::limits::Limits;

/// So many outputs of an input may each take all the work that the limit allows; of more, each may take its share of that.
pub const OUTPUTS: u64 = 64;

/// The work that one output, or one answer about an input, may still take, in steps of about 2.5 ns of one processor: in that time
/// two vectors of a vertex are added. What outputs take does not depend on the others, so threads change no verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meter {
    limit: u64,
    left: u64,
    outputs: u64,
}

/// Work that is more than what was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overspent {
    cost: Cost,
    count: u64,
    meter: Meter,
}

macro_rules! costs {
    ($($(#[$doc:meta])* $name:ident $price:literal $what:literal $help:literal;)*) => {
        /// What is counted. One of each has a price in steps.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Cost {
            $($(#[$doc])* $name,)*
        }

        impl Cost {
            /// Its price, its name in messages, and what to do about too much of it.
            const fn facts(self) -> (u64, &'static str, &'static str) {
                match self {
                    $(Self::$name => ($price, $what, $help),)*
                }
            }
        }
    };
}

costs! {
    /// Joints and nodes above them, for dual quaternions.
    Ancestors 256 "joints of all skins and nodes above them" "use `--solver lbs`, or fewer nodes between the root and the joints";
    /// Bytes of bounds that are kept.
    Bounds 16 "bytes of bounds of meshes in all animations" "choose animations with `--animation`";
    /// Numbers of accessors that are compared.
    Compared 2 "numbers of accessors that are compared" "compare smaller files";
    /// Primitives in the places where a scene draws them.
    Drawn 16384 "primitives in all places where they are drawn" "divide the file";
    /// What is evaluated for bounds over time, or for poses.
    Evaluations 4 "evaluations of vertices, nodes and joints" "take fewer moments, with `--fps`, `--animation` or `--poses`";
    /// Instances of nodes that are compared.
    Instances 1024 "instances that are compared" "compare smaller files";
    /// Bytes of models that are made for pictures.
    Models 1 "bytes of models for pictures" "draw fewer poses";
    /// Bytes of names in all places where they are drawn.
    Names 64 "bytes of names in all places where meshes are drawn" "shorten the names of meshes";
    /// Numbers that a bake copies.
    Numbers 1 "numbers that are copied" "let fewer accessors overlap";
    /// Pairs of an attribute and an attribute of a morph target.
    Pairs 16 "pairs of an attribute and a morph target" "divide the file";
    /// Pixels that triangles cover; those with textures count more.
    Pixels 16 "pixels in triangles that lie over each other" "draw a smaller picture with `--size`, or fewer poses";
    /// Vertices that are brought to their places.
    Placed 16 "vertices of nodes and instances, with their influences and morph targets" "divide the file";
    /// Nodes that are posed, and values of JSON that are written.
    Posed 64 "nodes and values of JSON" "divide the file";
    /// Values of JSON that are repeated, in memory and in the output.
    Repeated 1024 "values of JSON for meshes that differ in skin, weights or frame" "let nodes share skins and weights, or take fewer frames";
    /// Anchors and frames that contracts require.
    Requirements 256 "anchors and frames that contracts require" "import each part with one contract, or write shorter contracts";
    /// Samples of implicit surfaces.
    Samples 256 "samples of implicit surfaces" "choose coarser grids or fewer operators";
    /// Influences and morph targets that are added up.
    Terms 1 "morph targets and influences of vertices" "divide the file, or take fewer frames";
    /// Primitives, morph targets and nodes, each as often as it is used.
    Uses 64 "uses of primitives, morph targets and nodes" "divide the file";
    /// Boxes and points that are looked at for the nearest vertex.
    Visits 4 "steps to the nearest vertices, many of which are equally far away" "compare smaller files";
    /// Weights of morph targets at keys.
    Weights 64 "weights of morph targets at all keys" "take fewer frames, allow a distance with `--tolerance`, or bake single files with `--as frames`";
}

impl Meter {
    /// A meter of so many steps.
    pub const fn new(limit: u64) -> Self {
        Self {
            limit,
            left: limit,
            outputs: 1,
        }
    }

    /// The meter of each of so many outputs, or moments.
    #[must_use]
    pub fn among(self, outputs: usize) -> Self {
        let outputs = (outputs as u64).max(1);
        let share = (u128::from(self.limit) * u128::from(OUTPUTS) / u128::from(outputs)) as u64;
        Self {
            left: self.left.min(share),
            outputs,
            ..self
        }
    }

    /// Counts work, before it is done and before memory is taken for it.
    ///
    /// # Errors
    /// If it is more than what is left.
    pub fn spend(&mut self, cost: Cost, count: u64) -> Result<(), Overspent> {
        let steps = count.saturating_mul(cost.facts().0);
        let overspent = Overspent {
            cost,
            count,
            meter: *self,
        };
        self.left = self.left.checked_sub(steps).ok_or(overspent)?;
        Ok(())
    }

    /// Returns how often what has been spent could be spent once more.
    pub fn times_left(&self) -> u64 {
        self.left / (self.limit - self.left).max(1)
    }

    /// Returns how many of this are left.
    pub fn left(&self, cost: Cost) -> u64 {
        self.left / cost.facts().0
    }
}

impl Default for Meter {
    fn default() -> Self {
        Self::new(Limits::DEFAULT.work)
    }
}

impl Overspent {
    /// What to do.
    pub fn help(&self) -> String {
        let (_, _, help) = self.cost.facts();
        format!("{help}, or raise the limit with `--limit work=N`")
    }

    /// The finding (U17) at a place of a text.
    pub fn at(&self, span: Span) -> Diagnostic {
        Diagnostic::new(Code::U17, span, self.to_string()).help(self.help())
    }

    /// The finding about a whole file.
    pub fn about(&self, file: &str) -> Diagnostic {
        self.at(Span::default()).about_file(file)
    }
}

impl fmt::Display for Overspent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cost, count, meter } = self;
        let (price, what, _) = cost.facts();
        let (steps, left) = (count.saturating_mul(price), meter.left);
        write!(
            f,
            "too much work on {what}: {count} take {steps} steps, and {left} of {} are left",
            meter.limit
        )?;
        if meter.outputs > OUTPUTS {
            write!(f, " for each of {} moments or poses", meter.outputs)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_spent_adds_up() {
        let mut meter = Meter::new(1024);
        assert_eq!(meter.spend(Cost::Terms, 768), Ok(()));
        assert_eq!(
            (meter.left(Cost::Terms), meter.left(Cost::Samples)),
            (256, 1)
        );
        assert_eq!(meter.spend(Cost::Samples, 1), Ok(()));
        let error = meter.spend(Cost::Terms, 1).unwrap_err();
        assert_eq!(error.at(Span::default()).code, Some(Code::U17));
        assert!(meter.spend(Cost::Drawn, u64::MAX).is_err());
    }

    #[test]
    fn many_outputs_share_what_a_few_may_take() {
        let left = |outputs| Meter::new(1 << 20).among(outputs).left(Cost::Terms);
        assert_eq!([0, 1, 64].map(left), [1 << 20; 3]);
        assert_eq!([128, 1 << 26].map(left), [1 << 19, 1]);
        assert_eq!(Meter::new(u64::MAX).among(1).left(Cost::Terms), u64::MAX);
    }
}
