//! The schema of implicit surfaces (`extensions.md` §8.1).

use super::coerce::{number, text, vector, whole, word};
use super::object::Object;
use super::reader::Reader;
use super::transforms::rotation;
use crate::base::diag::Spanned;
use crate::language::model::{ImplicitSurface, Operator, OperatorTransform};
use crate::language::yaml::NodeId;

/// The fields that only a surface has.
pub(super) const FIELDS: [&str; 4] = ["domain", "iso", "ops", "extraction"];

/// Reads the surface of a primitive, whose fields are those of [`FIELDS`].
pub(super) fn surface(o: &Object<'_, '_, '_>) -> Option<ImplicitSurface> {
    let domain = o.present("domain", |r: &Reader<'_, '_>, id| {
        let o = r.object(id, "domain", &["aabb", "grid"])?;
        let aabb = o.required("aabb", |r: &Reader<'_, '_>, id| {
            let o = r.object(id, "box of a domain", &["min", "max"])?;
            let (min, max) = (o.required("min", vector), o.required("max", vector));
            Some((min?, max?))
        });
        let samples = o.required("grid", |r: &Reader<'_, '_>, id| {
            let axes = ["nx", "ny", "nz"];
            let o = r.object(id, "grid", &axes)?;
            let [nx, ny, nz] = axes.map(|axis| o.required(axis, whole));
            Some([nx?, ny?, nz?])
        });
        Some((aabb?, samples?))
    });
    let iso = o.present("iso", number);
    let operators = o.present("ops", |r: &Reader<'_, '_>, id| {
        Some(Spanned::new(r.list(id, operator)?, r.span(id)))
    });
    let algorithm = o.nullable("extraction", |r: &Reader<'_, '_>, id| {
        let o = r.object(id, "extraction", &["algorithm"])?;
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
    let fields = ["op", "field", "strength", "radius", "height", "transform"];
    let o = r.object(id, "operator", &fields)?;
    let words = ["add", "subtract"];
    let op = o.required("op", |r: &Reader<'_, '_>, id| word(r, id, &words));
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
    let fields = [
        "translation",
        "rotation_euler",
        "rotation_degrees",
        "rotation_axis_angle",
        "rotation_quat",
        "scale",
    ];
    let o = r.object(id, "transform", &fields)?;
    let translation = o.nullable("translation", vector);
    let rotation = rotation(r, &o);
    let scale = o.nullable("scale", vector);
    Some(OperatorTransform {
        translation: translation?,
        rotation: rotation?,
        scale: scale?,
    })
}
