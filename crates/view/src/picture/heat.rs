//! Distances between two models, and their colours.

use super::color::Color;
use crate::difference::distance;
use crate::light::LIGHT;
use crate::nearest::nearest_distances;
use rigy_base::meter::{Meter, Overspent};
use rigy_models::mesh::Model;

/// The distances of one surface's vertices, as parts of the greatest one.
pub type HeatOfSurface<'a> = Box<dyn Fn(u32) -> f64 + 'a>;

/// How far each vertex of a model is from another model.
#[derive(Debug)]
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
/// If it takes too much work.
pub fn distances(model: &Model, other: &Model, mut meter: Meter) -> Result<Distances, Overspent> {
    let count = |model: &Model| -> usize {
        model
            .surfaces
            .iter()
            .map(|surface| surface.positions.len())
            .sum()
    };
    let surfaces: Vec<Vec<f64>> = if count(model) == count(other) {
        let mut others = other.surfaces.iter().flat_map(|surface| &surface.positions);
        model
            .surfaces
            .iter()
            .map(|surface| -> Vec<f64> {
                surface
                    .positions
                    .iter()
                    .zip(&mut others)
                    .map(|(a, b)| distance(*a, *b))
                    .collect()
            })
            .collect()
    } else {
        nearest_distances(model, other, &mut meter)?
    };
    let greatest = surfaces.iter().flatten().copied().fold(0.0, f64::max);
    Ok(Distances { surfaces, greatest })
}

impl Heat<'_> {
    /// The colour values of a surface's vertices, from 0 to 1.
    pub(super) fn of_surface(&self, index: usize) -> Option<HeatOfSurface<'_>> {
        let distances = self.distances.surfaces.get(index)?;
        let scale = if self.scale > 0.0 { self.scale } else { 1.0 };
        Some(Box::new(move |vertex| {
            let distance = distances.get(vertex as usize).copied().unwrap_or(0.0);
            (distance / scale).clamp(0.0, 1.0)
        }))
    }
}

/// The colour of a value from 0 to 1 on a surface with some light.
pub fn heat_color(value: f64, light: f64) -> Color {
    let colors = &LIGHT.heat;
    let at = value.clamp(0.0, 1.0) * (colors.len() - 1) as f64;
    let index = (at as usize).min(colors.len() - 2);
    let part = at - index as f64;
    let shade = 0.7 + 0.3 * light.clamp(0.0, 1.0);
    let component = |k: usize| {
        let from = colors[index][k];
        let to = colors[index + 1][k];
        ((from + (to - from) * part) * shade + 0.5) as u8
    };
    [component(0), component(1), component(2), 255]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_exact_where_squares_would_overflow_or_vanish() {
        for unit in [1.0, 1e300, 1e-300] {
            assert_eq!(distance([3.0 * unit, 0.0, 0.0], [0.0; 3]), 3.0 * unit);
        }
        assert_eq!(distance([3.0, 0.0, 1.0], [0.0, 4.0, 1.0]), 5.0);
        assert_eq!(distance([f64::MAX; 3], [-f64::MAX; 3]), f64::MAX);
    }

    #[test]
    fn the_first_and_the_last_colour_belong_to_0_and_1() {
        let bytes = |color: [f64; 3]| color.map(|component| component as u8);
        let (first, last) = (LIGHT.heat[0], LIGHT.heat[LIGHT.heat.len() - 1]);
        for (value, color) in [(-1.0, first), (0.0, first), (1.0, last), (f64::MAX, last)] {
            assert_eq!(heat_color(value, 1.0)[..3], bytes(color), "{value}");
        }
    }
}
