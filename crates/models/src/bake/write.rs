//! Writing a baked file: its regions in pieces, in any order and by several threads at once; then the headers and the
//! JSON, whose slots for bounds can only be filled at the end.

use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::baked::Baked;
use super::evaluate::{Piece, primitive_path};
use super::layout::{COPY_LEN, Content, Region};
use super::made::little_endian;
use crate::glb::Frame;
use rigy_base::diag::{Code, Diagnosed, Diagnostic, check_none};
use rigy_base::output::WriteAt;
use rigy_gltf::{Problem, WeightOddities};
use rigy_kernel::BLOCK;
use rigy_kernel::executor::Executor;
use rigy_kernel::math::Bounds;

/// The reason why a baked file could not be written.
#[derive(Debug)]
pub enum WriteError {
    /// Vertices that cannot be baked.
    Vertices(Vec<Diagnostic>),
    /// The writer failed.
    Io(io::Error),
}

/// Most vertices that one task evaluates and writes.
pub const PIECE_LEN: usize = 1024 * BLOCK;

/// A part of the work, which one thread does.
enum Task {
    /// Evaluates and writes vertices: the index of the stream, and the range of its vertices.
    Evaluate(usize, Range<usize>),
    /// Copies up to [`COPY_LEN`] bytes: the index of the region, and the offset of the first byte in it.
    Copy(usize, u64),
}

/// The result of a task.
#[derive(Default)]
struct TaskResult {
    /// Bounds of the positions that were evaluated.
    bounds: Option<Bounds>,
    /// What is unusual about the weights of vertices.
    oddities: WeightOddities,
    /// The first vertex that cannot be baked.
    problem: Option<Problem>,
    /// The failure of the writer.
    error: Option<io::Error>,
}

/// The kinds of failure that have occurred so far in any task.
#[derive(Default)]
struct Failures {
    /// True once a vertex cannot be baked: then vertices are still evaluated, to find all errors, but nothing is
    /// written.
    of_vertices: AtomicBool,
    /// True once the writer has failed: then the remaining tasks do nothing.
    of_writer: AtomicBool,
}

impl Baked<'_> {
    /// Writes the whole file. Returns the warnings about its vertices.
    ///
    /// # Errors
    /// For each primitive, the first vertex that cannot be baked; if there is none, the first failure of the writer.
    /// The output is then incomplete.
    pub fn write_at(
        &self,
        out: &dyn WriteAt,
        executor: &dyn Executor,
    ) -> Result<Vec<Diagnostic>, WriteError> {
        let tasks = self.tasks();
        let failures = Failures::default();
        let mut results =
            executor.results(tasks.len(), |index| self.run(&tasks[index], out, &failures));
        let warnings = self
            .findings(&tasks, &mut results)
            .map_err(WriteError::Vertices)?;
        if let Some(error) = results.iter_mut().find_map(|result| result.error.take()) {
            return Err(WriteError::Io(error));
        }
        self.write_rest(&tasks, &results, out)
            .map_err(WriteError::Io)?;
        Ok(warnings)
    }

    /// All tasks, in the order of the file.
    fn tasks(&self) -> Vec<Task> {
        let mut tasks = Vec::new();
        for (index, region) in self.prepared.layout.regions.iter().enumerate() {
            match region.content {
                // One task evaluates all parts of its vertices.
                Content::Part(stream, 0) => {
                    let count = self.prepared.streams[stream].vertex_count;
                    let starts = (0..count).step_by(PIECE_LEN);
                    tasks.extend(
                        starts.map(|start| {
                            Task::Evaluate(stream, start..count.min(start + PIECE_LEN))
                        }),
                    );
                }
                Content::Part(..) => {}
                _ => tasks.extend(
                    (0..region.len)
                        .step_by(COPY_LEN as usize)
                        .map(|start| Task::Copy(index, start)),
                ),
            }
        }
        tasks
    }

    /// Does a task, or the part of it that is of use after the `failures` of other tasks.
    fn run(&self, task: &Task, out: &dyn WriteAt, failures: &Failures) -> TaskResult {
        let mut result = TaskResult::default();
        if failures.of_writer.load(Ordering::Relaxed) {
            return result;
        }
        // Every stream is evaluated even after an error, so that the errors do not depend on the order of the tasks.
        let writes = || !failures.of_vertices.load(Ordering::Relaxed);
        let written = match task {
            Task::Copy(region, start) if writes() => {
                self.copy(&self.prepared.layout.regions[*region], *start, out)
            }
            Task::Copy(..) => Ok(()),
            Task::Evaluate(stream, vertices) => {
                let from = &self.prepared.streams[*stream];
                match (self.evaluator).evaluate(from, &from.weights, vertices.clone()) {
                    Ok(piece) => {
                        result.bounds = self.bounds(*stream, &piece);
                        result.oddities = piece.oddities;
                        if writes() {
                            self.write_piece(*stream, vertices.start, &piece, out)
                        } else {
                            Ok(())
                        }
                    }
                    Err(problem) => {
                        result.problem = Some(problem);
                        failures.of_vertices.store(true, Ordering::Relaxed);
                        Ok(())
                    }
                }
            }
        };
        if let Err(error) = written {
            result.error = Some(error);
            failures.of_writer.store(true, Ordering::Relaxed);
        }
        result
    }

    /// The offset in bytes at which a region begins in the file.
    pub(super) fn file_offset(&self, region: &Region) -> u64 {
        self.frame.bin_offset() + region.offset
    }

    /// The bounds of a piece's positions; `None` if its stream has none.
    fn bounds(&self, stream: usize, piece: &Piece) -> Option<Bounds> {
        let is_position = self.prepared.streams[stream].parts[0].name == "POSITION";
        is_position
            .then(|| Bounds::of_interleaved(&piece.parts[0]))
            .flatten()
    }

    /// Writes a piece whose first vertex has number `first` in the stream.
    fn write_piece(
        &self,
        stream: usize,
        first: usize,
        piece: &Piece,
        out: &dyn WriteAt,
    ) -> io::Result<()> {
        for (part, numbers) in piece.parts.iter().enumerate() {
            let region = &self.prepared.layout.regions[self.prepared.part_regions[stream] + part];
            let width = self.prepared.streams[stream].parts[part]
                .element
                .component_count();
            let offset = self.file_offset(region) + (4 * width * first) as u64;
            out.write_at(&little_endian(numbers), offset)?;
        }
        Ok(())
    }

    /// The warnings about weights, at most one of each kind for each primitive.
    ///
    /// # Errors
    /// The first problem of each stream.
    fn findings(&self, tasks: &[Task], results: &mut [TaskResult]) -> Diagnosed<Vec<Diagnostic>> {
        let warning = |user: (usize, usize), message: String| {
            let path = format!("{}.attributes.WEIGHTS_0", primitive_path(user));
            Problem::rule(&path, message)
                .code(Code::W07)
                .into_diagnostic(self.name)
        };
        let mut warnings = Vec::new();
        let mut errors = Vec::new();
        let mut failed = BTreeSet::new();
        let mut of_streams: Vec<(usize, WeightOddities)> = Vec::new();
        for (task, result) in tasks.iter().zip(results) {
            let Task::Evaluate(stream, _) = task else {
                continue;
            };
            if let Some(problem) = result.problem.take()
                && failed.insert(*stream)
            {
                errors.push(problem.into_diagnostic(self.name));
            }
            match of_streams.last_mut() {
                Some((last, oddities)) if last == stream => oddities.add(&result.oddities),
                _ => of_streams.push((*stream, result.oddities)),
            }
        }
        for message in [off_message, undefined_message, negative_message] {
            let mut warned = BTreeSet::new();
            for (stream, oddities) in &of_streams {
                for user in &self.prepared.streams[*stream].users {
                    if let Some(message) = message(oddities)
                        && warned.insert(*user)
                    {
                        warnings.push(warning(*user, message));
                    }
                }
            }
        }
        check_none(errors)?;
        Ok(warnings)
    }

    /// Writes the headers, the JSON with its slots filled, and the padding between regions.
    fn write_rest(
        &self,
        tasks: &[Task],
        results: &[TaskResult],
        out: &dyn WriteAt,
    ) -> io::Result<()> {
        let mut bounds: Vec<Option<Bounds>> = vec![None; self.prepared.streams.len()];
        for (task, result) in tasks.iter().zip(results) {
            if let (Task::Evaluate(stream, _), Some(new)) = (task, result.bounds) {
                let all = &mut bounds[*stream];
                *all = Some(all.map_or(new, |all| all.then(&new)));
            }
        }
        let bounds: Vec<Bounds> = bounds.into_iter().flatten().collect();
        let mut json = self.json.clone();
        json.fill(&bounds);
        out.write_at(&self.frame.before_json(), 0)?;
        out.write_at(&json.bytes, Frame::JSON_OFFSET)?;
        let bin = self.frame.bin_offset();
        if self.frame.len() < bin {
            return Ok(()); // The file has no binary chunk.
        }
        out.write_at(&self.frame.before_bin(), bin - 8)?;
        let mut end = 0;
        let ends = self
            .prepared
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

/// The message that the weights of a vertex do not sum to 1.
fn off_message(oddities: &WeightOddities) -> Option<String> {
    Some(match oddities.first_off? {
        (vertex, 0.0) => {
            format!("the weights of vertex {vertex} are all zero; it follows its first joint")
        }
        (vertex, sum) => {
            format!("the weights of vertex {vertex} sum to {sum}, not 1; weights were normalised")
        }
    })
}

/// The message that vertices have no weights that are numbers.
fn undefined_message(oddities: &WeightOddities) -> Option<String> {
    Some(match oddities.undefined? {
        (vertex, 1) => {
            format!("the weights of vertex {vertex} are all NaN; it follows its first joint")
        }
        (vertex, count) => format!(
            "the weights of {count} vertices, of vertex {vertex} first, are all NaN; they follow their first joints"
        ),
    })
}

/// The message that weights are a little less than 0.
fn negative_message(oddities: &WeightOddities) -> Option<String> {
    let (vertex, count) = oddities.negative?;
    let vertices = if count == 1 { "vertex" } else { "vertices" };
    Some(format!(
        "{count} {vertices}, vertex {vertex} first, with weights between 0 and -0.001; these count as 0"
    ))
}
