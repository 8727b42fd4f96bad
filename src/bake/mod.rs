//! Baking skinned glTF: a file at one moment of an animation, as plain meshes (`bake.md`).
//!
//! In: the bytes of a `.glb` or `.gltf` file, a [`Moment`] and a [`Skinning`] method. Out: a [`Baked`] file, which is
//! completely planned and whose vertices are evaluated while it is written. Data that nothing deforms are copied byte
//! for byte; the JSON is edited, not generated. This module uses no disk and no threads: a
//! [`WriteAt`](crate::base::output::WriteAt) takes the bytes, an [`Executor`](crate::base::executor::Executor) runs the
//! tasks.
//!
//! ```text
//! read     the file, and the images that it refers to                   (gltf, images)
//! pose     all nodes at the moment; a palette for each skin             (moment, gltf, palettes)
//! meshes   the meshes of the output, and the mesh of each node          (meshes)
//! streams  the vertices to evaluate, once for equal attributes          (streams)
//! winding  the triangles to turn over, where nodes mirrored them        (winding)
//! edit     nodes are posed, meshes are plain, animations are removed    (edit)
//! layout   accessors, views, regions of the binary chunk; extensions    (layout, kept, references, extensions)
//! write    regions in pieces; the bounds of positions at the end        (evaluate, copy, write, json_chunk)
//! ```
//!
//! ```
//! use rigy_batch::{Isa, JointScale, Location, MemoryLoader, Moment, Skinning, Source};
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

mod copy;
mod edit;
mod evaluate;
mod extensions;
pub mod gltf;
mod images;
mod json_chunk;
mod kept;
mod layout;
mod meshes;
mod moment;
mod palettes;
mod references;
mod streams;
mod winding;
mod write;

pub use edit::GENERATOR;
pub use moment::Moment;
pub use palettes::{PosedSkin, Skinning};
pub use write::WriteError;

use std::collections::BTreeSet;

use crate::base::diag::{Code, Diagnostic, Warned};
use crate::base::executor::Sequential;
use crate::base::loader::{Loader, Location};
use crate::base::output::MemoryFile;
use crate::glb::{Frame, GlbError};
use crate::kernel::simd::Isa;
use edit::Edit;
use evaluate::Evaluator;
use gltf::{File, JointScale, Problem, Skeleton};
use images::Images;
use json_chunk::JsonChunk;
use layout::{Content, Layout, lay_out};
use meshes::BakedMeshes;
use moment::{Posed, posed};
use references::{Reference, check_references};
use streams::{Stream, Streams};
use winding::{Triangles, Winding};

/// A file that has been read, with everything it refers to.
pub struct Source<'f> {
    /// The file itself.
    pub file: File<'f>,
    images: Images,
    /// The references in extensions of accessors and buffer views.
    references_of_data: Vec<(Reference, u64)>,
    /// The extensions that objects of the JSON have.
    extensions: BTreeSet<String>,
}

/// A file at a moment, ready to be written.
pub struct Baked<'s> {
    layout: Layout<'s>,
    /// For each stream, the index of the region of its first part.
    part_regions: Vec<usize>,
    streams: Vec<Stream>,
    /// The triangles that are turned over.
    triangles: Vec<Triangles>,
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
    /// else every image that cannot be read.
    pub fn read(
        bytes: &'f [u8],
        location: &Location,
        loader: &dyn Loader,
    ) -> Result<Warned<Self>, Vec<Diagnostic>> {
        let Warned {
            value: mut file,
            mut warnings,
        } = gltf::read(bytes, location, loader)?;
        let references_of_data = check_references(&mut file)?;
        let images = Images::read(&file, location, loader)?;
        if !file.nodes.iter().any(|node| node.skin.is_some()) {
            let problem = Problem::rule(&"", "there is no skin; the file is posed and written")
                .code(Code::W08);
            warnings.push(problem.into_diagnostic(&file.name));
        }
        Ok(Warned {
            value: Self {
                extensions: extensions::used_in(
                    file.extended
                        .iter()
                        .map(|index| &file.tree.members()[*index]),
                ),
                file,
                images,
                references_of_data,
            },
            warnings,
        })
    }

    /// Bakes the file at a moment.
    ///
    /// # Errors
    /// If the file has no such animation, or its keys cannot be used; if it repeats its data too often or would exceed 4 GiB;
    /// every property of a node
    /// that is not finite, and every joint that `skinning` cannot use.
    pub fn bake(
        &self,
        moment: &Moment,
        skinning: &Skinning,
        isa: Isa,
    ) -> Result<Warned<Baked<'_>>, Vec<Diagnostic>> {
        let Self { file, images, .. } = self;
        let name = &*file.name;
        let error = |problem: Problem| vec![problem.into_diagnostic(name)];
        let Posed {
            channels,
            pose,
            mut warnings,
        } = posed(file, moment)?;
        let skeleton = Skeleton::new(&file.nodes, &pose);
        let meshes = BakedMeshes::new(file, &pose, &skeleton).map_err(error)?;
        let palettes = palettes::palettes(file, &meshes, &skeleton, skinning, name)?;
        warnings.extend(palettes.warnings);
        let streams = Streams::new(file, &meshes).map_err(error)?;
        let winding = Winding::new(file, &meshes);
        let edit = Edit {
            file,
            meshes: &meshes,
            streams: &streams,
            winding: &winding,
            pose: &pose,
            channels,
        };
        let mut layout = lay_out(self, edit.apply(), &streams, &winding).map_err(error)?;
        extensions::clean_extensions(&self.extensions, &mut layout.tree);
        let json = JsonChunk::new(&layout.tree);
        let bin_len = layout.len.next_multiple_of(4);
        let frame = Frame::without_empty_chunk(json.bytes.len() as u64, bin_len);
        let frame = frame.map_err(|too_long: GlbError| {
            error(Problem::rule(&"", too_long.to_string()).code(Code::U17))
        })?;
        Ok(Warned {
            value: Baked {
                part_regions: first_parts(&layout, streams.list.len()),
                layout,
                streams: streams.list,
                triangles: winding.list,
                evaluator: Evaluator {
                    file,
                    palettes: palettes.value,
                    isa,
                },
                images,
                json,
                frame,
                name,
            },
            warnings,
        })
    }
}

impl Source<'_> {
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
        let Posed { pose, warnings, .. } = posed(file, moment)?;
        let skeleton = Skeleton::new(&file.nodes, &pose);
        let meshes = BakedMeshes::new(file, &pose, &skeleton).map_err(error)?;
        let mut skins = palettes::posed_skins(file, &meshes, &skeleton, scale, &file.name)?;
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

/// Returns for each stream the index of the region of its first part.
fn first_parts(layout: &Layout<'_>, count: usize) -> Vec<usize> {
    let mut regions = vec![0; count];
    for (index, region) in layout.regions.iter().enumerate() {
        if let Content::Part(stream, 0) = region.content {
            regions[stream] = index;
        }
    }
    regions
}
