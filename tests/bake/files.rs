//! Made files, by what is around the vertices: buffers and images elsewhere, extensions, members nobody knows.

use serde_json::json;

use super::builder::{FLOAT, Made, U8, arm, glb};
use super::reader::{Gltf, chunks};
use super::runs::{Ask, baked, checked, warned};
use super::structure;
use super::support::Dir;

/// Beginnings of real images are enough to tell their kind.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR?";
const JPEG: &[u8] = b"\xff\xd8\xff\xe0\0\x10JFIF\0!";

fn base64(bytes: &[u8]) -> String {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let held = (0..3).fold(0, |held, i| {
            held << 8 | usize::from(*group.get(i).unwrap_or(&0))
        });
        for place in 0..4 {
            let digit = digits[held >> (18 - 6 * place) & 63];
            text.push(if place <= group.len() {
                char::from(digit)
            } else {
                '='
            });
        }
    }
    text
}

/// A `.gltf` text with one buffer of a URI.
fn text(made: &Made, uri: &str) -> String {
    let mut json = made.json.clone();
    json["buffers"] =
        json!([{"byteLength": made.bin.len(), "uri": uri, "extras": {"from": "far"}}]);
    json.to_string()
}

/// What an image has become.
fn image(output: &Gltf, index: usize) -> (String, Vec<u8>) {
    let image = &output.tree.list("images")[index];
    let view = output.view(image.index_of("bufferView").unwrap());
    (image.text_of("mimeType").unwrap().to_owned(), view.to_vec())
}

#[test]
fn buffers_and_images_of_other_files_are_folded_in() {
    let mut made = arm();
    made.json["images"] = json!([
        {"uri": "skins/a%20b.png", "name": "png beside"},
        {"uri": "c.jpg"},
        {"uri": format!("data:image/png;base64,{}", base64(PNG)), "extras": [1.0]},
        {"uri": "d.jpeg", "mimeType": "image/jpeg"},
    ]);
    let inside = made.view(JPEG);
    made.push(
        "images",
        json!({"bufferView": inside, "mimeType": "image/jpeg"}),
    );
    made.json["textures"] =
        json!([{"source": 0}, {"source": 1}, {"source": 2}, {"source": 3}, {"source": 4}]);
    let data = format!("data:application/octet-stream;base64,{}", base64(&made.bin));
    for uri in ["deep/arm%20one.bin", &data] {
        let dir = Dir::new();
        dir.write("in/arm.gltf", text(&made, uri));
        dir.write("in/deep/arm one.bin", &made.bin);
        dir.write("in/skins/a b.png", PNG);
        dir.write("in/c.jpg", JPEG);
        dir.write("in/d.jpeg", JPEG);
        let (output, warnings) = checked(&dir, "in/arm.gltf", &Ask::at(0.3));
        assert!(warnings.is_empty(), "{warnings:#?}");
        for (index, (kind, bytes)) in [
            ("png", PNG),
            ("jpeg", JPEG),
            ("png", PNG),
            ("jpeg", JPEG),
            ("jpeg", JPEG),
        ]
        .into_iter()
        .enumerate()
        {
            assert_eq!(
                image(&output, index),
                (format!("image/{kind}"), bytes.to_vec()),
                "image {index}"
            );
        }
    }
}

#[test]
fn several_buffers_become_one() {
    let mut made = arm();
    let uvs = made.of_floats("VEC2", 2, &[0.5; 12]);
    made.attributes(0, 0)["TEXCOORD_0"] = json!(uvs);
    let view = made.json["accessors"][uvs]["bufferView"].as_u64().unwrap() as usize;
    let view = &mut made.json["bufferViews"][view];
    let start = view["byteOffset"].as_u64().unwrap() as usize;
    view["buffer"] = json!(1);
    view["byteOffset"] = json!(0);
    let (first, second) = made.bin.split_at(start);
    made.json["buffers"] =
        json!([{"byteLength": first.len()}, {"byteLength": second.len(), "uri": "uv.bin"}]);
    let dir = Dir::new();
    dir.write("two.glb", glb(&made.json.to_string(), first));
    dir.write("uv.bin", second);
    checked(&dir, "two.glb", &Ask::at(0.3));
}

#[test]
fn a_missing_buffer_fails_its_file_alone() {
    let dir = Dir::new();
    dir.write("in/a.gltf", text(&arm(), "gone.bin"));
    dir.write("in/b.glb", arm().glb());
    let ran = dir.run(&["bake", "in", "-o", "out", "--format", "json"]);
    assert_eq!(ran.status(), 1);
    let lines = ran.json();
    assert_eq!(
        (&lines[0]["status"], &lines[1]["status"]),
        (&json!("failed"), &json!("written"))
    );
    assert!(
        lines[0]["errors"][0]["message"]
            .as_str()
            .unwrap()
            .contains("gone.bin")
    );
    assert_eq!(dir.files(), ["in/a.gltf", "in/b.glb", "out/b.glb"]);
}

#[test]
fn extensions_stay_listed_where_they_are_used() {
    let mut made = arm();
    made.json["extensionsUsed"] = json!([
        "KHR_materials_unlit",
        "ACME_clips",
        "KHR_mesh_quantization",
        "ACME_rig",
        "KHR_lights_punctual"
    ]);
    made.json["extensionsRequired"] = json!(["KHR_materials_unlit", "KHR_mesh_quantization"]);
    made.json["materials"][0]["extensions"] = json!({"KHR_materials_unlit": {}});
    made.json["animations"][0]["extensions"] = json!({"ACME_clips": {"loop": true}});
    made.json["skins"][0]["extensions"] = json!({"ACME_rig": [1, 2]});
    made.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [{"type": "point"}]}});
    made.json["nodes"][0]["extensions"] = json!({"KHR_lights_punctual": {"light": 0}});
    let output = baked(&made, &Ask::at(0.3));
    let used: Vec<_> = output
        .tree
        .list("extensionsUsed")
        .iter()
        .filter_map(|e| e.str())
        .collect();
    assert_eq!(used, ["KHR_materials_unlit", "KHR_lights_punctual"]);
    made = arm();
    made.json["extensionsUsed"] = json!(["ACME_clips"]);
    made.json["animations"][0]["extensions"] = json!({"ACME_clips": {"loop": true}});
    let output = baked(&made, &Ask::at(0.3));
    assert!(output.tree.get("extensionsUsed").is_none());
}

#[test]
fn animations_by_pointer_go_with_the_others() {
    let mut made = arm();
    made.json["extensionsUsed"] = json!(["KHR_animation_pointer"]);
    let pointer = json!({"sampler": 0, "target": {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/materials/0/pbrMetallicRoughness/baseColorFactor"}}}});
    made.json["animations"][0]["channels"]
        .as_array_mut()
        .unwrap()
        .push(pointer);
    let (output, _) = warned(&made, &Ask::at(0.3));
    assert!(output.tree.get("extensionsUsed").is_none());
}

#[test]
fn accessors_of_instanced_nodes_are_still_referred_to() {
    let mut made = arm();
    made.json["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
    let places = made.of_floats("VEC3", 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let sizes = made.of_floats("VEC3", 3, &[0.5; 6]);
    let positions = made.of_floats("VEC3", 3, &[0.0, 1.0, 2.0]);
    let mesh = made.push(
        "meshes",
        json!({"primitives": [{"attributes": {"POSITION": positions}, "mode": 0}]}),
    );
    let node = json!({"mesh": mesh, "extensions": {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": places, "SCALE": sizes}}}});
    let node = made.push("nodes", node);
    made.json["scenes"][0]["nodes"] = json!([0, 3, node]);
    let dir = Dir::new();
    dir.write("made.glb", made.glb());
    let ran = super::runs::run(&dir, "made.glb", &Ask::at(0.3));
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
    let output = Gltf::read(&dir.read("out/made.glb"), dir.path());
    let attributes = format!("nodes.{node}.extensions.EXT_mesh_gpu_instancing.attributes");
    let attributes = output.tree.at(&attributes).unwrap();
    let values = |name: &str| output.reals(attributes.index_of(name).unwrap()).concat();
    assert_eq!(values("TRANSLATION"), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(values("SCALE"), [0.5; 6]);
}

#[test]
fn views_of_property_tables_are_still_referred_to() {
    let mut made = arm();
    made.json["extensionsUsed"] = json!(["EXT_structural_metadata"]);
    let view = made.view(b"heights!");
    made.json["extensions"] = json!({"EXT_structural_metadata": {
        "schema": {"id": "s", "classes": {"c": {"properties": {"h": {"type": "SCALAR", "componentType": "UINT8"}}}}},
        "propertyTables": [{"class": "c", "count": 8, "properties": {"h": {"values": view}}}],
    }});
    let dir = Dir::new();
    dir.write("made.glb", made.glb());
    let ran = super::runs::run(&dir, "made.glb", &Ask::at(0.3));
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
    let output = Gltf::read(&dir.read("out/made.glb"), dir.path());
    let table = "extensions.EXT_structural_metadata.propertyTables.0.properties.h.values";
    let view = output.tree.at(table).unwrap().index();
    assert_eq!(output.view(view), b"heights!");
}

#[test]
fn what_nobody_knows_passes_through_letter_by_letter() {
    // Written by hand, since order and the text of numbers matter.
    let made = arm();
    let (json, bin) = (made.text(), made.bin);
    let odd = r#""zeta": {"b": 1.0, "a": [1e-3, 1E+2, -0.0, 0.10000000000000001, 12345678901234567890], "c": "\u00e9\t\"/"}"#;
    let extras = format!("\"extras\": {{{odd}}}");
    let member = format!("{odd}, {extras}, ");
    let mut text = json.replace("{\"accessors\"", &format!("{{{member}\"accessors\""));
    for marker in [
        "\"asset\":{",
        "\"nodes\":[{",
        "\"scenes\":[{",
        "\"materials\":[{",
        "\"meshes\":[{",
        "\"primitives\":[{",
        "\"pbrMetallicRoughness\":{",
    ] {
        assert!(text.contains(marker), "{marker}");
        text = text.replace(marker, &format!("{marker}{member}"));
    }
    let name = "\"name\":\"body\"";
    text = text.replace(name, &format!("{member}{name}"));
    let cameras =
        r#""cameras":[{"type":"perspective","perspective":{"yfov":1.00,"znear":1e-2}}],"asset""#;
    text = text.replace("\"asset\"", cameras);
    let dir = Dir::new();
    dir.write("odd.glb", glb(&text, &bin));
    for ask in [Ask::REST, Ask::at(0.3)] {
        let (output, _) = checked(&dir, "odd.glb", &ask);
        assert_eq!(output.text.matches("12345678901234567890").count(), 2 * 9);
        assert!(output.text.contains("\"yfov\":1.00"));
    }
}

#[test]
fn names_and_extras_of_accessors_that_stay_are_kept() {
    let mut made = arm();
    let uv = made.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"]
        .as_u64()
        .unwrap();
    let accessor = &mut made.json["accessors"][uv as usize];
    accessor["name"] = json!("uv");
    accessor["extras"] = json!({"layer": 1.5});
    accessor["min"] = json!([0, -0.5]);
    accessor["max"] = json!([1.0, 1]);
    baked(&made, &Ask::at(0.3));
}

#[test]
fn what_nobody_refers_to_is_left_out() {
    let mut made = arm();
    made.of_floats("SCALAR", 1, &[1.0; 1000]);
    made.view(&[7; 1000]);
    let with = baked(&made, &Ask::at(0.3));
    let without = baked(&arm(), &Ask::at(0.3));
    assert_eq!(with.buffers, without.buffers);
}

#[test]
fn a_compressed_sample_loses_the_extension_and_no_vertex() {
    let Some(folder) = super::support::published("gltf-samples/compressed") else {
        return;
    };
    let dir = Dir::new();
    let fox = "Fox-gltfpack";
    for kind in ["quantized", "meshopt"] {
        let name = format!("{fox}-{kind}.glb");
        dir.write(&name, std::fs::read(folder.join(&name)).unwrap());
    }
    for ask in [Ask::REST, Ask::at(0.5)] {
        let ran = super::runs::run(&dir, &format!("{fox}-meshopt.glb"), &ask);
        assert_eq!(ran.status(), 0, "{}", ran.stderr());
        let glb = dir.read(&format!("out/{fox}-meshopt.glb"));
        let mut problems = Vec::new();
        super::container::check(&glb, &mut problems);
        assert!(problems.is_empty(), "{problems:#?}");
        let (plain, _) = checked(&dir, &format!("{fox}-quantized.glb"), &ask);
        let packed = Gltf::read(&glb, dir.path());
        let names = |file: &Gltf| file.tree.list("extensionsUsed").to_vec();
        assert_eq!(names(&packed), names(&plain));
        // The tool reorders vertices when it compresses; what they span stays.
        let bounds = |file: &Gltf| {
            file.tree
                .list("accessors")
                .iter()
                .find_map(|a| a.numbers_of("max"))
        };
        let (a, b) = (bounds(&packed).unwrap(), bounds(&plain).unwrap());
        for (a, b) in a.iter().zip(&b) {
            assert!((a - b).abs() < 0.5, "{a} {b}");
        }
    }
}

#[test]
fn draco_is_refused_by_name() {
    let Some(path) = super::support::published("gltf-samples/compressed/Fox-draco.glb") else {
        return;
    };
    let dir = Dir::new();
    dir.write("fox.glb", std::fs::read(path).unwrap());
    let ran = super::runs::run(&dir, "fox.glb", &Ask::REST);
    assert_eq!(ran.status(), 1);
    let message = ran.json()[0]["errors"][0]["message"].to_string();
    assert!(message.contains("KHR_draco_mesh_compression"), "{message}");
    assert_eq!(dir.files(), ["fox.glb"]);
}

#[test]
fn the_checks_of_this_suite_notice_a_bake_that_does_nothing() {
    let made = arm();
    let input = Gltf::read(&made.glb(), "nowhere".as_ref());
    let ask = Ask::at(0.3);
    let problems = structure::check(&input, &made.glb(), ask.when(), &ask.solver);
    for word in [
        "generator",
        "animations",
        "skins",
        "nodes, not 5",
        "still has mesh",
        "scene 0",
        "translation",
    ] {
        assert!(
            problems.iter().any(|p| p.contains(word)),
            "{word}: {problems:#?}"
        );
    }
    assert_eq!(
        chunks(&made.glb()).1.unwrap().len(),
        made.bin.len().next_multiple_of(4)
    );
    assert_eq!((FLOAT, U8), (5126, 5121));
}
