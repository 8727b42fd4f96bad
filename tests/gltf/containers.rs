//! Containers of glTF: chunks of a GLB, buffers beside a `.gltf` file, and sizes that a small file can claim.

use rigy_batch::bake::gltf::read;
use rigy_batch::base::diag::Category;
use rigy_batch::base::loader::{Location, MemoryLoader};
use serde_json::json;

use super::made::{alone, glb, skinned, use_all};
use super::rules::refused;

#[test]
fn containers_are_checked() {
    let json = br#"{"asset":{"version":"2.0"}}"#;
    let good = glb(json, None);
    assert!(
        alone(&good).is_ok()
            && alone(json).is_ok()
            && alone(&[b"\xef\xbb\xbf", &json[..]].concat()).is_ok()
    );
    let said = |bytes: &[u8], words: &str| {
        let message = alone(bytes)
            .err()
            .map_or("accepted".into(), |errors| errors[0].message.clone());
        assert!(message.contains(words), "{words}: {message}");
    };
    let patched = |at: usize, value: u32| {
        let mut bytes = glb(json, Some(&[0; 8]));
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        bytes
    };
    said(&patched(4, 1), "version 1");
    said(&patched(8, 20), "goes on after its end");
    said(&patched(8, u32::MAX), "is cut off");
    said(&patched(12, u32::MAX), "a chunk of 4294967295 bytes");
    said(&patched(16, 7), "not the JSON chunk");
    said(&[&good[..], &[0; 4]].concat(), "goes on after its end");
    said(b"", "neither a GLB nor JSON");
    said(b"ply\n", "neither a GLB nor JSON");
    said(
        b"{\"asset\": {\"version\": \"2.0\"},}",
        "malformed JSON: no key of an object's member (byte 29)",
    );
    said(b"{\"a\": \"\xff\"}", "not UTF-8 (byte 7)");
    said(b"{\"asset\":{}}", "`version` is missing");
    said(
        &glb(&[b"{\"a\":".repeat(200), b"1".to_vec()].concat(), None),
        "nested deeper",
    );
    let twice = {
        let mut bytes = patched(8, 0);
        let chunk = bytes[bytes.len() - 16..].to_vec();
        bytes.extend(chunk);
        let len = (bytes.len() as u32).to_le_bytes();
        bytes.splice(8..12, len);
        bytes
    };
    said(&twice, "BIN the second");
}

#[test]
fn text_files_find_their_buffers_beside_them() {
    let mut made = skinned();
    made.json["buffers"][0]["uri"] = json!("data/the%20bin.bin");
    let text = made.json.to_string();
    let mut loader = MemoryLoader::default();
    loader
        .files
        .insert("models/data/the bin.bin".into(), made.bin.clone());
    let file = read(text.as_bytes(), &Location("models/m.gltf".into()), &loader)
        .unwrap_or_else(|errors| panic!("{errors:#?}"));
    use_all(&file.value);
    let mut lost = made.clone();
    lost.json["buffers"][1]["uri"] = json!("a-fallback-nobody-needs.bin");
    assert!(
        read(
            lost.json.to_string().as_bytes(),
            &Location("models/m.gltf".into()),
            &loader
        )
        .is_ok()
    );
    let errors = read(text.as_bytes(), &Location("m.gltf".into()), &loader)
        .err()
        .unwrap();
    assert_eq!(errors[0].category, Category::ParseError);
    assert_eq!(errors[0].place.as_ref().unwrap().file, "m.gltf");
}

#[test]
fn deep_hierarchies_are_walked_without_recursion() {
    let count = 200_000;
    let nodes: Vec<String> = (1..=count)
        .map(|n| {
            if n < count {
                format!("{{\"children\":[{n}]}}")
            } else {
                "{}".into()
            }
        })
        .collect();
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{}]}}"#,
        nodes.join(",")
    );
    let file = alone(text.as_bytes()).unwrap().value;
    assert!(file.order.iter().copied().eq(0..count));
}

#[test]
fn shared_accessors_cannot_multiply_keys_without_end() {
    let mut made = skinned();
    let keys = 40_000;
    let times: Vec<u8> = (0..keys)
        .flat_map(|key| (key as f32).to_le_bytes())
        .collect();
    let begin = made.bin.len();
    made.bin.extend(&times);
    made.bin.extend(vec![0; 16 * keys]);
    made.json["buffers"][0]["byteLength"] = json!(made.bin.len());
    let views = made.json["bufferViews"].as_array_mut().unwrap();
    views.push(json!({"buffer": 0, "byteOffset": begin, "byteLength": 4 * keys}));
    views.push(json!({"buffer": 0, "byteOffset": begin + 4 * keys, "byteLength": 16 * keys}));
    let view = views.len();
    let accessors = made.json["accessors"].as_array_mut().unwrap();
    accessors.push(
        json!({"bufferView": view - 2, "componentType": 5126, "count": keys, "type": "SCALAR"}),
    );
    accessors.push(
        json!({"bufferView": view - 1, "componentType": 5126, "count": keys, "type": "VEC4"}),
    );
    let (input, output) = (accessors.len() - 2, accessors.len() - 1);
    let one = json!({"samplers": [{"input": input, "output": output}], "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}]});
    made.json["animations"] = json!(vec![one.clone(); 50]);
    assert!(alone(&made.glb()).is_ok());
    made.json["animations"] = json!(vec![one; 200]);
    refused(
        &made,
        "animations[83].channels[0]",
        "more keys than the file could reasonably hold",
    );
}
