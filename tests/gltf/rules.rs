//! One change to a good file, and the place and words of the error or warning that it brings.

use rigy_batch::bake::gltf::Transform;
use rigy_batch::bake::{Moment, Skinning, Source};
use rigy_batch::base::diag::{Category, Code};
use rigy_batch::base::loader::{Location, MemoryLoader};
use rigy_batch::kernel::simd::Isa;
use serde_json::{Value, json};

use super::made::{Made, alone, glb, skinned, use_all};

/// A list of rows: a JSON pointer, the value to put there, the path of the error, and words of its message.
macro_rules! rules {
    ($($pointer:literal, $value:tt => $path:literal, $words:literal;)*) => {
        [$(($pointer, json!($value), $path, $words)),*]
    };
}

/// Expects the first error to be at a path and to say something.
pub fn refused(made: &Made, path: &str, words: &str) {
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
    let channels = file.channels(0).unwrap().value.to_vec();
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
            primitive.influences.len(),
            primitive.targets.len()
        ),
        (3, 1, 1)
    );
    assert_eq!(channels[1].values, [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let half = 23170.0 / 32767.0;
    assert_eq!(
        channels[0].values,
        [0.0, 0.0, 0.0, 1.0, half, 0.0, 0.0, half]
    );
}

#[test]
fn broken_rules_are_named_with_their_place() {
    let change = |pointer: &str, value: Value| skinned().with(pointer, Some(value));
    for (pointer, value, path, words) in rules! {
        "/asset/version", "1.0" => "asset.version", "only glTF 2.0";
        "/asset/minVersion", "2.1" => "asset.minVersion", "only glTF 2.0";
        "/extensionsRequired/0", "EXT_new" => "extensionsRequired[0]", "\"EXT_new\" is required";
        "/buffers/0/byteLength", 100_000 => "buffers[0].byteLength", "100000 bytes, but there are";
        "/buffers/0/uri", "x.bin" => "buffers[0].uri", "cannot be read";
        "/bufferViews/0/byteOffset", 100_000 => "bufferViews[0]", "pass the end of buffer 0";
        "/bufferViews/0/buffer", 1 => "bufferViews[0]", "pass the end of buffer 1";
        "/bufferViews/1/extensions/EXT_meshopt_compression/mode", "TRIANGLES" =>
            "bufferViews[1].extensions.EXT_meshopt_compression", "no header of this mode";
        "/bufferViews/1/extensions/EXT_meshopt_compression/byteStride", 4 =>
            "bufferViews[1].extensions.EXT_meshopt_compression", "do not make the 6 bytes";
        "/bufferViews/1/extensions/EXT_meshopt_compression/filter", "COLOR" =>
            "bufferViews[1].extensions.EXT_meshopt_compression", "`filter` does not go";
        "/bufferViews/0/byteStride", 8 => "accessors[0].bufferView", "overlap";
        "/accessors/0/count", 4 => "accessors[0]", "pass the end of buffer view 0";
        "/accessors/0/componentType", 5124 => "accessors[0].componentType", "5124 is not a component type";
        "/accessors/4/count", (1u64 << 31) => "accessors[4].count", "of zeros";
        "/accessors/4/sparse/count", 4 => "accessors[4].sparse.count", "4 of 3";
        "/accessors/4/sparse/indices/byteOffset", 1 => "accessors[4].sparse.indices", "pass the end";
        "/accessors/4/sparse/indices/componentType", 5126 => "accessors[4].sparse.indices.componentType", "f32";
        "/meshes/0/primitives/0/attributes/POSITION", 1 =>
            "meshes[0].primitives[0].attributes.POSITION", "VEC4 of u8";
        "/meshes/0/primitives/0/attributes/POSITION", 9 =>
            "meshes[0].primitives[0].attributes.POSITION", "beyond the 9 accessors";
        "/meshes/0/primitives/0/attributes/WEIGHTS_0", 1 =>
            "meshes[0].primitives[0].attributes.WEIGHTS_0", "not VEC4 of f32, normalized u8";
        "/meshes/0/primitives/0/attributes/COLOR_0", 8 =>
            "meshes[0].primitives[0].attributes.COLOR_0", "6 elements; POSITION has 3";
        "/meshes/0/primitives/0/attributes/JOINTS_2", 1 => "meshes[0].primitives[0].attributes", "JOINTS_2";
        "/meshes/0/primitives/0/mode", 7 => "meshes[0].primitives[0].mode", "7";
        "/meshes/0/weights", [0, 1] => "meshes[0].weights", "2 weights for 1";
        "/skins/0/joints/1", 0 => "skins[0].joints[1]", "twice";
        "/skins/0/joints", [] => "skins[0].joints", "without joints";
        "/accessors/6/count", 1 => "skins[0].inverseBindMatrices", "1 matrices for 2 joints";
        "/nodes/2/weights", [] => "nodes[2].weights", "0 weights for 1";
        "/nodes/2/children", [1] => "nodes[2].children", "already a child of node 0";
        "/nodes/1/children", [0] => "nodes[0]", "descendants";
        "/nodes/0/children", [1, 0] => "nodes[0]", "descendants";
        "/nodes/1/matrix/3", 0.5 => "nodes[1]", "last row";
        "/nodes/1/rotation", [0, 0, 1] => "nodes[1].rotation", "array of 4 numbers";
        "/animations/0/channels/0/sampler", 2 => "animations[0].channels[0].sampler", "beyond the 2";
        "/animations/0/channels/1/target", {"node": 0, "path": "rotation"} =>
            "animations[0].samplers[1].output", "rotation needs VEC4";
        "/animations/0/samplers/1/interpolation", "LINEAR" => "animations[0].samplers[1].output", "need 2";
        "/animations/0/samplers/0/output", 8 => "animations[0].samplers[0].output", "rotation needs VEC4";
        "/scene", 1 => "scene", "beyond the 1 scenes";
        "/scenes/0/nodes/0", 3 => "scenes[0].nodes[0]", "beyond the 3 nodes";
        "/nodes", {} => "nodes", "an object is not an array";
    } {
        refused(&change(pointer, value), path, words);
    }
    refused(&skinned().with("/asset", None), "", "`asset` is missing");
    let text = skinned().json.to_string().replace("[0,1,0]", "[0,1e999,0]");
    let errors = alone(&glb(text.as_bytes(), Some(&skinned().bin)))
        .err()
        .unwrap();
    assert!(
        errors[0]
            .message_with_path()
            .contains("`nodes[0].translation[1]`: 1e999 is beyond the range of doubles"),
        "{}",
        errors[0].message
    );
}

#[test]
fn faults_that_clients_tolerate_are_warnings() {
    let change = |pointer: &str, value: Value| skinned().with(pointer, Some(value));
    let matrix = json!([1, 0, 0, 1e-7, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1]);
    warned(&change("/nodes/1/matrix", matrix), "nodes[1]", "last row");
    warned(
        &change("/nodes/1/scale", json!([1, 1, 1])),
        "nodes[1].matrix",
        "the matrix is used",
    );
    warned(
        &change("/scenes/0/nodes", json!([0, 1, 2])),
        "scenes[0].nodes[1]",
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
    let mut equal = skinned();
    equal.bin.splice(times..times + 4, 1.0f32.to_le_bytes());
    warned(
        &equal,
        "animations[0].samplers[0].input",
        "keys 0 and 1 in accessor",
    );
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
        &poisoned(4, 0, 1.5),
        "animations[0].samplers[0].input",
        "do not ascend",
    );
    only_the_sampled_animation_is_judged(poisoned(7, 4, f32::INFINITY));
    let bytes = poisoned(0, 20, f32::NAN).glb();
    let source = alone(&bytes).unwrap().value;
    assert!(source.accessor(0).unwrap().real(1, 0).is_nan());
}

/// The second sampler of the first animation of `made` has a value that is not finite.
fn only_the_sampled_animation_is_judged(mut made: Made) {
    let mut good = made.json["animations"][0].clone();
    good["channels"].as_array_mut().unwrap().pop();
    made.json["animations"].as_array_mut().unwrap().push(good);
    let bytes = made.glb();
    let source = Source::read(&bytes, &Location("m.glb".into()), &MemoryLoader::default());
    let source = source.unwrap_or_else(|errors| panic!("{errors:#?}")).value;
    let bake = |moment: Moment| source.bake(&moment, &Skinning::linear(), Isa::best()).err();
    assert!(bake(Moment::default()).is_none());
    assert!(bake(Moment::default().animation("1").time(0.5)).is_none());
    for _ in 0..2 {
        let [error] = &bake(Moment::default().time(0.5)).unwrap()[..] else {
            panic!("not one error")
        };
        assert!(
            error.message_with_path().contains("samplers[1].output"),
            "{}",
            error.message
        );
    }
    let errors = source.file.check_animations().unwrap_err();
    assert_eq!(errors.len(), 1, "{errors:#?}");
}
