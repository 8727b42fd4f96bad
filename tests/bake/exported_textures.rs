//! Textures beside OBJ and USD: their names, which inputs and frames share, and what becomes of kinds that few clients read.

use serde_json::{Value, json};

use super::builder::{Made, arm};
use super::cli::{bake, lines, outputs};
use crate::support::{Dir, assert_contains};

const PNG: &[u8] = b"\x89PNG of a made file";

/// An arm whose only material has these images: for base colour, normals, emission and occlusion. Bytes go into a buffer view.
fn painted(images: &[(Value, Option<&[u8]>)]) -> Made {
    let mut made = arm();
    let mut list = Vec::new();
    for (image, bytes) in images {
        let mut image = image.clone();
        if let Some(bytes) = bytes {
            image["bufferView"] = made.view(bytes).into();
        }
        list.push(image);
    }
    let textures = (0..list.len()).map(|source| json!({"source": source}));
    made.json["textures"] = textures.collect();
    made.json["images"] = list.into();
    let material = &mut made.json["materials"][0];
    material["pbrMetallicRoughness"]["baseColorTexture"] = json!({"index": 0});
    let others = ["normalTexture", "emissiveTexture", "occlusionTexture"];
    for (index, key) in (1..images.len()).zip(others) {
        material[key] = json!({"index": index});
    }
    made
}

/// An arm with one image of this name.
fn with_image(name: &str, bytes: &[u8]) -> Made {
    painted(&[(json!({"name": name}), Some(bytes))])
}

/// The text of a file.
fn text(dir: &Dir, path: &str) -> String {
    String::from_utf8(dir.read(path)).unwrap()
}

#[test]
fn they_are_called_as_the_file_calls_them() {
    let jpeg = b"\xff\xd8\xff of a made file".as_slice();
    let images = [
        (json!({"name": "skin.png"}), Some(PNG)),
        (json!({"name": "Skin"}), Some(b"\x89PNG bumps".as_slice())),
        (json!({"uri": "maps/glow%20map.jpeg"}), None),
        (json!({}), Some(b"\x89PNG shade")),
    ];
    let dir = Dir::with("in/an arm.glb", painted(&images).glb());
    dir.write("in/maps/glow map.jpeg", jpeg);
    lines(&dir, "in -o out --to usda");
    let usda = text(&dir, "out/an arm.usda");
    let stem = "an_arm-d9cb391b";
    for (name, bytes) in [
        ("skin.png", PNG),
        ("Skin_1.png", b"\x89PNG bumps"),
        ("glow_map.jpg", jpeg),
        ("image_3.png", b"\x89PNG shade"),
    ] {
        assert_contains(&usda, &[&format!("@./{stem}.{name}@")]);
        assert_eq!(dir.read(&format!("out/{stem}.{name}")), bytes);
    }
    assert_eq!(outputs(&dir).len(), 1 + 4);
}

#[test]
fn frames_share_them_and_inputs_do_not() {
    let dir = Dir::new();
    for (name, bytes) in [("a", b"\x89PNG of a"), ("b", b"\x89PNG of b")] {
        dir.write(
            &format!("in/{name}.glb"),
            with_image("diffuse", bytes).glb(),
        );
    }
    let run = "in -o out --to obj --animation all --frames 0..2@2";
    for more in ["-j 1", "-j 4 --force", "--shard 0/2", "--shard 1/2"] {
        lines(&dir, &format!("{run} {more}"));
        for name in ["a", "b"] {
            let texture = format!("{name}.diffuse.png");
            let bytes = format!("PNG of {name}");
            assert_eq!(dir.read(&format!("out/{texture}"))[1..], *bytes.as_bytes());
            let mtl = text(&dir, &format!("out/{name}.wave.0001.mtl"));
            assert_contains(&mtl, &[&format!("map_Kd {texture}\n")]);
        }
        assert_eq!(outputs(&dir).len(), 2 * (3 + 3 + 1));
    }
    lines(&dir, "in/a.glb -o out/other.usda");
    assert_eq!(dir.read("out/other.diffuse.png"), b"\x89PNG of a");
}

#[test]
fn no_two_inputs_have_one() {
    // Their own outputs are called by different animations.
    let dir = Dir::with("in/a.glb", with_image("skin", b"\x89PNG 1").glb());
    let mut other = with_image("Skin", b"\x89PNG 2");
    other.json["animations"][0]["name"] = "run".into();
    dir.write("in/A.vrm", other.glb());
    let run = "in -o out --to usda --animation all --frames 0..2@2";
    bake(&dir, run).exits_saying(2, "a.skin.png");
    assert!(outputs(&dir).is_empty());
    // So it is where the outputs of one are known from a run of its own.
    lines(&dir, &format!("{run} --exclude A.vrm"));
    bake(&dir, run).exits_saying(2, ".png");
}

#[test]
fn names_that_only_look_alike_do_not_clash_in_any_run() {
    let dir = Dir::new();
    for name in ["a.glb", "a.wave.glb", "a.0000.glb"] {
        dir.write(&format!("in/{name}"), with_image("skin", PNG).glb());
    }
    for args in ["--animation all", "--animation wave --frames @2"] {
        for more in ["", "", "--force", "--check"] {
            let ran = dir.run(&format!("bake in -o out --to obj {args} {more}"));
            assert_eq!(ran.status(), 0, "{args} {more}: {}", ran.stderr());
        }
    }
    dir.write("two/a\nb.glb", arm().glb());
    dir.write("two/A\nb.glb", arm().glb());
    let ran = dir.run("bake two -o out").exits(2);
    assert_contains(ran.stderr(), &["two/A\\nb.glb", "would both write"]);
}

/// A WebP file of 5 × 3 pixels.
const WEBP: &str = "5249464642000000574542505650384c360000002f048000107740906d33ac03d51fe30cc333800ad2366071f70cad073900d65f0006012011a85852\
    4821b814561835a2ffe121c7be00";

fn webp() -> Vec<u8> {
    let pairs = WEBP.as_bytes().chunks_exact(2);
    let digits = pairs.map(|pair| std::str::from_utf8(pair).unwrap());
    digits
        .map(|pair| u8::from_str_radix(pair, 16).unwrap())
        .collect()
}

/// An arm whose texture names its image by an extension.
fn with_extension(name: &str, bytes: &[u8]) -> Made {
    let mut made = with_image("skin", bytes);
    made.json["textures"] = json!([{"extensions": {(name): {"source": 0}}}]);
    made.json["extensionsUsed"] = json!([name]);
    made
}

#[test]
fn webp_becomes_png() {
    let dir = Dir::with(
        "in/a.glb",
        with_extension("EXT_texture_webp", &webp()).glb(),
    );
    for (format, output) in [("usda", "a.usda"), ("obj", "a.mtl")] {
        let found = lines(&dir, &format!("in -o out --to {format}"));
        assert_eq!(found[0]["warnings"], json!([]));
        assert!(text(&dir, &format!("out/{output}")).contains("a.skin.png"));
        let png = dir.read("out/a.skin.png");
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"), "{png:?}");
    }
    // The frames have one file, and the mesh of vertex animation textures has it, too.
    let png = dir.read("out/a.skin.png");
    lines(
        &dir,
        "in -o frames --to obj --animation all --frames 0..5@2",
    );
    assert_eq!(dir.read("frames/a.skin.png"), png);
    lines(&dir, "in -o vat --as vat --animation all");
    let mesh = dir.read("vat/a.glb");
    assert!(mesh.windows(png.len()).any(|window| window == png));
}

#[test]
fn a_png_beside_webp_is_taken_as_it_is() {
    let mut made = painted(&[
        (json!({"name": "new"}), Some(&webp())),
        (json!({"name": "old"}), Some(PNG)),
    ]);
    made.json["textures"] =
        json!([{"source": 1, "extensions": {"EXT_texture_webp": {"source": 0}}}]);
    made.json["materials"][0]
        .as_object_mut()
        .unwrap()
        .remove("normalTexture");
    let dir = Dir::with("in/a.glb", made.glb());
    assert_eq!(lines(&dir, "in -o out --to usda")[0]["warnings"], json!([]));
    assert_eq!(outputs(&dir), ["out/a.old.png", "out/a.usda"]);
}

#[test]
fn images_that_cannot_be_written_are_named() {
    let cut = &webp()[..40];
    for (extension, bytes, words) in [
        (
            "KHR_texture_basisu",
            b"\xabKTX 20\xbb\r\n\x1a\n".as_slice(),
            "is a KTX2 file, and only PNG, JPEG and WebP are read; `gltf-transform",
        ),
        ("MSFT_texture_dds", b"DDS of a made file", "is a DDS file"),
        (
            "EXT_texture_avif",
            b"\0\0\0\x1cftypavif",
            "is no PNG, JPEG or WebP file",
        ),
        (
            "EXT_texture_webp",
            cut,
            "is a WebP file, and it is broken: ",
        ),
        (
            "EXT_texture_webp",
            b"RIFF",
            "is a WebP file, and it is broken: ",
        ),
    ] {
        let dir = Dir::with("in/a.glb", with_extension(extension, bytes).glb());
        for format in ["usda", "obj"] {
            let found = lines(&dir, &format!("in -o out --to {format}"));
            let [warning] = &found[0]["warnings"].as_array().unwrap()[..] else {
                panic!("{found:?}");
            };
            assert_eq!(warning["code"], "W16");
            let message = warning["message"].as_str().unwrap();
            let start = "the texture of materials[0] is left out: its image \"skin\" ";
            assert_contains(message, &[start, words]);
        }
        assert_eq!(outputs(&dir), ["out/a.mtl", "out/a.obj", "out/a.usda"]);
    }
}
