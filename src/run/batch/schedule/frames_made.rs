//! How far the frames of inputs in progress are, for a progress bar.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts of frames of inputs in progress; inputs with one output do not count.
#[derive(Debug, Default)]
pub struct FramesMade {
    planned: AtomicU64,
    made: AtomicU64,
}

/// The frames of one input in progress. When this is dropped they are no longer counted.
pub(crate) struct InputFrames<'a> {
    all: &'a FramesMade,
    planned: u64,
    made: AtomicU64,
}

impl FramesMade {
    /// Counts the frames of an input that begins; one alone does not count.
    pub(crate) fn begin(&self, frames: usize) -> InputFrames<'_> {
        let planned = if frames > 1 { frames as u64 } else { 0 };
        self.planned.fetch_add(planned, Ordering::Relaxed);
        InputFrames {
            all: self,
            planned,
            made: AtomicU64::new(0),
        }
    }

    /// Returns the number of frames that have been made, and that of frames that are planned, of all inputs in progress.
    pub fn counts(&self) -> (u64, u64) {
        let planned = self.planned.load(Ordering::Relaxed);
        (self.made.load(Ordering::Relaxed).min(planned), planned)
    }
}

impl InputFrames<'_> {
    /// Counts a frame that has been made.
    pub fn add(&self) {
        if self.planned > 0 {
            self.made.fetch_add(1, Ordering::Relaxed);
            self.all.made.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Drop for InputFrames<'_> {
    fn drop(&mut self) {
        let made = self.made.load(Ordering::Relaxed);
        self.all.made.fetch_sub(made, Ordering::Relaxed);
        self.all.planned.fetch_sub(self.planned, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_inputs_in_progress_are_counted() {
        let all = FramesMade::default();
        let (one, many) = (all.begin(1), all.begin(30));
        one.add();
        many.add();
        many.add();
        assert_eq!(all.counts(), (2, 30));
        drop(many);
        assert_eq!(all.counts(), (0, 0));
    }
}
