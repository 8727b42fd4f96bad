//! Where the JSON of a file refers to accessors and buffer views, in the core format and in extensions.

use crate::bake::gltf::json::Value;

/// What a number in the JSON refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    /// By the core format, or an extension that is known.
    Accessor,
    View,
    /// By the looks of it, in an extension that is not known: what does not fit is something else.
    PerhapsAccessor,
    PerhapsView,
}

/// Extensions that are known to refer to accessors or views.
const KNOWN: [&str; 3] = [
    "EXT_mesh_gpu_instancing",
    "EXT_structural_metadata",
    "KHR_draco_mesh_compression",
];

/// Calls `visit` for every reference that lies outside the lists of accessors, buffer views and buffers. Extensions
/// that are not known are searched for members called `accessor` and `bufferView`, as the known ones call theirs.
pub(super) fn for_each_reference<'a>(
    tree: &mut Value<'a>,
    visit: &mut dyn FnMut(Reference, &mut Value<'a>),
) {
    for mesh in tree.list_mut("meshes") {
        for primitive in mesh.list_mut("primitives") {
            members(primitive, "attributes", Reference::Accessor, visit);
            member(primitive, "indices", Reference::Accessor, visit);
        }
    }
    for image in tree.list_mut("images") {
        member(image, "bufferView", Reference::View, visit);
    }
    in_core(tree, visit);
}

/// Below what the core format knows: only extensions are of interest.
fn in_core<'a>(value: &mut Value<'a>, visit: &mut dyn FnMut(Reference, &mut Value<'a>)) {
    match value {
        Value::Array(elements) => elements
            .iter_mut()
            .for_each(|element| in_core(element, visit)),
        Value::Object(members) => {
            for (key, value) in members {
                match (&**key, value) {
                    ("extras", _) => {}
                    ("extensions", Value::Object(extensions)) => {
                        for (name, extension) in extensions {
                            in_extension(name, extension, visit);
                        }
                    }
                    (_, value) => in_core(value, visit),
                }
            }
        }
        _ => {}
    }
}

fn in_extension<'a>(
    name: &str,
    value: &mut Value<'a>,
    visit: &mut dyn FnMut(Reference, &mut Value<'a>),
) {
    if name == "EXT_mesh_gpu_instancing" {
        members(value, "attributes", Reference::Accessor, visit);
    }
    match value {
        Value::Array(elements) => {
            elements
                .iter_mut()
                .for_each(|element| in_extension(name, element, visit));
        }
        Value::Object(members) => {
            for (key, value) in members {
                match (&**key, &value) {
                    ("extras", _) => {}
                    ("accessor", Value::Number(_)) => match KNOWN.contains(&name) {
                        true => visit(Reference::Accessor, value),
                        false => visit(Reference::PerhapsAccessor, value),
                    },
                    ("bufferView", Value::Number(_)) => match KNOWN.contains(&name) {
                        true => visit(Reference::View, value),
                        false => visit(Reference::PerhapsView, value),
                    },
                    ("values" | "arrayOffsets" | "stringOffsets", Value::Number(_))
                        if name == "EXT_structural_metadata" =>
                    {
                        visit(Reference::View, value);
                    }
                    _ => in_extension(name, value, visit),
                }
            }
        }
        _ => {}
    }
}

fn member<'a>(
    object: &mut Value<'a>,
    key: &str,
    reference: Reference,
    visit: &mut dyn FnMut(Reference, &mut Value<'a>),
) {
    if let Some(value) = object.get_mut(key) {
        visit(reference, value);
    }
}

/// All members of an object in an object.
fn members<'a>(
    object: &mut Value<'a>,
    key: &str,
    reference: Reference,
    visit: &mut dyn FnMut(Reference, &mut Value<'a>),
) {
    if let Some(Value::Object(members)) = object.get_mut(key) {
        members
            .iter_mut()
            .for_each(|(_, value)| visit(reference, value));
    }
}
