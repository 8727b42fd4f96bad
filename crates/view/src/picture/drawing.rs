//! A model into a picture: opaque triangles, the shadow, and what shows through, in some rows at a time.

use std::collections::BTreeMap;

use super::color::Color;
use super::coverage::{Corner, Covered, STEPS};
use super::frame::Frame;
use super::grid::Grid;
use super::ground::Ground;
use super::projection::Projection;
use super::raster::{Band, Write};
use super::sheet::text_on;
use super::surface::{Paint, Painted};
use super::{Image, MAX_SIZE, MIN_SIZE, Scenery};
use rigy_base::meter::{Cost, Meter, Overspent};
use rigy_models::mesh::Model;

/// The part of the picture's side up to which an object is a dot.
const DOT: usize = 64;

/// Most boxes around objects.
const MOST_BOXES: usize = 1 << 12;

/// Pixels of the rows that are drawn together.
const BAND: usize = 1 << 15;

/// Returns how many bytes are taken while a picture of `size` × `size` pixels is drawn, beside a few for each vertex and triangle.
pub fn drawing_memory(size: usize) -> u64 {
    let samples = Band::memory(size.max(BAND));
    (size * size * size_of::<[u8; 4]>()) as u64 + samples
}

/// Draws a model into a picture of `size` × `size` pixels; `size` is brought between [`MIN_SIZE`] and [`MAX_SIZE`]. Vertices
/// of surfaces without triangles are drawn as points. Triangles with a corner that is not finite or not in the frame are left
/// out, and so are the backs of triangles whose material has one side. A model whose surfaces have no materials is seen from
/// both sides.
///
/// # Errors
/// If triangles cover each other so often that drawing takes more work than the meter has left.
pub fn draw(
    model: &Model,
    frame: &Frame,
    size: usize,
    paint: Paint,
    scenery: &Scenery,
    mut meter: Meter,
) -> Result<Image, Overspent> {
    let size = size.clamp(MIN_SIZE, MAX_SIZE);
    let projection = frame.projection(size);
    let corner = |position| Corner::new(projection.pixel(position), size);
    let surfaces = model.surfaces.iter();
    let mut drawing = Drawing {
        size,
        projection,
        corners: surfaces
            .map(|surface| surface.positions.iter().map(corner).collect())
            .collect(),
        surfaces: (0..model.surfaces.len())
            .map(|index| Painted::new(model, index, paint))
            .collect(),
        seen: Default::default(),
        ground: None,
        grid: None,
    };
    let work = drawing.sort();
    meter.spend(Cost::Pixels, work)?;
    if scenery.has_shadow {
        drawing.ground = Ground::below(model, &drawing.projection);
    }
    if scenery.has_grid {
        drawing.grid = Some(Grid::below(model, &projection, scenery.background));
    }
    let mut image = Image::filled(size, size, scenery.background);
    let rows = (BAND / size).max(1);
    let mut band = Band::new(size);
    for top in (0..size).step_by(rows) {
        band.start(top..(top + rows).min(size), scenery.background);
        drawing.draw(&mut band);
        band.finish(&mut image);
    }
    drawing.mark_dots(&mut image, text_on(scenery.background));
    Ok(image)
}

/// A model on its way into a picture.
struct Drawing<'a> {
    /// Pixels of the picture's side.
    size: usize,
    projection: Projection,
    surfaces: Vec<Painted<'a>>,
    /// For each surface the places of its vertices in the picture; `None` for those outside.
    corners: Vec<Vec<Option<Corner>>>,
    /// The triangles that are seen, as depth, surface and triangle: those that hide others from the nearest to the farthest, and those
    /// through which others show the other way.
    seen: [Vec<(f32, u32, u32)>; 2],
    ground: Option<Ground>,
    grid: Option<Grid>,
}

impl Drawing<'_> {
    /// The corners of a triangle; `None` if one is outside.
    fn corners(&self, surface: usize, triangle: &[u32; 3]) -> Option<[Corner; 3]> {
        let places = &self.corners[surface];
        let [a, b, c] = triangle.map(|vertex| places[vertex as usize]);
        Some([a?, b?, c?])
    }

    /// How a triangle covers pixels; `None` if it is not seen.
    fn covered(&self, surface: usize, corners: &[Corner; 3]) -> Option<Covered> {
        let painted = &self.surfaces[surface];
        Covered::of(corners, self.size).filter(|covered| !painted.is_hidden(covered.is_clockwise))
    }

    /// Finds the triangles that are seen, and sorts them: what is near hides others before these get colours. Returns the number of pixels
    /// that would be tested, those with textures counted more often, and of triangles.
    fn sort(&mut self) -> u64 {
        let mut count: u64 = 0;
        let mut seen = [Vec::new(), Vec::new()];
        for (surface, painted) in self.surfaces.iter().enumerate() {
            let is_mixed = painted.is_mixed();
            for (index, triangle) in painted.surface.triangles.iter().enumerate() {
                let Some(corners) = self.corners(surface, triangle) else {
                    continue;
                };
                let Some(covered) = self.covered(surface, &corners) else {
                    continue;
                };
                count = count.saturating_add(painted.work() * covered.pixel_count() + 1);
                let depth: f32 = corners.iter().map(|corner| corner.depth).sum();
                let depth = if is_mixed { depth } else { -depth };
                seen[usize::from(is_mixed)].push((depth, surface as u32, index as u32));
            }
        }
        for triangles in &mut seen {
            triangles.sort_by(|(a, ..), (b, ..)| a.total_cmp(b));
        }
        self.seen = seen;
        count
    }

    /// Draws everything into some rows. Nothing is below the ground, so what lies on it is drawn first where it is seen from above:
    /// no depth decides between it and a floor at the same height.
    fn draw(&self, band: &mut Band) {
        let sees_ground = self.projection.sees_ground();
        let on_ground = self.grid.as_ref().map_or(&[][..], |grid| &grid.on_ground);
        if sees_ground {
            Grid::draw(on_ground, band, &self.projection);
        }
        for (index, painted) in self.surfaces.iter().enumerate() {
            let surface = painted.surface;
            if surface.triangles.is_empty() {
                for (vertex, corner) in self.corners[index].iter().enumerate() {
                    if let Some(corner) = corner {
                        band.point(*corner, painted.point(vertex as u32));
                    }
                }
            }
        }
        let [hiding, mixed] = &self.seen;
        for (_, surface, index) in hiding {
            self.triangle(band, [*surface, *index], Write::Replace);
        }
        if let Some(ground) = &self.ground {
            ground.draw(band);
        }
        if let Some(grid) = &self.grid {
            if !sees_ground {
                Grid::draw(on_ground, band, &self.projection);
            }
            Grid::draw(&grid.upright, band, &self.projection);
        }
        for (_, surface, index) in mixed {
            self.triangle(band, [*surface, *index], Write::Mix);
        }
    }

    /// Draws a box around each object if all of them are so small that they would not be seen.
    fn mark_dots(&self, image: &mut Image, color: Color) {
        let mut boxes: BTreeMap<(usize, usize), [[i32; 2]; 2]> = BTreeMap::new();
        for (painted, corners) in self.surfaces.iter().zip(&self.corners) {
            let object = (painted.surface.node, painted.surface.instance);
            for corner in corners.iter().flatten() {
                let at = corner.at.map(|steps| steps / STEPS);
                let [least, most] = boxes.entry(object).or_insert([at; 2]);
                *least = std::array::from_fn(|axis| least[axis].min(at[axis]));
                *most = std::array::from_fn(|axis| most[axis].max(at[axis]));
            }
        }
        let dot = (self.size / DOT + 1) as i32;
        let is_dot =
            |[least, most]: &[[i32; 2]; 2]| (0..2).all(|axis| most[axis] - least[axis] <= dot);
        if boxes.len() < 2 || !boxes.values().all(is_dot) {
            return;
        }
        for [least, most] in boxes.values().take(MOST_BOXES) {
            image.outline(least.map(|n| n - dot - 2), most.map(|n| n + dot + 2), color);
        }
    }

    fn triangle(&self, band: &mut Band, place: [u32; 2], write: Write) {
        let [surface, index] = place.map(|number| number as usize);
        let painted = &self.surfaces[surface];
        let triangle = painted.surface.triangles[index];
        let corners = self.corners(surface, &triangle);
        let Some(corners) = corners.filter(|corners| !band.is_beside(corners)) else {
            return;
        };
        if let Some(covered) = self.covered(surface, &corners) {
            let colors = painted.colors(triangle, &corners, &covered, &self.projection);
            band.triangle(&covered, &corners, write, colors);
        }
    }
}
