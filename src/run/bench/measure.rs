//! The measurement: cases, rounds and medians.

use std::time::{Duration, Instant};

use rayon::ThreadPool;
use rayon::prelude::*;
use serde::Serialize;

use super::plan::Plan;
use crate::glb::Posed;
use crate::run::parallel::{DIVIDED_ABOVE, Parallel};
use rigy_kernel::bench::{BYTES_PER_VERTEX, Kind, SOLVERS, Workload, frequency};
use rigy_kernel::executor::{Executor, Sequential};
use rigy_kernel::simd::Isa;
use rigy_kernel::{Job, evaluate_all};

/// One case: what it was and how long it took.
#[derive(Debug, Serialize)]
pub struct Measurement {
    /// `lbs` or `dqs`; `memcpy` for the copy that the others are compared with.
    pub solver: &'static str,
    /// `random`, `ring` or `mix`; `copy` for the copy.
    pub workload: &'static str,
    /// Instruction set; `null` for the copy, for which the standard library chooses it.
    pub isa: Option<&'static str>,
    /// Number of threads.
    pub threads: usize,
    /// Vertices of the workload.
    pub vertices: usize,
    /// Median time of one evaluation in seconds.
    pub seconds: f64,
    /// Millions of vertices per second.
    pub mverts_per_second: f64,
    /// Cycles of one core for a vertex, by the median time and the measured clock. With several threads, the cycles that
    /// pass meanwhile.
    pub cycles_per_vertex: f64,
    /// The same by the least time of any round.
    pub least_cycles_per_vertex: f64,
    /// The median of the measured clock in gigahertz, equal for all cases of a run.
    pub clock_ghz: f64,
    /// Time divided by that of copying 88 bytes per vertex ([`BYTES_PER_VERTEX`]) with as many threads.
    pub over_memcpy: f64,
}

/// A case whose result differs from that of one lane on one thread.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{solver} on workload {workload} gives other bits with {isa} on {threads} threads than with scalar on one"
)]
pub struct BenchError {
    solver: &'static str,
    workload: &'static str,
    isa: Isa,
    threads: usize,
}

/// A measurement that is ready to run.
pub struct Bench<'p> {
    plan: Plan,
    pool: &'p ThreadPool,
    workloads: Vec<(Kind, Workload)>,
}

/// The work of a case.
#[derive(Clone, Copy)]
enum Work<'b> {
    Copy,
    Skin(&'static str, Kind, Job<'b>, Isa),
}

/// One case with the times of its rounds.
struct Case<'b> {
    work: Work<'b>,
    threads: usize,
    /// Number of evaluations in a round.
    repeats: u32,
    seconds: Vec<f64>,
}

/// A round of a case takes at least about this long, so that reading the clock does not matter.
const MIN_ROUND: Duration = Duration::from_millis(2);

impl<'p> Bench<'p> {
    /// Makes the workloads and checks that all cases of a workload give the same bits.
    ///
    /// # Errors
    /// The first case that gives other bits.
    pub fn new(plan: Plan, pool: &'p ThreadPool) -> Result<Self, BenchError> {
        let workloads = Kind::ALL.map(|kind| (kind, Workload::new(kind, plan.vertex_count)));
        let bench = Self {
            plan,
            pool,
            workloads: workloads.into(),
        };
        bench.check()?;
        Ok(bench)
    }

    /// Measures all cases. Calls `progress` after each round with the part of the time that is over, from 0 to 1.
    pub fn run(&self, mut progress: impl FnMut(f64)) -> Vec<Measurement> {
        let mut cases = self.cases();
        let mut buffers = Buffers::new(self.plan.vertex_count);
        cases.iter_mut().for_each(|case| {
            let once = self.time(case, &mut buffers).max(1e-9);
            case.repeats = (MIN_ROUND.as_secs_f64() / once).ceil().clamp(1.0, 1e5) as u32;
        });
        let start = Instant::now();
        let mut clocks = Vec::new();
        for round in 0.. {
            if round >= 3 && start.elapsed() >= self.plan.time {
                break;
            }
            clocks.push(frequency());
            for case in &mut cases {
                let seconds = self.time(case, &mut buffers);
                case.seconds.push(seconds);
            }
            progress((start.elapsed().as_secs_f64() / self.plan.time.as_secs_f64()).min(1.0));
        }
        self.measurements(cases, median(&mut clocks))
    }

    /// Returns the cases: the copy, then every combination of solver, workload and instruction set, with one thread; then
    /// the same with all threads if there are several and the meshes are large enough to be split.
    fn cases(&self) -> Vec<Case<'_>> {
        let mut works = vec![Work::Copy];
        for solver in SOLVERS {
            for (kind, workload) in &self.workloads {
                for isa in &self.plan.instruction_sets {
                    works.push(Work::Skin(solver.name(), *kind, workload.job(solver), *isa));
                }
            }
        }
        let all = self.pool.current_num_threads();
        let mut threads = vec![1];
        if all > 1 && self.plan.vertex_count > DIVIDED_ABOVE {
            threads.push(all);
        }
        threads
            .into_iter()
            .flat_map(|threads| {
                works.iter().map(move |work| Case {
                    work: *work,
                    threads,
                    repeats: 1,
                    seconds: Vec::new(),
                })
            })
            .collect()
    }

    /// Compares the result of every case with that of one lane on one thread.
    fn check(&self) -> Result<(), BenchError> {
        let mut buffers = Buffers::new(self.plan.vertex_count);
        for case in self.cases() {
            let Work::Skin(solver, kind, job, isa) = case.work else {
                continue;
            };
            let mut expected = Posed::new(self.plan.vertex_count);
            skin(Isa::Scalar, &job, &Sequential, &mut expected);
            buffers.posed.positions.fill(f32::NAN);
            buffers.posed.normals.fill(f32::NAN);
            self.time(&case, &mut buffers);
            if !same_bits(&expected, &buffers.posed) {
                return Err(BenchError {
                    solver,
                    workload: kind.name(),
                    isa,
                    threads: case.threads,
                });
            }
        }
        Ok(())
    }

    /// Returns the seconds of one evaluation. Before the clock starts, one evaluation loads the caches, because the case before
    /// has used other memory.
    fn time(&self, case: &Case, buffers: &mut Buffers) -> f64 {
        self.evaluate(case, buffers);
        let start = Instant::now();
        for _ in 0..case.repeats {
            self.evaluate(case, buffers);
        }
        start.elapsed().as_secs_f64() / f64::from(case.repeats)
    }

    fn evaluate(&self, case: &Case, buffers: &mut Buffers) {
        if case.threads == 1 {
            buffers.work(&case.work, &Sequential);
        } else {
            self.pool.install(|| buffers.work(&case.work, &Parallel));
        }
    }

    fn measurements(&self, mut cases: Vec<Case>, clock: f64) -> Vec<Measurement> {
        let medians: Vec<f64> = cases
            .iter_mut()
            .map(|case| median(&mut case.seconds))
            .collect();
        let copy = |threads| {
            cases
                .iter()
                .position(|case| matches!(case.work, Work::Copy) && case.threads == threads)
                .map_or(f64::NAN, |index| medians[index])
        };
        let vertices = self.plan.vertex_count as f64;
        let measured = cases.iter().zip(&medians).map(|(case, seconds)| {
            let (solver, workload, isa) = match case.work {
                Work::Copy => ("memcpy", "copy", None),
                Work::Skin(solver, kind, _, isa) => (solver, kind.name(), Some(isa.name())),
            };
            Measurement {
                solver,
                workload,
                isa,
                threads: case.threads,
                vertices: self.plan.vertex_count,
                seconds: *seconds,
                cycles_per_vertex: seconds * clock / vertices,
                // The median has sorted the times.
                least_cycles_per_vertex: case.seconds[0] * clock / vertices,
                clock_ghz: clock / 1e9,
                mverts_per_second: vertices / seconds / 1e6,
                over_memcpy: seconds / copy(case.threads),
            }
        });
        measured.collect()
    }
}

/// Memory that all cases write to, so that none is slowed down by new pages.
struct Buffers {
    posed: Posed,
    from: Vec<u8>,
    to: Vec<u8>,
}

impl Buffers {
    fn new(vertex_count: usize) -> Self {
        Self {
            posed: Posed::new(vertex_count),
            from: vec![1; BYTES_PER_VERTEX * vertex_count],
            to: vec![2; BYTES_PER_VERTEX * vertex_count],
        }
    }

    fn work(&mut self, work: &Work, executor: &dyn Executor) {
        match work {
            Work::Copy => copy(&self.from, &mut self.to),
            Work::Skin(_, _, job, isa) => skin(*isa, job, executor, &mut self.posed),
        }
        std::hint::black_box(self);
    }
}

/// Copies bytes with the threads of the current pool, or with this thread if there is no pool.
fn copy(from: &[u8], to: &mut [u8]) {
    if rayon::current_thread_index().is_none() {
        return to.copy_from_slice(from);
    }
    let piece = BYTES_PER_VERTEX * Parallel.vertices_per_task(to.len() / BYTES_PER_VERTEX);
    to.par_chunks_mut(piece)
        .zip(from.par_chunks(piece))
        .for_each(|(to, from)| to.copy_from_slice(from));
}

fn skin(isa: Isa, job: &Job, executor: &dyn Executor, posed: &mut Posed) {
    evaluate_all(isa, job, executor, &mut posed.positions, &mut posed.normals);
}

fn same_bits(a: &Posed, b: &Posed) -> bool {
    let same = |a: &[f32], b: &[f32]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
    };
    same(&a.positions, &b.positions) && same(&a.normals, &b.normals)
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
