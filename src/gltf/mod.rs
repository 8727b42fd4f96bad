//! Skinned glTF: from a checked file to what a bake needs to know.
//!
//! In: the bytes of a `.glb` or `.gltf` file and a loader for what it refers to. Out: plain numbers, every index
//! and length of which has been checked (`model`), views of vertex data where it lies in the file, poses and
//! palettes. This room knows no kernel passes, no disk and no threads.

mod local_scale;
mod model;
mod palette;
mod sample;
mod scale;
mod skeleton;

pub use model::{Animation, Channel, Interpolation, Node, Property, Skin, Transform, Trs};
pub use palette::{JointError, JointFault, joint_matrices};
pub use sample::{NotFinite, Pose, PosedNode, pose, sample, slerp};
pub use scale::{DualForm, JointScale, RIGID, Rigid, dual_form};
pub use skeleton::{Skeleton, local_matrix, node_label};
