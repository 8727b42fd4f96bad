//! Joint scale for the commands that show what `bake` makes.

use crate::bake::Scale;
use rigy_gltf::JointScale;

/// Joint scale for the commands that show what `bake` makes of a glTF file.
#[derive(clap::Args)]
pub struct ShownScale {
    /// Joint scale of a glTF file under dual quaternions: global, local or reject [default: global]
    ///
    /// As for `bake`, so that the result is what `bake` makes with the same option. With `reject`, there are no dual
    /// quaternions where joints scale.
    #[arg(long)]
    pub joint_scale: Option<Scale>,

    /// Joints whose scale alone is local, by name
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        conflicts_with = "joint_scale"
    )]
    pub local_scale_joints: Vec<String>,
}

impl ShownScale {
    /// Returns true if an option is given.
    pub fn is_given(&self) -> bool {
        self.joint_scale.is_some() || !self.local_scale_joints.is_empty()
    }

    /// Returns the treatment of joint scale.
    pub fn treatment(&self) -> JointScale {
        self.joint_scale
            .unwrap_or_default()
            .of_joints(&self.local_scale_joints)
    }
}
