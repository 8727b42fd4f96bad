//! How much of a batch is done, which a progress bar shows while it runs.
//!
//! The work on an input is its length, because inputs differ far too much for their number to tell when a run ends. It is done in equal
//! steps: one for each frame that is made of the input, or about as many as helper joints take, and one for what follows. So the work on all inputs is known before any is read.

use std::sync::atomic::{AtomicU64, Ordering};

use rigy_base::sync::Mutex;

/// Bytes that are added to the length of each input, because opening it and renaming its outputs take time, too.
const LEAST: u64 = 16 << 10;

/// The work on all inputs of a batch. Threads share it.
#[derive(Debug, Default)]
pub struct Progress(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    /// Bytes of all inputs; `None` until they are known.
    total: Option<u64>,
    /// Bytes of the inputs for which there is nothing to do.
    left_out: f64,
    /// Bytes of all inputs that are done, with the part that is done of those in progress.
    done: f64,
    /// The frames that have been made of the input whose frames were planned last, and all of them.
    frames: (u64, u64),
}

/// The work on one input in progress. If it is dropped before all of it is done, it counts as not begun.
pub struct InputProgress<'a> {
    all: &'a Progress,
    bytes: u64,
    /// The number of frames; 0 until it is known.
    frames: AtomicU64,
    /// The number of steps that are done.
    made: AtomicU64,
}

impl Progress {
    /// Sets the lengths of all inputs in bytes.
    pub fn set_lengths(&self, lengths: impl Iterator<Item = u64>) {
        let weights = lengths.map(weight);
        self.0.lock().total = Some(weights.fold(0, u64::saturating_add));
    }

    /// Returns the work that is done and all work, in bytes, without the inputs for which there is nothing to do; `None` while lengths
    /// are not known.
    pub fn work(&self) -> Option<(f64, f64)> {
        let counts = self.0.lock();
        let of_work = |bytes: f64| (bytes - counts.left_out).max(0.0);
        Some((of_work(counts.done), of_work(counts.total? as f64)))
    }

    /// Returns the number of frames that have been made, and that of frames that are planned, of the input that was planned last.
    pub fn frames(&self) -> (u64, u64) {
        self.0.lock().frames
    }

    /// Begins an input of `length` bytes.
    pub(crate) fn begin(&self, length: u64) -> InputProgress<'_> {
        InputProgress {
            all: self,
            bytes: weight(length),
            frames: AtomicU64::new(0),
            made: AtomicU64::new(0),
        }
    }
}

fn weight(length: u64) -> u64 {
    length.saturating_add(LEAST)
}

impl InputProgress<'_> {
    /// Sets the number of frames, if it is not known yet.
    pub fn plan(&self, frames: usize) {
        let (frames, set) = (frames as u64, Ordering::Relaxed);
        if self.frames.compare_exchange(0, frames, set, set).is_ok() {
            self.all.0.lock().frames = (0, frames);
        }
    }

    /// Counts a frame that has been made.
    pub fn add(&self) {
        let frames = self.frames.load(Ordering::Relaxed);
        if self.made.fetch_add(1, Ordering::Relaxed) < frames {
            let mut counts = self.all.0.lock();
            counts.done += self.part(1);
            counts.frames.0 += 1;
        }
    }

    /// Counts the input as one for which there is nothing to do.
    pub fn leave_out(&self) {
        self.all.0.lock().left_out += self.part(u64::MAX);
    }

    /// Ends the input: all is done, or there is to be no more.
    pub fn end(self) {
        self.all.0.lock().done += self.part(u64::MAX);
    }

    /// The bytes of some steps, or of all that there are.
    fn part(&self, steps: u64) -> f64 {
        let all = self.frames.load(Ordering::Relaxed) + 1;
        self.bytes as f64 * steps.min(all) as f64 / all as f64
    }
}

impl Drop for InputProgress<'_> {
    fn drop(&mut self) {
        let frames = self.frames.load(Ordering::Relaxed);
        let made = self.made.load(Ordering::Relaxed).min(frames);
        self.all.0.lock().done -= self.part(made);
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_work_is_known_before_any_is_done() {
        let all = Progress::default();
        assert_eq!(all.work(), None);
        let lengths = [1, 2, 3, 4].map(|length| length << 20);
        all.set_lengths(lengths.into_iter());
        let [one, two, three, four] = lengths.map(|length| weight(length) as f64);
        assert_eq!(all.work(), Some((0.0, one + two + three + four)));
        let input = |length: u64| all.begin(length);
        let known = input(lengths[3]);
        known.leave_out();
        known.end();
        let sum = one + two + three;
        assert_eq!(all.work(), Some((0.0, sum)));
        let first = input(lengths[0]);
        first.plan(3);
        first.add();
        assert_eq!(all.work(), Some((one / 4.0, sum)));
        let second = input(lengths[1]);
        second.plan(1);
        second.add();
        assert_eq!(all.work(), Some((one / 4.0 + two / 2.0, sum)));
        drop(second);
        assert_eq!(all.work(), Some((one / 4.0, sum)), "it is begun again");
        first.end();
        input(lengths[1]).end();
        input(lengths[2]).end();
        assert_eq!(all.work(), Some((sum, sum)));
    }

    #[test]
    fn frames_are_those_of_the_last_plan() {
        let all = Progress::default();
        let input = all.begin(7);
        input.plan(30);
        input.add();
        input.add();
        assert_eq!(all.frames(), (2, 30));
        drop(input);
        all.begin(7).plan(40);
        assert_eq!(all.frames(), (0, 40));
    }
}
