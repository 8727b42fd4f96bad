//! References of the JSON to accessors and buffer views, in the core format and in extensions.

use rigy_base::diag::{Diagnosed, MOST_FINDINGS, check_none};
use rigy_gltf::json::Value;
use rigy_gltf::{DRACO, File, Problem};

/// The kind of object that a number in the JSON refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference {
    /// An accessor, according to the core format or to a known extension.
    Accessor,
    /// A buffer view, according to the core format or to a known extension.
    View,
    /// An accessor, judging by the member's name, in an unknown extension. A number that is no index of an accessor
    /// means something else.
    PerhapsAccessor,
    /// A buffer view, in the same way.
    PerhapsView,
}

/// Extensions that are known to refer to accessors or views.
const KNOWN: [&str; 3] = ["EXT_mesh_gpu_instancing", "EXT_structural_metadata", DRACO];

/// Members of extensions that are indices of accessors, although their names do not say so.
const ACCESSORS: [(&str, &str); 4] = [
    ("CESIUM_primitive_outline", "indices"),
    ("EXT_mesh_primitive_edge_visibility", "indices"),
    ("EXT_mesh_primitive_edge_visibility", "silhouetteNormals"),
    ("EXT_mesh_primitive_edge_visibility", "visibility"),
];

/// The same for buffer views.
const VIEWS: [(&str, &str); 3] = [
    ("EXT_structural_metadata", "values"),
    ("EXT_structural_metadata", "arrayOffsets"),
    ("EXT_structural_metadata", "stringOffsets"),
];

/// Calls `visit` for every reference outside the lists of accessors, buffer views and buffers. Unknown extensions are
/// searched for members called `accessor` and `bufferView`, the names that the known ones use.
pub fn for_each_reference<'a>(
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
    for_each_in_extensions(tree, visit);
}

/// Visits the references in all extensions of a value of the core format and of everything below it.
fn for_each_in_extensions<'a>(
    value: &mut Value<'a>,
    visit: &mut dyn FnMut(Reference, &mut Value<'a>),
) {
    match value {
        Value::Array(elements) => elements
            .iter_mut()
            .for_each(|element| for_each_in_extensions(element, visit)),
        Value::Object(members) => {
            for (key, value) in members {
                for_each_in_member(key, value, visit);
            }
        }
        _ => {}
    }
}

/// Visits the references in all extensions of the member `key` of an object of the core format.
fn for_each_in_member<'a>(
    key: &str,
    value: &mut Value<'a>,
    visit: &mut dyn FnMut(Reference, &mut Value<'a>),
) {
    match (key, value) {
        ("extras", _) => {}
        ("extensions", Value::Object(extensions)) => {
            for (name, extension) in extensions {
                in_extension(name, extension, visit);
            }
        }
        (_, value) => for_each_in_extensions(value, visit),
    }
}

/// Visits the references in the extension of this name.
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
                    ("accessor", Value::Number(_)) if KNOWN.contains(&name) => {
                        visit(Reference::Accessor, value);
                    }
                    ("accessor", Value::Number(_)) => visit(Reference::PerhapsAccessor, value),
                    ("bufferView", Value::Number(_)) if !KNOWN.contains(&name) => {
                        visit(Reference::PerhapsView, value);
                    }
                    ("bufferView", Value::Number(_)) => visit(Reference::View, value),
                    (key, Value::Number(_)) if VIEWS.contains(&(name, key)) => {
                        visit(Reference::View, value);
                    }
                    (key, Value::Number(_)) if ACCESSORS.contains(&(name, key)) => {
                        visit(Reference::Accessor, value);
                    }
                    _ => in_extension(name, value, visit),
                }
            }
        }
        _ => {}
    }
}

/// Visits the member `key` of an object, if it exists.
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

/// Visits all members of the object that is the member `key` of an object.
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

/// Refuses references of images and extensions to accessors and views that do not exist; the others of the core format have
/// been checked before. Returns the references in extensions of accessors and buffer views.
pub fn check_references(file: &mut File) -> Diagnosed<Vec<(Reference, usize)>> {
    let name = &*file.name;
    let accessors = file.accessor_count();
    let views = file.view_count();
    let mut errors = Vec::new();
    for (index, image) in file.tree.list("images").iter().enumerate() {
        let Some(view) = image.get("bufferView") else {
            continue;
        };
        if view.as_index().is_none_or(|view| view >= views) {
            let message = format!(
                "there is no buffer view {}: there are {views}",
                view.to_text()
            );
            let path = format!("images[{index}].bufferView");
            errors.push(Problem::rule(&path, message).into_diagnostic(name));
        }
    }
    let mut check = |reference, value: &Value| {
        let (list, count) = match reference {
            Reference::Accessor => ("accessors", accessors),
            Reference::View => ("bufferViews", views),
            Reference::PerhapsAccessor | Reference::PerhapsView => return,
        };
        if value.as_index().is_none_or(|index| index >= count) {
            errors.push(
                Problem::rule(
                    &list,
                    format!(
                        "an extension refers to {}, but there are {count}",
                        value.to_text()
                    ),
                )
                .into_diagnostic(name),
            );
        }
    };
    let mut of_data = Vec::new();
    let Value::Object(members) = &mut file.tree else {
        return Ok(of_data);
    };
    for index in &file.extended {
        let (key, value) = &mut members[*index];
        let is_data = matches!(&**key, "accessors" | "bufferViews");
        for_each_in_member(key, value, &mut |reference, value| {
            check(reference, value);
            of_data.extend(
                value
                    .as_index()
                    .filter(|_| is_data)
                    .map(|index| (reference, index)),
            );
        });
    }
    errors.truncate(MOST_FINDINGS);
    check_none(errors)?;
    Ok(of_data)
}
