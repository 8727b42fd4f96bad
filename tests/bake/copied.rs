//! Data that a bake copies: numbers that are not finite are told of, and bounds are those of the numbers (`bake.md` §6).

use serde_json::{Value, json};

use super::builder::{COUNT, FLOAT, I16, Made, U8, U16, arm, floats};
use super::cli::{bake, lines};
use super::morphs::without_skin;
use super::reader::Gltf;
use super::runs::{Ask, baked, refused, warned};
use crate::support::{Dir, with_path};

const NAN: f32 = f32::NAN;
const INF: f32 = f32::INFINITY;

/// An arm whose attribute of this name has these numbers.
fn with_attribute(name: &str, kind: &str, numbers: &[f32]) -> Made {
    let mut made = arm();
    let accessor = made.floats(kind, numbers);
    made.attributes(0, 0)[name] = json!(accessor);
    made
}

fn told(made: &Made, ask: &Ask) -> Vec<String> {
    let (_, warnings) = warned(made, ask);
    assert!(warnings.iter().all(|warning| warning["code"] == "W07"));
    let first = |warning: &Value| {
        with_path(warning)
            .split("; let ")
            .next()
            .unwrap()
            .to_owned()
    };
    warnings.iter().map(first).collect()
}

#[test]
fn attributes_with_numbers_that_are_not_finite_are_told_of_and_copied() {
    let mut numbers = [0.5; 2 * COUNT];
    (numbers[5], numbers[6], numbers[11]) = (NAN, -INF, INF);
    let place = "`meshes[0].primitives[0].attributes";
    for name in ["TEXCOORD_0", "_WEAR"] {
        let made = with_attribute(name, "VEC2", &numbers);
        let expected = format!(
            "{place}.{name}`: component 1 of vertex 2 is NaN, the first of 3 numbers that are not finite"
        );
        for ask in [Ask::REST, Ask::at(0.3)] {
            assert_eq!(told(&made, &ask), std::slice::from_ref(&expected));
        }
    }
    let mut colors = [0.5; 3 * COUNT];
    colors[17] = INF;
    let made = with_attribute("COLOR_0", "VEC3", &colors);
    let message = &told(&made, &Ask::REST)[0];
    let expected = "COLOR_0`: component 2 of vertex 5 is inf";
    assert!(message.contains(expected), "{message}");
}

#[test]
fn strict_runs_refuse_such_a_file_and_write_nothing() {
    let made = with_attribute("_X", "SCALAR", &[NAN; COUNT]);
    let dir = Dir::with("made.glb", made.glb());
    bake(&dir, "made.glb -o out --warn-as-error W07").exits_saying(1, "the first of 6 numbers");
    assert_eq!(dir.files(), ["made.glb"]);
    let silent = &lines(&dir, "made.glb -o out --allow-warnings W07")[0];
    assert_eq!(silent["warnings"], json!([]));
}

#[test]
fn every_layout_of_floats_is_looked_at() {
    // Interleaved with bytes that would be no numbers as floats.
    let mut made = arm();
    let mut bytes = Vec::new();
    for vertex in 0..COUNT {
        bytes.extend([0xff; 4]);
        bytes.extend(floats(&[1.0, if vertex == 4 { NAN } else { 2.0 }]));
    }
    let view = made.view(&bytes);
    made.json["bufferViews"][view]["byteStride"] = json!(12);
    let uv = json!({"bufferView": view, "byteOffset": 4, "componentType": FLOAT, "count": COUNT, "type": "VEC2"});
    let color = json!({"bufferView": view, "componentType": U8, "normalized": true, "count": COUNT, "type": "VEC4"});
    made.attributes(0, 0)["TEXCOORD_0"] = json!(made.push("accessors", uv));
    made.attributes(0, 0)["COLOR_0"] = json!(made.push("accessors", color));
    let message = told(&made, &Ask::REST);
    assert_eq!(message.len(), 1);
    assert!(
        message[0].contains("component 1 of vertex 4 is NaN"),
        "{message:?}"
    );

    // Sparse: the replacement counts, and not what it replaces.
    for (stored, replaced, count) in [(1.0, NAN, 1), (NAN, 1.0, 0)] {
        let mut made = arm();
        let mut numbers = [0.25; COUNT];
        numbers[3] = stored;
        let wear = made.floats("SCALAR", &numbers);
        let (indices, values) = (made.view(&[3]), made.view(&floats(&[replaced])));
        made.json["accessors"][wear]["sparse"] = json!({
            "count": 1, "indices": {"bufferView": indices, "componentType": U8}, "values": {"bufferView": values},
        });
        made.attributes(0, 0)["_WEAR"] = json!(wear);
        assert_eq!(told(&made, &Ask::REST).len(), count);
    }
}

#[test]
fn each_accessor_is_told_of_once_and_only_if_it_is_copied() {
    // Two accessors with the same data, one of them used twice.
    let mut made = with_attribute("_A", "SCALAR", &[NAN; COUNT]);
    let one = made.attributes(0, 0)["_A"].as_u64().unwrap() as usize;
    let twin = made.json["accessors"][one].clone();
    let view = twin["bufferView"].as_u64().unwrap() as usize;
    made.json["bufferViews"][view]["byteStride"] = json!(4);
    made.attributes(0, 0)["_B"] = json!(made.push("accessors", twin));
    made.attributes(0, 0)["_C"] = json!(one);
    let told_of = told(&made, &Ask::REST);
    assert_eq!(told_of.len(), 2, "{told_of:?}");
    assert!(
        told_of[0].contains("._A`") && told_of[1].contains("._B`"),
        "{told_of:?}"
    );

    // Targets are applied or left out, and what nothing refers to goes.
    let mut made = arm();
    made.floats("SCALAR", &[NAN; COUNT]);
    let target = made.floats("VEC2", &[NAN; 2 * COUNT]);
    made.json["meshes"][0]["primitives"][0]["targets"] = json!([{"TEXCOORD_0": target}]);
    baked(&made, &Ask::REST);
    made.json["meshes"][0]["weights"] = json!([0.5]);
    refused(&made, &Ask::REST);
}

#[test]
fn places_of_instances_are_looked_at() {
    let mut made = without_skin(arm());
    let places = made.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, INF, 0.0]);
    made.json["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
    let extension = json!({"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": places}}});
    made.json["nodes"][2]["extensions"] = extension;
    let dir = Dir::with("made.glb", made.glb());
    let line = &lines(&dir, "made.glb -o out")[0];
    let warnings = line["warnings"].as_array().unwrap();
    let of_data: Vec<String> = warnings
        .iter()
        .filter(|warning| warning["code"] == "W07")
        .map(with_path)
        .collect();
    let expected = format!("`accessors[{places}]`: component 1 of element 1 is inf");
    assert!(
        of_data.len() == 1 && of_data[0].starts_with(&expected),
        "{of_data:?}"
    );
}

/// `min` and `max` of the position of the last mesh of a bake, which are as they were, or written anew.
fn bounds_of(made: &Made) -> [Value; 2] {
    let dir = Dir::with("made.glb", made.glb());
    lines(&dir, "made.glb -o out");
    let output = Gltf::read(&dir.read("out/made.glb"), dir.path());
    let mesh = output.tree.list("meshes").last().unwrap().clone();
    let accessor = mesh.list("primitives")[0]
        .at("attributes.POSITION")
        .unwrap()
        .index();
    let accessor = &output.tree.list("accessors")[accessor];
    ["min", "max"].map(|key| json!(accessor.numbers_of(key)))
}

#[test]
fn bounds_that_the_data_contradict_are_corrected() {
    let numbers = [0.1, -2.0, 0.0, 0.5, 3.0, -0.0, 0.25, 1.0, 0.0f32];
    let made = |min: Value, max: Value, numbers: &[f32]| {
        let mut made = arm();
        let position = made.floats("VEC3", numbers);
        made.json["accessors"][position]["min"] = min;
        made.json["accessors"][position]["max"] = max;
        let primitive = json!({"attributes": {"POSITION": position}});
        let mesh = made.push("meshes", json!({"primitives": [primitive]}));
        made.push("nodes", json!({"mesh": mesh}));
        made
    };
    let (min, max) = (json!([0.1, -2, 0.0]), json!([0.5, 3.0, 0]));
    let exact = json!([f64::from(0.1f32), -2.0, 0.0]);
    // Those that agree as f32 stay as they are written.
    let kept = bounds_of(&made(min.clone(), max.clone(), &numbers));
    assert_eq!(kept, [json!([0.1, -2.0, 0.0]), json!([0.5, 3.0, 0.0])]);
    let all = json!([0.5, 3.0, 0.0]);
    for wrong in [
        json!([0.1, -1.5, 0]),
        json!([0.1, -2]),
        json!("none"),
        json!([0.1, -2, null]),
    ] {
        assert_eq!(
            bounds_of(&made(wrong, max.clone(), &numbers)),
            [exact.clone(), all.clone()]
        );
    }
    assert_eq!(
        bounds_of(&made(min.clone(), json!([0.5, 3.0, 1.0]), &numbers)),
        [json!([0.1, -2.0, 0.0]), all.clone()]
    );
    // Numbers that are not finite have no part in them.
    let mut odd = numbers;
    (odd[1], odd[2], odd[5], odd[8]) = (-INF, NAN, INF, NAN);
    let [least, greatest] = bounds_of(&made(min, max, &odd));
    assert_eq!(least, json!([f64::from(0.1f32), 1.0, 0.0]));
    assert_eq!(greatest, json!([0.5, 3.0, 0.0]));
}

#[test]
fn bounds_of_integers_are_those_that_are_stored() {
    let mut made = arm();
    let rows: Vec<u8> = (0..COUNT as i16)
        .flat_map(|v| [100 * v - 300, 7].map(i16::to_le_bytes).concat())
        .collect();
    let wear = made.accessor("VEC2", I16, COUNT, &rows);
    made.json["accessors"][wear]["normalized"] = json!(true);
    made.json["accessors"][wear]["min"] = json!([-300, 7]);
    made.json["accessors"][wear]["max"] = json!([200.0, 7]);
    made.attributes(0, 0)["_WEAR"] = json!(wear);
    let indices = made.json["meshes"][0]["primitives"][0]["indices"]
        .as_u64()
        .unwrap() as usize;
    made.json["accessors"][indices]["min"] = json!([0]);
    made.json["accessors"][indices]["max"] = json!([5]);
    baked(&made, &Ask::REST); // all are as they were
    let long: Vec<u8> = (0..5000u16).flat_map(|i| (i % 6).to_le_bytes()).collect();
    let long = made.accessor("SCALAR", U16, 4998, &long[..2 * 4998]);
    made.json["accessors"][long]["max"] = json!([9]);
    made.json["meshes"][0]["primitives"][0]["indices"] = json!(long);
    made.json["accessors"][wear]["min"] = json!([-1, 0.00021]);
    let dir = Dir::with("made.glb", made.glb());
    lines(&dir, "made.glb -o out");
    let output = Gltf::read(&dir.read("out/made.glb"), dir.path());
    let primitive = &output.tree.list("meshes")[0].list("primitives")[0];
    let of = |path: &str| &output.tree.list("accessors")[primitive.at(path).unwrap().index()];
    assert_eq!(of("indices").numbers_of("max"), Some(vec![5.0]));
    assert!(of("indices").get("min").is_none(), "none is added");
    let wear = of("attributes._WEAR");
    assert_eq!(wear.numbers_of("min"), Some(vec![-300.0, 7.0]));
    assert_eq!(wear.numbers_of("max"), Some(vec![200.0, 7.0]));
}

#[test]
fn the_numbers_of_long_accessors_are_all_looked_at() {
    // Longer than what is read at a time, with one bad number, or the bounds, at various places.
    for (kind, width) in [("SCALAR", 1), ("VEC2", 2), ("VEC3", 3), ("VEC4", 4)] {
        let count = 4001;
        for at in [0, 1, 1535 * width, 1536 * width + 1, count * width - 1] {
            let mut numbers = vec![0.5f32; count * width];
            numbers[at] = 7.5;
            let good = long(kind, width, &numbers);
            numbers[at] = NAN;
            let bad = long(kind, width, &numbers);
            let (vertex, component) = (at / width, at % width);
            let [max, _] = [&good, &bad].map(|(max, _)| max.clone());
            let mut expected = vec![0.5; width];
            expected[component] = 7.5;
            assert_eq!(max, expected, "{kind} {at}");
            assert!(good.1.is_empty(), "{:?}", good.1);
            let place = format!("component {component} of vertex {vertex} is NaN");
            assert!(
                bad.1.len() == 1 && bad.1[0].contains(&place),
                "{kind} {at} {:?}",
                bad.1
            );
            assert_eq!(bad.0, vec![0.5; width]);
        }
    }
}

/// `max` of an attribute with these numbers, for which the input has another, and the warnings of the bake.
fn long(kind: &str, width: usize, numbers: &[f32]) -> (Vec<f64>, Vec<String>) {
    let mut made = Made {
        json: json!({"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}]}),
        bin: Vec::new(),
    };
    let count = numbers.len() / width;
    let position = made.floats("VEC3", &vec![0.0; 3 * count]);
    let wear = made.floats(kind, numbers);
    made.json["accessors"][wear]["max"] = json!([]);
    let primitive = json!({"attributes": {"POSITION": position, "_WEAR": wear}, "mode": 0});
    made.push("meshes", json!({"primitives": [primitive]}));
    let dir = Dir::with("made.glb", made.glb());
    let line = lines(&dir, "made.glb -o out").remove(0);
    let warnings = line["warnings"].as_array().unwrap().iter();
    let warnings = warnings.filter(|warning| warning["code"] == "W07");
    let warnings = warnings.map(with_path).collect();
    let output = Gltf::read(&dir.read("out/made.glb"), dir.path());
    let accessors = output.tree.list("accessors").iter();
    let max = accessors
        .filter_map(|accessor| accessor.numbers_of("max"))
        .next();
    (max.unwrap(), warnings)
}
