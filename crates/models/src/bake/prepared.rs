//! The parts of a baked file that do not depend on where nodes are: its layout, and its JSON except for animated nodes.

use super::Source;
use super::adapt::adapt;
use super::animated::Numbers;
use super::edit::Edit;
use super::extensions::clean_extensions;
use super::layout::{Content, Layout, lay_out};
use super::meshes::BakedMeshes;
use super::pivot::Pivot;
use super::skeleton::{NodeNumbers, all_nodes, remove_dead};
use super::streams::{Stream, Streams};
use super::winding::{Triangles, Winding};
use rigy_gltf::Problem;
use rigy_language::base::diag::Diagnostic;
use rigy_language::base::executor::Executor;

/// The settings of a bake, which hold at every moment.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Settings {
    /// True if extensions that refer to what the bake removes are not adapted.
    pub keeps_extensions: bool,
    /// True if nodes of skeletons that nothing needs stay.
    pub keeps_skeleton: bool,
    /// True if images are files beside the output.
    pub textures_beside: bool,
    /// The origin of baked meshes.
    pub pivot: Pivot,
}

/// An output with certain meshes.
pub(super) struct Prepared<'a> {
    /// The meshes.
    pub meshes: BakedMeshes,
    /// Its vertices that are evaluated.
    pub streams: Vec<Stream>,
    /// Its triangles that are turned over.
    pub triangles: Vec<Triangles>,
    /// Its JSON, in which nodes are not animated, and the regions of its binary chunk.
    pub layout: Layout<'a>,
    /// For each stream, the index of the region of its first part.
    pub part_regions: Vec<usize>,
    /// For each node of the input, and then for each new node, its index in the output.
    pub nodes: NodeNumbers,
    /// The warnings about extensions and about data that are copied.
    pub warnings: Vec<Diagnostic>,
    /// Data of an animated output; a file of one moment has none.
    pub made: Vec<Numbers>,
}

impl<'a> Prepared<'a> {
    /// Prepares the output with these meshes.
    ///
    /// # Errors
    /// If it would repeat the data of the file too often.
    pub fn new(
        source: &Source<'a>,
        meshes: BakedMeshes,
        settings: &Settings,
        executor: &dyn Executor,
    ) -> Result<Self, Problem> {
        let keeps_extensions = settings.keeps_extensions;
        let file = &source.file;
        let streams = Streams::new(file, &meshes, settings.pivot)?;
        let winding = Winding::new(file, &meshes);
        let edit = Edit {
            file,
            meshes: &meshes,
            streams: &streams,
            winding: &winding,
        };
        let mut tree = edit.apply();
        let mut warnings = match keeps_extensions {
            true => Vec::new(),
            false => adapt(&mut tree, file, &meshes),
        };
        let nodes = match settings.keeps_skeleton {
            true => all_nodes(&tree),
            false => remove_dead(&mut tree, file, &meshes, keeps_extensions),
        };
        let image_names = match settings.textures_beside {
            true => source.image_names(),
            false => &[],
        };
        let mut layout = lay_out(source, tree, &streams, &winding, image_names, executor)?;
        warnings.append(&mut layout.warnings);
        clean_extensions(&source.extensions, &mut layout.tree);
        Ok(Self {
            part_regions: first_parts(&layout, streams.list.len()),
            meshes,
            streams: streams.list,
            triangles: winding.list,
            layout,
            nodes,
            warnings,
            made: Vec::new(),
        })
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
