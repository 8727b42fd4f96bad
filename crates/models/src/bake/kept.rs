//! What a baked file keeps of the input: accessors, buffer views, and the names of the extensions that it uses and requires.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::references::{Reference, for_each_reference};
use rigy_gltf::json::Value;
use rigy_gltf::{COMPRESSIONS, ComponentType, DRACO, File};

/// The parts of the input's data that the edited JSON still refers to.
pub struct Kept {
    /// For each accessor of the input, its index in the output; `None` if nothing refers to it.
    pub accessor_indices: Vec<Option<usize>>,
    /// For each buffer view of the input, true if it must be kept as a whole because something other than the elements
    /// of an accessor refers to it: an image, an extension or a sparse accessor.
    pub is_whole_view: Vec<bool>,
}

impl Kept {
    /// Collects the references of an edited tree, which are still the indices of the input, and `of_data`, those of the
    /// extensions of accessors and buffer views of the input.
    pub fn new(file: &File, tree: &mut Value, of_data: &[(Reference, usize)]) -> Self {
        let mut is_used = vec![false; file.accessor_count()];
        let mut is_whole_view = vec![false; file.view_count()];
        let mut mark = |reference, index: usize| {
            let marks = match reference {
                Reference::Accessor | Reference::PerhapsAccessor => &mut is_used,
                Reference::View | Reference::PerhapsView => &mut is_whole_view,
            };
            if let Some(mark) = marks.get_mut(index) {
                *mark = true;
            }
        };
        for_each_reference(tree, &mut |reference, value| {
            if let Some(index) = value.as_index() {
                mark(reference, index);
            }
        });
        for (reference, index) in of_data {
            mark(*reference, *index);
        }
        for (accessor, is_used) in file.tree.list("accessors").iter().zip(&is_used) {
            let sparse = accessor.get("sparse").filter(|_| *is_used);
            for part in ["indices", "values"] {
                let part = sparse.and_then(|sparse| sparse.get(part));
                let view = part.and_then(|part| part.get("bufferView")?.as_index());
                if let Some(mark) = view.and_then(|view| is_whole_view.get_mut(view)) {
                    *mark = true;
                }
            }
        }
        let mut next = 0..;
        let indices = is_used
            .iter()
            .map(|used| used.then(|| next.next()).flatten());
        Self {
            accessor_indices: indices.collect(),
            is_whole_view,
        }
    }

    /// Returns the JSON of the accessors that are kept, unchanged, in the order of the input.
    pub fn accessors_of<'a>(&self, file: &File<'a>) -> Vec<Value<'a>> {
        file.tree
            .list("accessors")
            .iter()
            .zip(&self.accessor_indices)
            .filter(|(_, index)| index.is_some())
            .map(|(accessor, _)| accessor.clone())
            .collect()
    }
}

const QUANTIZATION: &str = "KHR_mesh_quantization";

/// Removes from `extensionsUsed` and `extensionsRequired` the extensions that the input used and the output does not.
/// `before` has the extensions of the input's objects.
pub fn clean_extensions(before: &BTreeSet<String>, tree: &mut Value) {
    let after = used_in(tree.members());
    let quantized = is_quantized(tree);
    let gone = |name: &str| match name {
        QUANTIZATION => !quantized,
        _ => (before.contains(name) || is_decoded(name)) && !after.contains(name),
    };
    for key in ["extensionsUsed", "extensionsRequired"] {
        let Some(names) = tree.array_mut(key) else {
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
fn has_values(value: &&Value) -> bool {
    matches!(value, Value::Array(_) | Value::Object(_))
}

/// The names of all extensions in members of an object, and in everything below them.
pub fn used_in<'t>(
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
fn is_quantized(tree: &Value) -> bool {
    let types: Vec<_> = tree
        .list("accessors")
        .iter()
        .map(|accessor| {
            let number = accessor.get("componentType")?.as_u64()?;
            let normalized = accessor.get("normalized") == Some(&Value::Bool(true));
            Some((ComponentType::of(number)?, normalized))
        })
        .collect();
    let is_quantized = |(name, accessor): (&str, &Value)| {
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
    tree.list("meshes")
        .iter()
        .flat_map(|mesh| mesh.list("primitives"))
        .any(|primitive| {
            primitive
                .get("attributes")
                .map_or(&[][..], Value::members)
                .iter()
                .any(|(name, accessor)| is_quantized((name, accessor)))
        })
}
