//! An estimate of the time that is left.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::time::Duration;

/// Seconds for which estimates must agree at least, and at most.
const SETTLING: f64 = 2.0;
const LONGEST: f64 = 30.0;
/// The part of the time that is left for which they must agree.
const STEADY: f64 = 0.1;
/// Estimates agree if they differ by no more than this part of the time that is left, or by [`SLACK`].
const SPREAD: f64 = 0.25;
/// Seconds by which estimates may differ in any case.
const SLACK: f64 = 1.0;
/// Seconds in which the time that is shown never grows.
const CALM: f64 = 10.0;
/// The part of the run between two moments of its history, which so has no more than 700 of them.
const STEP: f64 = 0.001;
/// The least number of estimates that must agree.
const LEAST: usize = 5;

/// Estimates the time that is left from the pace of the later half of the run.
///
/// A time is shown once the estimates of the last seconds agree. It never grows within ten seconds: a time that turns out to be a
/// little too short waits until it is true again, and one that is far too short disappears for ten seconds at least.
#[derive(Debug, Default)]
pub struct TimeLeft {
    /// The work that was done when the end was estimated last.
    done: f64,
    /// Seconds and work done at moments of the later half of the run.
    history: VecDeque<(f64, f64)>,
    /// When estimates were made, and the ends of the run by these, in seconds.
    ends: VecDeque<(f64, f64)>,
    is_shown: bool,
    /// When a time was shown last, and that time.
    shown: Option<(f64, f64)>,
}

impl TimeLeft {
    /// Takes the state of the run: the time since its beginning, and the work that is done of all work, in any unit. Returns the
    /// time that is left, if it is known well enough.
    pub fn feed(&mut self, elapsed: Duration, done: f64, total: f64) -> Option<Duration> {
        let now = elapsed.as_secs_f64();
        // While a large input is in progress nothing is known that was not known before.
        if done > self.done {
            self.done = done;
            self.estimate(now, done, total);
        }
        let left = self.agreed(now).and_then(|left| self.calm(now, left));
        match left {
            Some(left) => self.shown = Some((now, left)),
            // It comes back once new estimates agree.
            None if self.is_shown => self.ends.clear(),
            None => {}
        }
        self.is_shown = left.is_some();
        left.map(Duration::from_secs_f64)
    }

    /// Estimates the end of the run.
    fn estimate(&mut self, now: f64, done: f64, total: f64) {
        let last = self.history.back().map_or(0.0, |(time, _)| *time);
        if now - last >= now * STEP {
            self.history.push_back((now, done));
        }
        while self.history.len() > 1 && self.history[1].0 <= now / 2.0 {
            self.history.pop_front();
        }
        let (since, before) = match self.history.front() {
            Some((time, done)) if *time <= now / 2.0 => (*time, *done),
            _ => (0.0, 0.0),
        };
        let pace = (done - before) / (now - since).max(1e-9);
        self.ends
            .push_back((now, now + (total - done).max(0.0) / pace));
        while self.ends.len() > LEAST && self.ends[0].0 < now - LONGEST {
            self.ends.pop_front();
        }
    }

    /// Returns the seconds that are left by the last estimate, if the last ones agree and that end is still to come.
    fn agreed(&self, now: f64) -> Option<f64> {
        let (last, end) = *self.ends.back()?;
        let left = end - now;
        let since = last - (left * STEADY).clamp(SETTLING, LONGEST);
        let is_settled = self.ends.front()?.0 <= since + 0.2 && self.ends.len() >= LEAST;
        let ends = self
            .ends
            .iter()
            .rev()
            .enumerate()
            .filter(|(number, (time, _))| *number < LEAST || *time >= since);
        let (earliest, latest) = ends
            .map(|(_, (_, end))| *end)
            .fold((f64::MAX, 0.0), |(a, b), end| (end.min(a), end.max(b)));
        let is_steady = latest - earliest <= (SPREAD * left).max(SLACK);
        (is_settled && is_steady && left > 0.0).then_some(left)
    }

    /// Returns the seconds to be shown so that they do not grow; `None` if that would be far from the truth.
    fn calm(&self, now: f64, left: f64) -> Option<f64> {
        match self.shown {
            Some((at, shown)) if now - at <= CALM => {
                (left <= 2.0 * shown + SLACK).then_some(left.min(shown))
            }
            _ => Some(left),
        }
    }
}
