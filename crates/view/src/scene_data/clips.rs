//! The times at which animations are sampled.

use super::MAX_BLOCK;
use rigy_gltf::Channel;

/// Frames of a second, where there is room.
const RATE: f64 = 30.0;
/// Most frames of one clip.
const MOST: usize = 1800;
/// Most bytes of the palettes of all frames.
const BUDGET: u64 = MAX_BLOCK / 6;

/// The sampling of a clip: `count` frames at equal distances from `start` to `end`, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sampling {
    pub start: f64,
    pub end: f64,
    pub count: usize,
}

impl Sampling {
    /// Returns the time of a frame.
    pub fn time(&self, frame: usize) -> f64 {
        match self.count {
            0 | 1 => self.start,
            count => self.start + (self.end - self.start) * (frame as f64 / (count - 1) as f64),
        }
    }

    /// Returns up to three frames that are baked: those at a quarter, a half and three quarters.
    pub fn baked(&self) -> Vec<usize> {
        let mut frames = [1, 2, 3]
            .map(|quarter| (self.count - 1) * quarter / 4)
            .to_vec();
        frames.dedup();
        frames
    }
}

/// Returns the samplings of animations with these channels; `frame_len` is the number of bytes of one frame. Long animations have fewer
/// frames in a second than [`RATE`]; animations for which there is no room are left out at the end.
pub(super) fn samplings(animations: &[&[Channel]], frame_len: u64) -> Vec<Sampling> {
    let spans: Vec<(f64, f64)> = animations.iter().map(|channels| span(channels)).collect();
    let wanted = |(start, end): &(f64, f64)| ((end - start) * RATE).clamp(1.0, MOST as f64);
    let all: f64 = spans.iter().map(wanted).sum();
    let room = (BUDGET / frame_len.max(1)) as f64;
    // Rounding up, and the frame at the end, add at most two to each.
    let steps = (room - 2.0 * spans.len() as f64).max(0.0);
    let share = (steps / all.max(1.0)).min(1.0);
    let mut left = room as usize;
    let mut samplings = Vec::new();
    for (start, end) in spans {
        let steps = ((wanted(&(start, end)) * share).ceil() as usize).max(1);
        let count = if end > start { steps + 1 } else { 1 };
        if count > left {
            break;
        }
        left -= count;
        samplings.push(Sampling { start, end, count });
    }
    samplings
}

/// Returns the times of the first and the last key.
fn span(channels: &[Channel]) -> (f64, f64) {
    let times = || channels.iter().flat_map(|channel| &channel.times);
    let first = times().copied().fold(f64::INFINITY, f64::min);
    let last = times().copied().fold(f64::NEG_INFINITY, f64::max);
    match first <= last {
        true => (first, last),
        false => (0.0, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigy_gltf::{Interpolation, Property};

    fn animation(times: &[f64]) -> [Channel; 1] {
        [Channel {
            node: 0,
            property: Property::Translation,
            interpolation: Interpolation::Linear,
            times: times.to_vec(),
            values: vec![0.0; 3 * times.len()],
            width: 3,
        }]
    }

    #[test]
    fn both_ends_of_an_animation_are_sampled() {
        let sampled = samplings(&[&animation(&[0.5, 2.5])], 1000)[0];
        assert_eq!(sampled.count, 61);
        assert_eq!((sampled.time(0), sampled.time(60)), (0.5, 2.5));
        assert_eq!(sampled.baked(), [15, 30, 45]);
        let single = samplings(&[&animation(&[1.0])], 1000)[0];
        assert_eq!((single.count, single.baked()), (1, vec![0]));
    }

    #[test]
    fn long_animations_stay_within_the_room_for_palettes() {
        let hours = animation(&[0.0, 1e9]);
        let many = vec![&hours[..]; 1000];
        let frame_len = 1 << 16;
        let single = samplings(&[&hours], frame_len);
        assert!((500..=512).contains(&single[0].count), "{single:?}");
        let all = samplings(&many, frame_len);
        let frames: usize = all.iter().map(|sampling| sampling.count).sum();
        assert!(
            frames as u64 * frame_len <= BUDGET && frames > 400,
            "{frames}"
        );
    }
}
