//! The schema of implicit surfaces (`extensions.md` §8.1).

use super::coerce::{rotation, vector};
use super::object::Object;
use super::reader::Reader;
use super::{Value, value};
use crate::model::{Domain, Extraction, ImplicitSurface, OperatorTransform};
use crate::schema::Form;
use crate::schema::transforms::OPERATOR_TRANSFORM;
use crate::yaml::NodeId;

/// Reads the surface of a primitive, whose fields are those of [`OF_SURFACES`](crate::schema::meshes::OF_SURFACES).
pub fn surface(o: &Object) -> Option<ImplicitSurface> {
    let domain = o.present("domain", Domain::read);
    let iso = o.present("iso", Value::read);
    let operators = o.present("ops", Value::read);
    let extraction = o.nullable("extraction", Extraction::read);
    let Domain { aabb, grid } = domain?;
    Some(ImplicitSurface {
        min: aabb.min,
        max: aabb.max,
        samples: [grid.nx, grid.ny, grid.nz],
        iso: iso?,
        operators: operators?,
        algorithm: extraction?.and_then(|extraction| extraction.algorithm),
    })
}

value! {
    OperatorTransform: Form::Record(&OPERATOR_TRANSFORM), transform;
}

fn transform(r: &Reader, id: NodeId) -> Option<OperatorTransform> {
    let o = r.object(id, &OPERATOR_TRANSFORM)?;
    let translation = o.nullable("translation", vector);
    let rotation = rotation(r, &o);
    let scale = o.nullable("scale", vector);
    Some(OperatorTransform {
        translation: translation?,
        rotation: rotation?,
        scale: scale?,
    })
}
