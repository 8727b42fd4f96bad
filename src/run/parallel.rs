//! The threads of a rayon pool as an executor.

use rayon::prelude::*;

use rigy_kernel::BLOCK;
use rigy_kernel::executor::Executor;

/// Runs tasks on the threads of the current rayon pool.
#[derive(Clone, Copy, Debug)]
pub struct Parallel;

/// A mesh of at most this many vertices is evaluated by one task: dividing it costs more than it saves.
pub const DIVIDED_ABOVE: usize = 20_000;

impl Executor for Parallel {
    fn for_each(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
        (0..count).into_par_iter().for_each(task);
    }

    /// A whole number of blocks: few enough that each thread gets several tasks and none waits long for the last one, and
    /// enough that starting a task costs little beside it.
    fn vertices_per_task(&self, vertex_count: usize) -> usize {
        if vertex_count <= DIVIDED_ABOVE {
            return vertex_count.max(1);
        }
        let even = vertex_count / (4 * rayon::current_num_threads());
        even.clamp(1_024, 8_192).next_multiple_of(BLOCK)
    }
}
