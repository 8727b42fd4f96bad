//! The schema of meshes, primitives and transforms.

use super::coerce::{number, plain, text, vector, word};
use std::sync::Arc;

use super::materials::uv;
use super::object::Object;
use super::reader::Reader;
use super::surfaces::{self, surface};
use crate::base::diag::{Code, Diagnostic, Spanned};
use crate::kernel::math::trig;
use crate::language::model::{Mesh, Orientation, Primitive, Shape, Transform, Vector};
use crate::language::version::Feature;
use crate::language::yaml::NodeId;

const MESH: &[&str] = &[
    "id",
    "name",
    "primitives",
    "material",
    "uv_roles",
    "uv_sets",
];
/// The number of fields of a mesh up to version 0.5.
const MESH_CORE: usize = 3;

pub(super) fn mesh(r: &Reader<'_, '_>, id: NodeId) -> Option<Mesh> {
    let o = r.object(id, "mesh", r.fields(MESH, MESH_CORE))?;
    let id = o.required("id", text);
    let name = o.nullable("name", plain);
    let primitives = o.required("primitives", |r: &Reader<'_, '_>, id| r.list(id, primitive));
    let material = o.nullable("material", text);
    let uv = uv(&o);
    Some(Mesh {
        id: id?,
        name: name?,
        primitives: primitives?,
        material: material?,
        uv: uv?,
    })
}

const PRIMITIVE: &[&str] = &[
    "type",
    "id",
    "name",
    "dimensions",
    "transform",
    "material",
    "tags",
    "surface",
    "domain",
    "iso",
    "ops",
    "extraction",
];
/// The number of fields of a primitive up to version 0.5.
const PRIMITIVE_CORE: usize = 6;

fn primitive(r: &Reader<'_, '_>, id: NodeId) -> Option<Primitive> {
    let is_from_macro = r.is_from_macro(id);
    let o = r.object(id, "primitive", r.fields(PRIMITIVE, PRIMITIVE_CORE))?;
    let shape = o.required("type", shape);
    let id = o.required("id", text);
    let name = o.nullable("name", plain);
    let (dimensions, implicit) = match shape {
        Some(Shape::Implicit) => (no_dimensions(r, &o), surface(&o).map(Arc::new).map(Some)),
        shape => {
            let read = |r: &Reader<'_, '_>, id| dimensions(r, id, shape);
            let dimensions = o.required("dimensions", read);
            (dimensions, no_surface(r, &o, shape).map(|()| None))
        }
    };
    let transform = o.nullable("transform", transform);
    let material = o.nullable("material", text);
    let tags = o.nullable("tags", |r: &Reader<'_, '_>, id| r.list(id, plain));
    let label = o.nullable("surface", plain);
    name?;
    label?;
    let tags = tags?.unwrap_or_default();
    let tags_key = o.key_span("tags").filter(|_| !tags.is_empty());
    Some(Primitive {
        shape: shape?,
        id: id?,
        surface: implicit?,
        dimensions: dimensions?,
        transform: transform?,
        material: material?,
        tags,
        tags_key,
        is_from_macro,
    })
}

/// Reports the dimensions of a surface, which has none.
fn no_dimensions(
    r: &Reader<'_, '_>,
    o: &Object<'_, '_, '_>,
) -> Option<Vec<(String, Spanned<f64>)>> {
    match (o.has("dimensions"), o.key_span("dimensions")) {
        (true, Some(span)) => {
            let message =
                "an implicit surface has no `dimensions`; its `domain` says how far it goes";
            r.fail(Diagnostic::new(Code::U10, span, message))
        }
        _ => Some(Vec::new()),
    }
}

/// Reports the fields of a surface in a primitive of another shape.
fn no_surface(r: &Reader<'_, '_>, o: &Object<'_, '_, '_>, shape: Option<Shape>) -> Option<()> {
    let field = surfaces::FIELDS.into_iter().find(|field| o.has(field));
    let (Some(field), Some(shape)) = (field, shape) else {
        return Some(());
    };
    let message = format!(
        "a {} has no `{field}`, which is for implicit surfaces",
        shape.name()
    );
    r.fail(Diagnostic::new(Code::U10, o.key_span(field)?, message))
}

/// The number of shapes up to version 0.5.
const SHAPES_CORE: usize = 4;

fn shape(r: &Reader<'_, '_>, id: NodeId) -> Option<Shape> {
    let all = r.fields(&Shape::ALL, SHAPES_CORE);
    let names: Vec<&str> = all.iter().map(|shape| shape.name()).collect();
    Some(all[word(r, id, &names)?])
}

/// The words for dimensions in messages.
const SIZES: &str = "sizes to numbers, such as `{radius: 0.5}`";

/// Returns the dimensions that a shape has (`language.md` §1.5); other keys are unknown fields.
fn known_dimensions(shape: Shape) -> &'static [&'static str] {
    match shape {
        Shape::Box => &["width", "height", "depth", "x", "y", "z"],
        Shape::Sphere => &["radius"],
        Shape::Cylinder | Shape::Capsule => &["radius", "height"],
        Shape::Wedge => &["x", "y", "z"],
        Shape::Implicit => &[],
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

const TRANSFORM: &[&str] = &[
    "translation",
    "rotation_euler",
    "rotation_degrees",
    "rotation_axis_angle",
    "rotation_quat",
];
/// The number of fields of a transform up to version 0.5.
const TRANSFORM_CORE: usize = 3;

fn transform(r: &Reader<'_, '_>, id: NodeId) -> Option<Transform> {
    let o = r.object(id, "transform", r.fields(TRANSFORM, TRANSFORM_CORE))?;
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
