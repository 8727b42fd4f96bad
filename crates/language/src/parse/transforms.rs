//! The schema of transforms and their rotations.

use super::coerce::{number, vector};
use super::object::Object;
use super::reader::Reader;
use crate::base::diag::{Code, Diagnostic, Spanned};
use crate::model::{Orientation, Transform, Vector};
use crate::schema::materials::TRANSFORM;
use crate::version::Feature;
use crate::yaml::NodeId;
use rigy_kernel::math::trig;

pub(super) fn transform(r: &Reader<'_, '_>, id: NodeId) -> Option<Transform> {
    let o = r.object(id, &TRANSFORM)?;
    let translation = o.nullable("translation", vector);
    let rotation = rotation(r, &o);
    Some(Transform {
        translation: translation?,
        rotation: rotation?,
    })
}

/// Reads the rotation of a transform, if it has one.
pub(super) fn rotation(r: &Reader<'_, '_>, o: &Object<'_, '_, '_>) -> Option<Option<Orientation>> {
    if !r.version.has(Feature::Expressions) {
        return Some(euler(r, o)?.map(Orientation::Euler));
    }
    // Preprocessing has made a canonical quaternion of every form.
    let numbers = |r: &Reader<'_, '_>, id| r.tuple(id, "numbers, x y z w", number);
    let quaternion = o.nullable("rotation_quat", numbers)?;
    Some(quaternion.map(Orientation::Quaternion))
}

/// Reads angles in radians from either authored form.
fn euler(r: &Reader<'_, '_>, o: &Object<'_, '_, '_>) -> Option<Option<Vector>> {
    let euler = o.nullable("rotation_euler", vector);
    let degrees = o.nullable("rotation_degrees", vector);
    match (euler?, degrees?) {
        (Some(_), Some(_)) => {
            let span = o.key_span("rotation_degrees").unwrap_or(o.span);
            let message = "a transform has one rotation, in radians or in degrees";
            r.fail(Diagnostic::new(Code::U10, span, message))
        }
        (euler, None) => Some(euler),
        (None, degrees) => Some(
            degrees.map(|d| d.map(|angle| Spanned::new(trig::radians(angle.value), angle.span))),
        ),
    }
}
