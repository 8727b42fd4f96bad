//! How the work on one file is spread over threads, without a thread being named here.
//!
//! The stages cut their work into numbered tasks that may run in any order and at the same time; an [`Executor`] runs
//! them. `run` has one that uses a pool of threads, [`Sequential`] uses the calling thread alone. Neither the order nor
//! the sizes of the tasks change a bit of any result.

/// Runs numbered tasks.
pub trait Executor: Sync {
    /// Calls `task` once for each number below `count`, in any order and perhaps at the same time. Returns when all calls
    /// have returned.
    fn for_each(&self, count: usize, task: &(dyn Fn(usize) + Sync));

    /// The number of vertices, at least 1, that one task should evaluate of a mesh with `vertex_count` vertices. The last
    /// task of a mesh gets the remainder.
    fn vertices_per_task(&self, vertex_count: usize) -> usize;
}

/// Runs one task after the other on the calling thread, and never divides a mesh.
#[derive(Clone, Copy, Debug)]
pub struct Sequential;

impl Executor for Sequential {
    fn for_each(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(task);
    }

    fn vertices_per_task(&self, vertex_count: usize) -> usize {
        vertex_count.max(1)
    }
}
