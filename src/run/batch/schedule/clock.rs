//! Measuring the work on an input: the time of each stage, and how far its frames are.
//!
//! A thread that waits for the pieces of a big mesh works on other inputs meanwhile; the time of these is subtracted.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A part of the work on one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading and checking the input and the files that it refers to.
    Read,
    /// Documents only: tessellating and skinning.
    Build,
    /// Documents only: posing vertices.
    Pose,
    /// Encoding outputs, comparing them with existing files, and writing them. For glTF files this includes posing
    /// vertices.
    Write,
    /// Renaming outputs to their final paths.
    Place,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Self; 5] = [
        Self::Read,
        Self::Build,
        Self::Pose,
        Self::Write,
        Self::Place,
    ];

    /// Returns the name of the stage in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Build => "build",
            Self::Pose => "pose",
            Self::Write => "write",
            Self::Place => "place",
        }
    }
}

/// The time spent on one input, by stage.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times([Duration; Stage::ALL.len()]);

impl Times {
    /// Returns the time of one stage.
    pub fn of(&self, stage: Stage) -> Duration {
        self.0[stage as usize]
    }

    /// Returns the time of all stages together.
    pub fn total(&self) -> Duration {
        self.0.iter().sum()
    }
}

thread_local! {
    /// The time that this thread has spent on inputs that it has finished.
    static DONE: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Measures the work on one input, which stays on one thread.
#[derive(Debug)]
pub(crate) struct Clock {
    /// The end of the last lap.
    at: Instant,
    /// The value of `DONE` at that time.
    done: Duration,
    times: Times,
}

impl Clock {
    /// Starts to measure.
    pub fn start() -> Self {
        Self {
            at: Instant::now(),
            done: DONE.get(),
            times: Times::default(),
        }
    }

    /// Adds the time since the last lap to a stage, and returns it.
    pub fn lap(&mut self, stage: Stage) -> Duration {
        let (at, done) = (Instant::now(), DONE.get());
        let spent = (at - self.at).saturating_sub(done - self.done);
        (self.at, self.done) = (at, done);
        self.times.0[stage as usize] += spent;
        spent
    }

    /// Ends the measurement. Adds the time since the last lap to a stage, and returns the times of all stages.
    pub fn stop(&mut self, stage: Stage) -> Times {
        self.lap(stage);
        DONE.set(DONE.get() + self.times.total());
        self.times
    }
}

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
    fn work_on_other_inputs_is_not_counted_twice() {
        let sleep = || std::thread::sleep(Duration::from_millis(20));
        let begun = Instant::now();
        let mut outer = Clock::start();
        sleep();
        outer.lap(Stage::Read);
        let mut inner = Clock::start();
        sleep();
        sleep();
        let inner = inner.stop(Stage::Write).total();
        let outer = outer.stop(Stage::Place);
        assert!(inner >= Duration::from_millis(40));
        assert!(outer.of(Stage::Read) >= Duration::from_millis(20));
        assert!(outer.total() + inner <= begun.elapsed());
    }

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
