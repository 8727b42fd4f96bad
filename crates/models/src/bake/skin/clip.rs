//! The times of animations at which skins are looked at.

use crate::bake::ClipTime;
use rigy_base::diag::Diagnosed;
use rigy_base::meter::{Cost, Meter};
use rigy_gltf::{AboutFile, File, Interpolation};

/// The moments of an animation.
#[derive(Clone)]
pub struct Clip {
    pub animation: usize,
    /// Times, ascending, and the numbers of their moments.
    pub keys: Vec<(f32, usize)>,
}

impl Clip {
    /// For each animation that moves nodes the times of all keys, with those just before keys to which values jump, and others between
    /// them so that none is farther from the next than at this rate. Moments are numbered from 1 on.
    ///
    /// # Errors
    /// Keys that cannot be used; too many times.
    pub fn all(file: &File, rate: f64, meter: &mut Meter) -> Diagnosed<Vec<Self>> {
        let (mut clips, mut next) = (Vec::new(), 1);
        for animation in 0..file.animations.len() {
            let mut times: Vec<f32> = Vec::new();
            let channels = file.channels(animation)?.value.iter();
            for channel in channels.filter(|channel| channel.property.is_of_transform()) {
                let is_step = channel.interpolation == Interpolation::Step;
                let pairs = channel.times.windows(2);
                let jumps = pairs.filter(|pair| is_step || pair[0] == pair[1]);
                times.extend(jumps.map(|pair| (pair[1] as f32).next_down()));
                times.extend(channel.times.iter().map(|time| *time as f32));
            }
            times.sort_by(f32::total_cmp);
            times.dedup();
            let mut all = Vec::new();
            for pair in times.windows(2) {
                let gap = pair[1] - pair[0];
                let count = (f64::from(gap) * rate - 1e-3).ceil().max(1.0);
                let posed = (count as u64).saturating_mul(file.nodes.len() as u64);
                meter.spend(Cost::Posed, posed).about_file(&file.name)?;
                let part = |part: u64| pair[0] + gap * (part as f32 / count as f32);
                all.extend((0..count as u64).map(part));
            }
            all.extend(times.last());
            let keys: Vec<(f32, usize)> = all.into_iter().zip(next..).collect();
            next += keys.len();
            if !keys.is_empty() {
                clips.push(Self { animation, keys });
            }
        }
        Ok(clips)
    }

    /// At an even place a key's time, and at the odd place after it the one in the middle between it and the next.
    pub fn look(&self, place: usize) -> f32 {
        let [(from, _), (to, _)] = [place / 2, place.div_ceil(2)].map(|key| self.keys[key]);
        from + (to - from) / 2.0
    }

    /// A time of the animation.
    pub fn at(&self, time: f32) -> ClipTime {
        ClipTime {
            animation: self.animation,
            time: time.into(),
        }
    }
}
