//! The schema of meshes and primitives, their transforms, materials, UV roles and UV sets (`extensions.md` §4 and §5).

use std::sync::Arc;

use super::coerce::{number, plain, rotation, text, vector, word};
use super::object::Object;
use super::reader::{Reader, whole};
use super::surfaces::surface;
use super::value;
use crate::model::{Primitive, Shape, Transform};
use crate::schema::Form;
use crate::schema::meshes as schema;
use crate::schema::transforms::TRANSFORM;
use crate::version::Feature;
use crate::yaml::NodeId;
use rigy_base::diag::{Code, Diagnostic, Spanned};

value! {
    Primitive: Form::Primitive, primitive;
}

fn primitive(r: &Reader, id: NodeId) -> Option<Primitive> {
    let is_from_macro = r.is_from_macro(id);
    let o = r.object(id, &schema::PRIMITIVE)?;
    let shape = o.required("type", shape);
    let id = o.required("id", text);
    let name = o.nullable("name", plain);
    let (dimensions, implicit) = match shape {
        Some(Shape::Implicit) => (no_dimensions(r, &o), surface(&o).map(Arc::new).map(Some)),
        shape => {
            let read = |r: &Reader, id| dimensions(r, id, shape);
            let dimensions = o.required("dimensions", read);
            (dimensions, no_surface(r, &o, shape).map(|()| None))
        }
    };
    let transform = o.nullable("transform", transform);
    let material = o.nullable("material", text);
    let tags = o.nullable("tags", |r: &Reader, id| r.list(id, plain));
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
fn no_dimensions(r: &Reader, o: &Object) -> Option<Vec<(&'static str, Spanned<f64>)>> {
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
fn no_surface(r: &Reader, o: &Object, shape: Option<Shape>) -> Option<()> {
    let field = schema::OF_SURFACES.into_iter().find(|field| o.has(field));
    let (Some(field), Some(shape)) = (field, shape) else {
        return Some(());
    };
    let message = format!(
        "a {} has no `{field}`, which is for implicit surfaces",
        shape.name()
    );
    r.fail(Diagnostic::new(Code::U10, o.key_span(field)?, message))
}

fn shape(r: &Reader, id: NodeId) -> Option<Shape> {
    let count = if r.version.has(Feature::Materials) {
        Shape::ALL.len()
    } else {
        schema::SHAPES_CORE
    };
    Some(Shape::ALL[word(r, id, &Shape::NAMES[..count])?])
}

/// The words for dimensions in messages.
const SIZES: &str = "sizes to numbers, such as `{radius: 0.5}`";

fn dimensions(
    r: &Reader,
    id: NodeId,
    shape: Option<Shape>,
) -> Option<Vec<(&'static str, Spanned<f64>)>> {
    let entries = r.map(id, SIZES)?;
    if entries.is_empty() {
        let message = "the dimensions are empty";
        return r.fail(Diagnostic::new(Code::U10, r.span(id), message));
    }
    let record = shape.and_then(schema::dimensions_of);
    if let Some(record) = record {
        for entry in entries.iter().filter(|e| record.field(&e.key).is_none()) {
            let _ = r.unknown_field(entry, entries, record);
        }
    }
    let name = |key: &str| Some(record?.field(key)?.name);
    whole(entries.iter().map(|entry| {
        let size = r.read(entry.value, number);
        Some((name(&entry.key)?, size?))
    }))
}

fn transform(r: &Reader, id: NodeId) -> Option<Transform> {
    let o = r.object(id, &TRANSFORM)?;
    let translation = o.nullable("translation", vector);
    let rotation = rotation(r, &o);
    Some(Transform {
        translation: translation?,
        rotation: rotation?,
    })
}
