//! Finding the first field in which two GLBs differ.

use gltf::binary::Glb;
use gltf::json::accessor::ComponentType;
use gltf::json::{Accessor, Root};

/// Compares two GLBs. Returns a message about the first difference: in lengths or header, in the JSON text, or in an
/// accessor, with element, component and both values. Returns `None` if all bytes are equal.
pub fn first_difference(found: &[u8], expected: &[u8]) -> Option<String> {
    if found == expected {
        return None;
    }
    let offset = first_other(found, expected);
    let detail = described(found, expected).unwrap_or_else(|| {
        let byte = |bytes: &[u8]| {
            bytes
                .get(offset)
                .map_or("nothing".into(), |b| format!("{b:#04x}"))
        };
        format!("{} instead of {}", byte(found), byte(expected))
    });
    let lengths = if found.len() == expected.len() {
        String::new()
    } else {
        format!(" ({} bytes instead of {})", found.len(), expected.len())
    };
    Some(format!(
        "first difference at byte {offset}: {detail}{lengths}"
    ))
}

/// Returns the place of the first byte that differs; the length of the shorter one if it begins the other.
pub fn first_other(found: &[u8], expected: &[u8]) -> usize {
    found
        .iter()
        .zip(expected)
        .position(|(a, b)| a != b)
        .unwrap_or(found.len().min(expected.len()))
}

/// A message about the first difference in terms of glTF; `None` if one of the files cannot be parsed.
fn described(found: &[u8], expected: &[u8]) -> Option<String> {
    let found = sound(found)?;
    let expected = sound(expected)?;
    if found.json != expected.json {
        return Some(in_text(&found.json, &expected.json));
    }
    let root: Root = serde_json::from_slice(&expected.json).ok()?;
    in_data(&root, found.bin.as_deref()?, expected.bin.as_deref()?)
}

/// Checks the lengths of a GLB and splits it into its chunks; returns `None` if they are wrong.
fn sound(bytes: &[u8]) -> Option<Glb<'_>> {
    let word = |at: usize| {
        let bytes = bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize)
    };
    let bin_header = word(12)?.checked_add(20)?;
    let bin_len = word(bin_header)?;
    let whole = bin_header.checked_add(8)?.checked_add(bin_len)? == bytes.len();
    let sound = bytes.starts_with(b"glTF") && word(4)? == 2 && word(8)? == bytes.len() && whole;
    sound.then(|| Glb::from_slice(bytes).ok())?
}

/// A message with the surroundings of the first difference of two texts.
fn in_text(found: &[u8], expected: &[u8]) -> String {
    let at = first_other(found, expected);
    let around = |text: &[u8]| {
        let piece = &text[at.saturating_sub(40).min(text.len())..(at + 24).min(text.len())];
        String::from_utf8_lossy(piece).into_owned()
    };
    format!(
        "JSON has …{}… instead of …{}…",
        around(found),
        around(expected)
    )
}

/// A message about the first difference of two binary chunks; `None` if no accessor covers it.
fn in_data(root: &Root, found: &[u8], expected: &[u8]) -> Option<String> {
    let offset = found.iter().zip(expected).position(|(a, b)| a != b)?;
    let accessor_at = |accessor: &&Accessor| {
        let view = accessor
            .buffer_view
            .and_then(|index| root.buffer_views.get(index.value()));
        view.is_some_and(|view| {
            let start = view.byte_offset.map_or(0, |o| o.0);
            let end = start.saturating_add(view.byte_length.0);
            (start..end).contains(&(offset as u64))
        })
    };
    let index = root.accessors.iter().position(|a| accessor_at(&a))?;
    let accessor = &root.accessors[index];
    let view = root.buffer_views.get(accessor.buffer_view?.value())?;
    let start = usize::try_from(view.byte_offset.map_or(0, |o| o.0)).ok()?;
    let component_type = accessor.component_type.as_ref();
    let gltf::json::validation::Checked::Valid(component_type) = component_type else {
        return None;
    };
    let gltf::json::validation::Checked::Valid(kind) = accessor.type_.as_ref() else {
        return None;
    };
    let size = component_type.0.size();
    let component = (offset - start) / size;
    let per_element = kind.multiplicity();
    let at = start + component * size;
    let value = |bytes: &[u8]| Some(shown(component_type.0, bytes.get(at..at + size)?));
    Some(format!(
        "accessor {index} ({}), element {}, component {}: {} instead of {}",
        role(root, index),
        component / per_element,
        component % per_element,
        value(found)?,
        value(expected)?
    ))
}

/// A component in decimal and hexadecimal.
fn shown(component_type: ComponentType, bytes: &[u8]) -> String {
    let word = bytes
        .iter()
        .rev()
        .fold(0u32, |word, byte| word << 8 | u32::from(*byte));
    match component_type {
        ComponentType::F32 => format!("{:?} ({word:08x})", f32::from_bits(word)),
        _ => format!("{word} ({word:0width$x})", width = 2 * bytes.len()),
    }
}

/// The first use of an accessor: an attribute or the indices of a mesh, or the inverse bind matrices of a skin.
fn role(root: &Root, index: usize) -> String {
    for (mesh_index, mesh) in root.meshes.iter().enumerate() {
        let name = mesh.name.as_deref().unwrap_or("unnamed");
        for primitive in &mesh.primitives {
            for (semantic, accessor) in &primitive.attributes {
                if accessor.value() == index {
                    let semantic = match semantic.as_ref() {
                        gltf::json::validation::Checked::Valid(semantic) => semantic.to_string(),
                        gltf::json::validation::Checked::Invalid => "an unknown attribute".into(),
                    };
                    return format!("{semantic} of mesh {mesh_index} `{name}`");
                }
            }
            if primitive
                .indices
                .is_some_and(|accessor| accessor.value() == index)
            {
                return format!("indices of mesh {mesh_index} `{name}`");
            }
        }
    }
    let of_skin = |skin: &gltf::json::Skin| {
        skin.inverse_bind_matrices
            .is_some_and(|a| a.value() == index)
    };
    match root.skins.iter().position(of_skin) {
        Some(skin) => format!("inverse bind matrices of skin {skin}"),
        None => "unused".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigy_base::loader::MemoryLoader;
    use rigy_base::output::OutputFile;
    use rigy_models::compile::{Files, Input, check};

    fn glb(width: &str) -> Vec<u8> {
        let text = format!(
            "version: '0.1'\nmeshes: [{{id: m, primitives: [{{type: box, id: b, dimensions: {{x: {width}}}, \
             transform: {{rotation_euler: [1, 0, 0]}}}}]}}]"
        );
        let files = Files::new(MemoryLoader::default());
        let checked = check(Input::new("t", &text), &files).unwrap().value;
        checked.build().unwrap().value.export().unwrap().to_bytes()
    }

    #[test]
    fn a_changed_component_is_named_with_both_values() {
        let expected = glb("1");
        let mut found = expected.clone();
        let at = found.len() - 36 * 4 - 24 * 24 + 12 + 4; // BIN: 24 positions, 24 normals, 36 indices
        found[at] ^= 1;
        let message = first_difference(&found, &expected).unwrap();
        assert!(
            message.contains("accessor 0 (POSITION of mesh 0 `m`), element 1, component 1"),
            "{message}"
        );
        assert_eq!(first_difference(&expected, &expected), None);
    }

    #[test]
    fn differing_json_is_quoted() {
        let message = first_difference(&glb("2"), &glb("3")).unwrap();
        assert!(
            message.contains("JSON has") && message.contains("instead of"),
            "{message}"
        );
    }

    #[test]
    fn anything_can_be_compared_with_anything() {
        let good = glb("1");
        for end in 0..good.len().min(200) {
            assert!(first_difference(&good, &good[..end]).is_some());
        }
        for at in 0..60 {
            for value in [0u32, 1, 1 << 31, u32::MAX] {
                let mut bad = good.clone();
                bad[at..at + 4].copy_from_slice(&value.to_le_bytes());
                let _ = first_difference(&good, &bad);
                let _ = first_difference(&bad, &good);
            }
        }
    }
}
