//! Baking a file at several moments: its meshes are laid out once, unless their morph weights or their
//! handedness change.

use std::sync::{Arc, OnceLock};

use super::edit::moved_nodes;
use super::evaluate::Evaluator;
use super::json_chunk::JsonChunk;
use super::meshes::BakedMeshes;
use super::moment::{Posed, posed};
use super::palettes::palettes;
use super::pivot::{Pivot, Pivots};
use super::prepared::{Prepared, Settings};
use super::{Baked, ClipTime, Moment, Skinning, Source};
use crate::glb::{Frame, GlbError};
use rigy_gltf::{Problem, Skeleton};
use rigy_kernel::simd::Isa;
use rigy_language::base::diag::{Code, Diagnostic, Warned};
use rigy_language::base::executor::{Executor, Sequential};

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
    /// Returns the baker of a file.
    pub fn new(source: &'s Source<'s>) -> Self {
        Self {
            source,
            first: OnceLock::new(),
            settings: Settings::default(),
            executor: &Sequential,
        }
    }

    /// Sets whether extensions that refer to what a bake removes, such as expressions of avatars, stay as they are. By default they
    /// lose the entries that no longer hold, with a warning (W15).
    #[must_use]
    pub fn keeping_extensions(mut self, yes: bool) -> Self {
        self.settings.keeps_extensions = yes;
        self
    }

    /// Sets whether nodes of skeletons stay that nothing needs any more. By default they are removed (`bake.md` §6).
    #[must_use]
    pub fn keeping_skeleton(mut self, yes: bool) -> Self {
        self.settings.keeps_skeleton = yes;
        self
    }

    /// Sets whether images are files beside the output: it refers to them by name, and [`Source::image_files`] returns them. By
    /// default they are in the output.
    #[must_use]
    pub fn textures_beside(mut self, yes: bool) -> Self {
        self.settings.textures_beside = yes;
        self
    }

    /// Sets the origin of baked meshes. For [`Pivot::Bounds`], all positions are evaluated before the file is laid out, and again
    /// while it is written; `executor` spreads this over threads, and for every pivot the check of data that are copied.
    #[must_use]
    pub fn pivot(mut self, pivot: Pivot, executor: &'s dyn Executor) -> Self {
        self.settings.pivot = pivot;
        self.executor = executor;
        self
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
    ) -> Result<Warned<Baked<'s>>, Vec<Diagnostic>> {
        let Warned { value, warnings } = moment.in_file(&self.source.file)?;
        let mut baked = self.bake_at(value, skinning, isa)?;
        baked.warnings.extend(warnings);
        Ok(baked)
    }

    /// Bakes the file at a time of one of its animations; with `None`, with its nodes as they are stored.
    ///
    /// # Errors
    /// If the keys of the animation cannot be used; if the file repeats its data too often or would exceed 4 GiB;
    /// every property of a node that is not finite, and every joint that `skinning` cannot use.
    pub fn bake_at(
        &self,
        at: Option<ClipTime>,
        skinning: &Skinning,
        isa: Isa,
    ) -> Result<Warned<Baked<'s>>, Vec<Diagnostic>> {
        let Source { file, .. } = self.source;
        let name = &*file.name;
        let error = |problem: Problem| vec![problem.into_diagnostic(name)];
        let Posed {
            channels,
            pose,
            mut warnings,
        } = posed(file, at)?;
        let skeleton = Skeleton::new(&file.nodes, &pose);
        let pivot = self.settings.pivot;
        let meshes = BakedMeshes::new(file, &pose, &skeleton, pivot).map_err(error)?;
        let palettes = palettes(file, &meshes, &skeleton, skinning, name)?;
        warnings.extend(palettes.warnings);
        let prepared = self.prepared(meshes).map_err(error)?;
        warnings.extend(prepared.warnings.iter().cloned());
        let tree = &prepared.layout.tree;
        let mut evaluator = Evaluator {
            file,
            palettes: palettes.value,
            pivots: Pivots::default(),
            isa,
        };
        let pivots = match pivot {
            Pivot::Origin => Pivots::default(),
            Pivot::Node => Pivots::at_nodes(&prepared.meshes, &skeleton).map_err(error)?,
            Pivot::Bounds => Pivots::of_bounds(&prepared, &evaluator, self.executor),
        };
        evaluator.pivots = pivots.without_instanced(file, &prepared.meshes);
        let nodes = tree.list("nodes");
        let mut moved = moved_nodes(nodes, &prepared.nodes, channels, &pose);
        moved.extend(evaluator.pivots.moved_nodes(nodes, &prepared));
        let text = tree.to_text_with("nodes", &moved);
        let value = self.assembled(prepared, evaluator, text).map_err(error)?;
        Ok(Warned { value, warnings })
    }

    /// Returns the output with this text of its JSON.
    ///
    /// # Errors
    /// If it would exceed 4 GiB.
    pub(super) fn assembled(
        &self,
        prepared: Arc<Prepared<'s>>,
        evaluator: Evaluator<'s, 's>,
        text: String,
    ) -> Result<Baked<'s>, Problem> {
        let json = JsonChunk::new(text);
        let bin_len = prepared.layout.len.next_multiple_of(4);
        let frame = Frame::without_empty_chunk(json.bytes.len() as u64, bin_len);
        let too_long = |error: GlbError| Problem::rule(&"", error.to_string()).code(Code::U17);
        Ok(Baked {
            frame: frame.map_err(too_long)?,
            prepared,
            evaluator,
            images: &self.source.images,
            json,
            name: &self.source.file.name,
        })
    }

    /// Returns the prepared output with these meshes.
    fn prepared(&self, meshes: BakedMeshes) -> Result<Arc<Prepared<'s>>, Problem> {
        if let Some(first) = self.first.get().filter(|first| first.meshes == meshes) {
            return Ok(first.clone());
        }
        let prepared = Prepared::new(self.source, meshes, &self.settings, self.executor)?;
        let prepared = Arc::new(prepared);
        let _ = self.first.set(prepared.clone()); // another moment may have been faster
        Ok(prepared)
    }
}
