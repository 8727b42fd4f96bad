//! Baking skinned glTF: a file at one moment of an animation, as plain meshes (`bake.md`).
//!
//! In: the bytes of a `.glb` or `.gltf` file, a [`Moment`] and a [`Skinning`] method. Out: a [`Baked`] file, which is
//! completely planned and whose vertices are evaluated while it is written. Data that nothing deforms are copied byte
//! for byte; the JSON is edited, not generated. This module uses no disk and no threads: a
//! [`WriteAt`](rigy_base::output::WriteAt) takes the bytes, an [`Executor`](rigy_kernel::executor::Executor) runs the
//! tasks.
//!
//! ```text
//! read     the file, and the images that it refers to                   (gltf, images)
//! pose     all nodes at the moment; a palette for each skin             (moment, gltf, palettes)
//! meshes   the meshes of the output, and the mesh of each node          (meshes)
//! prepare  once for all moments that have the same meshes:              (baker)
//!   streams  the vertices to evaluate, once for equal attributes        (streams)
//!   winding  the triangles to turn over, where nodes mirror them        (winding)
//!   edit     meshes are plain, animations are removed                   (edit)
//!   adapt    extensions that refer to what is removed                   (adapt)
//!   skeleton nodes that nothing needs any more are removed              (skeleton)
//!   copied   numbers in data that are copied: not finite, bounds        (copied)
//!   layout   accessors, views, regions of the binary chunk; extensions  (layout, kept, references)
//! nodes    animated ones get their properties                           (edit)
//! animate  many moments as one file with an animation                   (animated)
//! skin     or the file as it is, with helper joints                     (skin)
//! nodes    animated ones get their properties, new ones their places    (edit, pivot)
//! write    regions in pieces; the bounds of positions at the end        (evaluate, write, json_chunk)
//! shown    or positions alone, without a file                           (shown_positions)
//! ```
//!
//! ```
//! use rigy_gltf::JointScale;
//! use rigy_kernel::simd::Isa;
//! use rigy_base::loader::{Location, MemoryLoader};
//! use rigy_models::bake::{Moment, Skinning, Source};
//!
//! let text = br#"{"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"name": "empty"}]}"#;
//! let source = Source::read(text, &Location("empty.gltf".into()), &MemoryLoader::default());
//! let source = source.map_err(|errors| errors[0].message.clone())?;
//! assert_eq!(source.warnings[0].code.unwrap().name(), "W08"); // there is no skin
//! let skinning = Skinning::dual_quaternions(JointScale::Global);
//! let baked = source.value.bake(&Moment::default(), &skinning, Isa::best()).expect("there is nothing to go wrong");
//! let glb = baked.value.to_bytes().expect("there are no vertices").value;
//! assert!(glb.starts_with(b"glTF") && glb.len() as u64 == baked.value.len());
//! # Ok::<(), String>(())
//! ```

pub mod adapt;
mod animated;
mod baked;
mod baker;
mod batch;
mod copied;
mod edit;
mod evaluate;

pub use rigy_gltf as gltf;
pub use rigy_gltf::{find_animation, missing_animation};

mod images;
mod json_chunk;
mod kept;
mod layout;
mod made;
mod meshes;
mod moment;
mod options;
mod palettes;
mod pivot;
mod references;
mod shown_positions;
mod skeleton;
mod skin;
mod source;
mod streams;
mod winding;
mod write;

pub use animated::{Animated, Clip, Form};
pub use baked::Baked;
pub use baker::{Baker, Settings};
pub use batch::MOST_KEPT;
pub use edit::GENERATOR;
pub use images::{image_ending, without_image_ending};
pub use moment::{ClipTime, Moment};
pub use moment::{Outside, animation_label, outside_warning, time_margin};
pub use options::Scale;
pub use palettes::{PosedSkin, Skinning};
pub use pivot::Pivot;
pub use shown_positions::{Piece, ShownPositions};
pub use skin::{Helpers, SkinReport, helper_steps};
pub use source::Source;
pub use write::WriteError;
