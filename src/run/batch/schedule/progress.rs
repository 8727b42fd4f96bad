//! How much of a batch is done, which a progress bar shows while it runs.
//!
//! The work on an input is its length times the number of frames that are made of it, because inputs differ far too much for
//! their number to tell when a run ends.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes that are added to the length of each input, because opening it and renaming its outputs take time, too.
const LEAST: u64 = 16 << 10;

/// The work on all inputs of a batch. Threads share it.
#[derive(Debug, Default)]
pub struct Progress {
    /// True if the lengths of inputs are looked at.
    is_weighed: AtomicBool,
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    /// Bytes of all inputs; `None` until they are known.
    total: Option<u64>,
    /// Bytes of the inputs for which there is nothing to do.
    left_out: u64,
    /// Bytes of the inputs whose number of frames is known.
    begun: u64,
    /// The work on these.
    planned: u64,
    /// The part of it that is done.
    done: u64,
    /// The planned frames of all inputs in progress with more than one frame, and how many of these frames have been made.
    frames: u64,
    frames_made: u64,
}

/// The work on one input in progress. If it is dropped before all of it is done, it counts as not begun.
#[derive(Debug)]
pub struct InputProgress<'a> {
    all: &'a Progress,
    bytes: u64,
    /// The number of frames; 0 until it is known.
    frames: AtomicU64,
    made: AtomicU64,
}

impl Progress {
    /// Looks at the lengths of inputs that are begun from now on.
    pub fn weigh(&self) {
        self.is_weighed.store(true, Ordering::Relaxed);
    }

    /// Sets the lengths of all inputs in bytes, for batches that are weighed.
    pub fn set_lengths(&self, lengths: impl Iterator<Item = u64>) {
        let weights = lengths.map(weight);
        self.lock().total = Some(weights.fold(0, u64::saturating_add));
    }

    /// Returns the work that is done and all work, in bytes times frames; `None` while lengths are not known. An input whose frames
    /// are not known yet counts with as many as the others have on average.
    pub fn work(&self) -> Option<(f64, f64)> {
        let counts = self.lock();
        let known = counts.left_out.saturating_add(counts.begun);
        let waiting = counts.total?.saturating_sub(known) as f64;
        let frames = match counts.begun {
            0 => 1.0,
            begun => counts.planned as f64 / begun as f64,
        };
        Some((counts.done as f64, counts.planned as f64 + waiting * frames))
    }

    /// Returns the number of frames that have been made, and that of frames that are planned, of all inputs in progress that have
    /// more than one.
    pub fn frames(&self) -> (u64, u64) {
        let counts = self.lock();
        (counts.frames_made, counts.frames)
    }

    /// Begins an input, whose length in bytes `length` returns.
    pub(crate) fn begin(&self, length: impl FnOnce() -> u64) -> InputProgress<'_> {
        let is_weighed = self.is_weighed.load(Ordering::Relaxed);
        InputProgress {
            all: self,
            bytes: if is_weighed { weight(length()) } else { 0 },
            frames: AtomicU64::new(0),
            made: AtomicU64::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn weight(length: u64) -> u64 {
    length.saturating_add(LEAST)
}

impl InputProgress<'_> {
    /// Sets the number of frames, if it is not known yet.
    pub fn plan(&self, frames: usize) {
        let frames = frames.max(1) as u64;
        let set = Ordering::Relaxed;
        if self.frames.compare_exchange(0, frames, set, set).is_err() {
            return;
        }
        let mut counts = self.all.lock();
        counts.begun = counts.begun.saturating_add(self.bytes);
        counts.planned = counts.planned.saturating_add(self.work(frames));
        counts.frames += shown(frames);
    }

    /// Counts a frame that has been made.
    pub fn add(&self) {
        let frames = self.frames.load(Ordering::Relaxed);
        if self.made.fetch_add(1, Ordering::Relaxed) < frames {
            let mut counts = self.all.lock();
            counts.done = counts.done.saturating_add(self.bytes);
            counts.frames_made += u64::from(frames > 1);
        }
    }

    /// Ends the input: all is done, or there is to be no more.
    pub fn end(self) {
        self.plan(1);
        let frames = self.frames.load(Ordering::Relaxed);
        let made = self.made.swap(frames, Ordering::Relaxed).min(frames);
        let mut counts = self.all.lock();
        counts.done = counts.done.saturating_add(self.work(frames - made));
        counts.frames_made += shown(frames).saturating_sub(made);
    }

    /// Ends an input for which there is nothing to do.
    pub fn leave_out(self) {
        let mut counts = self.all.lock();
        counts.left_out = counts.left_out.saturating_add(self.bytes);
    }

    fn work(&self, frames: u64) -> u64 {
        self.bytes.saturating_mul(frames)
    }
}

/// Returns the number of frames that are counted for people: one alone is not.
fn shown(frames: u64) -> u64 {
    if frames > 1 { frames } else { 0 }
}

impl Drop for InputProgress<'_> {
    fn drop(&mut self) {
        let frames = self.frames.load(Ordering::Relaxed);
        let made = self.made.load(Ordering::Relaxed).min(frames);
        let mut counts = self.all.lock();
        counts.frames -= shown(frames);
        counts.frames_made -= shown(frames).min(made);
        if made < frames {
            counts.begun = counts.begun.saturating_sub(self.bytes);
            counts.planned = counts.planned.saturating_sub(self.work(frames));
            counts.done = counts.done.saturating_sub(self.work(made));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_bytes_times_frames() {
        let all = Progress::default();
        all.weigh();
        assert_eq!(all.work(), None);
        let lengths = [1, 2, 3, 4].map(|length| length << 20);
        all.set_lengths(lengths.into_iter());
        let [one, two, three, four] = lengths.map(|length| weight(length) as f64);
        assert_eq!(all.work(), Some((0.0, one + two + three + four)));
        let input = |length: u64| all.begin(move || length);
        input(lengths[3]).leave_out();
        assert_eq!(all.work(), Some((0.0, one + two + three)));
        let first = input(lengths[0]);
        first.plan(10);
        first.add();
        let expected = 10.0 * (one + two + three);
        assert_eq!(all.work(), Some((one, expected)), "as the first has");
        let second = input(lengths[1]);
        second.plan(1);
        drop(second);
        assert_eq!(all.work(), Some((one, expected)), "it is begun again later");
        first.end();
        input(lengths[1]).end();
        input(lengths[2]).end();
        let done = 10.0 * one + two + three;
        assert_eq!(all.work(), Some((done, done)));
    }

    #[test]
    fn frames_of_inputs_in_progress_are_counted() {
        let all = Progress::default();
        let (one, many) = (all.begin(|| 7), all.begin(|| 7));
        one.plan(1);
        many.plan(30);
        one.add();
        many.add();
        many.add();
        assert_eq!(all.frames(), (2, 30));
        many.end();
        assert_eq!(all.frames(), (0, 0));
        one.end();
        assert_eq!(all.frames(), (0, 0));
    }
}
