//! The options of one bake, as the program and the bindings take them.

use serde::Deserialize;

use super::{Baker, Moment, Pivot, Skinning, Source};
use rigy_gltf::JointScale;
use rigy_kernel::Solver;
use rigy_kernel::simd::Isa;
use rigy_language::base::diag::{Diagnostic, Warned};
use rigy_language::base::executor::Sequential;
use rigy_language::base::loader::{Loader, Location};

/// The treatment of joint scale under dual quaternions, where all joints have the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// The scale of a joint reaches everything below it.
    #[default]
    Global,
    /// The scale of a joint stays with it.
    Local,
    /// A joint with a scale is an error.
    Reject,
}

impl Scale {
    /// Returns the treatment of each joint. Names in `local` are those of joints whose scale alone stays with them.
    pub fn of_joints(self, local: &[String]) -> JointScale {
        match (local, self) {
            ([_, ..], _) => JointScale::LocalFor(local.iter().cloned().collect()),
            ([], Self::Global) => JointScale::Global,
            ([], Self::Local) => JointScale::Local,
            ([], Self::Reject) => JointScale::Reject,
        }
    }
}

/// An animation, by its number or its name.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "animation is a name or a number from 0")]
pub enum ClipName {
    /// Its number, from 0.
    Number(u32),
    /// Its name, or its number as text.
    Name(String),
}

impl From<ClipName> for String {
    fn from(clip: ClipName) -> Self {
        match clip {
            ClipName::Number(number) => number.to_string(),
            ClipName::Name(name) => name,
        }
    }
}

/// The options of a bake at one moment; those of `rigy-batch bake` with the same names.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct BakeOptions {
    /// The animation; without one, and without a time, nodes are as they are stored.
    pub animation: Option<ClipName>,
    /// The time in seconds, a finite number.
    pub time: Option<f64>,
    /// The solver.
    pub solver: Solver,
    /// The treatment of joint scale; not with `scale_local`.
    pub scale: Option<Scale>,
    /// Joints whose scale alone is local, by name.
    pub scale_local: Vec<String>,
    /// True if joint scale moves vertices before dual quaternions do, and not in place.
    pub two_stage: bool,
    /// The origin of baked meshes.
    pub pivot: Pivot,
    /// True if the nodes of skeletons stay although nothing needs them.
    pub keep_skeleton: bool,
    /// True if extensions stay as they are where the bake makes them untrue.
    pub keep_extensions: bool,
    /// Extensions that may be required and are taken to leave geometry alone.
    pub allow_extensions: Vec<String>,
}

impl BakeOptions {
    /// Returns the solver and the treatment of joint scale.
    ///
    /// # Errors
    /// A sentence, if both `scale` and `scale_local` are given.
    pub fn skinning(&self) -> Result<Skinning, String> {
        if self.scale.is_some() && !self.scale_local.is_empty() {
            return Err(
                "scale is for all joints, and goes without names of joints whose scale is local"
                    .into(),
            );
        }
        let scale = self.scale.unwrap_or_default().of_joints(&self.scale_local);
        Ok(match self.solver {
            Solver::Lbs => Skinning::linear(),
            Solver::Dqs => Skinning {
                two_stage: self.two_stage,
                ..Skinning::dual_quaternions(scale)
            },
        })
    }

    /// Bakes a file on the calling thread. The loader finds the files that it refers to, relative to `location`.
    ///
    /// # Errors
    /// Everything that is wrong with the file, or with it at this moment.
    pub fn bake(
        self,
        bytes: &[u8],
        location: &Location,
        loader: &dyn Loader,
        skinning: &Skinning,
    ) -> Result<Warned<Vec<u8>>, Vec<Diagnostic>> {
        let source = Source::read_allowing(bytes, location, loader, &self.allow_extensions)?;
        let baker = Baker::new(&source.value)
            .keeping_skeleton(self.keep_skeleton)
            .keeping_extensions(self.keep_extensions)
            .pivot(self.pivot, &Sequential);
        let moment = Moment {
            animation: self.animation.map(String::from),
            time: self.time,
        };
        let baked = baker.bake(&moment, skinning, Isa::best())?;
        let Warned { value, warnings } = baked.value.to_bytes()?;
        let warnings = [source.warnings, baked.warnings, warnings].concat();
        Ok(Warned { value, warnings })
    }
}
