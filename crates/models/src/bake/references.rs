//! References of the JSON to accessors and buffer views, in the core format and in extensions.

use rigy_base::diag::{Diagnosed, MOST_FINDINGS, check_none};
use rigy_gltf::json::Value;
use rigy_gltf::{DRACO, File, Problem};

/// The kind of object that a number in the JSON refers to.
#[derive(Clone, Copy, Debug)]
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

/// References of the core format: the path from the tree to a number, or to an object whose members are such numbers.
const CORE: &[(&str, Reference)] = &[
    ("meshes/primitives/attributes", Reference::Accessor),
    ("meshes/primitives/indices", Reference::Accessor),
    ("meshes/primitives/targets", Reference::Accessor),
    ("skins/inverseBindMatrices", Reference::Accessor),
    ("animations/samplers/input", Reference::Accessor),
    ("animations/samplers/output", Reference::Accessor),
    ("images/bufferView", Reference::View),
];

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
    for (path, reference) in CORE {
        follow(tree, path, *reference, visit);
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
        follow(value, "attributes", Reference::Accessor, visit);
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

/// Visits what stands at the end of a path, and all members of an object there. Each element of an array is followed.
pub fn follow<'a>(
    value: &mut Value<'a>,
    path: &str,
    reference: Reference,
    visit: &mut dyn FnMut(Reference, &mut Value<'a>),
) {
    match value {
        Value::Array(elements) => elements
            .iter_mut()
            .for_each(|element| follow(element, path, reference, visit)),
        Value::Object(members) if path.is_empty() => members
            .iter_mut()
            .for_each(|(_, value)| visit(reference, value)),
        _ if path.is_empty() => visit(reference, value),
        _ => {
            let (step, rest) = path.split_once('/').unwrap_or((path, ""));
            if let Some(member) = value.get_mut(step) {
                follow(member, rest, reference, visit);
            }
        }
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
