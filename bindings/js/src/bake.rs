//! Baking one glTF file.

use rigy_batch::bake::Pivot;
use rigy_batch::kernel::Solver;
use rigy_batch::{Baker, Isa, JointScale, Location, Moment, Sequential, Skinning, Source, Warned};
use serde::Deserialize;

use crate::answer::{Answer, Refusal};
use crate::host::HostLoader;

/// The arguments of `bake`: those of `BakeOptions` in `index.d.ts`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Bake {
    name: String,
    animation: Option<Clip>,
    time: Option<f64>,
    #[serde(default)]
    solver: Solver,
    scale: Option<Scale>,
    #[serde(default)]
    scale_local: Vec<String>,
    #[serde(default)]
    pivot: Pivot,
    #[serde(default)]
    keep_skeleton: bool,
    #[serde(default)]
    keep_extensions: bool,
    #[serde(default)]
    allow_extensions: Vec<String>,
}

/// An animation, by its number or its name.
#[derive(Deserialize)]
#[serde(untagged, expecting = "animation is a name or a number from 0")]
enum Clip {
    Number(u32),
    Name(String),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Scale {
    Global,
    Local,
    Reject,
}

impl Bake {
    /// Answers the GLB, with the bytes that the program writes.
    pub fn answer(self, bytes: &[u8]) -> Result<Answer, Refusal> {
        let skinning = self.skinning()?;
        let moment = self.moment();
        let location = Location(self.name.into());
        let source = Source::read_allowing(bytes, &location, &HostLoader, &self.allow_extensions)?;
        let baker = Baker::new(&source.value)
            .keeping_skeleton(self.keep_skeleton)
            .keeping_extensions(self.keep_extensions)
            .pivot(self.pivot, &Sequential);
        let baked = baker.bake(&moment, &skinning, Isa::best())?;
        let Warned { value, warnings } = baked.value.to_bytes()?;
        let warnings = [source.warnings, baked.warnings, warnings].concat();
        Ok(Answer::bytes(value, &warnings))
    }

    fn moment(&self) -> Moment {
        let name = |clip: &Clip| match clip {
            Clip::Number(number) => number.to_string(),
            Clip::Name(name) => name.clone(),
        };
        Moment {
            animation: self.animation.as_ref().map(name),
            time: self.time,
        }
    }

    fn skinning(&self) -> Result<Skinning, Refusal> {
        let scale = match (&self.scale, &*self.scale_local) {
            (None, [_, ..]) => JointScale::LocalFor(self.scale_local.iter().cloned().collect()),
            (Some(_), [_, ..]) => {
                let message = "scale and scaleLocal exclude each other";
                return Err(Refusal::Malformed(message.to_owned()));
            }
            (None | Some(Scale::Global), []) => JointScale::Global,
            (Some(Scale::Local), []) => JointScale::Local,
            (Some(Scale::Reject), []) => JointScale::Reject,
        };
        Ok(match self.solver {
            Solver::Lbs => Skinning::linear(),
            Solver::Dqs => Skinning::dual_quaternions(scale),
        })
    }
}
