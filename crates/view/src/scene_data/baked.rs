//! The moments of which a page has the vertices as the program bakes them, to compare.

use std::collections::HashSet;

use super::glb::{Content, glb};
use super::{Baked, Block, MAX_BLOCK};
use rigy_base::loader::{Location, MemoryLoader};
use rigy_gltf::{COMPRESSIONS, DRACO, File, JointScale};
use rigy_kernel::executor::Sequential;
use rigy_kernel::simd::Isa;
use rigy_models::bake::{Baker, Moment, Settings, Skinning, Source};

/// Most bytes of baked vertices.
pub const BAKED_BUDGET: u64 = MAX_BLOCK / 8;
/// Most bytes of the baked files that these vertices are read from, for each solver.
const MOST_WRITTEN: u64 = 1 << 29;
/// Most moments that are baked: each bake goes through the whole JSON of the file.
const MOST_MOMENTS: u64 = 64;
/// The size of a short file, in bytes: beside that of the page itself, the size of its model does not count.
const SHORT: u64 = 16_000;

/// A moment that is baked: the index of its animation, and its time in seconds; the nodes as they are stored if there is none.
type At = Option<(usize, f64)>;

/// Appends the baked vertices of moments while there is room: the middle of each animation, the rest, then other times. `images`
/// is the length of the images in the model in bytes, `vectors` that of its positions and normals.
pub fn push(
    block: &mut Block,
    source: &Source,
    images: u64,
    (spans, vectors): (&[[f64; 2]], u64),
    (scale, isa): (&JointScale, Isa),
) -> Vec<Baked> {
    let moment_len = (2 * vectors).max(1);
    let model = block.bytes.len() as u64;
    let room = room(&source.file, model, images).min(BAKED_BUDGET);
    let rest = source.bake(&Moment::default(), &Skinning::linear(), isa);
    // Each baked file has the images and the rest of the JSON as well.
    let (written, of_work) = rest.map_or((1, 1), |baked| {
        (baked.value.len(), baked.value.meter().times_left())
    });
    let written = (MOST_WRITTEN / written.max(1)).clamp(1, of_work.max(1));
    let most = (room / moment_len).min(written).min(MOST_MOMENTS);
    let moments = moments(source, spans).into_iter().take(most as usize);
    let mut all = Vec::new();
    for at in moments {
        let moment = match at {
            None => Moment::default(),
            Some((animation, time)) => Moment::default()
                .animation(animation.to_string())
                .time(time),
        };
        let mut by = |skinning: Skinning| {
            let baked = baker(source).bake(&moment, &skinning, isa).ok()?.value;
            vertices_of(block, &baked.to_bytes().ok()?.value)
        };
        if let Some(lbs) = by(Skinning::linear()) {
            let dqs = by(Skinning::dual_quaternions(scale.clone()));
            let (clip, time) = at.map_or((None, 0.0), |(clip, time)| (Some(clip), time));
            all.push(Baked {
                clip,
                time,
                lbs,
                dqs,
            });
        }
    }
    all
}

/// Appends the vertices of a baked file as a GLB, and returns its offset; `None` if it cannot be read.
pub fn vertices_of(block: &mut Block, baked: &[u8]) -> Option<usize> {
    let location = Location("baked.glb".into());
    let file = rigy_gltf::read(baked, &location, &MemoryLoader::default()).ok()?;
    Some(block.push(&glb(&file.value, Content::Vertices).ok()?))
}

/// Returns for how many bytes of baked vertices there is room in a page of at most twice the file, or four times if that is compressed. A page
/// has four characters for three bytes. Deflating takes a tenth of numbers of vertices away, two fifths of a GLB, and nothing of its images.
fn room(file: &File, model: u64, images: u64) -> u64 {
    let is_compressed = file
        .tree
        .list("extensionsUsed")
        .iter()
        .filter_map(|name| name.as_str())
        .any(|name| {
            name == DRACO || name == "KHR_mesh_quantization" || COMPRESSIONS.contains(&name)
        });
    let times = if is_compressed { 4 } else { 2 };
    let bytes = file.len.max(SHORT) * times * 3 / 4;
    let model = images + (model - images) * 3 / 5;
    bytes.saturating_sub(model) * 10 / 9
}

fn moments(source: &Source, spans: &[[f64; 2]]) -> Vec<At> {
    let names: HashSet<&str> = source
        .file
        .animations
        .iter()
        .filter_map(|one| one.name.as_deref())
        .collect();
    // An animation of that name would take precedence over the number.
    let shown: Vec<usize> = (0..spans.len())
        .filter(|index| !names.contains(&*index.to_string()))
        .collect();
    let at = |part: f64| {
        shown
            .iter()
            .map(move |&index| {
                let [start, end] = spans[index];
                Some((index, start + (end - start) * part))
            })
            .collect::<Vec<At>>()
    };
    [at(0.5), vec![None], at(0.25), at(0.75)].concat()
}

/// A baker whose nodes keep their numbers, by which surfaces are found.
pub fn baker<'s>(source: &'s Source<'s>) -> Baker<'s> {
    let settings = Settings {
        keeps_skeleton: true,
        ..Settings::default()
    };
    Baker::with(source, settings, &Sequential)
}
