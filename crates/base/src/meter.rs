//! Work that is counted before it is done, because a short input may ask for very much of it.

use crate::diag::{Code, Diagnostic, Span};

/// The steps that an output may take unless its caller sets another limit.
pub const DEFAULT_LIMIT: u64 = 1 << 32;

/// So many outputs of an input may each take all the work that the limit allows; of more, each may take its share of that.
pub const OUTPUTS: u64 = 64;

/// The work that one output, or one answer about an input, may still take, in steps of about 2.5 ns of one processor: in that time
/// two vectors of a vertex are added. What one output takes does not depend on others, so threads change no verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meter {
    limit: u64,
    left: u64,
    outputs: u64,
}

/// Work that is more than what was left.
#[derive(Debug, PartialEq, Eq)]
pub struct Overspent {
    /// The list of a glTF file that asks for it; empty if it is none.
    pub path: &'static str,
    /// What it is, and how much.
    pub message: String,
    /// What to do.
    pub help: String,
}

macro_rules! costs {
    ($($name:ident $price:literal $path:literal $what:literal $help:literal;)*) => {
        /// What is counted.
        #[derive(Clone, Copy, Debug)]
        #[expect(missing_docs, reason = "the table has their names in messages")]
        pub enum Cost {
            $($name,)*
        }

        impl Cost {
            /// The price of one in steps, the list of a glTF file that asks for it, its name in messages, and what to do about too much.
            const fn facts(self) -> (u64, &'static str, &'static str, &'static str) {
                match self {
                    $(Self::$name => ($price, $path, $what, $help),)*
                }
            }
        }
    };
}

costs! {
    Ancestors 256 "skins" "joints of all skins and nodes above them" "use `--solver lbs`, or fewer nodes between the root and the joints";
    Bounds 16 "" "bytes of bounds of meshes in all animations" "choose animations with `--animation`";
    Compared 2 "" "numbers of accessors that are compared" "compare smaller files";
    Copied 1 "accessors" "numbers that are copied" "let fewer accessors overlap";
    Drawn 64 "nodes" "vertices, triangles and names in all places where primitives are drawn" "divide the file";
    Edges 512 "meshes" "vertices and edges of triangles that are joined" "divide the file";
    Evaluations 4 "" "evaluations of vertices, nodes and joints at all moments" "take fewer moments with `--fps`, or choose animations with `--animation`";
    Gaps 4096 "" "gaps of pairs of primitives" "name some with `--primitive`";
    Instances 1024 "nodes" "instances that are compared" "compare smaller files";
    Models 4 "nodes" "bytes of memory for what is shown" "divide the file, or show fewer poses";
    Moments 4 "skins" "bytes of memory for joints at all moments" "shorten animations, or take fewer moments with `--frames`";
    Pairs 16 "meshes" "pairs of an attribute and a morph target" "divide the file";
    Pixels 16 "" "pixels in triangles that lie over each other" "draw a smaller picture with `--size`, or fewer poses";
    Placed 16 "nodes" "vertices of nodes and instances, with their influences and morph targets" "divide the file";
    Posed 64 "nodes" "nodes, joints and values of JSON" "divide the file, or take fewer frames";
    Poses 1 "poses" "bytes of memory for a pose" "choose poses with `--poses`, or divide the document";
    Repeated 1024 "meshes" "values of JSON that are repeated for skins, weights and frames" "let nodes share skins and weights, or take fewer frames";
    Requirements 256 "" "anchors and frames that contracts require" "import each part with one contract, or write shorter contracts";
    Samples 256 "" "samples of implicit surfaces" "choose coarser grids or fewer operators";
    Terms 1 "meshes" "morph targets and influences of vertices" "divide the file, or take fewer frames";
    Uses 64 "nodes" "uses of nodes, primitives and morph targets" "divide the file, or take fewer frames";
    Visits 4 "" "steps to the nearest vertices, many of which are equally far away" "compare smaller files";
    Weights 64 "animations" "weights of morph targets at all keys" "take fewer frames, allow a distance with `--tolerance`, or bake single files with `--as frames`";
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

    /// The meter of each of so many outputs, moments or pictures.
    #[must_use]
    pub fn among(self, outputs: usize) -> Self {
        let outputs = outputs.max(1) as u64;
        let share = u128::from(self.limit) * u128::from(OUTPUTS) / u128::from(outputs);
        Self {
            left: share.min(self.left.into()) as u64,
            outputs,
            ..self
        }
    }

    /// The meter of what is done once for all outputs.
    #[must_use]
    pub const fn whole(self) -> Self {
        Self::new(self.limit)
    }

    /// Counts work, before it is done and before memory is taken for it.
    ///
    /// # Errors
    /// If it is more than what is left.
    pub fn spend(&mut self, cost: Cost, count: u64) -> Result<(), Overspent> {
        let (price, path, what, help) = cost.facts();
        let steps = count.saturating_mul(price);
        if let Some(left) = self.left.checked_sub(steps) {
            self.left = left;
            return Ok(());
        }
        let Self {
            limit,
            left,
            outputs,
        } = self;
        let each = if *outputs > OUTPUTS {
            format!(" for each of {outputs} moments or poses")
        } else {
            String::new()
        };
        Err(Overspent {
            path,
            message: format!(
                "too much work on {what}: {count} take {steps} steps, and {left} of {limit} are left{each}"
            ),
            help: format!("{help}, or raise the limit with `--limit work=N`"),
        })
    }

    /// Returns how many of this are left.
    pub fn left(&self, cost: Cost) -> u64 {
        self.left / cost.facts().0
    }

    /// Returns how often what has been spent could be spent once more.
    pub fn times_left(&self) -> u64 {
        self.left / (self.limit - self.left).max(1)
    }
}

impl Default for Meter {
    fn default() -> Self {
        Self::new(DEFAULT_LIMIT)
    }
}

impl Overspent {
    /// The finding (U17) at a place of a text.
    pub fn at(self, span: Span) -> Diagnostic {
        Diagnostic::new(Code::U17, span, self.message).help(self.help)
    }

    /// The findings about a whole file.
    pub fn about(self, file: &str) -> Vec<Diagnostic> {
        vec![self.at(Span::default()).about_file(file)]
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
            [Cost::Terms, Cost::Samples].map(|of| meter.left(of)),
            [256, 1]
        );
        assert_eq!(meter.times_left(), 0);
        assert_eq!(meter.spend(Cost::Samples, 1), Ok(()));
        let error = meter.spend(Cost::Terms, 1).unwrap_err().at(Span::default());
        assert_eq!(error.code, Some(Code::U17));
        assert!(meter.spend(Cost::Drawn, u64::MAX).is_err());
        assert_eq!(meter.whole(), Meter::new(1024));
    }

    #[test]
    fn many_outputs_share_what_a_few_may_take() {
        let left = |outputs| Meter::new(1 << 20).among(outputs).left(Cost::Terms);
        assert_eq!([0, 1, 64].map(left), [1 << 20; 3]);
        assert_eq!([128, 1 << 26].map(left), [1 << 19, 1]);
        assert_eq!(Meter::new(u64::MAX).among(1).left(Cost::Terms), u64::MAX);
    }
}
