//! Base colour textures in pictures: where they lie, and what happens to images that cannot be shown.

use rigy_batch::base::meter::Meter;
use rigy_batch::mesh::Model;
use rigy_batch::view::picture::{Frame, Image, Paint, Textures, View, draw, png};
use rigy_batch::{Location, MemoryLoader, Source};

use super::preview::PLAIN;
use crate::support::Dir;
use crate::support::chance::cases;
use crate::support::viewer_page::ViewerPage;

/// Two pixels: opaque red on the left, and transparent blue on the right.
pub const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAADUlEQVR42mP4z8AARgAO+gL+KkBeuQAAAABJRU5ErkJggg==";

/// The left half red, the right half blue.
const JPEG: &str = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAgACADASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFgEBAQEAAAAAAAAAAAAAAAAABwUG/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AigJbeI4BQHKwALyMjgFAcv/Z";

/// A PNG that says it has 16000 × 16000 pixels.
const LARGE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAPoAAAD6ACAIAAADOHEiJAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg==";

/// The corners of the two triangles of a square from 0 to 1, counter-clockwise.
pub const CORNERS: [[f32; 2]; 6] = [
    [0.0, 0.0],
    [1.0, 0.0],
    [1.0, 1.0],
    [0.0, 0.0],
    [1.0, 1.0],
    [0.0, 1.0],
];

/// Positions and texture coordinates of a square from 0 to 1 that faces +Z; the image's top is at the upper edge.
pub fn square() -> Vec<u8> {
    let positions = CORNERS.iter().flat_map(|[x, y]| [*x, *y, 0.0]);
    let coordinates = CORNERS.iter().flat_map(|[x, y]| [*x, 1.0 - y]);
    positions
        .chain(coordinates)
        .flat_map(f32::to_le_bytes)
        .collect()
}

/// A file with the square; its material, texture and sampler have these members, and its image lies in this URI.
pub fn file(material: &str, texture_info: &str, sampler: &str, image: &str) -> String {
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}], "nodes": [{{"mesh": 0}}],
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0, "TEXCOORD_0": 1}}, "material": 0}}]}}],
        "accessors": [{{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 6, "min": [0, 0, 0], "max": [1, 1, 0]}},
        {{"bufferView": 1, "componentType": 5126, "type": "VEC2", "count": 6}}],
        "bufferViews": [{{"buffer": 0, "byteLength": 72}}, {{"buffer": 0, "byteOffset": 72, "byteLength": 48}}],
        "buffers": [{{"uri": "square.bin", "byteLength": 120}}],
        "materials": [{{"extensions": {{"KHR_materials_unlit": {{}}}}, "pbrMetallicRoughness": {{"baseColorFactor": [1, 0.5, 1, 1], "baseColorTexture": {{"index": 0{texture_info}}}}}{material}}}],
        "textures": [{{"source": 0, "sampler": 0}}], "samplers": [{{{sampler}}}], "images": [{{"uri": "{image}"}}]}}"#
    )
}

/// The picture of a file from the front, and the notes about it.
fn drawn(text: &str) -> (Image, Vec<String>) {
    let mut loader = MemoryLoader::default();
    loader.files.insert("square.bin".into(), square());
    drawn_with(text, &loader, 40)
}

/// The same of a file with other files beside it, and of `side` pixels.
pub fn drawn_with(text: &str, loader: &MemoryLoader, side: usize) -> (Image, Vec<String>) {
    let location = Location("square.gltf".into());
    let source = Source::read(text.as_bytes(), &location, loader)
        .expect("the file is good")
        .value;
    let model = Model::of_file(&source.file).expect("so are its vertices");
    let textures = Textures::read(&source);
    let mut frame = Frame::new(View::Front);
    frame.include(&model);
    let image = draw(
        &model,
        &frame,
        side,
        Paint::Materials(&textures),
        &PLAIN,
        Meter::default(),
    )
    .expect("it is small");
    (image, textures.notes)
}

/// The colours in the quarters of the square: upper left, upper right, lower left, lower right.
fn quarters(image: &Image) -> [&'static str; 4] {
    [[11, 11], [28, 11], [11, 28], [28, 28]].map(|[x, y]| match image.pixels[y * 40 + x] {
        [200..=255, 0..60, 0..60, 255] => "red",
        [0..60, 0..60, 200..=255, 255] => "blue",
        color if color == image.pixels[0] => "none",
        [200..=255, 100..200, 200..=255, 255] => "factor",
        _ => "other",
    })
}

/// Writes a file with a PNG and one with a JPEG, which lie turned and repeated on their squares.
pub fn write_turned(dir: &Dir, folder: &str) {
    dir.write(&format!("{folder}/square.bin"), square());
    let turned = r#", "extensions": {"KHR_texture_transform": {"rotation": 0.3, "scale": [3, 3]}}"#;
    for (kind, base64) in [("png", PNG), ("jpeg", JPEG)] {
        let text = file("", turned, r#""wrapT": 33648"#, &data(kind, base64));
        dir.write(&format!("{folder}/{kind}.gltf"), text);
    }
}

fn data(kind: &str, base64: &str) -> String {
    format!("data:image/{kind};base64,{base64}")
}

#[test]
fn a_texture_lies_where_coordinates_transform_and_sampler_put_it() {
    let columns = |left, right| [left, right, left, right];
    let rows = |upper, lower| [upper, upper, lower, lower];
    let transform =
        |members: &str| format!(r#", "extensions": {{"KHR_texture_transform": {{{members}}}}}"#);
    let mirrored = transform(r#""scale": [-1, 1]"#);
    #[rustfmt::skip] // a row stays a line
    let rows = [
        ("", "", columns("red", "blue")),
        ("", r#""magFilter": 9728"#, columns("red", "blue")),
        (&*transform(r#""offset": [0.5, 0]"#), "", columns("blue", "red")),
        (&mirrored, "", columns("blue", "red")),
        (&mirrored, r#""wrapS": 33648"#, columns("red", "blue")),
        (&mirrored, r#""wrapS": 33071"#, columns("red", "red")),
        // The image seems turned clockwise: its left side is up.
        (&transform(r#""rotation": 1.5707963267948966"#), "", rows("red", "blue")),
        (&transform(r#""rotation": -1.5707963267948966"#), "", rows("blue", "red")),
        (&transform(r#""rotation": 1e300, "offset": [1e300, 1]"#), "", rows("any", "any")),
    ];
    for (info, sampler, expected) in rows {
        for (kind, base64) in [("png", PNG), ("jpeg", JPEG)] {
            let (image, notes) = drawn(&file("", info, sampler, &data(kind, base64)));
            assert_eq!(notes, [""; 0]);
            if expected[0] != "any" {
                assert_eq!(quarters(&image), expected, "{kind} {info} {sampler}");
            }
        }
    }
}

#[test]
fn what_a_mask_cuts_out_is_not_drawn() {
    for (material, expected) in [
        ("", ["red", "blue"]),
        (r#", "alphaMode": "OPAQUE""#, ["red", "blue"]),
        (r#", "alphaMode": "MASK""#, ["red", "none"]),
        (
            r#", "alphaMode": "MASK", "alphaCutoff": 0"#,
            ["red", "blue"],
        ),
        (
            r#", "alphaMode": "MASK", "alphaCutoff": 1.5"#,
            ["none", "none"],
        ),
        (r#", "alphaMode": "BLEND""#, ["red", "none"]),
    ] {
        let (image, _) = drawn(&file(
            material,
            "",
            r#""magFilter": 9728"#,
            &data("png", PNG),
        ));
        assert_eq!(quarters(&image)[..2], expected, "{material}");
    }
}

#[test]
fn the_set_of_a_texture_decides_which_coordinates_place_it() {
    let good = data("png", PNG);
    let named = |set: u64, info: &str| {
        let text = file("", info, r#""magFilter": 9728"#, &good);
        drawn(&text.replace("TEXCOORD_0", &format!("TEXCOORD_{set}")))
    };
    let (of_first, notes) = named(0, "");
    assert_eq!(notes, [""; 0]);
    for set in [1, 7] {
        let found = named(set, &format!(r#", "texCoord": {set}"#));
        assert_eq!(found, (of_first.clone(), Vec::new()), "{set}");
    }
    let (other, notes) = named(1, "");
    assert!(notes[0].contains("no surface with it has texture coordinates of set 0"));
    assert_eq!(quarters(&other), ["factor"; 4]);
}

#[test]
fn images_that_cannot_be_shown_leave_the_base_colour_and_a_note() {
    let good = data("png", PNG);
    let cut = data("png", &PNG[..PNG.len() - 40]);
    let cut_jpeg = data("jpeg", &JPEG[..32]);
    // Its frame header says 65535 × 65535 instead of 32 × 32.
    let wide = data("jpeg", &JPEG.replace("wAARCAAgACAD", "wAARCP////8D"));
    for (info, image, word) in [
        ("", &*cut, "its PNG is broken"),
        ("", &wide, "65535 × 65535 pixels are too many"),
        ("", &cut_jpeg, "its JPEG is broken"),
        ("", &data("png", LARGE), "16000 × 16000 pixels are too many"),
        ("", &data("webp", "UklGRgAAAABXRUJQ"), "its WebP is broken"),
        ("", &data("png", ""), "neither PNG, JPEG nor WebP"),
        (r#", "texCoord": 1"#, &good, "set 1"),
    ] {
        let (picture, notes) = drawn(&file("", info, "", image));
        assert_eq!(notes.len(), 1, "{notes:?}");
        assert!(
            notes[0].starts_with("materials[0]") && notes[0].contains(word),
            "{word}: {notes:?}"
        );
        assert_eq!(quarters(&picture), ["factor"; 4], "{word}");
    }
    for (from, to, word) in [
        (r#""source": 0"#, r#""extensions": {}"#, "names no image"),
        (r#""source": 0"#, r#""source": 7"#, "there is no such image"),
        (
            r#""index": 0"#,
            r#""index": 18446744073709551615"#,
            "texture does not exist",
        ),
        (r#""uri": "data:"#, r#""was": "data:"#, "no bytes"),
    ] {
        let text = file("", "", "", &good).replace(from, to);
        let (picture, notes) = drawn(&text);
        assert!(
            notes.len() == 1 && notes[0].contains(word),
            "{word}: {notes:?}"
        );
        assert_eq!(quarters(&picture), ["factor"; 4], "{word}");
    }
}

#[test]
fn changed_bytes_of_images_never_end_the_program() {
    let bytes = |text: &str| -> Vec<u8> { text.bytes().collect() };
    for (kind, base64) in [("png", PNG), ("jpeg", JPEG)] {
        // Each character of the text is replaced by some others, so that headers, tables and data all become wrong.
        for at in 0..base64.trim_end_matches('=').len() {
            for digit in &[b'/', b'A', b'q'][..cases(1, 3)] {
                let mut changed = bytes(base64);
                changed[at] = *digit;
                let changed = String::from_utf8(changed).expect("it is ASCII");
                drawn(&file("", "", "", &data(kind, &changed)));
            }
        }
    }
}

#[test]
fn a_broken_texture_is_a_message_and_no_failure() {
    let dir = Dir::with("square.bin", square());
    dir.write("square.gltf", file("", "", "", "\\u001b[31m.png"));
    dir.write("\u{1b}[31m.png", "no image");
    let ran = dir.run("preview square.gltf -o a.png --size 32");
    assert_eq!(
        (ran.status(), ran.stdout().as_str()),
        (0, "1 file: 1 picture\n")
    );
    let expected = "rigy-batch: square.gltf: materials[0] has no base colour texture in the picture: images[0]: it is neither PNG, JPEG nor WebP\n";
    assert_eq!(ran.stderr(), expected);
    let ran = dir.run("preview square.gltf -o a.png --size 32 -q");
    assert_eq!((ran.status(), ran.stderr().as_str()), (0, ""));
}

#[test]
fn images_that_are_too_large_together_are_shown_smaller() {
    let image = |color: [u8; 4]| Image::filled(4096, 4160, color);
    let mut loader = MemoryLoader::default();
    loader.files.insert("square.bin".into(), square());
    for (name, color) in [
        ("red.png", [255, 0, 0, 255]),
        ("blue.png", [0, 0, 255, 255]),
    ] {
        loader.files.insert(name.into(), png(&image(color)));
    }
    // The right half has a material with the other image.
    let mut tree: serde_json::Value = serde_json::from_str(&file("", "", "", "red.png")).unwrap();
    let mut other = tree["materials"][0].clone();
    other["pbrMetallicRoughness"]["baseColorTexture"]["index"] = 1.into();
    tree["materials"].as_array_mut().unwrap().push(other);
    tree["textures"] = serde_json::json!([{"source": 0}, {"source": 1}]);
    tree["images"] = serde_json::json!([{"uri": "red.png"}, {"uri": "blue.png"}]);
    let mut moved = tree["meshes"][0].clone();
    moved["primitives"][0]["material"] = 1.into();
    tree["meshes"].as_array_mut().unwrap().push(moved);
    tree["nodes"] = serde_json::json!([{"mesh": 0}, {"mesh": 1, "translation": [0.5, 0, 0.1]}]);
    tree["scenes"][0]["nodes"] = serde_json::json!([0, 1]);
    let (picture, notes) = drawn_with(&tree.to_string(), &loader, 40);
    assert_eq!(notes, [""; 0]);
    let colors = [10, 30].map(|x| picture.pixels[20 * 40 + x]);
    assert!(
        colors[0][0] > 200 && colors[0][2] < 60 && colors[1][2] > 200 && colors[1][0] < 60,
        "{colors:?}"
    );
}

#[test]
fn images_that_overlap_are_read_only_twice() {
    let image = png(&Image::filled(8, 8, [255, 0, 0, 255]));
    let mut tree: serde_json::Value = serde_json::from_str(&file("", "", "", "")).unwrap();
    let five = |of: &mut dyn FnMut(usize) -> serde_json::Value| (0..5).map(of).collect();
    let mut material = tree["materials"][0].clone();
    tree["materials"] = five(&mut |index| {
        material["pbrMetallicRoughness"]["baseColorTexture"]["index"] = index.into();
        material.clone()
    });
    tree["textures"] = five(&mut |index| serde_json::json!({"source": index}));
    tree["images"] = five(&mut |index| serde_json::json!({"bufferView": 2 + index}));
    let views = tree["bufferViews"].as_array_mut().unwrap();
    views.extend((0..5).map(|more| serde_json::json!({"buffer": 0, "byteOffset": 120, "byteLength": image.len() + more})));
    let mut primitive = tree["meshes"][0]["primitives"][0].clone();
    tree["meshes"][0]["primitives"] = five(&mut |index| {
        primitive["material"] = index.into();
        primitive.clone()
    });
    let data = [square(), image, vec![0; 4]].concat();
    tree["buffers"][0]["byteLength"] = data.len().into();
    let dir = Dir::with("square.bin", data);
    dir.write("square.gltf", tree.to_string());
    let ran = dir.run("preview square.gltf -o a.png --size 32");
    let expected = "rigy-batch: square.gltf: materials[2] has no base colour texture in the picture: images[2]: its bytes are those of too many images before it; 2 more textures are missing for this reason\n";
    assert_eq!((ran.status(), ran.stderr().as_str()), (0, expected));
    dir.run("view square.gltf --no-open -o .").good();
    let page = ViewerPage::read(&dir, "square.gltf.html");
    let notes = page.scene["notes"].to_string();
    assert!(notes.contains("too large alone or together: 3."), "{notes}");
}

#[test]
fn pictures_say_that_textures_are_missing() {
    let dir = Dir::with("square.bin", square());
    let sheet = |image: &str| {
        dir.write("square.gltf", file("", "", "", image));
        dir.run("preview square.gltf -o a.png --size 256 -q").good();
        dir.read("a.png")
    };
    let (cut, other) = (data("png", &PNG[..PNG.len() - 40]), data("png", ""));
    assert_eq!(sheet(&cut), sheet(&other));
    // The same picture, without a texture to miss.
    let mut tree: serde_json::Value = serde_json::from_str(&file("", "", "", &other)).unwrap();
    tree["materials"][0]["pbrMetallicRoughness"]
        .as_object_mut()
        .unwrap()
        .remove("baseColorTexture");
    dir.write("square.gltf", tree.to_string());
    dir.run("preview square.gltf -o b.png --size 256 -q").good();
    assert!(
        dir.read("a.png") != dir.read("b.png"),
        "the text in the corner"
    );
}
