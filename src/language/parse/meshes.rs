//! The schema of meshes, primitives and transforms.

use super::coerce::{number, plain, text, vector, word};
use super::reader::Reader;
use crate::base::diag::{Code, Diagnostic, Spanned};
use crate::kernel::math::trig;
use crate::language::model::{Mesh, Primitive, Shape, Transform};
use crate::language::yaml::NodeId;

pub(super) fn mesh(r: &Reader<'_, '_>, id: NodeId) -> Option<Mesh> {
    let o = r.object(id, "mesh", &["id", "name", "primitives"])?;
    let id = o.required("id", text);
    let name = o.nullable("name", plain);
    let primitives = o.required("primitives", |r: &Reader<'_, '_>, id| r.list(id, primitive));
    Some(Mesh {
        id: id?,
        name: name?,
        primitives: primitives?,
    })
}

const PRIMITIVE: &[&str] = &["type", "id", "name", "dimensions", "transform", "material"];

fn primitive(r: &Reader<'_, '_>, id: NodeId) -> Option<Primitive> {
    let o = r.object(id, "primitive", PRIMITIVE)?;
    let shape = o.required("type", shape);
    let id = o.required("id", text);
    let name = o.nullable("name", plain);
    let dimensions = o.required("dimensions", |r: &Reader<'_, '_>, id| {
        dimensions(r, id, shape)
    });
    let transform = o.nullable("transform", transform);
    let material = o.nullable("material", plain);
    name?;
    Some(Primitive {
        shape: shape?,
        id: id?,
        dimensions: dimensions?,
        transform: transform?,
        material: material?,
    })
}

fn shape(r: &Reader<'_, '_>, id: NodeId) -> Option<Shape> {
    Some(Shape::ALL[word(r, id, &Shape::ALL.map(Shape::name))?])
}

/// The words for dimensions in messages.
const SIZES: &str = "sizes to numbers, such as `{radius: 0.5}`";

/// Returns the dimensions that a shape has (`language.md` §1.5); other keys are unknown fields.
fn known_dimensions(shape: Shape) -> &'static [&'static str] {
    match shape {
        Shape::Box => &["width", "height", "depth", "x", "y", "z"],
        Shape::Sphere => &["radius"],
        Shape::Cylinder | Shape::Capsule => &["radius", "height"],
    }
}

fn dimensions(
    r: &Reader<'_, '_>,
    id: NodeId,
    shape: Option<Shape>,
) -> Option<Vec<(String, Spanned<f64>)>> {
    let entries = r.map(id, SIZES)?;
    if entries.is_empty() {
        let message = "the dimensions are empty";
        return r.fail(Diagnostic::new(Code::U10, r.span(id), message));
    }
    if let Some(shape) = shape {
        let known = known_dimensions(shape);
        for entry in entries.iter().filter(|e| !known.contains(&&*e.key)) {
            let _ = r.unknown_field(entry, shape.name(), known);
        }
    }
    r.entries(id, SIZES, |r, key, value| {
        Some((key.value, number(r, value)?))
    })
}

fn transform(r: &Reader<'_, '_>, id: NodeId) -> Option<Transform> {
    let fields = ["translation", "rotation_euler", "rotation_degrees"];
    let o = r.object(id, "transform", &fields)?;
    let translation = o.nullable("translation", vector);
    let euler = o.nullable("rotation_euler", vector);
    let degrees = o.nullable("rotation_degrees", vector);
    let rotation = match (euler?, degrees?) {
        (Some(_), Some(_)) => {
            let span = o.key_span("rotation_degrees").unwrap_or(o.span);
            let message = "a transform has one rotation, in radians or in degrees";
            return r.fail(Diagnostic::new(Code::U10, span, message));
        }
        (euler, None) => euler,
        (None, degrees) => {
            degrees.map(|d| d.map(|angle| Spanned::new(trig::radians(angle.value), angle.span)))
        }
    };
    Some(Transform {
        translation: translation?,
        rotation,
    })
}
