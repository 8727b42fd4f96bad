//! The field of a surface at points (`extensions.md` §8.2).

use crate::math::{Matrix3, Vec3};
use crate::simd::{F64Lanes, Isa, Kernel, dispatch};

/// One summand of a field.
#[derive(Clone, Debug)]
pub struct Operator {
    /// The point or the line from which distances are measured.
    pub skeleton: Skeleton,
    /// How the field becomes less with the distance.
    pub falloff: Falloff,
    /// True if the summand is subtracted.
    pub is_subtracted: bool,
    /// Its greatest value, above 0.
    pub strength: f64,
    /// The distance at which it ends, in metres, above 0.
    pub radius: f64,
    /// The place of its space in that of the surface; `None` if it is the same.
    pub translation: Option<Vec3>,
    /// The rotation of its space; `None` if there is none.
    pub rotation: Option<Matrix3>,
    /// The scale of its space, above 0; `None` if there is none.
    pub scale: Option<f64>,
}

/// The shape from which distances are measured.
#[derive(Clone, Copy, Debug)]
pub enum Skeleton {
    /// The origin.
    Point,
    /// The line along y of this length, in metres, above 0, with its middle at the origin.
    Line(f64),
}

/// The value of a summand by distance.
#[derive(Clone, Copy, Debug)]
pub enum Falloff {
    /// Quadratic, from the strength at distance 0 to zero at the radius.
    Metaball,
    /// Linear, from the strength at distance 0 to zero at twice the radius.
    SignedDistance,
}

/// Points in blocks of this many are evaluated together; lists of points are padded to a multiple.
pub const BLOCK: usize = 128;

/// Writes the values of the field at points, given as planes of x, y and z.
///
/// # Panics
/// If the planes have different lengths, or one that is no multiple of [`BLOCK`].
pub fn evaluate(isa: Isa, operators: &[Operator], points: [&[f64]; 3], values: &mut [f64]) {
    let len = values.len();
    assert!(len.is_multiple_of(BLOCK) && points.iter().all(|plane| plane.len() == len));
    dispatch(
        isa,
        Sum {
            operators,
            points,
            values,
        },
    );
}

struct Sum<'a> {
    operators: &'a [Operator],
    points: [&'a [f64]; 3],
    values: &'a mut [f64],
}

impl Kernel for Sum<'_> {
    #[inline(always)]
    fn run<V: F64Lanes>(self, token: V::Token) {
        self.values.fill(0.0);
        for (block, values) in self.values.chunks_exact_mut(BLOCK).enumerate() {
            let range = block * BLOCK..(block + 1) * BLOCK;
            let points = self.points.map(|plane| &plane[range.clone()]);
            for operator in self.operators {
                let lanes = Lanes::<V>::new(token, operator);
                for at in (0..BLOCK).step_by(V::LANES) {
                    let point = points.map(|plane| V::load(token, &plane[at..]));
                    let sum = V::load(token, &values[at..]);
                    (sum + lanes.value(point)).store(&mut values[at..]);
                }
            }
        }
    }
}

/// An operator with each of its numbers in all lanes.
struct Lanes<'o, V> {
    operator: &'o Operator,
    zero: V,
    one: V,
    half: V,
    strength: V,
    radius: V,
    translation: Option<[V; 3]>,
    rotation: Option<[[V; 3]; 3]>,
    scale: Option<V>,
    height: V,
    half_height: V,
    /// True if twice the strength overflows.
    overflows: bool,
}

impl<'o, V: F64Lanes> Lanes<'o, V> {
    #[inline(always)]
    fn new(token: V::Token, operator: &'o Operator) -> Self {
        let splat = |value| V::splat(token, value);
        let height = match operator.skeleton {
            Skeleton::Point => 0.0,
            Skeleton::Line(height) => height,
        };
        Self {
            operator,
            zero: splat(0.0),
            one: splat(1.0),
            half: splat(0.5),
            strength: splat(operator.strength),
            radius: splat(operator.radius),
            translation: operator.translation.map(|t| t.map(splat)),
            rotation: operator.rotation.map(|rows| rows.map(|row| row.map(splat))),
            scale: operator.scale.map(splat),
            height: splat(height),
            half_height: splat(height / 2.0),
            overflows: (operator.strength * 2.0).is_infinite(),
        }
    }

    /// Returns the contribution of the operator at points of the surface's space.
    #[inline(always)]
    fn value(&self, point: [V; 3]) -> V {
        let distance = self.distance(self.local(point));
        let value = match self.operator.falloff {
            Falloff::Metaball => self.metaball(distance),
            Falloff::SignedDistance => self.signed_distance(distance),
        };
        match self.operator.is_subtracted {
            true => -value,
            false => value,
        }
    }

    /// Returns points in the space of the operator.
    #[inline(always)]
    fn local(&self, point: [V; 3]) -> [V; 3] {
        let mut point = point;
        if let Some([x, y, z]) = self.translation {
            point = [point[0] - x, point[1] - y, point[2] - z];
        }
        if let Some([r0, r1, r2]) = self.rotation {
            // The transposed matrix: component j is the product with column j.
            let product =
                |j: usize| ((self.zero + r0[j] * point[0]) + r1[j] * point[1]) + r2[j] * point[2];
            point = [product(0), product(1), product(2)];
        }
        if let Some(scale) = self.scale {
            point = [point[0] / scale, point[1] / scale, point[2] / scale];
        }
        point
    }

    /// Returns the distances from the skeleton.
    #[inline(always)]
    fn distance(&self, [x, y, z]: [V; 3]) -> V {
        let y = match self.operator.skeleton {
            Skeleton::Point => y,
            Skeleton::Line(_) => {
                let part = (y + self.half_height) / self.height;
                let part = part.if_greater(self.zero, part, self.zero);
                let part = part.if_greater(self.one, self.one, part);
                y - (part * self.height - self.half_height)
            }
        };
        ((x * x + y * y) + z * z).sqrt()
    }

    /// At a distance equal to the radius the formula gives zero, as the contract's case distinction does.
    #[inline(always)]
    fn metaball(&self, distance: V) -> V {
        let u = self.one - distance / self.radius;
        let value = (self.strength * u) * u;
        distance.if_greater(self.radius, self.zero, value)
    }

    #[inline(always)]
    fn signed_distance(&self, distance: V) -> V {
        let e = distance - self.radius;
        // The product with 0.5 is the quotient by 2: both round the same number.
        let value = (self.strength * (self.one - e / self.radius)) * self.half;
        // At −radius, the least that e can be, the formula gives the strength, unless its product overflows.
        let value = match self.overflows {
            true => e.if_greater(-self.radius, value, self.strength),
            false => value,
        };
        e.if_greater(self.radius, self.zero, value)
    }
}
