//! rigy-batch turns Rigy documents, and skinned glTF files, into GLBs: fast, in parallel, and with the same bytes on
//! every machine.
//!
//! A document is read once and becomes an ordinary export (rest pose, skin kept) and one baked file per pose
//! (posed vertices, skin removed). The stages, in the order in which they run:
//!
//! | stage | from | to |
//! |---|---|---|
//! | [`io::discover()`] | paths | documents |
//! | [`yaml::compose()`](crate::language::yaml::compose()) | text | tree of spanned nodes |
//! | [`preprocess::preprocess()`](crate::language::preprocess::preprocess()) | tree | tree with everything written out, from version 0.6 on |
//! | [`parse::parse()`](crate::language::parse::parse()) | tree | typed document |
//! | [`expand::expand()`](crate::language::expand::expand()) | document | document without symmetry |
//! | [`validate::validate()`](crate::language::validate::validate()) | document | checked document |
//! | [`compose::place()`](crate::language::compose::place()) | documents that import each other | where instances stand |
//! | [`tessellate::tessellate()`](crate::geometry::tessellate::tessellate()) | primitives | vertices and triangles |
//! | [`skin::skin()`](crate::geometry::skin::skin()) | binding, weights | joints and influences |
//! | [`pose::palette_by()`](crate::geometry::pose::palette_by()) | pose | one transform per joint |
//! | [`kernel::evaluate()`] | palette, influences, rest vertices | posed vertices |
//! | [`glb::export()`], [`glb::bake()`] | scene | a planned file |
//! | [`OutputFile`], [`io::Sink`] | plan | bytes on disk |
//!
//! A skinned glTF file is baked at a moment: it becomes plain meshes, and what nothing deforms stays as it was. The
//! same kernel poses its vertices, with other rules for normals (`bake.md`):
//!
//! | stage | from | to |
//! |---|---|---|
//! | [`gltf::read()`](crate::bake::gltf::read()) | bytes of a `.glb` or `.gltf` file | checked file |
//! | [`gltf::pose()`](crate::bake::gltf::pose()), [`gltf::Skeleton`](crate::bake::gltf::Skeleton) | nodes, animation, time | global matrices |
//! | [`gltf::joint_matrices()`](crate::bake::gltf::joint_matrices()), [`gltf::dual_form()`](crate::bake::gltf::dual_form()) | skeleton, skin | one transform per joint |
//! | [`gltf::VertexInfluences`](crate::bake::gltf::VertexInfluences), [`gltf::RestFrames`](crate::bake::gltf::RestFrames) | primitive | joints and weights, rest vertices |
//! | [`kernel::evaluate_frames()`] | all of these | posed positions, normals, tangents |
//! | [`bake::Baked`], [`WriteAt`] | file, moment | bytes on disk, in any order |
//!
//! [`compile`] and [`bake`](mod@bake) run these stages without a disk or a thread; [`batch`](crate::run::batch) runs them over many files; [`conformance`](crate::run::conformance)
//! compares its results with goldens; [`bench`](mod@crate::run::bench) measures the kernel.
//!
//! # Example
//!
//! ```
//! use rigy_batch::{Files, Input, Isa, MemoryLoader, OutputFile, Sequential, check};
//!
//! let text = r#"
//! version: "0.5"
//! meshes: [{id: bar, primitives: [{type: capsule, id: c, dimensions: {radius: 0.1, height: 1}}]}]
//! armatures: [{id: rig, bones: [{id: root, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}]}]
//! bindings: [{mesh_id: bar, armature_id: rig, weights: [], skinning_solver: dqs}]
//! poses: [{id: bow, bones: {root: {rotation: [0.6, 0.8, 0, 0]}}}]
//! "#;
//! let files = Files::new(MemoryLoader::default());
//! let compiled = check(Input::new("bar.rigy.yaml", text), &files)
//!     .and_then(|checked| checked.value.build())
//!     .map_err(|errors| errors[0].message.clone())?
//!     .value;
//! let posed = compiled.pose("bow", Isa::best(), &Sequential).expect("the document has this pose");
//! let glb = posed.bake().expect("its numbers fit").to_bytes();
//! assert_eq!(glb.len() as u64, posed.bake().unwrap().len());
//! assert!(glb.starts_with(b"glTF"));
//! # Ok::<(), String>(())
//! ```
//!
//! # Public interface
//!
//! The types and functions that this page lists under *Re-exports*, and the types that they name, are the interface of the
//! crate. The modules are public so that the tests, benchmarks and fuzz targets of the repository reach every stage, and
//! so that their documentation can be read; apart from the items re-exported here, they may change in any release.
//!
//! # Numbers
//!
//! All arithmetic is IEEE binary64, in the order the contract writes it, rounded to f32 once at the end.
//! Nothing is fused, reordered or estimated, one vertex occupies one lane, and sines come from one library
//! on every platform. Therefore neither threads nor instruction sets change a bit.
//!
//! # The contract
//!
//! Documentation of modules and items cites the pages of the contract by section, as `numerics.md` §9.1. They lie in
//! the repository:
//!
//! | page | says |
//! |---|---|
//! | `docs/src/contract/language.md` | what a document may be, and which errors there are in which order |
//! | `docs/src/contract/extensions.md` | what versions 0.6 to 0.13 add, preprocessing, implicit surfaces, scenes |
//! | `docs/src/contract/numerics.md` | arithmetic, tessellation, skinning and the bytes of a document's GLB |
//! | `docs/src/contract/bake.md` | how a skinned glTF file is read, posed and written |
//! | `docs/src/contract/design.md` | the command line, reliability and limits |
//! | `docs/src/contract/decisions.md` | choices that the published texts leave open |
//!
//! `docs/src/guide/` and `docs/src/reference/` are for users.

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
pub mod io;
pub mod run;

pub use rigy_base as base;
pub use rigy_editor::assist;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use rigy_editor::server;
pub use rigy_export as export;
pub use rigy_kernel as kernel;
pub use rigy_language as language;
pub use rigy_models::{bake, compile, geometry, glb, mesh};
pub use rigy_view as view;

// A document, or a glTF file, in memory.
pub use bake::gltf::JointScale;
pub use bake::{Animated, Baked, Baker, Clip, Form, Moment, Skinning, Source, WriteError};
pub use compile::{Checked, Compiled, Files, Input, PosedScene, check};
// Services that the caller provides or chooses.
pub use base::diag::{Code, Diagnostic, Warned};
pub use base::limits::Limits;
pub use base::loader::{Loader, Location, MemoryLoader};
pub use base::output::{OutputFile, WriteAt};
pub use io::DirectoryLoader;
pub use kernel::executor::{Executor, Sequential};
pub use kernel::simd::Isa;
pub use run::Parallel;
// Many files on disk.
pub use io::discover;
pub use run::batch::{BakeJob, Bakes, Batch, Documents, Options, Outcome, PoseFilter};
