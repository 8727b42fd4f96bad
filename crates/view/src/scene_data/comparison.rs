//! The scene of a comparison: two files as `diff` compares them, and how far each vertex is from its counterpart.

use std::borrow::Cow;

use super::materials;
use super::surfaces::{Block, too_large};
use super::{Comparison, Frame, Joint, Kind, Material, SceneData, Skin, Surface};
use crate::difference::{Side, distance, moves, pairs};
use crate::nearest::{TooFarApart, nearest_distances};
use rigy_gltf::{File, Problem, read};
use rigy_kernel::math::IDENTITY;
use rigy_language::base::diag::Diagnostic;
use rigy_models::mesh::Model;

/// One file of a comparison.
struct Opened<'s> {
    file: File<'s>,
    model: Model,
    /// Its name in the page and in messages.
    name: &'s str,
}

/// How far the vertices of both models are from their counterparts, for each surface.
struct Distances {
    a: Vec<Vec<f64>>,
    b: Vec<Vec<f64>>,
    by_number: bool,
}

/// Returns the scene of two files, of which `a` has what is expected, with the paths that the page shows. Both are at rest, in the
/// space of their scenes. If the surfaces of both pair and have as many vertices, distances are those of
/// [`compare`](crate::difference::compare); otherwise those from each vertex to the nearest one of the other model.
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
    let scene = scene(&a, &b);
    let scene = scene.map_err(|problem| vec![problem.into_diagnostic(name_a)])?;
    Ok(scene.with_short_names())
}

impl<'s> Opened<'s> {
    fn new(side: &Side<'s>, name: &'s str) -> Result<Self, Vec<Diagnostic>> {
        let file = read(side.bytes, side.location, side.loader)?.value;
        let model = Model::of_file(&file).and_then(|model| {
            if is_single(&model) {
                Ok(model)
            } else {
                let message = "a vertex is beyond single precision, so a page cannot show it";
                Err(Problem::rule(&"", message))
            }
        });
        let model = model.map_err(|problem| vec![problem.into_diagnostic(name)])?;
        Ok(Self { file, model, name })
    }
}

/// True if all positions are finite in f32.
fn is_single(model: &Model) -> bool {
    let positions = model.surfaces.iter().flat_map(|surface| &surface.positions);
    let mut numbers = positions.flatten();
    numbers.all(|number| (*number as f32).is_finite())
}

fn scene(a: &Opened<'_>, b: &Opened<'_>) -> Result<SceneData, Problem> {
    too_large(size(&a.model).saturating_add(size(&b.model)))?;
    let distances = distances(&a.model, &b.model).map_err(|error| {
        let message = format!("the page cannot show distances: {error}");
        Problem::rule(&"", message)
    })?;
    let mut block = Block::default();
    let mut materials = Vec::new();
    let mut surfaces = push(&mut block, &mut materials, &a.model, 0, &distances.a);
    surfaces.extend(push(&mut block, &mut materials, &b.model, 1, &distances.b));
    let palettes = block.push_f32(IDENTITY.as_flattened().iter().copied());
    let all = || distances.a.iter().chain(&distances.b).flatten().copied();
    let comparison = Comparison {
        a: a.name.to_owned(),
        b: b.name.to_owned(),
        by_number: distances.by_number,
        greatest: all().fold(0.0, f64::max),
        mean: mean(all),
    };
    let mut notes = Vec::new();
    if moves(&a.file) || moves(&b.file) {
        notes.push("Skins, morph targets and animations are not applied.".to_owned());
    }
    Ok(SceneData {
        format: super::FORMAT,
        name: format!("{} → {}", a.name, b.name),
        kind: Kind::Comparison,
        materials,
        surfaces,
        skins: vec![Skin {
            name: "scene".to_owned(),
            joints: vec![Joint {
                name: "scene".to_owned(),
                ..Joint::default()
            }],
            stride: 3,
        }],
        frames: vec![Frame {
            palettes: Some(palettes),
            ..Frame::default()
        }],
        comparison: Some(comparison),
        notes,
        block: block.bytes,
        ..SceneData::default()
    })
}

/// The bytes that a model takes in the block.
fn size(model: &Model) -> u64 {
    let of_surface = |surface: &rigy_models::mesh::Surface| {
        36 * surface.positions.len() as u64 + 12 * surface.triangles.len() as u64
    };
    model.surfaces.iter().map(of_surface).sum()
}

/// The mean of numbers; 0 without any. Each is divided first, so that no sum overflows.
fn mean<I: Iterator<Item = f64>>(numbers: impl Fn() -> I) -> f64 {
    let count = numbers().count().max(1) as f64;
    numbers().map(|number| number / count).sum()
}

/// The name of the mesh of each surface, and its primitive.
fn names(model: &Model) -> Vec<(Cow<'_, str>, usize)> {
    let surfaces = model.surfaces.iter();
    surfaces
        .map(|s| (Cow::from(&*s.name), s.primitive))
        .collect()
}

fn distances(a: &Model, b: &Model) -> Result<Distances, TooFarApart> {
    let pairs = pairs(&names(a), &names(b));
    let fits = |&(of_a, of_b): &(usize, usize)| {
        a.surfaces[of_a].positions.len() == b.surfaces[of_b].positions.len()
    };
    if a.surfaces.len() != b.surfaces.len() || !pairs.iter().all(fits) {
        return Ok(Distances {
            a: nearest_distances(a, b)?,
            b: nearest_distances(b, a)?,
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

/// Appends the surfaces of a model and returns their descriptions.
fn push(
    block: &mut Block,
    list: &mut Vec<Material>,
    model: &Model,
    number: usize,
    distances: &[Vec<f64>],
) -> Vec<Surface> {
    let places = materials::append(list, &model.materials, model.is_of_document);
    let surfaces = model.surfaces.iter().zip(distances);
    let push = |(surface, distances): (&rigy_models::mesh::Surface, &Vec<f64>)| {
        let corners = surface.triangles.iter().copied();
        // Positions are in the space of the scene, where triangles of nodes that mirror are turned over.
        let turned = corners.map(|[a, b, c]| {
            if surface.is_mirrored {
                [a, c, b]
            } else {
                [a, b, c]
            }
        });
        let colors = surface.colors.as_ref();
        Surface {
            name: surface.name.clone(),
            model: number,
            joint: Some(0),
            cofactors: true,
            vertices: surface.positions.len(),
            positions: block.push_f32(surface.positions.iter().flatten().copied()),
            normals: surface
                .normals
                .as_ref()
                .map(|normals| block.push_f32(normals.iter().flatten().copied())),
            indices: block.push_u32(turned.flatten()),
            triangles: surface.triangles.len(),
            material: surface.material.and_then(|index| *places.get(index)?),
            colors: colors.map(|colors| block.push_colors(colors)),
            distances: Some(block.push_f32(distances.iter().copied())),
            node: surface.node,
            ..Surface::default()
        }
    };
    surfaces.map(push).collect()
}
