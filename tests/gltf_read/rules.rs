//! One change to a good file, the place and words of the error or warning it brings.

use rigy_batch::bake::gltf::{Transform, read};
use rigy_batch::base::diag::{Category, Code};
use rigy_batch::base::loader::{Location, MemoryLoader};
use serde_json::{Value, json};

use crate::made::{Made, alone, glb, skinned, use_all};

/// Expects the first error to be at a path and to say something.
fn refused(made: &Made, path: &str, words: &str) {
    let bytes = made.glb();
    let errors = alone(&bytes)
        .err()
        .unwrap_or_else(|| panic!("{path} is accepted"));
    let found = &errors[0];
    assert_eq!(
        found.place.as_ref().unwrap().path,
        path,
        "{}",
        found.message
    );
    assert!(found.message.contains(words), "{path}: {}", found.message);
    assert!(matches!(
        found.category,
        Category::ParseError | Category::ValidationError
    ));
}

/// Expects one warning, W07, at a path.
fn warned(made: &Made, path: &str, words: &str) {
    let bytes = made.glb();
    let file = alone(&bytes).unwrap_or_else(|errors| panic!("{path}: {errors:#?}"));
    use_all(&file.value);
    let [warning] = &file.warnings[..] else {
        panic!("{path}: {:#?}", file.warnings)
    };
    assert_eq!(warning.code, Some(Code::W07));
    assert_eq!(
        warning.place.as_ref().unwrap().path,
        path,
        "{}",
        warning.message
    );
    assert!(
        warning.message.contains(words),
        "{path}: {}",
        warning.message
    );
}

#[test]
fn the_good_file_reads() {
    let bytes = skinned().glb();
    let read = alone(&bytes).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let file = read.value;
    use_all(&file);
    assert!(read.warnings.is_empty(), "{:#?}", read.warnings);
    assert_eq!((file.order, file.nodes[1].parent), (vec![0, 2, 1], Some(0)));
    assert!(matches!(
        file.nodes[1].transform,
        Transform::Matrix([_, [0.0, 1.0, 0.0, 1.0], _])
    ));
    let primitive = &file.meshes[0].primitives[0];
    assert_eq!(
        (
            primitive.vertex_count,
            primitive.influence_sets,
            primitive.targets.len()
        ),
        (3, 1, 1)
    );
    assert_eq!(
        file.animations[0].channels[1].values,
        [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]
    );
    let half = 23170.0 / 32767.0;
    assert_eq!(
        file.animations[0].channels[0].values,
        [0.0, 0.0, 0.0, 1.0, half, 0.0, 0.0, half]
    );
}

#[test]
fn broken_rules_are_named_with_their_place() {
    let change = |pointer: &str, value: Value| skinned().with(pointer, Some(value));
    for (pointer, value, path, words) in [
        (
            "/asset/version",
            json!("1.0"),
            "asset.version",
            "only glTF 2.0",
        ),
        (
            "/asset/minVersion",
            json!("2.1"),
            "asset.minVersion",
            "only glTF 2.0",
        ),
        (
            "/extensionsRequired/0",
            json!("EXT_new"),
            "extensionsRequired[0]",
            "\"EXT_new\" is required",
        ),
        (
            "/buffers/0/byteLength",
            json!(100_000),
            "buffers[0].byteLength",
            "100000 bytes, but there are",
        ),
        (
            "/buffers/0/uri",
            json!("x.bin"),
            "buffers[0].uri",
            "cannot be read",
        ),
        (
            "/bufferViews/0/byteOffset",
            json!(100_000),
            "bufferViews[0]",
            "pass the end of buffer 0",
        ),
        (
            "/bufferViews/0/buffer",
            json!(1),
            "bufferViews[0]",
            "pass the end of buffer 1",
        ),
        (
            "/bufferViews/1/extensions/EXT_meshopt_compression/mode",
            json!("TRIANGLES"),
            "bufferViews[1].extensions.EXT_meshopt_compression",
            "no header of this mode",
        ),
        (
            "/bufferViews/1/extensions/EXT_meshopt_compression/byteStride",
            json!(4),
            "bufferViews[1].extensions.EXT_meshopt_compression",
            "do not make the 6 bytes",
        ),
        (
            "/bufferViews/1/extensions/EXT_meshopt_compression/filter",
            json!("COLOR"),
            "bufferViews[1].extensions.EXT_meshopt_compression",
            "`filter` does not go",
        ),
        (
            "/bufferViews/0/byteStride",
            json!(8),
            "accessors[0].bufferView",
            "overlap",
        ),
        (
            "/accessors/0/count",
            json!(4),
            "accessors[0]",
            "pass the end of buffer view 0",
        ),
        (
            "/accessors/0/componentType",
            json!(5124),
            "accessors[0].componentType",
            "5124 is not a component type",
        ),
        (
            "/accessors/4/count",
            json!(1u64 << 31),
            "accessors[4].count",
            "of zeros",
        ),
        (
            "/accessors/4/sparse/count",
            json!(4),
            "accessors[4].sparse.count",
            "4 of 3",
        ),
        (
            "/accessors/4/sparse/indices/byteOffset",
            json!(1),
            "accessors[4].sparse.indices",
            "pass the end",
        ),
        (
            "/accessors/4/sparse/indices/componentType",
            json!(5126),
            "accessors[4].sparse.indices.componentType",
            "f32",
        ),
        (
            "/meshes/0/primitives/0/attributes/POSITION",
            json!(1),
            "meshes[0].primitives[0].attributes.POSITION",
            "VEC4 of u8",
        ),
        (
            "/meshes/0/primitives/0/attributes/POSITION",
            json!(9),
            "meshes[0].primitives[0].attributes.POSITION",
            "beyond the 9 accessors",
        ),
        (
            "/meshes/0/primitives/0/attributes/WEIGHTS_0",
            json!(1),
            "meshes[0].primitives[0].attributes.WEIGHTS_0",
            "not VEC4 of f32, normalized u8",
        ),
        (
            "/meshes/0/primitives/0/attributes/COLOR_0",
            json!(8),
            "meshes[0].primitives[0].attributes.COLOR_0",
            "6 elements; POSITION has 3",
        ),
        (
            "/meshes/0/primitives/0/attributes/JOINTS_2",
            json!(1),
            "meshes[0].primitives[0].attributes",
            "JOINTS_2",
        ),
        (
            "/meshes/0/primitives/0/mode",
            json!(7),
            "meshes[0].primitives[0].mode",
            "7",
        ),
        (
            "/meshes/0/weights",
            json!([0, 1]),
            "meshes[0].weights",
            "2 weights for 1",
        ),
        ("/skins/0/joints/1", json!(0), "skins[0].joints[1]", "twice"),
        (
            "/skins/0/joints",
            json!([]),
            "skins[0].joints",
            "without joints",
        ),
        (
            "/accessors/6/count",
            json!(1),
            "skins[0].inverseBindMatrices",
            "1 matrices for 2 joints",
        ),
        (
            "/nodes/2/weights",
            json!([]),
            "nodes[2].weights",
            "0 weights for 1",
        ),
        (
            "/nodes/2/children",
            json!([1]),
            "nodes[2].children",
            "already a child of node 0",
        ),
        ("/nodes/1/children", json!([0]), "nodes[0]", "descendants"),
        (
            "/nodes/0/children",
            json!([1, 0]),
            "nodes[0]",
            "descendants",
        ),
        ("/nodes/1/matrix/3", json!(0.5), "nodes[1]", "last row"),
        (
            "/nodes/1/rotation",
            json!([0, 0, 1]),
            "nodes[1].rotation",
            "array of 4 numbers",
        ),
        (
            "/animations/0/channels/0/sampler",
            json!(2),
            "animations[0].channels[0].sampler",
            "beyond the 2",
        ),
        (
            "/animations/0/channels/1/target",
            json!({"node": 0, "path": "rotation"}),
            "animations[0].channels[1]",
            "already",
        ),
        (
            "/animations/0/samplers/1/interpolation",
            json!("LINEAR"),
            "animations[0].samplers[1].output",
            "need 2",
        ),
        (
            "/animations/0/samplers/0/output",
            json!(8),
            "animations[0].samplers[0].output",
            "rotation needs VEC4",
        ),
        ("/scene", json!(1), "scene", "beyond the 1 scenes"),
        (
            "/scenes/0/nodes/0",
            json!(3),
            "scenes[0].nodes[0]",
            "beyond the 3 nodes",
        ),
        ("/nodes", json!({}), "nodes", "an object is not an array"),
    ] {
        refused(&change(pointer, value), path, words);
    }
    refused(
        &skinned().with("/meshes/0/primitives/0/attributes/POSITION", None),
        "meshes[0].primitives[0].attributes",
        "no POSITION",
    );
    refused(&skinned().with("/asset", None), "", "`asset` is missing");
    let text = skinned().json.to_string().replace("[0,1,0]", "[0,1e999,0]");
    let errors = alone(&glb(text.as_bytes(), Some(&skinned().bin)))
        .err()
        .unwrap();
    assert!(
        errors[0]
            .message
            .contains("`nodes[0].translation[1]`: 1e999 is beyond the range of doubles"),
        "{}",
        errors[0].message
    );
}

#[test]
fn what_clients_put_up_with_is_a_warning() {
    let change = |pointer: &str, value: Value| skinned().with(pointer, Some(value));
    let matrix = json!([1, 0, 0, 1e-7, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1]);
    warned(&change("/nodes/1/matrix", matrix), "nodes[1]", "last row");
    warned(
        &change("/nodes/1/scale", json!([1, 1, 1])),
        "nodes[1].matrix",
        "the matrix is used",
    );
    warned(
        &change("/scenes/0/nodes/0", json!(1)),
        "scenes[0].nodes[0]",
        "no root",
    );
    warned(
        &change("/animations/0/channels/0/target/path", json!("pointer")),
        "animations[0].channels[0].target.path",
        "left out",
    );
    warned(
        &change("/bufferViews/3/byteStride", json!(0)),
        "bufferViews[3].byteStride",
        "0 is no multiple",
    );
    warned(
        &change("/animations/0/channels/1/target/node", json!(1)),
        "animations[0].channels[1].target.node",
        "no morph targets",
    );
    let mut large = skinned();
    large.bin.extend([0; 8]);
    warned(&large, "buffers[0].byteLength", "are used");
    let mut aslant = skinned();
    let times = aslant.json["bufferViews"][4]["byteOffset"]
        .as_u64()
        .unwrap() as usize;
    aslant.bin.splice(times..times + 4, (-1.0f32).to_le_bytes());
    warned(&aslant, "animations[0].samplers[0].input", "before 0");
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    let poisoned = |view: usize, at: usize, value: f32| {
        let mut made = skinned();
        let begin = made.json["bufferViews"][view]["byteOffset"]
            .as_u64()
            .unwrap() as usize
            + at;
        made.bin.splice(begin..begin + 4, value.to_le_bytes());
        made
    };
    refused(
        &poisoned(5, 64, f32::NAN),
        "skins[0].inverseBindMatrices",
        "joint 1 (node 1, \"tip\") has NaN",
    );
    refused(
        &poisoned(5, 12, 0.5),
        "skins[0].inverseBindMatrices",
        "last row",
    );
    refused(
        &poisoned(7, 4, f32::INFINITY),
        "animations[0].samplers[1].output",
        "has inf",
    );
    refused(
        &poisoned(4, 0, 1.0),
        "animations[0].samplers[0].input",
        "do not ascend",
    );
    let bytes = poisoned(0, 20, f32::NAN).glb();
    assert_eq!(
        alone(&bytes)
            .unwrap()
            .value
            .accessor(0)
            .unwrap()
            .first_non_finite(),
        Some((1, 0))
    );
}

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
