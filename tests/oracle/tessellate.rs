//! Tessellation profile `v0_1_default` (§3.1-§3.4): one function per primitive, vertices and
//! triangles in the written order, sines and cosines from `libm` (§2).

use std::f64::consts::PI;

use super::arithmetic::{Vec3, scale};
use super::document::Primitive;
use super::implicit;

/// Vertices and triangles of one primitive; indices count from its own first vertex.
#[derive(Default)]
pub struct Surface {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub indices: Vec<u32>,
}

impl Surface {
    fn vertex(&mut self, position: Vec3, normal: Vec3) {
        self.positions.push(position);
        self.normals.push(normal);
    }

    fn triangle(&mut self, a: u32, b: u32, c: u32) {
        self.indices.extend([a, b, c]);
    }
}

/// The surface of a primitive before its transform; dimensions as in `language.md` 1.5.
pub fn surface(primitive: &Primitive) -> Surface {
    if let Some(surface) = &primitive.implicit {
        return implicit::surface(surface);
    }
    let size = |keys: &[&str], default| dimension(primitive, keys, default);
    match primitive.kind.as_str() {
        "box" => cuboid([
            size(&["width", "x"], 1.0),
            size(&["height", "y"], 1.0),
            size(&["depth", "z"], 1.0),
        ]),
        "sphere" => sphere(size(&["radius"], 0.5)),
        "cylinder" => cylinder(size(&["radius"], 0.5), size(&["height"], 1.0)),
        "capsule" => capsule(size(&["radius"], 0.25), size(&["height"], 1.0)),
        "wedge" => wedge([size(&["x"], 1.0), size(&["y"], 1.0), size(&["z"], 1.0)]),
        other => panic!("unknown primitive type {other}"),
    }
}

/// The first of the keys that is present, else the default.
fn dimension(primitive: &Primitive, keys: &[&str], default: f64) -> f64 {
    for key in keys {
        for (name, value) in &primitive.dimensions {
            if name == key {
                return *value;
            }
        }
    }
    default
}

/// §2.2: profile angle k of 32, `(2.0 * PI * k) / 32`.
pub fn profile_angle(k: usize) -> f64 {
    (2.0 * PI * k as f64) / 32.0
}

pub fn profile_sin(k: usize) -> f64 {
    libm::sin(profile_angle(k))
}

pub fn profile_cos(k: usize) -> f64 {
    libm::cos(profile_angle(k))
}

/// §3.1: the signs of the four corners of each face, in face order +X -X +Y -Y +Z -Z.
const BOX_FACES: [([&str; 4], Vec3); 6] = [
    (["+--", "++-", "+++", "+-+"], [1.0, 0.0, 0.0]),
    (["--+", "-++", "-+-", "---"], [-1.0, 0.0, 0.0]),
    (["-+-", "-++", "+++", "++-"], [0.0, 1.0, 0.0]),
    (["--+", "---", "+--", "+-+"], [0.0, -1.0, 0.0]),
    (["--+", "+-+", "+++", "-++"], [0.0, 0.0, 1.0]),
    (["+--", "---", "-+-", "++-"], [0.0, 0.0, -1.0]),
];

/// §3.1.
pub fn cuboid([x, y, z]: Vec3) -> Surface {
    let half = [x / 2.0, y / 2.0, z / 2.0];
    let mut surface = Surface::default();
    for (corners, normal) in BOX_FACES {
        let base = surface.positions.len() as u32;
        for signs in corners {
            surface.vertex(box_corner(half, signs), normal);
        }
        surface.triangle(base, base + 1, base + 2);
        surface.triangle(base, base + 2, base + 3);
    }
    surface
}

fn box_corner(half: Vec3, signs: &str) -> Vec3 {
    let mut corner = half;
    for (coordinate, sign) in corner.iter_mut().zip(signs.chars()) {
        if sign == '-' {
            *coordinate = -*coordinate;
        }
    }
    corner
}

/// `extensions.md` 3: the corners of each face, its normal and its triangles.
pub fn wedge([x, y, z]: Vec3) -> Surface {
    let half = [x / 2.0, y / 2.0, z / 2.0];
    let corners = ["---", "+--", "--+", "-+-", "++-", "-++"];
    let n = (z * z + x * x).sqrt();
    let slope = [z / n, 0.0, x / n];
    let faces: [(&[usize], Vec3, &[u32]); 5] = [
        (&[0, 1, 4, 3], [0.0, 0.0, -1.0], &[0, 2, 1, 0, 3, 2]),
        (&[0, 3, 5, 2], [-1.0, 0.0, 0.0], &[0, 2, 3, 0, 1, 2]),
        (&[1, 2, 5, 4], slope, &[0, 2, 1, 0, 3, 2]),
        (&[0, 1, 2], [0.0, -1.0, 0.0], &[0, 1, 2]),
        (&[3, 5, 4], [0.0, 1.0, 0.0], &[0, 1, 2]),
    ];
    let mut surface = Surface::default();
    for (face, normal, triangles) in faces {
        let base = surface.positions.len() as u32;
        for corner in face {
            surface.vertex(box_corner(half, corners[*corner]), normal);
        }
        surface.indices.extend(triangles.iter().map(|i| base + i));
    }
    surface
}

pub fn sphere(radius: f64) -> Surface {
    let mut surface = Surface::default();
    for i in 0..=16 {
        for j in 0..=32 {
            let normal = round_normal(i, j);
            surface.vertex(times_radius(radius, normal), normal);
        }
    }
    quads_between_rows(&mut surface, 16);
    surface
}

/// §3.2, also the caps of §3.4: the product with the radius comes after this one.
fn round_normal(row: usize, j: usize) -> Vec3 {
    let (st, ct) = (profile_sin(row), profile_cos(row));
    let (sp, cp) = (profile_sin(j), profile_cos(j));
    [st * cp, ct, st * sp]
}

fn times_radius(radius: f64, normal: Vec3) -> Vec3 {
    scale(&normal, radius)
}

/// §3.2: two triangles for each quad between neighbouring rows of 33 vertices.
fn quads_between_rows(surface: &mut Surface, rows: u32) {
    for i in 0..rows {
        for j in 0..32 {
            let a = 33 * i + j;
            let b = a + 33;
            surface.triangle(a, b, a + 1);
            surface.triangle(a + 1, b, b + 1);
        }
    }
}

pub fn cylinder(radius: f64, height: f64) -> Surface {
    let hh = height / 2.0;
    let mut surface = Surface::default();
    for y in [hh, -hh] {
        for j in 0..=32 {
            surface.vertex(ring_point(radius, y, j), side_normal(j));
        }
    }
    for (y, normal) in [(hh, [0.0, 1.0, 0.0]), (-hh, [0.0, -1.0, 0.0])] {
        surface.vertex([0.0, y, 0.0], normal);
        for j in 0..=32 {
            surface.vertex(ring_point(radius, y, j), normal);
        }
    }
    quads_between_rows(&mut surface, 1);
    for centre in [66, 100] {
        for j in 0..32 {
            surface.triangle(centre, centre + 1 + j, centre + 2 + j);
        }
    }
    surface
}

fn side_normal(j: usize) -> Vec3 {
    [profile_cos(j), 0.0, profile_sin(j)]
}

fn ring_point(radius: f64, y: f64, j: usize) -> Vec3 {
    [radius * profile_cos(j), y, radius * profile_sin(j)]
}

/// §3.4: 26 rows; upper cap, middle, lower cap.
pub fn capsule(radius: f64, height: f64) -> Surface {
    let hh = height / 2.0;
    let mut surface = Surface::default();
    for k in 0..=8 {
        let y = hh + radius * profile_cos(k);
        capsule_row(&mut surface, radius, y, |j| round_normal(k, j));
    }
    for m in 0..=8 {
        let y = hh - (height * f64::from(m)) / 8.0;
        capsule_row(&mut surface, radius, y, side_normal);
    }
    for r in 1..=8 {
        let y = (-hh) + radius * profile_cos(8 + r);
        capsule_row(&mut surface, radius, y, |j| round_normal(8 + r, j));
    }
    quads_between_rows(&mut surface, 25);
    surface
}

fn capsule_row(surface: &mut Surface, radius: f64, y: f64, normal: impl Fn(usize) -> Vec3) {
    for j in 0..=32 {
        let normal = normal(j);
        let [nx, _, nz] = normal;
        surface.vertex([radius * nx, y, radius * nz], normal);
    }
}
