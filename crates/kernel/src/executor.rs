//! How the work on one file is spread over threads, without a thread being named here.
//!
//! The stages cut their work into numbered tasks that may run in any order and at the same time; an [`Executor`] runs
//! them. `run` has one that uses a pool of threads, [`Sequential`] uses the calling thread alone. Neither the order nor
//! the sizes of the tasks change a bit of any result.

use std::sync::OnceLock;

/// Runs numbered tasks.
pub trait Executor: Sync {
    /// Calls `task` once for each number below `count`, in any order and perhaps at the same time. Returns when all calls
    /// have returned.
    fn for_each(&self, count: usize, task: &(dyn Fn(usize) + Sync));

    /// The number of vertices, at least 1, that one task should evaluate of a mesh with `vertex_count` vertices. The last
    /// task of a mesh gets the remainder.
    fn vertices_per_task(&self, vertex_count: usize) -> usize;
}

impl dyn Executor + '_ {
    /// Returns what `task` gives for each number below `count`, in the order of the numbers.
    pub fn results<T: Send + Sync>(
        &self,
        count: usize,
        task: impl Fn(usize) -> T + Sync,
    ) -> Vec<T> {
        let results: Vec<OnceLock<T>> = (0..count).map(|_| OnceLock::new()).collect();
        self.for_each(count, &|index| drop(results[index].set(task(index))));
        results
            .into_iter()
            .filter_map(OnceLock::into_inner)
            .collect()
    }
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
