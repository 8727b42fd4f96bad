//! The colours of a surface: its material, its textures, and its light.

use super::color::{Color, encoded};
use super::coverage::Corner;
use super::heat::{Heat, HeatOfSurface, heat_color};
use super::projection::Projection;
use super::textures::{KINDS, MAPS, SurfaceTexture, Textures, TriangleTexture, blended};
use crate::light::{LIGHT, LitPoint};
use rigy_kernel::math::{Vec3, cross, dot, length, minus};
use rigy_models::mesh::{Alpha, Material, Model, Surface};

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
    /// is drawn. `is_clockwise` says how the triangle is seen to turn.
    pub fn colors<'t>(
        &'t self,
        triangle: [u32; 3],
        corners: &'t [Corner; 3],
        is_clockwise: bool,
        projection: &'t Projection,
    ) -> impl FnMut([f64; 3]) -> Option<Color> + 't {
        // Most triangles behind others need no colour.
        let mut painted = None;
        move |weights| {
            let painted = painted.get_or_insert_with(|| {
                PaintedTriangle::new(self, triangle, corners, is_clockwise, projection)
            });
            let weights = projection.in_space(weights, painted.depths);
            painted.color(weights, projection)
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

    /// The colour at a point with these weights of the corners.
    fn color(&self, weights: [f64; 3], projection: &Projection) -> Option<Color> {
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
            Alpha::Opaque => 1.0,
            Alpha::Mask(cutoff) if opacity < cutoff => return None,
            Alpha::Mask(_) => 1.0,
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
