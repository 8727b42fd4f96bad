//! The scene of a comparison: two files at rest, and how far each vertex is from its counterpart.

use super::baked::baker;
use super::checks::too_large;
use super::gltf::{clips, push_model};
use super::{Block, Clip, Comparison, Kind, SceneData};
use crate::difference::{Side, distance, moves, primitives};
use crate::nearest::nearest_distances;
use rigy_base::diag::Diagnosed;
use rigy_base::loader::{Location, MemoryLoader};
use rigy_gltf::{AboutFile, File, Problem};
use rigy_kernel::simd::Isa;
use rigy_models::bake::{Moment, Skinning, Source};
use rigy_models::mesh::{self, Drawn, Model, drawn, shown_nodes};

/// One file of a comparison.
struct Opened<'s> {
    source: Source<'s>,
    /// Its name in the page and in messages.
    name: &'s str,
}

/// How far the vertices of both models are from their counterparts, for each surface.
struct Distances {
    a: Vec<Vec<f64>>,
    b: Vec<Vec<f64>>,
    by_number: bool,
}

/// Returns the scene of two files, of which `a` has what is expected, with the paths that the page shows. Both are shown with their nodes
/// and morph weights as they are stored, and play animations by linear blending if they have the same ones. If the surfaces of both pair and have as many vertices, distances are those between vertices
/// of the same number; otherwise those from each vertex to the nearest one of the other model.
///
/// # Errors
/// If one of the files cannot be read or is beyond single precision; if the scene exceeds [`MAX_BLOCK`](super::MAX_BLOCK);
/// if finding nearest vertices would take very long.
pub fn comparison_scene(
    (a, name_a): (&Side, &str),
    (b, name_b): (&Side, &str),
) -> Diagnosed<SceneData> {
    let sides = [Opened::new(a, name_a)?, Opened::new(b, name_b)?];
    let mut block = Block::default();
    let (mut models, mut notes) = (Vec::new(), Vec::new());
    for side in &sides {
        let pushed = push_model(&mut block, &side.source);
        let (model, _, remarks) = pushed.about_file(side.name)?;
        models.push(model);
        notes.extend(remarks);
    }
    let [a, b] = &sides;
    let rest = (a.rest()?, b.rest()?);
    notes.extend(much_smaller(&rest.0, &rest.1));
    if moves(&a.source.file) || moves(&b.source.file) {
        notes.push(
            "Skins and morph targets are applied with nodes and weights as they are stored; what `diff` prints is of vertices without them."
                .to_owned(),
        );
    }
    notes.dedup();
    let found = distances((&a.source.file, &rest.0), (&b.source.file, &rest.1));
    let found = found.about_file(a.name)?;
    let all = || found.a.iter().chain(&found.b).flatten().copied();
    let singles = all().flat_map(|distance| (distance as f32).to_le_bytes());
    let comparison = Comparison {
        a: a.name.to_owned(),
        b: b.name.to_owned(),
        by_number: found.by_number,
        greatest: all().fold(0.0, f64::max),
        mean: mean(all),
        distances: block.push(&singles.collect::<Vec<u8>>()),
    };
    too_large(block.bytes.len() as u64).about_file(a.name)?;
    Ok(SceneData {
        format: super::FORMAT,
        name: format!("{} → {}", a.name, b.name),
        kind: Kind::Comparison,
        models,
        clips: common_clips(&a.source.file, &b.source.file),
        comparison: Some(comparison),
        notes,
        block: block.bytes,
        ..SceneData::default()
    })
}

impl<'s> Opened<'s> {
    fn new(side: &Side<'s>, name: &'s str) -> Diagnosed<Self> {
        let source = Source::read(side.bytes, side.location, side.loader)?.value;
        Ok(Self { source, name })
    }

    /// The model at rest, with its surfaces in the order of the page.
    fn rest(&self) -> Diagnosed<Model> {
        let baked =
            baker(&self.source).bake(&Moment::default(), &Skinning::linear(), Isa::best())?;
        let bytes = baked.value.to_bytes()?.value;
        let location = Location(self.name.into());
        let mut model = Model::read(&bytes, &location, &MemoryLoader::default())?.value;
        model.surfaces = in_order_of(&self.source.file, model.surfaces);
        let mut numbers = model
            .surfaces
            .iter()
            .flat_map(|it| it.positions.as_flattened());
        if numbers.all(|number| (*number as f32).is_finite()) {
            Ok(model)
        } else {
            let message = "a vertex is beyond single precision, so a page cannot show it";
            Err(Problem::rule(&"", message)).about_file(self.name)
        }
    }
}

/// The surfaces of a baked file in the order in which the file draws them. Skinned nodes have new nodes there, after all others.
fn in_order_of(file: &File, mut baked: Vec<mesh::Surface>) -> Vec<mesh::Surface> {
    let nodes = shown_nodes(file);
    let mut order: Vec<(usize, Drawn)> = drawn(file, &nodes).enumerate().collect();
    order.sort_by_key(|(_, one)| file.nodes[one.node].skin.is_some());
    let mut surfaces: Vec<mesh::Surface> = order.iter().map(|_| mesh::Surface::default()).collect();
    for ((place, _), surface) in order.iter().zip(baked.drain(..)) {
        surfaces[*place] = surface;
    }
    surfaces
}

/// The animations of two files if they have the same ones, with keys that can be used.
fn common_clips(a: &File, b: &File) -> Vec<Clip> {
    let of_b = clips(b).ok();
    let same = clips(a).ok().filter(|of_a| Some(of_a) == of_b.as_ref());
    same.unwrap_or_default()
}

/// What the page says if one model is less than a tenth of the other.
fn much_smaller(a: &Model, b: &Model) -> Option<String> {
    let diagonal = |model: &Model| model.bounds().map(|[min, max]| distance(min, max));
    let (of_a, of_b) = (diagonal(a)?, diagonal(b)?);
    let (small, large, times) = if of_a < of_b {
        ("A", "B", of_b / of_a)
    } else {
        ("B", "A", of_a / of_b)
    };
    let times = match times {
        10.0..1e6 => format!("{times:.0}"),
        1e6..f64::INFINITY => format!("{times:.0e}"),
        _ => return None,
    };
    Some(format!(
        "{small} is much smaller than {large}, whose bounds are {times} times as long. “Only {small}” shows it alone."
    ))
}

/// The mean of numbers; 0 without any. Each is divided first, so that no sum overflows.
fn mean<I: Iterator<Item = f64>>(numbers: impl Fn() -> I) -> f64 {
    let count = numbers().count().max(1) as f64;
    numbers().map(|number| number / count).sum()
}

fn distances(
    (file_a, a): (&File, &Model),
    (file_b, b): (&File, &Model),
) -> Result<Distances, Problem> {
    let shown = (mesh::Shown::new(file_a)?, mesh::Shown::new(file_b)?);
    let pairs = primitives((file_a, &shown.0), (file_b, &shown.1));
    let fits = |&(of_a, of_b): &(usize, usize)| {
        a.surfaces[of_a].positions.len() == b.surfaces[of_b].positions.len()
    };
    if a.surfaces.len() != b.surfaces.len() || !pairs.iter().all(fits) {
        let mut meter = file_a.meter;
        let mut nearest = |of: &Model, other: &Model| nearest_distances(of, other, &mut meter);
        return Ok(Distances {
            a: nearest(a, b)?,
            b: nearest(b, a)?,
            by_number: false,
        });
    }
    let mut found = Distances {
        a: vec![Vec::new(); pairs.len()],
        b: vec![Vec::new(); pairs.len()],
        by_number: true,
    };
    for (of_a, of_b) in pairs {
        let positions = a.surfaces[of_a]
            .positions
            .iter()
            .zip(&b.surfaces[of_b].positions);
        found.a[of_a] = positions.map(|(a, b)| distance(*a, *b)).collect();
        found.b[of_b].clone_from(&found.a[of_a]);
    }
    Ok(found)
}
