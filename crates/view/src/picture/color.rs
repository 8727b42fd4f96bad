//! Light and colour: a surface's normal and its linear colour to an sRGB pixel; how far the vertices of a model are from another model,
//! and the colours of distances.

use std::sync::OnceLock;

use crate::difference::distance;
use crate::nearest::nearest_distances;
use rigy_kernel::math::{Vec3, dot};
use rigy_models::mesh::{Model, Surface, srgb};

pub use crate::nearest::TooFarApart;

/// The colour of the background.
pub(super) const BACKGROUND: [u8; 3] = [246, 247, 249];
/// The linear colour of surfaces that are white, as those of files without colours are.
const CLAY: [f64; 3] = [0.36, 0.48, 0.62];

/// The part of the light that comes from everywhere.
const AMBIENT: f64 = 0.22;
/// Directions of the two lamps in the space of the viewer, of unit length, and their brightness.
const LAMPS: [(Vec3, f64); 2] = [
    ([-2.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0], 0.8),
    ([8.0 / 9.0, -1.0 / 9.0, 4.0 / 9.0], 0.08),
];
/// The brightness of a lamp at the viewer, which keeps surfaces that face the viewer from being dark.
const HEAD: f64 = 0.2;

/// Number of steps of linear light for which sRGB values are tabulated.
const STEPS: usize = 4096;

/// The linear colour in which a base colour is shown.
pub(super) fn shown(base: [f64; 4]) -> [f64; 3] {
    let [red, green, blue, _] = base;
    match [red, green, blue] {
        [1.0, 1.0, 1.0] => CLAY,
        color => color,
    }
}

/// The brightness of a surface with a unit normal in the space of the viewer.
pub(super) fn brightness(normal: Vec3) -> f64 {
    let mut sum = AMBIENT + HEAD * normal[2].max(0.0);
    for (direction, strength) in LAMPS {
        sum += strength * dot(direction, normal).max(0.0);
    }
    sum
}

/// The pixel of a linear colour times a brightness.
pub(super) fn pixel(color: [f64; 3], brightness: f64) -> [u8; 3] {
    let table = table();
    color.map(|component| {
        let step = (component * brightness).clamp(0.0, 1.0) * (STEPS - 1) as f64;
        table[(step + 0.5) as usize]
    })
}

/// The linear light of an sRGB value.
pub(super) fn linear(value: u8) -> f64 {
    static TABLE: OnceLock<[f64; 256]> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        std::array::from_fn(|value| {
            let encoded = value as f64 / 255.0;
            if encoded <= 0.04045 {
                encoded / 12.92
            } else {
                libm::pow((encoded + 0.055) / 1.055, 2.4)
            }
        })
    });
    table[usize::from(value)]
}

/// The sRGB values of linear light from 0 to 1.
fn table() -> &'static [u8; STEPS] {
    static TABLE: OnceLock<[u8; STEPS]> = OnceLock::new();
    TABLE.get_or_init(|| {
        std::array::from_fn(|step| {
            let linear = step as f64 / (STEPS - 1) as f64;
            (srgb(linear) * 255.0 + 0.5) as u8
        })
    })
}

/// How far each vertex of a model is from another model.
#[derive(Clone, Debug, PartialEq)]
pub struct Distances {
    /// The distance of each vertex of each surface, in model units.
    pub surfaces: Vec<Vec<f64>>,
    /// The greatest distance; 0 without vertices.
    pub greatest: f64,
}

/// Distances as colours.
#[derive(Clone, Copy, Debug)]
pub struct Heat<'a> {
    /// The distances of the model that is drawn.
    pub distances: &'a Distances,
    /// The distance that gets the last colour, in model units.
    pub scale: f64,
}

/// Returns the distance from each vertex of `model` to `other`. If both have equally many vertices, each vertex is compared
/// with the one of the same number, counted over all surfaces; otherwise with the nearest. Distances from a model without
/// vertices are 0.
///
/// # Errors
/// [`TooFarApart`], which depends only on the models.
pub fn distances(model: &Model, other: &Model) -> Result<Distances, TooFarApart> {
    let count = |model: &Model| -> usize {
        let surfaces = model.surfaces.iter();
        surfaces.map(|surface| surface.positions.len()).sum()
    };
    let surfaces: Vec<Vec<f64>> = if count(model) == count(other) {
        let others = other.surfaces.iter();
        let mut others = others.flat_map(|surface| &surface.positions);
        let of_surface = |surface: &Surface| -> Vec<f64> {
            let pairs = surface.positions.iter().zip(&mut others);
            pairs.map(|(a, b)| distance(*a, *b)).collect()
        };
        model.surfaces.iter().map(of_surface).collect()
    } else {
        nearest_distances(model, other)?
    };
    let greatest = surfaces.iter().flatten().copied().fold(0.0, f64::max);
    Ok(Distances { surfaces, greatest })
}

impl Heat<'_> {
    /// The colour values of a surface's vertices, from 0 to 1.
    pub(super) fn of_surface(&self, index: usize) -> Option<Box<dyn Fn(u32) -> f64 + '_>> {
        let distances = self.distances.surfaces.get(index)?;
        let scale = if self.scale > 0.0 { self.scale } else { 1.0 };
        Some(Box::new(move |vertex| {
            let distance = distances.get(vertex as usize).copied().unwrap_or(0.0);
            (distance / scale).clamp(0.0, 1.0)
        }))
    }
}

/// The colours from distance 0 to the greatest one, at equal steps, in sRGB.
const COLORS: [[f64; 3]; 5] = [
    [44.0, 72.0, 160.0],
    [38.0, 148.0, 184.0],
    [120.0, 196.0, 96.0],
    [250.0, 196.0, 48.0],
    [206.0, 32.0, 38.0],
];

/// The pixel of a value from 0 to 1 on a surface of some brightness.
pub(super) fn heat_color(value: f64, brightness: f64) -> [u8; 3] {
    let steps = (COLORS.len() - 1) as f64;
    let at = value.clamp(0.0, 1.0) * steps;
    let index = (at as usize).min(COLORS.len() - 2);
    let part = at - index as f64;
    let shade = 0.7 + 0.3 * brightness.clamp(0.0, 1.0);
    std::array::from_fn(|component| {
        let (from, to) = (COLORS[index][component], COLORS[index + 1][component]);
        ((from + (to - from) * part) * shade + 0.5) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lamps_have_unit_length_and_srgb_has_its_known_values() {
        for (direction, _) in LAMPS {
            assert!((dot(direction, direction) - 1.0).abs() < 1e-15);
        }
        assert_eq!(pixel([0.0, 0.5, 1.0], 1.0), [0, 188, 255]);
        assert_eq!(pixel([2.0, -1.0, f64::NAN], 1.0), [255, 0, 0]);
        for value in 0..=255 {
            assert_eq!(
                pixel([linear(value); 3], 1.0)[0].abs_diff(value),
                0,
                "{value}"
            );
        }
    }

    #[test]
    fn distances_are_exact_where_squares_would_overflow_or_vanish() {
        for unit in [1.0, 1e300, 1e-300] {
            assert_eq!(distance([3.0 * unit, 0.0, 0.0], [0.0; 3]), 3.0 * unit);
        }
        assert_eq!(distance([3.0, 0.0, 1.0], [0.0, 4.0, 1.0]), 5.0);
        assert_eq!(distance([f64::MAX; 3], [-f64::MAX; 3]), f64::MAX);
    }
}
