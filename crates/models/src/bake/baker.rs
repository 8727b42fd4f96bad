//! Baking a file at several moments. What does not depend on where nodes are is prepared once: the layout, and the JSON except for
//! animated nodes. Moments share it unless their morph weights or their handedness differ.

use std::sync::{Arc, OnceLock};

use super::adapt::adapt;
use super::baked::Baked;
use super::edit::{Edit, moved_nodes};
use super::evaluate::Evaluator;
use super::json_chunk::JsonChunk;
use super::kept::clean_extensions;
use super::layout::{Content, Layout, lay_out};
use super::made::Made;
use super::meshes::BakedMeshes;
use super::moment::{Posed, posed};
use super::palettes::palettes;
use super::pivot::{Pivot, Pivots};
use super::skeleton::{NodeNumbers, all_nodes, remove_dead};
use super::source::Source;
use super::streams::{Stream, Streams};
use super::winding::{Triangles, Winding};
use super::{ClipTime, Moment, Skinning};
use crate::glb::Frame;
use rigy_base::diag::{Code, Diagnosed, Diagnostic, Warned};
use rigy_base::meter::{Cost, Meter};
use rigy_gltf::json::Value;
use rigy_gltf::{AboutFile, Problem, Result};
use rigy_kernel::executor::{Executor, Sequential};
use rigy_kernel::simd::Isa;

/// The settings of a bake, which hold at every moment.
#[derive(Clone, Copy, Default)]
pub struct Settings {
    /// True if extensions that refer to what a bake removes, such as expressions of avatars, stay as they are. By default they lose the
    /// entries that no longer hold, with a warning (W15).
    pub keeps_extensions: bool,
    /// True if nodes of skeletons stay that nothing needs any more. By default they are removed (`bake.md` §6).
    pub keeps_skeleton: bool,
    /// True if images are files beside the output, which refers to them by name; [`Source::image_files`] returns them. By default they are in
    /// the output.
    pub textures_beside: bool,
    /// The origin of baked meshes. For [`Pivot::Bounds`], all positions are evaluated before the file is laid out, and again while it is
    /// written.
    pub pivot: Pivot,
    /// True if there are several moments. What they share is then read once, and takes up to 64 MiB of memory.
    pub keeps_vertices: bool,
}

impl Settings {
    /// The names of images that are files.
    pub(super) fn image_names<'s>(&self, source: &'s Source) -> &'s [Option<String>] {
        match self.textures_beside {
            true => source.image_names(),
            false => &[],
        }
    }
}

/// Values of JSON that are written while a node is posed.
const VALUES: u64 = 4;

/// An output with certain meshes.
pub struct Prepared<'a> {
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
    /// The contents of regions of an animated output; a file of one moment has none.
    pub made: Vec<Made>,
}

impl Source<'_> {
    /// Bakes the file at a moment.
    ///
    /// # Errors
    /// As [`Baker::bake`].
    pub fn bake(
        &self,
        moment: &Moment,
        skinning: &Skinning,
        isa: Isa,
    ) -> Diagnosed<Warned<Baked<'_>>> {
        Baker::new(self).bake(moment, skinning, isa)
    }
}

impl<'a> Prepared<'a> {
    /// Prepares the output with these meshes.
    ///
    /// # Errors
    /// If it takes too much work.
    pub fn new(
        source: &Source<'a>,
        meshes: BakedMeshes,
        settings: &Settings,
        executor: &dyn Executor,
        meter: &mut Meter,
    ) -> Result<Self> {
        let keeps_extensions = settings.keeps_extensions;
        let file = &source.file;
        let mut streams = Streams::new(file, &meshes, settings.pivot, meter)?;
        if settings.keeps_vertices {
            streams.keep_vertices(file);
        }
        let winding = Winding::new(file, &meshes);
        let edit = Edit {
            file,
            meshes: &meshes,
            streams: &streams,
            winding: &winding,
        };
        let mut tree = edit.apply();
        let mut warnings = Vec::new();
        if !keeps_extensions {
            warnings = adapt(&mut tree, file, &meshes);
        }
        let nodes = if settings.keeps_skeleton {
            all_nodes(&tree)
        } else {
            remove_dead(&mut tree, file, &meshes, keeps_extensions)
        };
        meter.spend(Cost::Posed, tree.size() as u64 / VALUES)?;
        let mut prepared = Self::laid_out(
            source,
            tree,
            meshes,
            (streams, winding),
            settings,
            executor,
            meter,
        )?;
        prepared.nodes = nodes;
        prepared.warnings.splice(..0, warnings);
        Ok(prepared)
    }

    /// Lays out an edited tree, all of whose nodes are there.
    pub fn laid_out(
        source: &Source<'a>,
        tree: Value<'a>,
        meshes: BakedMeshes,
        (streams, winding): (Streams, Winding),
        settings: &Settings,
        executor: &dyn Executor,
        meter: &mut Meter,
    ) -> Result<Self> {
        let nodes = all_nodes(&tree);
        let image_names = settings.image_names(source);
        let mut layout = lay_out(
            source,
            tree,
            &streams,
            &winding,
            image_names,
            executor,
            meter,
        )?;
        clean_extensions(&source.extensions, &mut layout.tree);
        Ok(Self {
            part_regions: first_parts(&layout, streams.list.len()),
            meshes,
            streams: streams.list,
            triangles: winding.list,
            warnings: std::mem::take(&mut layout.warnings),
            layout,
            nodes,
            made: Vec::new(),
        })
    }
}

/// For each stream the index of the region of its first part.
fn first_parts(layout: &Layout, count: usize) -> Vec<usize> {
    let mut regions = vec![0; count];
    for (index, region) in layout.regions.iter().enumerate() {
        if let Content::Part(stream, 0) = region.content {
            regions[stream] = index;
        }
    }
    regions
}

/// Bakes a file at one or more moments, on several threads if need be.
pub struct Baker<'s> {
    pub(super) source: &'s Source<'s>,
    /// The first moment's, which others share whose meshes are the same.
    first: OnceLock<Arc<Prepared<'s>>>,
    pub(super) settings: Settings,
    /// Spreads the work that is needed before a file is laid out: reading the data that are copied, and some positions.
    executor: &'s dyn Executor,
}

impl<'s> Baker<'s> {
    /// Returns the baker of a file with default settings.
    pub fn new(source: &'s Source<'s>) -> Self {
        Self::with(source, Settings::default(), &Sequential)
    }

    /// Returns the baker of a file. `executor` spreads over threads what is done before a file is laid out: the check of data that are
    /// copied, and the positions for [`Pivot::Bounds`].
    pub fn with(source: &'s Source<'s>, settings: Settings, executor: &'s dyn Executor) -> Self {
        Self {
            source,
            first: OnceLock::new(),
            settings,
            executor,
        }
    }

    /// Bakes the file at a moment. A time outside the keys of the animation is a warning (W10).
    ///
    /// # Errors
    /// If the file has no such animation; the errors of [`bake_at`](Self::bake_at).
    pub fn bake(
        &self,
        moment: &Moment,
        skinning: &Skinning,
        isa: Isa,
    ) -> Diagnosed<Warned<Baked<'s>>> {
        let Warned { value, warnings } = moment.in_file(&self.source.file)?;
        let mut baked = self.bake_at(value, skinning, isa)?;
        baked.warnings.extend(warnings);
        Ok(baked)
    }

    /// Bakes the file at a time of one of its animations; with `None`, with its nodes as they are stored.
    ///
    /// # Errors
    /// If the keys of the animation cannot be used; if the file takes too much work or would exceed 4 GiB;
    /// every property of a node that is not finite, and every joint that `skinning` cannot use.
    pub fn bake_at(
        &self,
        at: Option<ClipTime>,
        skinning: &Skinning,
        isa: Isa,
    ) -> Diagnosed<Warned<Baked<'s>>> {
        let Source { file, .. } = self.source;
        let name = &*file.name;
        let Posed {
            channels,
            pose,
            skeleton,
            mut warnings,
        } = posed(file, at)?;
        let pivot = self.settings.pivot;
        let mut meter = file.meter;
        let meshes =
            BakedMeshes::new(file, &pose, &skeleton, pivot, &mut meter).about_file(name)?;
        let palettes = palettes(file, &meshes.skins(), &skeleton, skinning, &mut meter)?;
        warnings.extend(palettes.warnings);
        let prepared = self.prepared(meshes, &mut meter).about_file(name)?;
        warnings.extend(prepared.warnings.iter().cloned());
        let tree = &prepared.layout.tree;
        let mut evaluator = Evaluator::new(file, palettes.value, isa);
        let pivots = match pivot {
            Pivot::Origin => Pivots::default(),
            Pivot::Node => Pivots::at_nodes(&prepared.meshes, &skeleton).about_file(name)?,
            Pivot::Bounds => Pivots::of_bounds(&prepared, &evaluator, self.executor),
        };
        evaluator.pivots = pivots.without_instanced(file, &prepared.meshes);
        let nodes = tree.list("nodes");
        let numbers = (&prepared.meshes, &prepared.nodes);
        let mut moved = moved_nodes(file, nodes, numbers, channels, &pose);
        evaluator.pivots.place_nodes(nodes, &prepared, &mut moved);
        let text = tree.to_text_with("nodes", &moved);
        let value = self
            .assembled(prepared, evaluator, text, meter)
            .about_file(name)?;
        Ok(Warned { value, warnings })
    }

    /// The output with this text of its JSON.
    ///
    /// # Errors
    /// If it would exceed 4 GiB.
    pub(super) fn assembled(
        &self,
        prepared: Arc<Prepared<'s>>,
        evaluator: Evaluator<'s, 's>,
        text: String,
        meter: Meter,
    ) -> Result<Baked<'s>> {
        let json = JsonChunk::new(text);
        let bin_len = prepared.layout.len.next_multiple_of(4);
        let frame = Frame::without_empty_chunk(json.bytes.len() as u64, bin_len);
        Ok(Baked {
            frame: frame.map_err(|error| Problem::rule(&"", error.to_string()).code(Code::U17))?,
            prepared,
            evaluator,
            images: &self.source.images,
            json,
            name: &self.source.file.name,
            meter,
        })
    }

    /// The prepared output with these meshes. Preparing it again would take as much work.
    fn prepared(&self, meshes: BakedMeshes, meter: &mut Meter) -> Result<Arc<Prepared<'s>>> {
        if let Some(first) = self.first.get().filter(|first| first.meshes == meshes) {
            return Ok(first.clone());
        }
        let (settings, executor) = (&self.settings, self.executor);
        let prepared = Prepared::new(self.source, meshes, settings, executor, meter)?;
        let prepared = Arc::new(prepared);
        let _ = self.first.set(prepared.clone()); // another moment may have been faster
        Ok(prepared)
    }
}
