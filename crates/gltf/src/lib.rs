//! Reading, checking and sampling skinned glTF files.
//!
//! In: the bytes of a `.glb` or `.gltf` file, and a loader for the files that it refers to. Out: nodes, meshes, skins
//! and animations whose indices and lengths have all been checked (`model`), accessors that read vertex data where they
//! lie in the file, poses and palettes. This module evaluates no vertices and uses no disk and no threads.
//!
//! A file is read in stages; reading stops after the first stage that finds an error:
//!
//! | stage | checks |
//! |---|---|
//! | `container` | lengths of header and chunks |
//! | [`json`] | syntax, depth, size |
//! | `document::extensions` | the version, and the extensions that the file requires |
//! | `buffers`, `uri`, `meshopt` | that the bytes of every buffer and every view exist |
//! | `draco` | that compressed primitives can be decoded |
//! | `accessor_checks` | that every element lies in its view |
//! | `document` | nodes, meshes, skins, scenes, the structure of animations |
//!
//! The keys of an animation are decoded and checked when it is sampled for the first time (`document::channels`).

mod accessor;
mod accessor_checks;
mod buffers;
mod clips;
mod container;
mod cursor;
mod document;
mod draco;
mod element_type;
mod file;
mod influences;
pub mod json;
mod local_scale;
mod meshopt;
mod model;
mod morph;
mod motion;
pub mod number;
mod problem;
mod sample;
mod scale;
mod skeleton;
mod uri;
mod vertices;
mod weighted;

pub use accessor::Accessor;
pub use clips::{find_animation, missing_animation};
pub use container::{MAX_JSON_LEN, MAX_LEN, text_len};
pub use document::{Extension, extension};
pub use draco::DRACO;
pub use element_type::{ComponentType, ElementType};
pub use file::{File, read, read_from};
pub use influences::{VertexInfluences, WeightOddities};
pub use meshopt::COMPRESSIONS;
pub use model::{
    Animation, Channel, Instances, Interpolation, Keys, Mesh, Node, Primitive, Property, Scene,
    Skin, Transform, Trs, node_label,
};
pub use problem::{AboutFile, Problem, Result, quoted};
pub use sample::{NotFinite, Pose, PosedNode, pose, sample, slerp};
pub use scale::{JointScale, dual_form, dual_form_of, roots_that_keep_scale};
pub use skeleton::{
    DualForm, JointError, JointFault, RIGID, Rigid, Skeleton, global_matrices, inverse_bind,
    joint_matrices, local_matrix,
};
pub use uri::{MAX_RESOURCE_LEN, Resources};
pub use vertices::{RestFrames, Vertices, morphed};

/// The example of the README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
