//! Joint scale for the commands that show what `bake` makes.

use crate::bake::Scale;
use crate::bake::gltf::JointScale;

/// Joint scale for the commands that show what `bake` makes of a glTF file.
#[derive(Debug, clap::Args)]
pub struct ShownScale {
    /// Joint scale of a glTF file under dual quaternions: global, local or reject [default: global]
    ///
    /// As for `bake`, so that the result is what `bake` makes with the same option. With `reject`, there are no dual
    /// quaternions where joints scale.
    #[arg(long)]
    pub scale: Option<Scale>,

    /// Joints whose scale alone is local, by name
    ///
    /// As for `bake`: the scale of all other joints reaches everything below them.
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        conflicts_with = "scale"
    )]
    pub scale_local: Vec<String>,
}

impl ShownScale {
    /// Returns true if an option is given.
    pub fn is_given(&self) -> bool {
        self.scale.is_some() || !self.scale_local.is_empty()
    }

    /// Returns the treatment of joint scale.
    pub fn joint_scale(&self) -> JointScale {
        self.scale.unwrap_or_default().of_joints(&self.scale_local)
    }
}
