//! Baking skinned glTF: a posed moment of a file as plain meshes (`bake.md`).
//!
//! In: the bytes of a `.glb` or `.gltf` file, a [`Moment`] and a way of [`Skinning`]. Out: a [`Baked`] file, planned in
//! full, whose vertices are evaluated while it is written. What nothing deforms passes through byte for byte; the
//! JSON is edited, not made anew. No disk and no threads here: a [`WriteAt`](crate::base::output::WriteAt) takes the bytes,
//! an [`Executor`](crate::base::executor::Executor) runs the work.
//!
//! ```text
//! read     the file, and images outside it                              (gltf, images)
//! pose     all nodes at the moment; a palette for each skin             (moment, gltf, palettes)
//! uses     which meshes there will be, and which node has which         (uses)
//! streams  which vertices are evaluated, once for equal attributes      (streams)
//! edit     nodes stand, meshes are plain, nothing is animated           (tree)
//! layout   accessors, views, regions of the binary chunk                (layout, used, references)
//! write    regions in pieces; least and greatest positions in the end   (evaluate, copy, write, text)
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
mod evaluate;
mod extensions;
pub mod gltf;
mod images;
mod layout;
mod moment;
mod palettes;
mod references;
mod streams;
mod text;
mod tree;
mod used;
mod uses;
mod write;

pub use moment::Moment;
pub use palettes::Skinning;
pub use tree::GENERATOR;
pub use write::WriteError;

use crate::base::diag::{Code, Diagnostic, Warned};
use crate::base::executor::Sequential;
use crate::base::loader::{Loader, Location};
use crate::base::output::MemoryFile;
use crate::glb::{Frame, GlbError};
use crate::kernel::simd::Isa;
use evaluate::Evaluator;
use gltf::{File, Problem, Skeleton};
use images::Images;
use layout::{Content, Layout, lay_out};
use references::{Reference, for_each_reference};
use streams::{Stream, Streams};
use text::Text;
use tree::Edit;
use uses::Uses;

/// A file that has been read, with everything it refers to.
pub struct Source<'f> {
    /// The file itself.
    pub file: File<'f>,
    images: Images,
    name: String,
}

/// A file at a moment, ready to be written.
pub struct Baked<'s> {
    layout: Layout<'s>,
    part_regions: Vec<usize>,
    streams: Vec<Stream>,
    evaluator: Evaluator<'s, 's>,
    images: &'s Images,
    text: Text,
    frame: Frame,
    name: &'s str,
}

impl<'f> Source<'f> {
    /// Reads a file whose bytes are given; `location` is where it is, from which the loader finds what it refers to.
    ///
    /// # Errors
    /// As [`gltf::read`]; every image that cannot be had; every reference in an extension that leads nowhere.
    pub fn read(
        bytes: &'f [u8],
        location: &Location,
        loader: &dyn Loader,
    ) -> Result<Warned<Self>, Vec<Diagnostic>> {
        let name = loader.name(location);
        let Warned {
            value: mut file,
            mut warnings,
        } = gltf::read(bytes, location, loader)?;
        check_references(&mut file, &name)?;
        let images = Images::read(&file, location, loader)?;
        if !file.nodes.iter().any(|node| node.skin.is_some()) {
            let problem = Problem::rule(&"", "there is no skin; the file is posed and written")
                .code(Code::W08);
            warnings.push(problem.into_diagnostic(&name));
        }
        Ok(Warned {
            value: Self { file, images, name },
            warnings,
        })
    }

    /// Bakes the file at a moment.
    ///
    /// # Errors
    /// An animation that the file has not; every property and joint that is not finite or, by `skinning`, of no use;
    /// a file that would exceed 4 GiB.
    pub fn bake(
        &self,
        moment: &Moment,
        skinning: &Skinning,
        isa: Isa,
    ) -> Result<Warned<Baked<'_>>, Vec<Diagnostic>> {
        let Self { file, images, name } = self;
        let alone = |problem: Problem| vec![problem.into_diagnostic(name)];
        let moment = moment.in_file(file).map_err(alone)?;
        let (animation, time) = moment.map_or((None, 0.0), |(found, time)| (Some(found), time));
        let pose = gltf::pose(&file.nodes, animation, time).map_err(|errors| -> Vec<_> {
            let finding = |error: gltf::NotFinite| {
                let problem = Problem::rule(&"nodes", error.to_string()).code(Code::V32);
                problem.into_diagnostic(name)
            };
            errors.into_iter().map(finding).collect()
        })?;
        let warnings = pose.replaced_matrices.iter().map(|node| {
            let message = "the matrix gives way to an animation of the node";
            let problem = Problem::rule(&format!("nodes[{node}].matrix"), message);
            problem.code(Code::W07).into_diagnostic(name)
        });
        let mut warnings: Vec<Diagnostic> = warnings.collect();
        let uses = Uses::new(file, &pose).map_err(alone)?;
        let skeleton = Skeleton::new(&file.nodes, &pose);
        let palettes = palettes::palettes(file, &uses, &skeleton, skinning, name)?;
        warnings.extend(palettes.warnings);
        let streams = Streams::new(file, &uses).map_err(alone)?;
        let edit = Edit {
            file,
            uses: &uses,
            streams: &streams,
            pose: &pose,
            animation,
        };
        let mut layout = lay_out(file, edit.apply(), images, &streams).map_err(alone)?;
        extensions::clean_extensions(file, &mut layout.tree);
        let text = Text::new(&layout.tree);
        let bin_len = layout.len.next_multiple_of(4);
        let frame = Frame::without_empty_chunk(text.bytes.len() as u64, bin_len);
        let frame = frame.map_err(|error: GlbError| {
            alone(Problem::rule(&"", error.to_string()).code(Code::U17))
        })?;
        Ok(Warned {
            value: Baked {
                part_regions: first_parts(&layout, streams.list.len()),
                layout,
                streams: streams.list,
                evaluator: Evaluator {
                    file,
                    palettes: palettes.value,
                    isa,
                },
                images,
                text,
                frame,
                name,
            },
            warnings,
        })
    }
}

impl Baked<'_> {
    /// Length of the file in bytes.
    #[allow(clippy::len_without_is_empty)] // it never is
    pub fn len(&self) -> u64 {
        self.frame.len()
    }

    /// The whole file in memory, with the warnings about its vertices.
    ///
    /// # Errors
    /// Vertices that cannot be baked, for each primitive the first.
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

/// The region of each stream's first part.
fn first_parts(layout: &Layout<'_>, count: usize) -> Vec<usize> {
    let mut regions = vec![0; count];
    for (index, region) in layout.regions.iter().enumerate() {
        if let Content::Part(stream, 0) = region.content {
            regions[stream] = index;
        }
    }
    regions
}

/// Refuses references in extensions to accessors and views that are not there; those of the core format have been
/// checked before.
fn check_references(file: &mut File<'_>, name: &str) -> Result<(), Vec<Diagnostic>> {
    let (accessors, views) = (file.accessor_count(), file.view_count());
    let mut errors = Vec::new();
    for_each_reference(&mut file.tree, &mut |reference, value| {
        let (list, count) = match reference {
            Reference::Accessor => ("accessors", accessors),
            Reference::View => ("bufferViews", views),
            Reference::PerhapsAccessor | Reference::PerhapsView => return,
        };
        if value.as_u64().is_none_or(|index| index >= count as u64) {
            let message = format!(
                "an extension refers to {}, but there are {count}",
                value.to_text()
            );
            errors.push(Problem::rule(&list, message).into_diagnostic(name));
        }
    });
    errors.truncate(crate::base::diag::MOST_FINDINGS);
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}
