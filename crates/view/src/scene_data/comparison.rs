//! The scene of a comparison: two files at rest, and how far each vertex is from its counterpart.

use super::clips;
use super::materials::Materials;
use super::palettes::{self, Shown, skin_list};
use super::surfaces::{Block, too_large};
use super::{Comparison, Frame, Image, Kind, Material, SceneData, Skin, Surface};
use crate::difference::{Side, distance, moves, primitives};
use crate::nearest::nearest_distances;
use rigy_base::diag::Diagnostic;
use rigy_gltf::{File, JointScale, Problem};
use rigy_kernel::simd::Isa;
use rigy_models::bake::{Moment, Skinning, Source};
use rigy_models::mesh::{self, Model};

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

/// The parts of a scene to which both files are appended.
#[derive(Default)]
struct Parts {
    block: Block,
    surfaces: Vec<Surface>,
    materials: Vec<Material>,
    images: Vec<Image>,
    skins: Vec<Skin>,
    /// The numbers of all palettes.
    palettes: Vec<f64>,
    weights: Vec<(usize, Vec<f32>)>,
    /// Nodes of the files before.
    nodes: usize,
    notes: Vec<String>,
}

/// Returns the scene of two files, of which `a` has what is expected, with the paths that the page shows. Both are shown with their nodes
/// and morph weights as they are stored. If the surfaces of both pair and have as many vertices, distances are those between vertices
/// of the same number; otherwise those from each vertex to the nearest one of the other model.
///
/// # Errors
/// If one of the files cannot be read or is beyond single precision; if the scene exceeds [`MAX_BLOCK`](super::MAX_BLOCK);
/// if finding nearest vertices would take very long.
pub fn comparison_scene(
    (a, name_a): (&Side<'_>, &str),
    (b, name_b): (&Side<'_>, &str),
) -> Result<SceneData, Vec<Diagnostic>> {
    let a = Opened::new(a, name_a)?;
    let b = Opened::new(b, name_b)?;
    let scale = JointScale::Reject;
    let shown = [a.shown(&scale)?, b.shown(&scale)?];
    let mut parts = Parts::default();
    for (number, (side, shown)) in [&a, &b].into_iter().zip(&shown).enumerate() {
        let pushed = parts.push(number, &side.source, shown);
        pushed.map_err(|problem| side.error(problem))?;
    }
    let models = (a.rest(&shown[0])?, b.rest(&shown[1])?);
    parts.notes.extend(much_smaller(&models.0, &models.1));
    let distances = distances((&a.source.file, &models.0), (&b.source.file, &models.1));
    scene(
        parts,
        [&a, &b],
        &distances.map_err(|problem| a.error(problem))?,
    )
    .map_err(|problem| a.error(problem))
}

impl<'s> Opened<'s> {
    fn new(side: &Side<'s>, name: &'s str) -> Result<Self, Vec<Diagnostic>> {
        let source = Source::read(side.bytes, side.location, side.loader)?.value;
        Ok(Self { source, name })
    }

    fn shown<'o>(&'o self, scale: &'o JointScale) -> Result<Shown<'o, 's>, Vec<Diagnostic>> {
        let shown = Shown::new(&self.source.file, scale);
        shown.map_err(|problem| self.error(problem))
    }

    fn error(&self, problem: Problem) -> Vec<Diagnostic> {
        vec![problem.into_diagnostic(self.name)]
    }

    /// Returns the model at rest, with its surfaces in the order of the page.
    fn rest(&self, shown: &Shown<'_, '_>) -> Result<Model, Vec<Diagnostic>> {
        let (at, skinning) = (Moment::default(), Skinning::linear());
        let (mut model, places) = clips::baked(&self.source, shown, &at, &skinning, Isa::best())?;
        let surfaces = places.into_iter().map(|place| {
            let surface = place.and_then(|place| model.surfaces.get_mut(place));
            surface.map(std::mem::take).unwrap_or_default()
        });
        model.surfaces = surfaces.collect();
        let mut numbers = model
            .surfaces
            .iter()
            .flat_map(|it| it.positions.as_flattened());
        if numbers.all(|number| (*number as f32).is_finite()) {
            Ok(model)
        } else {
            let message = "a vertex is beyond single precision, so a page cannot show it";
            Err(self.error(Problem::rule(&"", message)))
        }
    }
}

impl Parts {
    /// Appends what a file shows at rest.
    fn push(
        &mut self,
        number: usize,
        source: &Source<'_>,
        shown: &Shown<'_, '_>,
    ) -> Result<(), Problem> {
        let (mut moment, weights) = shown.rest()?;
        // A comparison has no solvers to choose from.
        moment.iter_mut().for_each(|skin| skin.dual = None);
        let strides = palettes::strides(&[&moment], moment.len());
        let mut materials = Materials::new(source);
        let mut surfaces = shown.surfaces(&mut self.block, &mut materials, &mut self.notes)?;
        for surface in &mut surfaces {
            surface.model = number;
            surface.skin += self.skins.len();
            surface.node += self.nodes;
            surface.material = surface.material.map(|index| index + self.materials.len());
        }
        let textures = materials.list.iter_mut().flat_map(|it| &mut it.textures);
        textures.for_each(|texture| texture.image += self.images.len());
        self.palettes.extend(palettes::numbers(&moment, &strides));
        let weights = weights.into_iter().map(|(node, weights)| {
            let weights = weights.into_iter().map(|weight| weight as f32);
            (node + self.nodes, weights.collect())
        });
        self.weights.extend(weights);
        self.nodes += source.file.nodes.len();
        self.skins.extend(skin_list(shown, &strides));
        self.surfaces.append(&mut surfaces);
        self.materials.append(&mut materials.list);
        self.images.append(&mut materials.images.list);
        Ok(())
    }
}

/// The scene of all parts, with the distances of each surface.
fn scene(
    mut parts: Parts,
    [a, b]: [&Opened<'_>; 2],
    distances: &Distances,
) -> Result<SceneData, Problem> {
    let of_surfaces = distances.a.iter().chain(&distances.b);
    for (surface, distances) in parts.surfaces.iter_mut().zip(of_surfaces) {
        let offset = parts.block.push_f32(distances.iter().copied());
        surface.distances = Some(offset);
    }
    let palettes = parts.block.push_f32(parts.palettes);
    too_large(parts.block.bytes.len() as u64)?;
    let all = || distances.a.iter().chain(&distances.b).flatten().copied();
    let comparison = Comparison {
        a: a.name.to_owned(),
        b: b.name.to_owned(),
        by_number: distances.by_number,
        greatest: all().fold(0.0, f64::max),
        mean: mean(all),
    };
    if moves(&a.source.file) || moves(&b.source.file) {
        parts.notes.push(
            "Skins and morph targets are applied with nodes and weights as they are stored; what `diff` prints is of vertices without them."
                .to_owned(),
        );
    }
    parts.notes.dedup();
    let scene = SceneData {
        format: super::FORMAT,
        name: format!("{} → {}", a.name, b.name),
        kind: Kind::Comparison,
        materials: parts.materials,
        images: parts.images,
        surfaces: parts.surfaces,
        nodes_skin: parts.skins.len() - 1,
        skins: parts.skins,
        frames: vec![Frame {
            palettes: Some(palettes),
            weights: parts.weights,
            ..Frame::default()
        }],
        comparison: Some(comparison),
        notes: parts.notes,
        block: parts.block.bytes,
        ..SceneData::default()
    };
    Ok(scene.with_short_names())
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
    (file_a, a): (&File<'_>, &Model),
    (file_b, b): (&File<'_>, &Model),
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
        let positions = a.surfaces[of_a].positions.iter();
        let positions = positions.zip(&b.surfaces[of_b].positions);
        found.a[of_a] = positions.map(|(a, b)| distance(*a, *b)).collect();
        found.b[of_b].clone_from(&found.a[of_a]);
    }
    Ok(found)
}
