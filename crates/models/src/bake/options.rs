//! Values of options, as the program and the bindings take them.

use rigy_gltf::JointScale;

rigy_base::choices! {
    /// The treatment of joint scale under dual quaternions, where all joints have the same.
    #[derive(Default)]
    pub enum Scale {
        /// The scale of a joint reaches everything below it.
        #[default]
        Global,
        /// The scale of a joint stays with it.
        Local,
        /// A joint with a scale is an error.
        Reject,
    }
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
