//! How long the parts of an input's work take.
//!
//! A thread that waits for the pieces of a big mesh takes up other inputs meanwhile; their time is theirs and is taken
//! off.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// A part of the work on one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading it with what it refers to, and checking all that.
    Read,
    /// Documents only: tessellating and skinning.
    Build,
    /// Documents only: posing vertices.
    Pose,
    /// Encoding outputs, comparing them with what is there, and writing them. In a glTF file vertices are posed on
    /// their way there.
    Write,
    /// Putting outputs in their places.
    Place,
}

impl Stage {
    /// All of them, in order.
    pub const ALL: [Self; 5] = [
        Self::Read,
        Self::Build,
        Self::Pose,
        Self::Write,
        Self::Place,
    ];

    /// What reports call it.
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

/// Time spent on one input, by stage.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times([Duration; Stage::ALL.len()]);

impl Times {
    /// Time of one stage.
    pub fn of(&self, stage: Stage) -> Duration {
        self.0[stage as usize]
    }

    /// Time of all stages.
    pub fn total(&self) -> Duration {
        self.0.iter().sum()
    }
}

thread_local! {
    /// Time that this thread has spent on inputs that are done.
    static DONE: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Measures one input after another, on one thread at a time.
#[derive(Debug)]
pub(crate) struct Clock {
    at: Instant,
    done: Duration,
    times: Times,
}

impl Clock {
    pub fn start() -> Self {
        Self {
            at: Instant::now(),
            done: DONE.get(),
            times: Times::default(),
        }
    }

    /// Ends a stretch of work, which belongs to a stage, and begins the next.
    pub fn lap(&mut self, stage: Stage) -> Duration {
        let (at, done) = (Instant::now(), DONE.get());
        let spent = (at - self.at).saturating_sub(done - self.done);
        (self.at, self.done) = (at, done);
        self.times.0[stage as usize] += spent;
        spent
    }

    /// The input is done. What has not been measured yet belongs to a stage.
    pub fn stop(&mut self, stage: Stage) -> Times {
        self.lap(stage);
        DONE.set(DONE.get() + self.times.total());
        self.times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_meanwhile_is_not_counted_twice() {
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
}
