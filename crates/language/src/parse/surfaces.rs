//! The schema of implicit surfaces (`extensions.md` §8.1).

use super::coerce::{number, rotation, text, vector, whole, word};
use super::object::Object;
use super::reader::Reader;
use crate::base::diag::Spanned;
use crate::model::{ImplicitSurface, Operator, OperatorTransform};
use crate::schema::materials as schema;
use crate::schema::materials::OPERATOR_TRANSFORM;
use crate::yaml::NodeId;

/// Reads the surface of a primitive, whose fields are those of [`OF_SURFACES`](crate::schema::meshes::OF_SURFACES).
pub(super) fn surface(o: &Object<'_, '_, '_>) -> Option<ImplicitSurface> {
    let domain = o.present("domain", |r: &Reader<'_, '_>, id| {
        let o = r.object(id, &schema::DOMAIN)?;
        let aabb = o.required("aabb", |r: &Reader<'_, '_>, id| {
            let o = r.object(id, &schema::BOUNDS)?;
            let (min, max) = (o.required("min", vector), o.required("max", vector));
            Some((min?, max?))
        });
        let samples = o.required("grid", |r: &Reader<'_, '_>, id| {
            let o = r.object(id, &schema::GRID)?;
            let [nx, ny, nz] = ["nx", "ny", "nz"].map(|axis| o.required(axis, whole));
            Some([nx?, ny?, nz?])
        });
        Some((aabb?, samples?))
    });
    let iso = o.present("iso", number);
    let operators = o.present("ops", |r: &Reader<'_, '_>, id| {
        Some(Spanned::new(r.list(id, operator)?, r.span(id)))
    });
    let algorithm = o.nullable("extraction", |r: &Reader<'_, '_>, id| {
        let o = r.object(id, &schema::EXTRACTION)?;
        o.nullable("algorithm", text)
    });
    let ((min, max), samples) = domain?;
    Some(ImplicitSurface {
        min,
        max,
        samples,
        iso: iso?,
        operators: operators?,
        algorithm: algorithm?.flatten(),
    })
}

fn operator(r: &Reader<'_, '_>, id: NodeId) -> Option<Operator> {
    let o = r.object(id, &schema::OPERATOR)?;
    let op = o.required("op", |r: &Reader<'_, '_>, id| {
        word(r, id, schema::OPERATIONS)
    });
    let field = o.required("field", text);
    let strength = o.required("strength", number);
    let radius = o.required("radius", number);
    let height = o.nullable("height", number);
    let transform = o.nullable("transform", transform);
    Some(Operator {
        is_subtracted: op? == 1,
        field: field?,
        strength: strength?,
        radius: radius?,
        height: height?,
        transform: transform?,
        span: o.span,
    })
}

fn transform(r: &Reader<'_, '_>, id: NodeId) -> Option<OperatorTransform> {
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
