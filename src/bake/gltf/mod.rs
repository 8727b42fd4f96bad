//! Skinned glTF: from a checked file to what a bake needs to know.
//!
//! In: the bytes of a `.glb` or `.gltf` file and a loader for what it refers to. Out: plain numbers, every index
//! and length of which has been checked (`model`), views of vertex data where it lies in the file, poses and
//! palettes. This room knows no kernel passes, no disk and no threads.
//!
//! Reading goes through the file from the outside in, and stops after the first stage that finds something wrong:
//!
//! | stage | what it settles |
//! |---|---|
//! | `container` | lengths of header and chunks |
//! | [`json`] | syntax, depth, size |
//! | `document::extensions` | what the file requires |
//! | `buffers`, `uri`, `meshopt` | where the bytes of every view are |
//! | `accessors` | that every element lies in its view |
//! | `document` | nodes, meshes, skins, animations, scenes |

mod accessor;
mod accessors;
mod buffers;
mod compression;
mod container;
mod cursor;
mod document;
mod element;
mod file;
pub mod json;
mod local_scale;
mod meshopt;
mod model;
mod palette;
mod problem;
mod sample;
mod scale;
mod skeleton;
mod uri;
mod vertices;

pub use accessor::Accessor;
pub use compression::COMPRESSIONS;
pub use container::{MAX_JSON_LEN, text_len};
pub use element::{ComponentType, ElementType};
pub use file::{File, read};
pub use model::{
    Animation, Channel, Interpolation, Mesh, Node, Primitive, Property, Scene, Skin, Transform,
    Trs, node_label,
};
pub use palette::{DualForm, JointError, JointFault, RIGID, Rigid, joint_matrices};
pub use problem::Problem;
pub use sample::{NotFinite, Pose, PosedNode, pose, sample, slerp};
pub use scale::{JointScale, dual_form, roots_that_keep_scale};
pub use skeleton::{Skeleton, local_matrix};
pub use uri::{MAX_RESOURCE_LEN, resource};
pub use vertices::{RestFrames, VertexInfluences, Vertices, morphed};
