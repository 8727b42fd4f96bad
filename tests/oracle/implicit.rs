//! Implicit surfaces (`extensions.md` 8): a field of operators, sampled on a grid, and marching cubes.

use super::arithmetic::{Vec3, add, divide, dot, negate, subtract};
use super::cube_cases::{CORNERS, EDGES, case_edges};
use super::document::Transform;
use super::geometry::rotation_matrix;
use super::tessellate::Surface;

#[derive(Clone)]
pub struct Implicit {
    pub min: Vec3,
    pub max: Vec3,
    pub counts: [usize; 3],
    pub iso: f64,
    pub operators: Vec<Operator>,
}

#[derive(Clone)]
pub struct Operator {
    pub subtract: bool,
    pub field: String,
    pub strength: f64,
    pub radius: f64,
    pub height: Option<f64>,
    pub transform: Option<Transform>,
    pub scale: Option<f64>,
}

impl Operator {
    /// 8.2: translation, rotation and scale undone, one after the other.
    fn local(&self, mut p: Vec3) -> Vec3 {
        let Some(transform) = &self.transform else {
            return p;
        };
        if let Some(translation) = transform.translation {
            p = subtract(&p, &translation);
        }
        if let Some(rotation) = transform.rotation {
            let m = rotation_matrix(rotation);
            let column = |c: usize| [m[0][c], m[1][c], m[2][c]];
            p = std::array::from_fn(|c| dot(&column(c), &p));
        }
        match self.scale {
            Some(scale) => divide(&p, scale),
            None => p,
        }
    }

    fn distance(&self, [x, y, z]: Vec3) -> f64 {
        if self.field.contains("sphere") {
            return ((x * x + y * y) + z * z).sqrt();
        }
        let height = self.height.expect("a height");
        let half = height / 2.0;
        let t = ((y + half) / height).clamp(0.0, 1.0);
        let qy = -half + t * height;
        ((x * x + (y - qy) * (y - qy)) + z * z).sqrt()
    }

    fn contribution(&self, p: Vec3) -> f64 {
        let d = self.distance(self.local(p));
        let value = if self.field.starts_with("metaball") {
            self.metaball(d)
        } else {
            self.signed_distance(d)
        };
        if self.subtract { -value } else { value }
    }

    fn metaball(&self, d: f64) -> f64 {
        if d >= self.radius {
            return 0.0;
        }
        let u = 1.0 - d / self.radius;
        (self.strength * u) * u
    }

    fn signed_distance(&self, d: f64) -> f64 {
        let e = d - self.radius;
        if e <= -self.radius {
            return self.strength;
        }
        if e >= self.radius {
            return 0.0;
        }
        (self.strength * (1.0 - e / self.radius)) / 2.0
    }
}

impl Implicit {
    fn field(&self, p: Vec3) -> f64 {
        let mut sum = 0.0;
        for operator in &self.operators {
            sum += operator.contribution(p);
        }
        sum
    }

    /// 8.3.
    fn sample(&self, indices: [usize; 3]) -> Vec3 {
        std::array::from_fn(|axis| {
            let (lo, hi) = (self.min[axis], self.max[axis]);
            lo + ((hi - lo) * indices[axis] as f64) / (self.counts[axis] - 1) as f64
        })
    }

    /// 8.5.
    fn normal(&self, p: Vec3) -> Vec3 {
        let differences: Vec3 = std::array::from_fn(|axis| {
            let last = (self.counts[axis] - 1) as f64;
            let mut step = [0.0; 3];
            step[axis] = (self.max[axis] - self.min[axis]) / last;
            let at = |p: Vec3| self.field(self.clamped(p));
            at(add(&p, &step)) - at(subtract(&p, &step))
        });
        let n = negate(&differences);
        let length = ((n[0] * n[0] + n[1] * n[1]) + n[2] * n[2]).sqrt();
        if length < 1e-30 {
            return [0.0, 1.0, 0.0];
        }
        divide(&n, length)
    }

    fn clamped(&self, p: Vec3) -> Vec3 {
        std::array::from_fn(|axis| p[axis].clamp(self.min[axis], self.max[axis]))
    }
}

/// 8.4: the triangles of every cell, x innermost; each corner of a triangle is a vertex of its own.
pub fn surface(implicit: &Implicit) -> Surface {
    let [nx, ny, nz] = implicit.counts;
    let mut values = Vec::new();
    for z in 0..nz {
        for y in 0..ny {
            for x in 0..nx {
                values.push(implicit.field(implicit.sample([x, y, z])));
            }
        }
    }
    let mut surface = Surface::default();
    for z in 0..nz - 1 {
        for y in 0..ny - 1 {
            for x in 0..nx - 1 {
                cell(implicit, &values, [x, y, z], &mut surface);
            }
        }
    }
    surface.indices = (0..surface.positions.len() as u32).collect();
    surface
}

fn cell(implicit: &Implicit, values: &[f64], [x, y, z]: [usize; 3], surface: &mut Surface) {
    let [nx, ny, _] = implicit.counts;
    let corners = CORNERS.map(|[dx, dy, dz]| [x + dx, y + dy, z + dz]);
    let values = corners.map(|[x, y, z]| values[(z * ny + y) * nx + x]);
    let inside = values.iter().map(|value| *value >= implicit.iso);
    let case: usize = inside
        .enumerate()
        .map(|(corner, bit)| usize::from(bit) << corner)
        .sum();
    for edge in case_edges(case).iter().copied() {
        let (a, b) = EDGES[edge];
        let t = (implicit.iso - values[a]) / (values[b] - values[a]);
        let (pa, pb) = (implicit.sample(corners[a]), implicit.sample(corners[b]));
        let p = std::array::from_fn(|axis| pa[axis] + t * (pb[axis] - pa[axis]));
        surface.positions.push(p);
        surface.normals.push(implicit.normal(p));
    }
}
