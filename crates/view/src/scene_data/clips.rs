//! The times at which animations are sampled, the moments of a glTF file that are baked, and their vertices.

use std::collections::{HashMap, HashSet};

use super::palettes::Shown;
use super::surfaces::{self, Block};
use super::{Baked, MAX_BLOCK, Surface};
use rigy_base::diag::Diagnostic;
use rigy_base::loader::{Location, MemoryLoader};
use rigy_gltf::Channel;
use rigy_kernel::simd::Isa;
use rigy_models::bake::{Baker, Moment, Skinning, Source};
use rigy_models::mesh::Model;

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

/// The samplings of animations with these channels; `frame_len` is the number of bytes of one frame. Long animations have fewer
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

/// The times of the first and the last key.
fn span(channels: &[Channel]) -> (f64, f64) {
    let times = || channels.iter().flat_map(|channel| &channel.times);
    let first = times().copied().fold(f64::INFINITY, f64::min);
    let last = times().copied().fold(f64::NEG_INFINITY, f64::max);
    if first <= last {
        (first, last)
    } else {
        (0.0, 0.0)
    }
}

/// Most bytes of baked vertices.
const BAKED_BUDGET: u64 = MAX_BLOCK / 8;
/// Bytes of baked vertices for which there is room in the page of any model.
const LEAST_ROOM: u64 = 1 << 18;
/// Most bytes of the baked files that these vertices are read from, for each solver.
const MOST_WRITTEN: u64 = 1 << 29;
/// Most moments that are baked: each bake goes through the whole JSON of the file, with all its animations.
pub(super) const MOST_MOMENTS: u64 = 64;

/// The frames that are baked, and their moments: the rest, and up to three of each clip while there is room, together at most
/// [`MOST_MOMENTS`]. `block_len` is the number of bytes of what the page has beside them: they take about twice as many, so that the page of a
/// model is not many times as large as its file.
pub(super) fn baked_moments(
    source: &Source<'_>,
    clips: &[Sampling],
    vertices: u64,
    block_len: usize,
) -> Vec<(usize, Moment)> {
    let most = most(source, vertices, 2 * block_len as u64) as usize;
    let mut moments = vec![(0, Moment::default())];
    let animations = source.file.animations.iter();
    let names: HashSet<&str> = animations.filter_map(|one| one.name.as_deref()).collect();
    let mut first = 1;
    let each = if clips.len() * 3 > most { 1 } else { 3 };
    for (index, clip) in clips.iter().enumerate() {
        let frames = clip.baked();
        let frames = if each == 1 {
            vec![frames[frames.len() / 2]]
        } else {
            frames
        };
        let name = index.to_string();
        // An animation of that name would take precedence over the number.
        let is_hidden = names.contains(&*name);
        for frame in frames.into_iter().filter(|_| !is_hidden) {
            let moment = Moment::default().animation(&*name).time(clip.time(frame));
            moments.push((first + frame, moment));
        }
        first += clip.count;
    }
    moments.truncate(most);
    moments
}

/// The greatest number of moments that are baked.
fn most(source: &Source<'_>, vertices: u64, room: u64) -> u64 {
    let rest = source.bake(&Moment::default(), &Skinning::linear(), Isa::best());
    // Each baked file has the images and the rest of the JSON as well.
    let (written, of_work) = rest.map_or((1, 1), |baked| {
        (baked.value.len(), baked.value.meter().times_left())
    });
    let of_written = (MOST_WRITTEN / written.max(1)).clamp(1, of_work.max(1));
    let moment_len = (48 * vertices).max(1);
    let of_vertices = (room.max(LEAST_ROOM) / moment_len).max(2);
    let of_vertices = of_vertices.min(BAKED_BUDGET / moment_len);
    of_vertices.min(of_written).min(MOST_MOMENTS)
}

/// Bakes a moment. Returns the model, and for each surface of what is shown the index of its surface in it.
///
/// # Errors
/// The errors of baking.
pub(super) fn baked(
    source: &Source<'_>,
    shown: &Shown<'_, '_>,
    moment: &Moment,
    skinning: &Skinning,
    isa: Isa,
) -> Result<(Model, Vec<Option<usize>>), Vec<Diagnostic>> {
    // Nodes keep their numbers, by which surfaces are found.
    let baker = Baker::new(source).keeping_skeleton(true);
    let baked = baker.bake(moment, skinning, isa)?.value;
    let bytes = baked.to_bytes()?.value;
    let location = Location("baked.glb".into());
    let model = Model::read(&bytes, &location, &MemoryLoader::default())?.value;
    let places = places(shown, &model);
    Ok((model, places))
}

/// Bakes a moment by both solvers; `shown` is what the surfaces show. Returns `None` if linear blending fails.
pub(super) fn push_moment(
    block: &mut Block,
    source: &Source<'_>,
    shown: &Shown<'_, '_>,
    surfaces: &[Surface],
    moment: &Moment,
    isa: Isa,
) -> Option<Baked> {
    let mut by = |skinning: Skinning| {
        let (model, places) = baked(source, shown, moment, &skinning, isa).ok()?;
        surfaces::push_baked(block, surfaces, &model, |number| places[number])
    };
    Some(Baked {
        lbs: by(Skinning::linear())?,
        dqs: by(Skinning::dual_quaternions(shown.scale.clone())),
    })
}

/// For each surface the index of its surface in a baked model. Skinned nodes have new nodes there, after all
/// others.
fn places(shown: &Shown<'_, '_>, model: &Model) -> Vec<Option<usize>> {
    let Shown { file, .. } = shown;
    let nodes = &file.nodes;
    let mut count = nodes.len();
    let mut number = HashMap::new();
    for (index, node) in nodes.iter().enumerate() {
        if node.mesh.is_some() && node.skin.is_some() {
            number.insert(index, count);
            count += 1;
        }
    }
    let surfaces = model.surfaces.iter().enumerate();
    let found: HashMap<(usize, usize, usize), usize> = surfaces
        .map(|(index, surface)| {
            let place = (surface.node, surface.instance, surface.primitive);
            (place, index)
        })
        .collect();
    let places = shown.drawn.iter().map(|one| {
        let node = number.get(&one.node).copied().unwrap_or(one.node);
        (node, one.instance, one.primitive)
    });
    places.map(|place| found.get(&place).copied()).collect()
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
