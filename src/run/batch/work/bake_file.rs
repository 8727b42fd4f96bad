//! Baking one glTF file in memory, on the calling thread.

use std::ops::ControlFlow;
use std::path::Path;

use super::bake_exports::{ExportKind, Exported, Exporter};
use super::bake_job::{BakeJob, SampleTimes};
use super::bake_plan::{ClipPlan, PlannedOutput, plan};
use super::beside::each_once;
use super::names::{bake_file_name, gltf_stem};
use super::staging::too_large;
use crate::bake::Source;
use crate::glb;
use crate::run::batch::outcome::export_error;
use rigy_base::diag::{Diagnosed, Warned, check_none, keep};
use rigy_base::loader::{Loader, Location};
use rigy_base::sync::Mutex;
use rigy_export::{Beside, Export};
use rigy_kernel::executor::Sequential;
use rigy_kernel::simd::Isa;

/// A file by its name, and its bytes.
type NamedFile = (String, Vec<u8>);

impl BakeJob {
    /// Returns true if every file becomes one GLB, with nothing beside it.
    pub fn makes_one_glb(&self) -> bool {
        let is_one = self.form.is_some() || matches!(self.times, SampleTimes::At(_));
        let has_one_clip = !self.clips.are_in_names();
        is_one && has_one_clip && self.export.is_none() && !self.puts_textures_beside()
    }

    /// Bakes a file in memory, on the calling thread. The loader finds the files that it refers to, relative to `location`. Returns the files that a run with a directory
    /// for outputs writes there: outputs in the order of their moments, then what belongs beside them.
    ///
    /// # Errors
    /// Everything that is wrong with the file, or with it at these moments.
    pub fn bake_file(
        &self,
        bytes: &[u8],
        location: &Location,
        loader: &dyn Loader,
    ) -> Diagnosed<Warned<Vec<NamedFile>>> {
        self.with_exporter(bytes, location, loader, |exporter, plans, stem| {
            self.all(exporter, plans, stem)
        })
    }

    /// Reads a file as [`bake_file`](Self::bake_file) does, and makes something of its animations; the names of outputs begin with the text.
    ///
    /// # Errors
    /// Everything that is wrong with the file, and the errors of `make`.
    pub fn with_exporter<T>(
        &self,
        bytes: &[u8],
        location: &Location,
        loader: &dyn Loader,
        make: impl FnOnce(&Exporter, &[ClipPlan], &str) -> Diagnosed<Warned<T>>,
    ) -> Diagnosed<Warned<T>> {
        let allowed = &self.allowed_extensions;
        let mut source = Source::read_allowing(bytes, location, loader, allowed)?;
        let plans = plan(self, &mut source.value)?;
        let stem = gltf_stem(location.0.file_name().unwrap_or_default());
        let stem = stem.to_string_lossy();
        let images = self.exported_images(&source.value, &stem);
        let baker = self.baker(&source.value, &Sequential);
        let exporter = Exporter {
            baker: &baker,
            source: &source.value,
            images: &images,
            skinning: &self.skinning,
            helpers: self.helpers,
            isa: Isa::best(),
            executor: &Sequential,
            at_once: 1,
            buffers: &Mutex::default(),
            made: &|| ControlFlow::Continue(()),
        };
        let made = make(&exporter, &plans.value, &stem)?;
        Ok(Warned {
            value: made.value,
            warnings: [source.warnings, plans.warnings, made.warnings].concat(),
        })
    }

    /// Makes all files. The names of outputs begin with `stem`.
    fn all(
        &self,
        exporter: &Exporter,
        plans: &[ClipPlan],
        stem: &str,
    ) -> Diagnosed<Warned<Vec<NamedFile>>> {
        let ending = self.export.map_or(Some("glb"), |export| export.ending());
        let mut beside = self.files_beside(exporter.source);
        let (mut files, mut warnings, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        let mut len = 0;
        let outputs = plans
            .iter()
            .flat_map(|plan| plan.outputs().map(move |output| (plan, output)));
        for (plan, output) in outputs {
            let Some(ending) = ending else { continue };
            let clip = plan.label.as_deref();
            let name = bake_file_name(stem.as_ref(), clip, output.frame(), ending);
            let name = name.to_string_lossy().into_owned();
            match self.one(exporter, (plan, &output), &name) {
                Ok(made) => {
                    keep(&mut warnings, made.warnings);
                    len += made.value.output.len() as u64;
                    files.push((name, made.value.output));
                    beside.extend(made.value.beside);
                }
                Err(found) => keep(&mut errors, found),
            }
            if len > glb::MAX_LEN {
                let message = "its files would exceed 4 GiB of memory";
                let error = export_error(&exporter.source.file.name, message.into());
                return Err(vec![error.help("take fewer frames")]);
            }
        }
        check_none(errors)?;
        #[cfg(feature = "cli")]
        if let Some(ExportKind::Textures(format, layout)) = self.export {
            let clips: Vec<_> = plans.iter().map(ClipPlan::exported).collect();
            let textures = exporter.textures((format, layout), &clips, stem)?;
            keep(&mut warnings, textures.warnings);
            beside.extend(textures.value);
        }
        let named = |file: Beside| (file.name, file.bytes.into_owned());
        let beside = each_once(beside, &exporter.source.file.name)?;
        files.extend(beside.into_iter().map(named));
        Ok(Warned {
            value: files,
            warnings,
        })
    }

    /// Makes the bytes of an output, and the files that belong beside it.
    fn one<'s>(
        &self,
        exporter: &Exporter<'_, 's>,
        (plan, output): (&ClipPlan, &PlannedOutput),
        name: &str,
    ) -> Diagnosed<Warned<Exported<'s, Vec<u8>>>> {
        if let Some(kind @ ExportKind::Meshes(format, _)) = &self.export {
            let name = Path::new(name).file_stem().unwrap_or_default();
            let clip = plan.exported_as(output);
            let bytes = |export: &Export| {
                let mut bytes = Vec::new();
                let written = export.write(*format, &mut bytes);
                written.map_err(|_| vec![too_large(&exporter.source.file.name)])?;
                Ok(bytes)
            };
            return exporter.meshes(kind, *format, &clip, &name.to_string_lossy(), bytes);
        }
        let glb = exporter.glb(output)?;
        let written = glb.value.baked.to_bytes()?;
        Ok(Warned {
            value: Exported {
                output: written.value,
                size: None,
                beside: Vec::new(),
            },
            warnings: [glb.warnings, written.warnings].concat(),
        })
    }
}
