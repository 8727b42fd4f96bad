//! Made files that refer to images that are not there (`bake.md` §6).

use serde_json::{Value, json};

use super::builder::{Made, arm};
use super::cli::{bake, lines};
use super::reader::Gltf;
use super::runs::{Ask, run};
use super::structure;
use crate::support::{Dir, assert_contains};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR?";

/// An arm with images of these URIs, in a directory as `in/made.glb`.
fn with_images(uris: &[&str]) -> (Dir, Made) {
    let mut made = arm();
    let image = |uri: &&str| json!({ "uri": uri });
    made.json["images"] = uris.iter().map(image).collect();
    let dir = Dir::with("in/made.glb", made.glb());
    (dir, made)
}

#[test]
fn an_image_that_is_not_there_keeps_its_uri() {
    let (dir, made) = with_images(&["gone/a%20b.png", "here.png", "gone/a%20b.png", "here.png/c"]);
    dir.write("in/here.png", PNG);
    let ask = Ask::at(0.3);
    let ran = run(&dir, "in/made.glb", &ask).good();
    let glb = dir.read("out/made.glb");
    let source = Gltf::read(&made.glb(), dir.path());
    let mut problems = structure::check(&source, &glb, ask.when(), &ask.solver);
    // The checks expect every image in the buffer.
    problems.retain(|problem| !problem.starts_with("image "));
    assert!(problems.is_empty(), "{problems:#?}");
    let output = Gltf::read(&glb, dir.path());
    let warnings = ran.json()[0]["warnings"].as_array().unwrap().clone();
    let told: Vec<String> = warnings.iter().map(crate::support::with_path).collect();
    assert_eq!(
        told,
        [
            "`images[0].uri`: \"gone/a%20b.png\" cannot be found; the image keeps its URI",
            "`images[3].uri`: \"here.png/c\" cannot be found; the image keeps its URI",
        ]
    );
    assert!(warnings.iter().all(|warning| warning["code"] == "W07"));
    let images = output.tree.list("images");
    for (index, uri) in [
        (0, "gone/a%20b.png"),
        (2, "gone/a%20b.png"),
        (3, "here.png/c"),
    ] {
        assert_eq!(images[index].keys(), ["uri"]);
        assert_eq!(images[index].text_of("uri"), Some(uri));
    }
    assert_eq!(images[1].keys(), ["bufferView", "mimeType"]);
    assert_eq!(output.view(images[1].index_of("bufferView").unwrap()), PNG);
}

#[test]
fn an_image_that_appears_or_disappears_is_noticed() {
    let (dir, _) = with_images(&["a.png"]);
    let status = || lines(&dir, "in -o out")[0]["status"].clone();
    let uri = || {
        let output = Gltf::read(&dir.read("out/made.glb"), dir.path());
        output.tree.list("images")[0].get("uri").is_some()
    };
    assert_eq!((status(), uri()), (json!("written"), true));
    assert_eq!((status(), uri()), (json!("unchanged"), true));
    dir.write("in/a.png", PNG);
    assert_eq!((status(), uri()), (json!("written"), false));
    assert_eq!((status(), uri()), (json!("unchanged"), false));
    dir.remove("in/a.png");
    assert_eq!((status(), uri()), (json!("written"), true));
}

#[test]
fn what_the_cache_has_of_an_absent_image_is_told_again() {
    let (dir, _) = with_images(&["a.png"]);
    let warnings = || lines(&dir, "in -o out")[0]["warnings"].clone();
    let first = warnings();
    assert_eq!(first.as_array().map(Vec::len), Some(1));
    assert_eq!(warnings(), first);
}

#[test]
fn an_image_whose_uri_names_no_file_is_an_error() {
    let uris = [".", "", "..", "a/", "sub/..", "here.png/.", "%2E", "./"];
    let (dir, _) = with_images(&uris);
    dir.write("in/here.png", PNG);
    dir.write("in/a/x.png", PNG);
    let ran = bake(&dir, "in -o out --root . --format json").exits(1);
    let errors = ran.json()[0]["errors"].as_array().unwrap().clone();
    let told: Vec<String> = errors.iter().map(crate::support::with_path).collect();
    assert_eq!(told.len(), uris.len(), "{told:#?}");
    for (index, (message, uri)) in told.iter().zip(uris).enumerate() {
        let start = format!("`images[{index}].uri`: {uri:?} names no file; put the file beside");
        assert!(message.starts_with(&start), "{message}");
    }
    assert_eq!(dir.files(), ["in/a/x.png", "in/here.png", "in/made.glb"]);
}

#[test]
fn an_image_that_is_there_and_cannot_be_read_is_an_error() {
    let (dir, _) = with_images(&["folder"]);
    dir.write("in/folder/x", "");
    bake(&dir, "in -o out").exits_saying(1, "images[0].uri");
    assert!(!dir.files().contains(&"out/made.glb".to_owned()));
}

#[test]
fn an_output_does_not_take_the_place_of_an_image_that_is_not_there() {
    for uri in ["../out/made.glb", "../out/sub/../MADE.glb"] {
        let (dir, _) = with_images(&[uri]);
        let ran = bake(&dir, "in -o out --root . --format json").exits(1);
        let line: &Value = &ran.json()[0];
        let message = line["errors"][0]["message"].to_string();
        assert_contains(&message, &["out/made.glb` would be in the place"]);
        assert_eq!(dir.files(), ["in/made.glb"]);
        lines(&dir, "in -o elsewhere --root .");
    }
}
