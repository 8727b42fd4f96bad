//! Made files with various parts around the vertices: buffers and images elsewhere, unknown members.

use serde_json::json;

use super::builder::{Made, arm, glb};
use super::reader::Gltf;
use super::runs::{Ask, baked, checked};
use crate::support::Dir;

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
        let dir = Dir::with("in/arm.gltf", text(&made, uri));
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
    let uvs = made.floats("VEC2", &[0.5; 12]);
    made.attributes(0, 0)["TEXCOORD_0"] = json!(uvs);
    let view = made.json["accessors"][uvs]["bufferView"].as_u64().unwrap() as usize;
    let view = &mut made.json["bufferViews"][view];
    let start = view["byteOffset"].as_u64().unwrap() as usize;
    view["buffer"] = json!(1);
    view["byteOffset"] = json!(0);
    let (first, second) = made.bin.split_at(start);
    made.json["buffers"] =
        json!([{"byteLength": first.len()}, {"byteLength": second.len(), "uri": "uv.bin"}]);
    let dir = Dir::with("two.glb", glb(&made.json.to_string(), first));
    dir.write("uv.bin", second);
    checked(&dir, "two.glb", &Ask::at(0.3));
}

#[test]
fn a_missing_buffer_fails_its_file_alone() {
    let dir = Dir::with("in/a.gltf", text(&arm(), "gone.bin"));
    dir.write("in/b.glb", arm().glb());
    let ran = dir.run("bake in -o out --format json");
    assert_eq!(ran.status(), 1);
    let lines = ran.json();
    assert_eq!(
        json!([lines[0]["status"], lines[1]["status"]]),
        json!(["failed", "written"])
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
fn unknown_members_pass_through_letter_by_letter() {
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
    let dir = Dir::with("odd.glb", glb(&text, &bin));
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
    accessor["min"] = json!([0, 1.0 - 5f32 / 7.0]);
    accessor["max"] = json!([1.0, 1]);
    baked(&made, &Ask::at(0.3));
}

#[test]
fn data_without_a_reference_is_left_out() {
    let mut made = arm();
    made.floats("SCALAR", &[1.0; 1000]);
    made.view(&[7; 1000]);
    let with = baked(&made, &Ask::at(0.3));
    let without = baked(&arm(), &Ask::at(0.3));
    assert_eq!(with.buffers, without.buffers);
}

#[test]
fn the_kind_of_an_image_is_the_one_its_uri_declares_if_its_bytes_tell_none() {
    let mut made = arm();
    let uri = format!("data:image/avif;base64,{}", base64(b"\0\0\0\x1cftypavif"));
    made.json["images"] = json!([{ "uri": uri }]);
    let output = baked(&made, &Ask::REST);
    assert_eq!(image(&output, 0).0, "image/avif");
}

#[test]
fn one_image_under_two_names_is_folded_in() {
    let mut made = arm();
    made.json["images"] = json!([{"uri": "a.png", "name": "one"}, {"uri": "a.png", "name": "two"}]);
    let dir = Dir::with("made.glb", made.glb());
    dir.write("a.png", PNG);
    let (output, _) = checked(&dir, "made.glb", &Ask::REST);
    assert_eq!(image(&output, 0), image(&output, 1));
}

#[test]
fn files_outside_the_root_are_not_read() {
    let mut made = arm();
    made.json["images"] = json!([{"uri": "../a.png"}]);
    let dir = Dir::with("in/made.glb", made.glb());
    dir.write("a.png", PNG);
    dir.run("bake in -o out").exits_saying(1, "../a.png");
    dir.run("bake in -o out --root .").good();
    for uri in ["http://example.com/a.png", "/a.png", "file:a.png"] {
        made.json["images"][0]["uri"] = json!(uri);
        dir.write("in/made.glb", made.glb());
        dir.run("bake in -o other --root .").exits(1);
    }
    assert_eq!(dir.files(), ["a.png", "in/made.glb", "out/made.glb"]);
}
