//! From checked documents, and from skinned glTF files, to the bytes of GLBs, without a disk and without starting threads.
//!
//! | module | what it does |
//! |---|---|
//! | [`geometry`] | primitives and implicit surfaces to vertices, bones to joints and influences, poses to palettes |
//! | [`glb`] | a scene to a planned GLB: layout, JSON, the text of numbers |
//! | [`compile`] | the pipeline of a document: text in, scenes out |
//! | [`bake`](mod@bake) | the pipeline of a skinned glTF file: bytes and a moment in, plain meshes out |
//! | [`mesh`] | a result as triangles at a moment: of pictures, exports, differences |

pub mod bake;
pub mod compile;
/// The geometry of a checked document: from primitives, bindings and poses to what is written and evaluated.
///
/// [`tessellate`](geometry::tessellate) makes vertices and triangles of primitives, [`skin`](geometry::skin) makes joints and influences
/// of bindings, [`pose`](geometry::pose) makes one transform for each joint of a pose, and [`scene`](geometry::scene) is where all of it
/// meets.
pub mod geometry {
    pub mod pose;
    pub mod scene;
    pub mod skin;
    pub mod tessellate;
}
pub mod glb;
pub mod mesh;

/// The example of the README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
