//! The times of frames in an animated file.

use super::too_much;
use rigy_gltf::Problem;

/// The times of the frames as the file has them: in seconds from the first frame, in single precision.
pub(super) struct Timeline {
    /// One for each frame, strictly ascending from 0.
    pub times: Vec<f32>,
}

impl Timeline {
    /// Makes the times of frames.
    ///
    /// # Errors
    /// If there are none, or two of them are one number in single precision.
    pub fn new(times: &[f64]) -> Result<Self, Problem> {
        let Some(first) = times.first() else {
            return Err(Problem::rule(&"animations", "there is no frame to bake"));
        };
        let times: Vec<f32> = times.iter().map(|time| (time - first) as f32).collect();
        let is_later = |pair: &[f32]| pair[0] < pair[1] && pair[1].is_finite();
        if !(times[0] == 0.0 && times.windows(2).all(is_later)) {
            let message = "the times of the frames are too close together, or too far apart, for single precision";
            return Err(too_much(message.into()));
        }
        Ok(Self { times })
    }

    /// Returns how far frame `at` is on the way from frame `from` to frame `to`, from 0 to 1.
    pub fn part(&self, from: usize, at: usize, to: usize) -> f64 {
        let [from, at, to] = [from, at, to].map(|frame| f64::from(self.times[frame]));
        (at - from) / (to - from)
    }

    /// Returns the times of some frames.
    pub fn of(&self, frames: &[usize]) -> Vec<f32> {
        frames.iter().map(|frame| self.times[*frame]).collect()
    }
}
