//! Writing a baked file: its regions in pieces, in any order and at the same time; what is known only in the end,
//! into slots left free for it.

use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Baked;
use super::copy::COPY;
use super::evaluate::{Piece, primitive_path};
use super::layout::{Content, Region};
use crate::bake::gltf::Problem;
use crate::base::diag::{Code, Diagnostic};
use crate::base::executor::Executor;
use crate::base::output::WriteAt;
use crate::glb::Frame;
use crate::kernel::BLOCK;
use crate::kernel::math::Bounds;

/// Why a baked file could not be written.
#[derive(Debug)]
pub enum WriteError {
    /// Vertices that cannot be baked.
    Vertices(Vec<Diagnostic>),
    /// The writer failed.
    Io(io::Error),
}

/// Vertices that are evaluated and written at a time.
const PIECE: usize = 1024 * BLOCK;

/// Part of the work.
enum Task {
    /// Vertices of a stream.
    Evaluate(usize, Range<usize>),
    /// Bytes of a region, from one of its bytes on.
    Copy(usize, u64),
}

/// What a task came to.
#[derive(Default)]
struct Seen {
    bounds: Option<Bounds>,
    first_off: Option<(usize, f64)>,
    problem: Option<Problem>,
    error: Option<io::Error>,
}

/// What has failed so far.
#[derive(Default)]
struct Failures {
    /// Nothing more is written.
    of_vertices: AtomicBool,
    /// Nothing more is done.
    of_writer: AtomicBool,
}

impl Baked<'_> {
    /// Writes the whole file and gives the warnings about its vertices.
    ///
    /// # Errors
    /// Vertices that cannot be baked, for each primitive the first; else the first failure of the writer. What has
    /// been written is then of no use.
    pub fn write_at(
        &self,
        out: &dyn WriteAt,
        executor: &dyn Executor,
    ) -> Result<Vec<Diagnostic>, WriteError> {
        let list = self.tasks();
        let seen: Vec<OnceLock<Seen>> = list.iter().map(|_| OnceLock::new()).collect();
        let failures = Failures::default();
        executor.for_each(list.len(), &|index| {
            let task = self.run(&list[index], out, &failures);
            let _ = seen[index].set(task);
        });
        let mut seen: Vec<Seen> = seen
            .into_iter()
            .map(|seen| seen.into_inner().unwrap_or_default())
            .collect();
        let warnings = self
            .findings(&list, &mut seen)
            .map_err(WriteError::Vertices)?;
        if let Some(error) = seen.iter_mut().find_map(|seen| seen.error.take()) {
            return Err(WriteError::Io(error));
        }
        self.write_rest(&list, &seen, out).map_err(WriteError::Io)?;
        Ok(warnings)
    }

    /// All work, in the order of the file.
    fn tasks(&self) -> Vec<Task> {
        let mut tasks = Vec::new();
        for (index, region) in self.layout.regions.iter().enumerate() {
            match region.content {
                // The first part stands for all of them.
                Content::Part(stream, 0) => {
                    let count = self.streams[stream].vertex_count;
                    let starts = (0..count).step_by(PIECE);
                    tasks.extend(
                        starts.map(|start| Task::Evaluate(stream, start..count.min(start + PIECE))),
                    );
                }
                Content::Part(..) => {}
                _ => tasks.extend(
                    (0..region.len)
                        .step_by(COPY as usize)
                        .map(|at| Task::Copy(index, at)),
                ),
            }
        }
        tasks
    }

    fn run(&self, task: &Task, out: &dyn WriteAt, failures: &Failures) -> Seen {
        let mut seen = Seen::default();
        if failures.of_writer.load(Ordering::Relaxed) {
            return seen;
        }
        // What is wrong with vertices is found in all of them, whatever order they come in.
        let is_wanted = || !failures.of_vertices.load(Ordering::Relaxed);
        let written = match task {
            Task::Copy(region, at) if is_wanted() => {
                self.copy(&self.layout.regions[*region], *at, out)
            }
            Task::Copy(..) => Ok(()),
            Task::Evaluate(stream, vertices) => {
                let first = vertices.start;
                match self
                    .evaluator
                    .evaluate(&self.streams[*stream], vertices.clone())
                {
                    Ok(piece) => {
                        seen.bounds = self.bounds(*stream, &piece);
                        seen.first_off = piece.first_off;
                        match is_wanted() {
                            true => self.write_piece(*stream, first, &piece, out),
                            false => Ok(()),
                        }
                    }
                    Err(problem) => {
                        seen.problem = Some(problem);
                        failures.of_vertices.store(true, Ordering::Relaxed);
                        Ok(())
                    }
                }
            }
        };
        if let Err(error) = written {
            seen.error = Some(error);
            failures.of_writer.store(true, Ordering::Relaxed);
        }
        seen
    }

    /// Where the content of a region begins in the file.
    pub(super) fn place(&self, region: &Region) -> u64 {
        self.frame.bin_offset() + region.offset
    }

    fn bounds(&self, stream: usize, piece: &Piece) -> Option<Bounds> {
        let is_position = self.streams[stream].parts[0].name == "POSITION";
        is_position
            .then(|| Bounds::of_interleaved(&piece.parts[0]))
            .flatten()
    }

    fn write_piece(
        &self,
        stream: usize,
        first: usize,
        piece: &Piece,
        out: &dyn WriteAt,
    ) -> io::Result<()> {
        for (part, numbers) in piece.parts.iter().enumerate() {
            let region = &self.layout.regions[self.part_regions[stream] + part];
            let width = self.streams[stream].parts[part].element.component_count();
            let offset = self.place(region) + (4 * width * first) as u64;
            out.write_at(&little_endian(numbers), offset)?;
        }
        Ok(())
    }

    /// The warnings about weights, once for each primitive.
    ///
    /// # Errors
    /// The first problem of each stream.
    fn findings(
        &self,
        tasks: &[Task],
        seen: &mut [Seen],
    ) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let (mut warnings, mut errors) = (Vec::new(), Vec::new());
        let (mut warned, mut failed) = (BTreeSet::new(), BTreeSet::new());
        for (task, seen) in tasks.iter().zip(seen) {
            let Task::Evaluate(stream, _) = task else {
                continue;
            };
            if let Some(problem) = seen.problem.take()
                && failed.insert(*stream)
            {
                errors.push(problem.into_diagnostic(self.name));
            }
            let Some((vertex, sum)) = seen.first_off else {
                continue;
            };
            for user in &self.streams[*stream].users {
                if warned.insert(*user) {
                    let place = format!("{}.attributes.WEIGHTS_0", primitive_path(*user));
                    let message = match sum {
                        0.0 => format!(
                            "the weights of vertex {vertex} are all zero; it follows its first joint"
                        ),
                        _ => format!(
                            "the weights of vertex {vertex} sum to {sum}, not 1; weights were normalised"
                        ),
                    };
                    let problem = Problem::rule(&place, message).code(Code::W07);
                    warnings.push(problem.into_diagnostic(self.name));
                }
            }
        }
        if errors.is_empty() {
            Ok(warnings)
        } else {
            Err(errors)
        }
    }

    /// Headers, the JSON with its slots filled, and what lies between regions.
    fn write_rest(&self, tasks: &[Task], seen: &[Seen], out: &dyn WriteAt) -> io::Result<()> {
        let mut bounds: Vec<Option<Bounds>> = vec![None; self.streams.len()];
        for (task, seen) in tasks.iter().zip(seen) {
            if let (Task::Evaluate(stream, _), Some(new)) = (task, seen.bounds) {
                let all = &mut bounds[*stream];
                *all = Some(all.map_or(new, |all| all.then(&new)));
            }
        }
        let bounds: Vec<Bounds> = bounds.into_iter().flatten().collect();
        let mut json = self.text.clone();
        json.fill(&bounds);
        out.write_at(&self.frame.before_json(), 0)?;
        out.write_at(&json.bytes, Frame::JSON_OFFSET)?;
        let bin = self.frame.bin_offset();
        if self.frame.len() < bin {
            return Ok(()); // no chunk
        }
        out.write_at(&self.frame.before_bin(), bin - 8)?;
        let mut end = 0;
        let ends = self
            .layout
            .regions
            .iter()
            .map(|region| (region.offset, region.len));
        for (offset, len) in ends.chain([(self.frame.len() - bin, 0)]) {
            out.write_at(&[0; 8][..(offset - end) as usize], bin + end)?;
            end = offset + len;
        }
        Ok(())
    }
}

fn little_endian(numbers: &[f32]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}
