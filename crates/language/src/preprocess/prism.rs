//! The macro `triangle_prism_on_plane`: a wedge on a plane (`extensions.md` §2.11).

use super::draft::Draft;
use super::values::{
    Made, Result, check_fields, check_labels, fault, identifier, numbers, positive, required,
};
use super::{Rotations, rotations};
use crate::schema::preprocessed::{PLANE, PRISM};
use crate::yaml::NodeId;
use rigy_kernel::math::{Vec3, cross, dot};

/// Least length of the normal and of the legs.
const LEAST: f64 = 1e-12;
/// Greatest cosine between a leg and the normal.
const SLANT: f64 = 1e-6;

/// Returns the wedge whose legs lie in the plane, from the origin of the plane, and which is `length` high.
///
/// # Errors
/// ParseErrors.
pub(super) fn wedge(item: NodeId, rotations: Rotations, draft: &Draft<'_>) -> Result<Made> {
    check_fields(item, &PRISM, draft)?;
    let field = |field| required(item, &PRISM, field, draft);
    let id = identifier(field("id")?, draft)?;
    let plane = field("plane")?;
    check_fields(plane, &PLANE, draft)?;
    let of_plane = |field| required(plane, &PLANE, field, draft);
    let origin: Vec3 = numbers(of_plane("origin")?, draft)?;
    let normal_node = of_plane("normal")?;
    let normal = unit(normal_node, draft)?.direction;
    let (p_node, q_node) = (field("leg_p")?, field("leg_q")?);
    let (mut p, mut q) = (unit(p_node, draft)?, unit(q_node, draft)?);
    let length = positive(field("length")?, draft)?;
    check_labels(item, draft)?;
    for (leg, node) in [(&p, p_node), (&q, q_node)] {
        let slant = dot(leg.direction, normal).abs();
        if slant > SLANT {
            let message = format!(
                "this leg does not lie in the plane: its cosine with the normal is {slant}"
            );
            return Err(fault(node, message, draft));
        }
    }
    if dot(cross(p.direction, normal), q.direction) < 0.0 {
        std::mem::swap(&mut p, &mut q);
    }
    let quaternion = quaternion([p.direction, normal, q.direction]);
    let rotation = match rotations {
        Rotations::Authored => quaternion,
        Rotations::Canonical => rotations::canonical(quaternion)
            .ok_or_else(|| fault(item, "the legs and the normal give no rotation", draft))?,
    };
    let translation = [0, 1, 2].map(|axis| {
        let on_plane = (origin[axis] + p.vector[axis] / 2.0) + q.vector[axis] / 2.0;
        on_plane + normal[axis] * length / 2.0
    });
    Ok(Made {
        shape: "wedge",
        id,
        dimensions: [("x", p.length), ("y", length), ("z", q.length)],
        rotation: Some(rotation),
        translation,
    })
}

/// A vector with its length and direction.
struct Leg {
    vector: Vec3,
    length: f64,
    direction: Vec3,
}

fn unit(id: NodeId, draft: &Draft<'_>) -> Result<Leg> {
    let vector: Vec3 = numbers(id, draft)?;
    let [x, y, z] = vector;
    let length = ((x * x + y * y) + z * z).sqrt();
    if length < LEAST || !length.is_finite() {
        return Err(fault(id, "this vector has no length", draft));
    }
    let direction = vector.map(|component| component / length);
    Ok(Leg {
        vector,
        length,
        direction,
    })
}

/// Returns the quaternion x, y, z, w of the rotation with these columns, by Shepperd's method.
fn quaternion(columns: [Vec3; 3]) -> [f64; 4] {
    let r = |row: usize, column: usize| columns[column][row];
    let trace = r(0, 0) + r(1, 1) + r(2, 2);
    if trace > 0.0 {
        let s = 0.5 / (trace + 1.0).sqrt();
        let w = 0.25 / s;
        let x = (r(2, 1) - r(1, 2)) * s;
        let y = (r(0, 2) - r(2, 0)) * s;
        let z = (r(1, 0) - r(0, 1)) * s;
        [x, y, z, w]
    } else if r(0, 0) > r(1, 1) && r(0, 0) > r(2, 2) {
        let s = 2.0 * (1.0 + r(0, 0) - r(1, 1) - r(2, 2)).sqrt();
        let w = (r(2, 1) - r(1, 2)) / s;
        [
            0.25 * s,
            (r(0, 1) + r(1, 0)) / s,
            (r(0, 2) + r(2, 0)) / s,
            w,
        ]
    } else if r(1, 1) > r(2, 2) {
        let s = 2.0 * (1.0 + r(1, 1) - r(0, 0) - r(2, 2)).sqrt();
        let w = (r(0, 2) - r(2, 0)) / s;
        [
            (r(0, 1) + r(1, 0)) / s,
            0.25 * s,
            (r(1, 2) + r(2, 1)) / s,
            w,
        ]
    } else {
        let s = 2.0 * (1.0 + r(2, 2) - r(0, 0) - r(1, 1)).sqrt();
        let w = (r(1, 0) - r(0, 1)) / s;
        [
            (r(0, 2) + r(2, 0)) / s,
            (r(1, 2) + r(2, 1)) / s,
            0.25 * s,
            w,
        ]
    }
}
