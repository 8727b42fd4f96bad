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
mod baker;
mod copied;
mod edit;
mod evaluate;

pub use rigy_gltf as gltf;

mod images;
mod json_chunk;
mod kept;
mod layout;
mod meshes;
mod moment;
mod options;
mod palettes;
mod pivot;
mod references;
mod shown_positions;
mod skeleton;
mod streams;
mod winding;
mod write;

pub use animated::{Animated, Clip, Form};
pub use baker::Baker;
pub use edit::GENERATOR;
pub use images::{image_ending, without_image_ending};
pub use moment::{ClipTime, Moment};
pub use moment::{
    Outside, animation_label, find_animation, missing_animation, outside_warning, time_margin,
};
pub use options::{ClipName, Scale};
pub use palettes::{PosedSkin, Skinning};
pub use pivot::Pivot;
pub use shown_positions::{MeshPositions, ShownPositions};
pub use write::WriteError;

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use crate::glb::Frame;
use baker::Prepared;
use evaluate::Evaluator;
use gltf::{File, JointScale, Problem, Resources, Skeleton};
use images::Images;
use json_chunk::JsonChunk;
use meshes::BakedMeshes;
use moment::{Posed, posed};
use references::{Reference, check_references};
use rigy_base::diag::{Code, Diagnostic, Warned};
use rigy_base::loader::{Loader, Location};
use rigy_base::output::MemoryFile;
use rigy_kernel::executor::Sequential;
use rigy_kernel::simd::Isa;

/// A file that has been read, with everything it refers to.
pub struct Source<'f> {
    /// The file itself.
    pub file: File<'f>,
    images: Images,
    /// The names of images as files beside an output, once they are asked for.
    image_names: OnceLock<Vec<Option<String>>>,
    /// The references in extensions of accessors and buffer views.
    references_of_data: Vec<(Reference, usize)>,
    /// The extensions that objects of the JSON have.
    extensions: BTreeSet<String>,
}

/// A file at a moment, ready to be written.
pub struct Baked<'s> {
    prepared: Arc<Prepared<'s>>,
    evaluator: Evaluator<'s, 's>,
    images: &'s Images,
    json: JsonChunk,
    frame: Frame,
    /// The name of the file in messages.
    name: &'s str,
}

impl<'f> Source<'f> {
    /// Reads a file from its bytes. The loader finds the files that it refers to, relative to `location`.
    ///
    /// # Errors
    /// The errors of [`gltf::read`], else every reference in an extension to an accessor or view that does not exist,
    /// else every image that is there and cannot be read.
    pub fn read(
        bytes: &'f [u8],
        location: &Location,
        loader: &dyn Loader,
    ) -> Result<Warned<Self>, Vec<Diagnostic>> {
        Self::read_allowing(bytes, location, loader, &[])
    }

    /// Does the same as [`read`](Self::read), but extensions that are named in `allowed` may be required although they are not
    /// known; they are taken to leave geometry, skins and animations alone.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_allowing(
        bytes: &'f [u8],
        location: &Location,
        loader: &dyn Loader,
        allowed: &[String],
    ) -> Result<Warned<Self>, Vec<Diagnostic>> {
        Self::read_from(bytes, &Resources::new(location, loader), allowed, &|_| {
            Ok(())
        })
    }

    /// Does the same as [`read_allowing`](Self::read_allowing), and calls `admit` before other files are read, with the length of all
    /// of them in bytes.
    ///
    /// # Errors
    /// As [`read`](Self::read), and those of `admit`.
    pub fn read_from(
        bytes: &'f [u8],
        resources: &Resources<'_>,
        allowed: &[String],
        admit: &dyn Fn(u64) -> Result<(), Vec<Diagnostic>>,
    ) -> Result<Warned<Self>, Vec<Diagnostic>> {
        let Warned {
            value: mut file,
            mut warnings,
        } = gltf::read_from(bytes, resources, allowed, admit)?;
        let references_of_data = check_references(&mut file)?;
        let images = Images::read(&file, resources)?;
        warnings.extend(images.warnings);
        if !file.nodes.iter().any(|node| node.skin.is_some()) {
            let problem = Problem::rule(&"", "there is no skin; the file is posed and written")
                .code(Code::W08);
            warnings.push(problem.into_diagnostic(&file.name));
        }
        Ok(Warned {
            value: Self {
                extensions: kept::used_in(
                    file.extended
                        .iter()
                        .map(|index| &file.tree.members()[*index]),
                ),
                file,
                images: images.value,
                image_names: OnceLock::new(),
                references_of_data,
            },
            warnings,
        })
    }

    /// Removes attributes and materials, so that a bake evaluates and copies nothing but the positions of vertices.
    pub fn keep_positions(&mut self) {
        let moves = |name: &str| name == "POSITION" || streams::is_influence(name);
        let meshes = self.file.meshes.iter_mut();
        for primitive in meshes.flat_map(|mesh| &mut mesh.primitives) {
            primitive.attributes.retain(|(name, _)| moves(name));
            primitive.material = None;
            for target in &mut primitive.targets {
                target.retain(|(name, _)| moves(name));
            }
        }
        let meshes = self.file.tree.list_mut("meshes").iter_mut();
        for primitive in meshes.flat_map(|mesh| mesh.list_mut("primitives")) {
            primitive.remove("material");
            if let Some(attributes) = primitive.get_mut("attributes") {
                attributes.retain_members(moves);
            }
            for target in primitive.list_mut("targets") {
                target.retain_members(moves);
            }
        }
    }

    /// Bakes the file at a moment.
    ///
    /// # Errors
    /// As [`Baker::bake`].
    pub fn bake(
        &self,
        moment: &Moment,
        skinning: &Skinning,
        isa: Isa,
    ) -> Result<Warned<Baked<'_>>, Vec<Diagnostic>> {
        Baker::new(self).bake(moment, skinning, isa)
    }
}

impl Source<'_> {
    /// Returns for each node true if it is visible at any of some moments.
    ///
    /// # Errors
    /// If the keys of an animation cannot be used; every property of a node that is not finite.
    pub fn visible_at_any<'m>(
        &self,
        moments: impl IntoIterator<Item = &'m Option<ClipTime>>,
    ) -> Result<Vec<bool>, Vec<Diagnostic>> {
        let file = &self.file;
        let mut keys = file.animations.iter().flat_map(|animation| &animation.keys);
        // Without such keys all moments show the same.
        let are_alike = keys.all(|keys| keys.property != gltf::Property::Visibility);
        let count = if are_alike { 1 } else { usize::MAX };
        let mut visible = vec![false; file.nodes.len()];
        for at in moments.into_iter().take(count) {
            let pose = posed(file, *at)?.pose;
            let hidden = file.hidden_nodes(|node| pose.nodes[node].visible);
            let nodes = visible.iter_mut().zip(hidden);
            nodes.for_each(|(visible, hidden)| *visible |= !hidden);
        }
        Ok(visible)
    }

    /// Returns for each skin the transforms of its joints at a moment; `None` for a skin that no mesh uses. A joint that
    /// has no dual quaternion is a warning.
    ///
    /// # Errors
    /// If the file has no such animation; every property of a node, and every joint matrix, that is not finite.
    pub fn skins(
        &self,
        moment: &Moment,
        scale: &JointScale,
    ) -> Result<Warned<Vec<Option<PosedSkin>>>, Vec<Diagnostic>> {
        let Self { file, .. } = self;
        let error = |problem: Problem| vec![problem.into_diagnostic(&file.name)];
        let at = moment.in_file(file)?;
        let Posed {
            pose, mut warnings, ..
        } = posed(file, at.value)?;
        warnings.extend(at.warnings);
        let skeleton = Skeleton::new(&file.nodes, &pose);
        let meshes = BakedMeshes::new(file, &pose, &skeleton, Pivot::Origin).map_err(error)?;
        let mut skins = palettes::posed_skins(file, &meshes.skins(), &skeleton, scale, &file.name)?;
        skins.warnings.splice(0..0, warnings);
        Ok(skins)
    }
}

impl Baked<'_> {
    /// Returns the length of the file in bytes.
    #[allow(clippy::len_without_is_empty)] // a file is never empty
    pub fn len(&self) -> u64 {
        self.frame.len()
    }

    /// Returns for each node of the output the index of the node of the input that it is made from.
    pub fn source_nodes(&self) -> Vec<usize> {
        let Prepared { meshes, nodes, .. } = &*self.prepared;
        let sources = (0..meshes.of_node.len()).chain(meshes.skinned.iter().copied());
        let kept = sources.zip(nodes).filter(|(_, number)| number.is_some());
        kept.map(|(source, _)| source).collect()
    }

    /// Writes the whole file to memory. Returns its bytes, and the warnings about its vertices.
    ///
    /// # Errors
    /// For each primitive, the first vertex that cannot be baked.
    pub fn to_bytes(&self) -> Result<Warned<Vec<u8>>, Vec<Diagnostic>> {
        let file = MemoryFile::new(self.len() as usize, Vec::new());
        match self.write_at(&file, &Sequential) {
            Ok(warnings) => Ok(Warned {
                value: file.into_bytes(),
                warnings,
            }),
            Err(WriteError::Vertices(errors)) => Err(errors),
            Err(WriteError::Io(error)) => unreachable!("memory takes every write: {error}"),
        }
    }
}
