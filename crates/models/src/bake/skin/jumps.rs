//! Moments on both sides of jumps. Dual quaternions jump where a joint passes half a turn from another that moves the same vertex: keys
//! follow that if one stands just before it and one just after.

use super::clip::Clip;
use super::rig::{Rig, Work};
use rigy_base::diag::Diagnosed;

/// A time, and the number of its moment.
type Key = (f32, usize);

impl Work<'_> {
    /// Adds moments to the clips of a skin, for no more jumps than a clip has moments.
    pub fn add_jumps(&self, rig: &mut Rig) -> Diagnosed<()> {
        for clip in std::mem::take(&mut rig.clips) {
            let mut keys = Vec::with_capacity(clip.keys.len());
            for pair in clip.keys.windows(2) {
                let mut last = pair[0];
                keys.push(last);
                while keys.len() < 3 * clip.keys.len()
                    && let Some(sides) = self.sides(rig, &clip, [last, pair[1]])?
                {
                    keys.extend(sides);
                    last = sides[1];
                }
            }
            keys.extend(clip.keys.last());
            keys.dedup();
            rig.clips.push(Clip { keys, ..clip });
        }
        Ok(())
    }

    /// The keys on both sides of the first jump between two keys, as near each other as times in single precision are.
    fn sides(&self, rig: &mut Rig, clip: &Clip, ends: [Key; 2]) -> Diagnosed<Option<[Key; 2]>> {
        let [(mut before, first), (mut after, last)] = ends;
        if !rig.skin.jumps(&rig.moments[first], &rig.moments[last]) {
            return Ok(None);
        }
        let (mut from, mut to) = (None, None);
        loop {
            let time = before + (after - before) / 2.0;
            if time <= before || time >= after {
                break;
            }
            let moment = self.moment(rig.number, Some(clip.at(time)))?;
            let start = from.as_ref().unwrap_or(&rig.moments[first]);
            if rig.skin.jumps(start, &moment) {
                (after, to) = (time, Some(moment));
            } else {
                (before, from) = (time, Some(moment));
            }
        }
        let sides = [(before, from, first), (after, to, last)];
        Ok(Some(sides.map(|(time, moment, mut number)| {
            if let Some(moment) = moment {
                number = rig.moments.len();
                rig.moments.push(moment);
            }
            (time, number)
        })))
    }
}
