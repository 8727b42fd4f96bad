//! The lists of extensions that a baked file uses and requires.

use std::borrow::Cow;
use std::collections::BTreeSet;

use rigy_gltf::json::Value;
use rigy_gltf::{COMPRESSIONS, ComponentType, DRACO};

const QUANTIZATION: &str = "KHR_mesh_quantization";

/// Removes from `extensionsUsed` and `extensionsRequired` the extensions that the input used and the output does not.
/// `before` has the extensions of the input's objects.
pub(super) fn clean_extensions(before: &BTreeSet<String>, tree: &mut Value<'_>) {
    let after = used_in(tree.members());
    let quantized = is_quantized(tree);
    let gone = |name: &str| match name {
        QUANTIZATION => !quantized,
        _ => (before.contains(name) || is_decoded(name)) && !after.contains(name),
    };
    for key in ["extensionsUsed", "extensionsRequired"] {
        let Some(names) = tree.get_mut(key).and_then(Value::elements_mut) else {
            continue;
        };
        names.retain(|name| !name.as_str().is_some_and(gone));
        if names.is_empty() {
            tree.remove(key);
        }
    }
}

/// True for an extension that is decoded, or replaced by its fallback, when a file is read.
fn is_decoded(name: &str) -> bool {
    COMPRESSIONS.contains(&name) || name == DRACO
}

/// True for arrays and objects.
fn has_values(value: &&Value<'_>) -> bool {
    matches!(value, Value::Array(_) | Value::Object(_))
}

/// Returns the names of all extensions in members of an object, and in everything below them.
pub(super) fn used_in<'t>(
    members: impl IntoIterator<Item = &'t (Cow<'t, str>, Value<'t>)>,
) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut open = Vec::new();
    let mut look = |(key, value): &'t (Cow<'t, str>, Value<'t>), open: &mut Vec<_>| {
        match (&**key, value) {
            ("extras", _) => return,
            ("extensions", Value::Object(extensions)) => {
                names.extend(extensions.iter().map(|(name, _)| name.to_string()));
            }
            _ => {}
        }
        open.extend(Some(value).filter(has_values));
    };
    for member in members {
        look(member, &mut open);
    }
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => members.iter().for_each(|member| look(member, &mut open)),
            _ => open.extend(value.elements().iter().filter(has_values)),
        }
    }
    names
}

/// True if an attribute has a component type that only `KHR_mesh_quantization` allows.
fn is_quantized(tree: &Value<'_>) -> bool {
    let component_type = |accessor: &Value<'_>| {
        let number = accessor.get("componentType")?.as_u64()?;
        let normalized = accessor.get("normalized") == Some(&Value::Bool(true));
        Some((ComponentType::of(number)?, normalized))
    };
    let accessors = tree.list("accessors");
    let types: Vec<_> = accessors.iter().map(component_type).collect();
    let is_quantized = |(name, accessor): (&str, &Value<'_>)| {
        let found = accessor.as_index().and_then(|index| *types.get(index)?);
        let Some((component, normalized)) = found else {
            return false;
        };
        let in_core = match component {
            ComponentType::F32 => true,
            ComponentType::U8 | ComponentType::U16 => normalized && name.starts_with("TEXCOORD_"),
            _ => false,
        };
        let has_fixed_types =
            ["POSITION", "NORMAL", "TANGENT"].contains(&name) || name.starts_with("TEXCOORD_");
        has_fixed_types && !in_core
    };
    let mut primitives = tree
        .list("meshes")
        .iter()
        .flat_map(|mesh| mesh.list("primitives"));
    primitives.any(|primitive| {
        let attributes = primitive.get("attributes").map_or(&[][..], Value::members);
        attributes
            .iter()
            .any(|(name, accessor)| is_quantized((name, accessor)))
    })
}
