//! The moments of a glTF file that are baked, and their vertices.

use std::collections::{HashMap, HashSet};

use super::block::Block;
use super::clips::Sampling;
use super::shown::Shown;
use super::surfaces;
use super::{Baked, MAX_BLOCK, Surface};
use rigy_kernel::simd::Isa;
use rigy_language::base::loader::{Location, MemoryLoader};
use rigy_models::bake::{Baker, Moment, Skinning, Source};
use rigy_models::mesh::Model;

/// Most bytes of baked vertices.
const BAKED_BUDGET: u64 = MAX_BLOCK / 8;
/// Most bytes of the baked files that these vertices are read from, for each solver.
const MOST_WRITTEN: u64 = 1 << 29;
/// Most moments that are baked: each bake goes through the whole JSON of the file, with all its animations.
pub(super) const MOST_MOMENTS: u64 = 64;

/// Returns the frames that are baked, and their moments: the rest, and up to three of each clip while there is room, together at most
/// [`MOST_MOMENTS`].
pub(super) fn moments(
    source: &Source<'_>,
    clips: &[Sampling],
    vertices: u64,
) -> Vec<(usize, Moment)> {
    let most = most(source, vertices) as usize;
    let mut moments = vec![(0, Moment::default())];
    let animations = source.file.animations.iter();
    let names: HashSet<&str> = animations.filter_map(|one| one.name.as_deref()).collect();
    let mut first = 1;
    let each = match clips.len() * 3 > most {
        true => 1,
        false => 3,
    };
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

/// Returns the greatest number of moments that are baked.
fn most(source: &Source<'_>, vertices: u64) -> u64 {
    let rest = source.bake(&Moment::default(), &Skinning::linear(), Isa::best());
    // Each baked file has the images and the rest of the JSON as well.
    let written = rest.map_or(1, |baked| baked.value.len());
    let of_written = (MOST_WRITTEN / written.max(1)).max(1);
    let of_vertices = BAKED_BUDGET / (48 * vertices).max(1);
    of_vertices.min(of_written).min(MOST_MOMENTS)
}

/// Bakes a moment by both solvers; `shown` is what the surfaces show. Returns `None` if linear blending fails.
pub(super) fn push(
    block: &mut Block,
    source: &Source<'_>,
    shown: &Shown<'_, '_>,
    surfaces: &[Surface],
    moment: &Moment,
    isa: Isa,
) -> Option<Baked> {
    let mut by = |skinning: Skinning| {
        // Nodes keep their numbers, by which surfaces are found.
        let baker = Baker::new(source).keeping_skeleton(true);
        let baked = baker.bake(moment, &skinning, isa).ok()?.value;
        let bytes = baked.to_bytes().ok()?.value;
        let location = Location("baked.glb".into());
        let model = Model::read(&bytes, &location, &MemoryLoader::default())
            .ok()?
            .value;
        let places = places(shown, &model);
        surfaces::push_baked(block, surfaces, &model, |number| places[number])
    };
    Some(Baked {
        lbs: by(Skinning::linear())?,
        dqs: by(Skinning::dual_quaternions(shown.scale.clone())),
    })
}

/// Returns for each surface the index of its surface in a baked model. Skinned nodes have new nodes there, after all
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
    let found: HashMap<(usize, usize), usize> = surfaces
        .map(|(index, surface)| ((surface.node, surface.primitive), index))
        .collect();
    let places = shown.nodes.iter().flat_map(|node| {
        let mesh = nodes[*node].mesh.unwrap_or_default();
        let place = number.get(node).copied().unwrap_or(*node);
        let primitives = 0..file.meshes[mesh].primitives.len();
        primitives.map(move |primitive| (place, primitive))
    });
    places.map(|place| found.get(&place).copied()).collect()
}
