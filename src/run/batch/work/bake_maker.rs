//! Making the outputs of one glTF file: bakes as GLB, and files of other tools.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::bake_content::stage;
use super::bake_exports::{ExportKind, Exporter};
use super::bake_job::BakeJob;
use super::bake_plan::{ClipPlan, PlannedOutput};
use super::beside::{each_once, stage_beside};
use super::job::JobContext;
use super::staging::Made;
use crate::bake::{Animated, Baker, Skinning, Source, helper_steps};
use crate::run::batch::outcome::{Outcome, OutputRecord, export_error};
use crate::run::batch::schedule::clock::{Clock, Stage};
use crate::run::parallel::Parallel;
use rigy_base::diag::{Diagnosed, Diagnostic, Warned, keep};
use rigy_base::loader::FileRecord;
use rigy_base::sync::Mutex;
use rigy_export::{Beside, Images};

/// Makes the outputs of a file.
pub struct Maker<'m, 's> {
    pub job: &'m BakeJob,
    pub skinning: &'m Skinning,
    pub source: &'s Source<'s>,
    /// Its images as textures beside files of other tools.
    pub images: &'s Images<'s>,
    pub plans: &'m [ClipPlan],
    pub context: &'m JobContext<'m>,
    /// Memory of GLBs from which files of other tools have been made.
    pub buffers: Mutex<Vec<Vec<u8>>>,
    /// The beginning of the names of outputs, `baked` included.
    #[cfg_attr(not(feature = "cli"), expect(dead_code))]
    pub stem: Option<String>,
}

/// An output that has been made, the warnings about it, and the files that belong beside it.
type MadeOne<'s> = (Made, Vec<Diagnostic>, Vec<Beside<'s>>);

impl<'s> Maker<'_, 's> {
    /// Stages all outputs, then the files beside them, for which records are added.
    ///
    /// # Errors
    /// The errors of all outputs, each error once. None if the run has been stopped.
    pub fn all(
        &self,
        outcome: &mut Outcome,
        read: &FileRecord,
        buffer: &mut Vec<u8>,
    ) -> Diagnosed<Vec<Made>> {
        let baker = self.job.baker(self.source, &Parallel);
        let steps = match self.job.helpers {
            Some(_) => helper_steps(&self.source.file),
            None => self.plans.iter().map(ClipPlan::len).sum(),
        };
        self.context.progress.plan(steps);
        let (mut made, mut warnings, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        // For each finding the first output that it concerns.
        let (mut warned, mut failed) = (Vec::new(), Vec::new());
        let mut beside = self.job.files_beside(self.source);
        for (index, result) in self.each(&baker, outcome, buffer).into_iter().enumerate() {
            match result {
                Ok((one, found, files)) => {
                    made.push(one);
                    keep(&mut warnings, found);
                    beside.extend(files);
                }
                Err(found) => keep(&mut errors, found),
            }
            warned.resize(warnings.len(), index);
            failed.resize(errors.len(), index);
        }
        self.context.check_stop()?;
        if !errors.is_empty() {
            return Err(placed(errors, failed));
        }
        let textures = self.textures(&baker)?;
        keep(&mut warnings, textures.warnings);
        warned.resize(warnings.len(), 0);
        beside.extend(textures.value);
        outcome.warn(placed(warnings, warned), self.context.options)?;
        let beside = each_once(beside, self.context.name)?;
        for (record, one) in stage_beside(&beside, self.context, read)? {
            outcome.records.push(record);
            made.push(one);
        }
        Ok(made)
    }

    /// Stages the outputs that have records, on all threads if they are independent.
    fn each(
        &self,
        baker: &Baker<'s>,
        outcome: &mut Outcome,
        buffer: &mut Vec<u8>,
    ) -> Vec<Diagnosed<MadeOne<'s>>> {
        let outputs = self.plans.iter().enumerate();
        let outputs = outputs.flat_map(|(plan, of)| of.outputs().map(move |output| (plan, output)));
        let outputs: Vec<(usize, PlannedOutput)> = outputs.collect();
        let one = |index: usize, record: &mut OutputRecord, buffer: &mut Vec<u8>| {
            self.context.check_stop()?;
            let (plan, output) = &outputs[index];
            let mut clock = Clock::start();
            let made = match self.job.export {
                Some(ExportKind::Meshes(..)) => {
                    self.export(baker, (&self.plans[*plan], output), record)
                }
                _ => self.bake(baker, output, record, buffer),
            };
            record.time = clock.lap(Stage::Write);
            made
        };
        match &mut *outcome.records {
            // An output with all frames of an animation has them in memory.
            records if records.len() == 1 || self.job.joins_frames() => {
                (records.iter_mut().enumerate())
                    .map(|(index, record)| one(index, record, buffer))
                    .collect()
            }
            records => (records.par_iter_mut().enumerate())
                .map_init(Vec::new, |buffer, (index, record)| {
                    one(index, record, buffer)
                })
                .collect(),
        }
    }

    /// Stages a GLB.
    fn bake(
        &self,
        baker: &Baker<'s>,
        output: &PlannedOutput,
        record: &mut OutputRecord,
        buffer: &mut Vec<u8>,
    ) -> Diagnosed<MadeOne<'s>> {
        let made = || self.made();
        let Warned {
            value:
                Animated {
                    baked,
                    morphing,
                    skins,
                },
            mut warnings,
        } = self.exporter(baker, &made).glb(output)?;
        if let (Some(moment), Some((keys, deviation))) = (&mut record.moment, morphing) {
            moment.keys = Some(keys);
            moment.deviation = Some(deviation);
        }
        if let Some(moment) = &mut record.moment {
            let told: Vec<String> = skins.iter().map(ToString::to_string).collect();
            record.size = (!told.is_empty()).then(|| told.join("; "));
            moment.skins = skins;
        }
        let (made, of_vertices) = stage(self.context, &baked, record, buffer)?;
        warnings.extend(of_vertices);
        Ok((made, warnings, Vec::new()))
    }

    /// Stages a file with meshes for another tool.
    fn export(
        &self,
        baker: &Baker<'s>,
        (plan, output): (&ClipPlan, &PlannedOutput),
        record: &mut OutputRecord,
    ) -> Diagnosed<MadeOne<'s>> {
        let Some(kind @ ExportKind::Meshes(format, _)) = self.job.export else {
            unreachable!("the caller has looked");
        };
        let path = record.path.clone().unwrap_or_default();
        let name = path.file_stem().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| vec![self.not_unicode()])?;
        let clip = plan.exported_as(output);
        let made = || self.made();
        let exporter = self.exporter(baker, &made);
        let Warned { value, warnings } = exporter.meshes(&kind, format, &clip, name, |export| {
            (self.context).stage_written(&|out| export.write(format, out), record)
        })?;
        record.size = value.size;
        Ok((value.output, warnings, value.beside))
    }

    /// Makes vertex animation textures, if the job asks for them.
    fn textures(&self, baker: &Baker<'s>) -> Diagnosed<Warned<Vec<Beside<'s>>>> {
        #[cfg(feature = "cli")]
        if let Some(ExportKind::Textures(format, layout)) = self.job.export {
            let stem = self.stem.as_deref();
            let stem = stem.ok_or_else(|| vec![self.not_unicode()])?;
            let clips: Vec<_> = self.plans.iter().map(ClipPlan::exported).collect();
            let made = || self.made();
            let exporter = self.exporter(baker, &made);
            return exporter.textures((format, layout), &clips, stem);
        }
        let _ = baker;
        let (value, warnings) = (Vec::new(), Vec::new());
        Ok(Warned { value, warnings })
    }

    /// Counts a step that has been made, and tells whether to make the others.
    fn made(&self) -> ControlFlow<()> {
        self.context.progress.add();
        if self.context.is_stopped() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn exporter<'e>(
        &'e self,
        baker: &'e Baker<'s>,
        made: &'e (dyn Fn() -> ControlFlow<()> + Sync),
    ) -> Exporter<'e, 's> {
        Exporter {
            baker,
            source: self.source,
            images: self.images,
            skinning: self.skinning,
            helpers: self.job.helpers,
            isa: self.context.options.isa,
            executor: &Parallel,
            at_once: 2 * rayon::current_num_threads(),
            buffers: &self.buffers,
            made,
        }
    }

    fn not_unicode(&self) -> Diagnostic {
        let message = "its name is not UTF-8, and files of other tools refer to each other by name";
        export_error(self.context.name, message.into())
    }
}

/// Returns findings with the outputs that they concern.
fn placed(findings: Vec<Diagnostic>, outputs: Vec<usize>) -> Vec<Diagnostic> {
    let findings = findings.into_iter().zip(outputs);
    findings
        .map(|(finding, at)| finding.of_output(at))
        .collect()
}
