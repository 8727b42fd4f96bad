//! The colours of a surface: its material, its textures, and its light.

use super::color::{Color, encoded};
use super::coverage::{Corner, Covered};
use super::heat::{Heat, HeatOfSurface, heat_color};
use super::projection::Projection;
use super::textures::{KINDS, MAPS, SurfaceTexture, Textures, TriangleTexture, blended};
use crate::light::{LIGHT, LitPoint};
use rigy_kernel::math::{Vec3, cross, dot, length, minus};
use rigy_models::mesh::{Alpha, Material, Model, Surface};
use wide::f32x4;

/// The number of pixels in the box around a triangle up to which each pixel has its own light.
const SMALL: u64 = 24;

/// Places of a triangle, each digit the weight of a corner in sixths: the six from whose colours all others follow where the light is even,
/// and those at which that is proved.
const SIXTHS: [u16; 10] = [600, 60, 6, 33, 303, 330, 411, 141, 114, 222];

/// The colours of surfaces.
#[derive(Clone, Copy)]
pub enum Paint<'a> {
    /// Those of their materials, with these textures.
    Materials(&'a Textures),
    /// Those of distances.
    Heat(&'a Heat<'a>),
}

/// A surface with what it is painted with.
pub struct Painted<'a> {
    pub surface: &'a Surface,
    material: Material,
    /// The base colour, normal, metallic-roughness, emissive and occlusion texture.
    maps: [Option<SurfaceTexture<'a>>; MAPS],
    heat: Option<HeatOfSurface<'a>>,
    /// True if its triangles are wound in both directions, so that normals say which side is the front.
    is_loose: bool,
}

/// A triangle with what its points need.
struct PaintedTriangle<'t, 'a> {
    painted: &'t Painted<'a>,
    triangle: [u32; 3],
    depths: [f64; 3],
    /// Its corners in the space of the camera.
    seen: [Vec3; 3],
    /// Unit normals of its corners in the space of the camera.
    normals: [Vec3; 3],
    /// The unit normal of the triangle on the side that is seen.
    face: Vec3,
    maps: [Option<TriangleTexture<'t, 'a>>; MAPS],
    /// The unit vectors along the columns and against the rows of the normal texture.
    tangents: Option<[Vec3; 2]>,
}

impl<'a> Painted<'a> {
    pub fn new(model: &'a Model, index: usize, paint: Paint<'a>) -> Self {
        let surface = &model.surfaces[index];
        let material = surface
            .material
            .and_then(|index| model.materials.get(index));
        let (maps, heat) = match paint {
            Paint::Heat(heat) => ([const { None }; MAPS], heat.of_surface(index)),
            Paint::Materials(textures) => (textures.of(surface), None),
        };
        let given = material.and_then(|material| material.shown(model.is_of_document));
        let is_loose = given.is_none() || model.is_of_document;
        let mut material = given.unwrap_or_else(clay);
        // Without its texture, a factor would be that of the whole surface.
        (material.emissive, material.metallic) = material.factors(|kind| {
            let map = KINDS.iter().position(|of_map| *of_map == Some(kind));
            map.is_some_and(|map| maps[map].is_some())
        });
        Self {
            surface,
            material,
            maps,
            heat,
            is_loose,
        }
    }

    /// True if a triangle that is seen turning clockwise, or else counter-clockwise, is hidden, because its back is seen.
    pub fn is_hidden(&self, is_clockwise: bool) -> bool {
        !self.material.is_double_sided && is_clockwise != self.surface.is_mirrored
    }

    /// True if what lies behind shows through.
    pub fn is_mixed(&self) -> bool {
        self.material.alpha == Alpha::Blend && self.heat.is_none()
    }

    /// How many times as long finding a colour takes as on the simplest surface.
    pub fn work(&self) -> u64 {
        1 + self.maps.iter().flatten().count() as u64
    }

    /// Returns the colour of a vertex that is drawn as a point.
    pub fn point(&self, vertex: u32) -> Color {
        if let Some(heat) = &self.heat {
            return heat_color(heat(vertex), 1.0);
        }
        let [red, green, blue, _] = self.base([self.vertex_color(vertex), None]);
        let [red, green, blue] = encoded([red, green, blue]);
        [red, green, blue, 255]
    }

    /// Returns a function from the weights of a triangle's corners in the picture to the colour there; `None` where nothing
    /// is drawn. Where the light on a large triangle is even, colours follow from a few of them.
    pub fn colors<'t>(
        &'t self,
        triangle: [u32; 3],
        corners: &'t [Corner; 3],
        covered: &'t Covered,
        projection: &'t Projection,
    ) -> impl FnMut([f64; 3]) -> Option<Color> + 't {
        // Most triangles behind others need no colour.
        let mut known = None;
        move |weights| {
            let (painted, even) = known.get_or_insert_with(|| {
                let painted =
                    PaintedTriangle::new(self, triangle, corners, covered.is_clockwise, projection);
                let is_plain = self.work() == 1 && covered.pixel_count() > SMALL;
                let even = is_plain.then(|| painted.even(projection)).flatten();
                (painted, even)
            });
            match even {
                Some(even) => {
                    let rounded = between(even, weights) + 0.5;
                    let steps = rounded.fast_max(f32x4::ZERO).fast_min(f32x4::splat(255.0));
                    Some(steps.fast_trunc_int().to_array().map(|step| step as u8))
                }
                None => painted.color(weights, projection),
            }
        }
    }

    /// The base colour and the opacity: the factor times a vertex colour and a value of the texture.
    fn base(&self, factors: [Option<[f64; 4]>; 2]) -> [f64; 4] {
        factors
            .into_iter()
            .flatten()
            .fold(self.material.base_color, |base, factor| {
                std::array::from_fn(|k| base[k] * factor[k])
            })
    }

    /// The colour of a vertex; `None` if vertices have none.
    fn vertex_color(&self, vertex: u32) -> Option<[f64; 4]> {
        self.surface
            .colors
            .as_ref()?
            .get(vertex as usize)
            .map(|color| color.map(f64::from))
    }
}

/// The material of surfaces that have none.
fn clay() -> Material {
    let [red, green, blue] = LIGHT.clay.color;
    Material {
        base_color: [red, green, blue, 1.0],
        metallic: 0.0,
        roughness: LIGHT.clay.roughness,
        is_double_sided: true,
        ..Material::default()
    }
}

/// The colour at a point with these weights of the corners, by the colours of [`SIXTHS`]: of the second degree.
fn between(colors: &[f32x4; 10], weights: [f64; 3]) -> f32x4 {
    let [a, b, c] = weights.map(|weight| weight as f32);
    let square = |weight: f32| weight * (weight + weight - 1.0);
    let parts = [
        square(a),
        square(b),
        square(c),
        4.0 * b * c,
        4.0 * a * c,
        4.0 * a * b,
    ];
    let colors = colors.iter().zip(parts);
    colors.fold(f32x4::ZERO, |sum, (color, part)| sum + *color * part)
}

impl<'t, 'a> PaintedTriangle<'t, 'a> {
    fn new(
        painted: &'t Painted<'a>,
        triangle: [u32; 3],
        corners: &[Corner; 3],
        is_clockwise: bool,
        projection: &Projection,
    ) -> Self {
        let surface = painted.surface;
        let seen = triangle.map(|vertex| projection.seen(&surface.positions[vertex as usize]));
        let face = turned(face(&seen), is_clockwise);
        let normals = triangle.map(|vertex| {
            let normal = surface
                .normals
                .as_deref()
                .unwrap_or_default()
                .get(vertex as usize);
            normal
                .and_then(|normal| unit(projection.direction(normal)))
                .unwrap_or(face)
        });
        let is_back = if painted.is_loose {
            let sums = normals.map(|normal| dot(normal, face));
            sums[0] + sums[1] + sums[2] < 0.0
        } else {
            surface.normals.is_some() && is_clockwise != surface.is_mirrored
        };
        let normals = normals.map(|normal| turned(normal, is_back));
        let places = corners.map(|corner| corner.place());
        let maps = painted
            .maps
            .each_ref()
            .map(|map| map.as_ref()?.on(surface, triangle, &places));
        let tangents = maps[1]
            .as_ref()
            .and_then(|map| map.directions(&seen))
            .and_then(|[along, down]| Some([unit(along)?, turned(unit(down)?, true)]));
        Self {
            painted,
            triangle,
            depths: corners.map(|corner| f64::from(corner.depth)),
            seen,
            normals,
            face,
            maps,
            tangents,
        }
    }

    /// The colours at [`SIXTHS`]; `None` if others do not follow from them to one of 255 steps.
    fn even(&self, projection: &Projection) -> Option<[f32x4; 10]> {
        let places =
            SIXTHS.map(|place| [100, 10, 1].map(|digit| f64::from(place / digit % 10) / 6.0));
        let mut colors = [f32x4::ZERO; 10];
        for (color, weights) in colors.iter_mut().zip(places) {
            *color = f32x4::new(self.color(weights, projection)?.map(f32::from));
        }
        let mut off = colors
            .iter()
            .zip(places)
            .map(|(color, weights)| *color - between(&colors, weights));
        off.all(|off| off.abs().simd_le(f32x4::ONE).all())
            .then_some(colors)
    }

    /// The colour at a point with these weights of the corners in the picture.
    fn color(&self, weights: [f64; 3], projection: &Projection) -> Option<Color> {
        let weights = projection.in_space(weights, self.depths);
        let Painted { material, heat, .. } = self.painted;
        if let Some(heat) = heat {
            let value = dot(self.triangle.map(heat), weights);
            return Some(heat_color(value, LIGHT.diffuse(self.normal(weights))));
        }
        let texture = |map: usize, is_color| {
            let map = self.maps[map].as_ref();
            map.map(|map| map.value(weights, is_color))
        };
        let [red, green, blue, opacity] = self
            .painted
            .base([self.vertex_color(weights), texture(0, true)]);
        let opacity = match material.alpha {
            Alpha::Mask(cutoff) if opacity < cutoff => return None,
            Alpha::Opaque | Alpha::Mask(_) => 1.0,
            Alpha::Blend => opacity.clamp(0.0, 1.0),
        };
        let base = [red, green, blue];
        let shown = if material.is_unlit {
            base
        } else {
            let [_, rough, metal, _] = texture(2, false).unwrap_or([1.0; 4]);
            let emitted = texture(3, true).unwrap_or([1.0; 4]);
            let [occluded, ..] = texture(4, false).unwrap_or([1.0; 4]);
            let seen = blended(&self.seen, weights);
            LIGHT.shaded(&LitPoint {
                base,
                metallic: material.metallic * metal,
                roughness: material.roughness * rough,
                emissive: std::array::from_fn(|k| material.emissive[k] * emitted[k]),
                occlusion: 1.0 + material.occlusion_strength * (occluded - 1.0),
                normal: self.bent(self.normal(weights), texture(1, false)),
                to_eye: projection.eye_from(seen),
            })
        };
        let [red, green, blue] = encoded(shown);
        Some([red, green, blue, (opacity * 255.0 + 0.5) as u8])
    }

    fn vertex_color(&self, weights: [f64; 3]) -> Option<[f64; 4]> {
        self.painted.surface.colors.as_ref()?;
        let [a, b, c] = self
            .triangle
            .map(|vertex| self.painted.vertex_color(vertex));
        Some(blended(&[a?, b?, c?], weights))
    }

    /// The unit normal between the normals of the corners.
    fn normal(&self, weights: [f64; 3]) -> Vec3 {
        unit(blended(&self.normals, weights)).unwrap_or(self.face)
    }

    /// A normal, turned by a value of the normal texture.
    fn bent(&self, normal: Vec3, stored: Option<[f64; 4]>) -> Vec3 {
        let Some(([x, y, z, _], [along, up])) = stored.zip(self.tangents) else {
            return normal;
        };
        let scale = self.painted.material.normal_scale;
        let [x, y, z] = [x, y, z].map(|value| 2.0 * value - 1.0);
        let sum =
            std::array::from_fn(|axis| (along[axis] * x + up[axis] * y) * scale + normal[axis] * z);
        unit(sum).unwrap_or(normal)
    }
}

/// The unit normal of the side from which a triangle's corners turn counter-clockwise.
fn face([a, b, c]: &[Vec3; 3]) -> Vec3 {
    unit(cross(minus(*b, *a), minus(*c, *a))).unwrap_or([0.0, 0.0, 1.0])
}

fn turned(v: Vec3, is_turned: bool) -> Vec3 {
    if is_turned {
        v.map(|number| -number)
    } else {
        v
    }
}

/// The unit vector in a direction; `None` if the length is zero or not finite.
fn unit(v: Vec3) -> Option<Vec3> {
    let scale = 1.0 / length(v);
    (scale > 0.0 && scale.is_finite()).then(|| v.map(|number| number * scale))
}

#[cfg(test)]
mod tests {
    use super::super::camera::View;
    use super::super::frame::Frame;
    use super::*;

    #[test]
    fn colours_that_follow_from_others_are_nearly_those_of_the_light() {
        let triangle = [0, 1, 2];
        for (roughness, metallic, is_even) in [(0.9, 0.0, true), (0.1, 1.0, false)] {
            let model = Model {
                surfaces: vec![Surface {
                    positions: vec![[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]],
                    normals: Some(vec![[-0.3, 0.2, 0.9], [0.3, 0.2, 0.9], [0.0, -0.4, 0.9]]),
                    triangles: vec![triangle],
                    material: Some(0),
                    ..Surface::default()
                }],
                materials: vec![Material {
                    base_color: [0.5, 0.4, 0.3, 1.0],
                    roughness,
                    metallic,
                    ..Material::default()
                }],
                ..Model::default()
            };
            let mut frame = Frame::new(View::Natural);
            frame.include(&model);
            let projection = frame.projection(100);
            let textures = Textures::default();
            let painted = Painted::new(&model, 0, Paint::Materials(&textures));
            let corners = [0, 1, 2].map(|vertex: usize| {
                let pixel = projection.pixel(&model.surfaces[0].positions[vertex]);
                Corner::new(pixel, 100).unwrap()
            });
            let covered = Covered::of(&corners, 100).unwrap();
            let is_clockwise = covered.is_clockwise;
            let exact =
                PaintedTriangle::new(&painted, triangle, &corners, is_clockwise, &projection);
            assert_eq!(exact.even(&projection).is_some(), is_even, "{roughness}");
            let mut colors = painted.colors(triangle, &corners, &covered, &projection);
            for (a, b) in (0..=20).flat_map(|a| (0..=20 - a).map(move |b| (a, b))) {
                let [a, b] = [a, b].map(|number| f64::from(number) / 20.0);
                let weights = [1.0 - a - b, a, b];
                let found = colors(weights).unwrap();
                let expected = exact.color(weights, &projection).unwrap();
                for (found, expected) in found.into_iter().zip(expected) {
                    let most = if is_even { 2 } else { 0 };
                    assert!(found.abs_diff(expected) <= most, "{roughness} {weights:?}");
                }
            }
        }
    }
}
