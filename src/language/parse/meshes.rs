//! The schema of meshes, primitives and transforms.

use std::sync::Arc;

use super::coerce::{number, plain, text, word};
use super::materials::uv;
use super::object::Object;
use super::reader::Reader;
use super::surfaces::{self, surface};
use super::transforms::transform;
use crate::base::diag::{Code, Diagnostic, Spanned};
use crate::language::model::{Mesh, Primitive, Shape};
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
