//! `inspect` on glTF files: against what their JSON says, against baked vertices, images of all kinds, broken and large files.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use rigy_batch::bake::gltf::read;
use rigy_batch::base::paths::Slashed;
use rigy_batch::mesh::Model;
use rigy_batch::view::description::{GltfDescription, of_gltf};
use rigy_batch::{Location, MemoryLoader, Moment, Skinning, Source};
use serde_json::{Value, json};

use crate::support::skinned::skinned;
use crate::support::{Dir, glb, glb_parts, published};

fn tree(bytes: &[u8]) -> Value {
    if bytes.starts_with(b"glTF") {
        return glb_parts(bytes).0;
    }
    serde_json::from_slice(bytes).unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn at<'v>(value: &'v Value, key: &str, index: &Value) -> &'v Value {
    &value[key][index.as_u64().unwrap() as usize]
}

/// The clips, skins and meshes that the JSON of a file tells of, by its accessors' counts, minima and maxima.
fn told(tree: &Value) -> Value {
    let clip = |(index, clip): (usize, &Value)| {
        let channels = list(&clip["channels"]).iter();
        let channels: Vec<&Value> = channels
            .filter(|c| !c["target"]["node"].is_null())
            .collect();
        let times = channels.iter().map(|c| {
            at(
                tree,
                "accessors",
                &at(clip, "samplers", &c["sampler"])["input"],
            )
        });
        let times: Vec<&Value> = times.collect();
        let number = |key: &'static str| {
            times
                .iter()
                .map(move |times| times[key][0].as_f64().unwrap())
        };
        json!({"index": index, "name": clip["name"], "start": number("min").reduce(f64::min), "end": number("max").reduce(f64::max),
            "channels": channels.len(), "keys": times.iter().map(|times| times["count"].as_u64().unwrap()).sum::<u64>()})
    };
    let sets = |mesh: &Value| {
        let attributes = list(&mesh["primitives"])
            .iter()
            .map(|p| p["attributes"].as_object().unwrap());
        attributes
            .map(|a| a.keys().filter(|key| key.starts_with("WEIGHTS_")).count())
            .max()
            .unwrap()
    };
    let nodes = || list(&tree["nodes"]).iter();
    let skin = |(index, skin): (usize, &Value)| {
        let users = nodes().filter(|node| node["skin"] == index);
        let sets = users.map(|node| sets(at(tree, "meshes", &node["mesh"])));
        json!({"index": index, "name": skin["name"], "joints": list(&skin["joints"]).len(), "influences": 4 * sets.max().unwrap_or(0)})
    };
    let mesh = |(index, mesh): (usize, &Value)| {
        let primitives = list(&mesh["primitives"]);
        let count = |accessor: &Value| at(tree, "accessors", accessor)["count"].as_u64().unwrap();
        let vertices = primitives
            .iter()
            .map(|p| count(&p["attributes"]["POSITION"]));
        let triangles = primitives.iter().map(|p| {
            if p["mode"] == 0 {
                return 0;
            }
            assert!(p["mode"].is_null() || p["mode"] == 4);
            let corners = if p["indices"].is_null() {
                &p["attributes"]["POSITION"]
            } else {
                &p["indices"]
            };
            count(corners) / 3
        });
        json!({"index": index, "name": mesh["name"], "primitives": primitives.len(), "vertices": vertices.sum::<u64>(),
            "triangles": triangles.sum::<u64>(), "morph_targets": list(&primitives[0]["targets"]).len(),
            "skinned": nodes().any(|node| node["mesh"] == index && !node["skin"].is_null()),
            "attributes": (primitives.iter())
                .flat_map(|p| p["attributes"].as_object().unwrap().keys())
                .collect::<BTreeSet<_>>()})
    };
    let all = |key: &str, of: &dyn Fn((usize, &Value)) -> Value| {
        list(&tree[key])
            .iter()
            .enumerate()
            .map(of)
            .collect::<Vec<_>>()
    };
    json!([
        all("animations", &clip),
        all("skins", &skin),
        all("meshes", &mesh)
    ])
}

fn times(parts: &Value) -> Vec<f64> {
    let clips = list(&parts[0]).iter();
    let both = clips.flat_map(|clip| [&clip["start"], &clip["end"]]);
    both.map(|time| time.as_f64().unwrap()).collect()
}

fn without_times(parts: &Value) -> Value {
    let mut parts = parts.clone();
    for clip in parts[0].as_array_mut().unwrap() {
        let clip = clip.as_object_mut().unwrap();
        assert!(clip.remove("start").is_some() && clip.remove("end").is_some());
    }
    parts
}

fn described(bytes: &[u8]) -> GltfDescription {
    let (location, loader) = (Location("m.glb".into()), MemoryLoader::default());
    let file = read(bytes, &location, &loader).unwrap();
    of_gltf(&file.value, &location, &loader).unwrap().value
}

#[test]
fn every_sample_has_what_its_json_tells_and_the_bounds_of_its_bake() {
    let mut count = 0;
    for folder in ["real", "made", "compressed"] {
        let Some(folder) = published(&format!("gltf-samples/{folder}")) else {
            return;
        };
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.slashed().to_string();
            let ran = Dir::new()
                .run(&format!("inspect {name} --format json"))
                .good();
            let mut found: Value = serde_json::from_str(&ran.stdout()).unwrap();
            for mesh in found["meshes"].as_array_mut().unwrap() {
                mesh.as_object_mut().unwrap().remove("seams").unwrap();
            }
            let bytes = std::fs::read(&path).unwrap();
            let tree = tree(&bytes);
            let parts = json!([found["clips"], found["skins"], found["meshes"]]);
            assert_eq!(without_times(&parts), without_times(&told(&tree)), "{name}");
            for (found, told) in times(&parts).into_iter().zip(times(&told(&tree))) {
                // Some writers round the minima and maxima.
                assert!(
                    (found - told).abs() < 1e-6,
                    "{name}: {found} instead of {told}"
                );
            }
            assert_eq!(
                (&found["file"], &found["format"]),
                (&json!(name), &json!(path.extension().unwrap().to_str()))
            );
            assert_eq!(
                found["textures"].as_array().unwrap().len(),
                list(&tree["textures"]).len()
            );
            assert_eq!(
                found["materials"].as_array().unwrap().len(),
                list(&tree["materials"]).len()
            );
            assert_eq!(
                list(&found["extensions_used"]),
                list(&tree["extensionsUsed"])
            );
            assert_baked_bounds(&bytes, &path, &found["bounds"]);
            count += 1;
        }
    }
    assert!(count >= 18, "{count}");
}

/// Asserts that bounds are those of the vertices that the kernel gives for the file as it is stored.
fn assert_baked_bounds(bytes: &[u8], path: &std::path::Path, found: &Value) {
    let (location, loader) = (Location("m".into()), MemoryLoader::default());
    let source = Source::read(bytes, &location, &loader).unwrap().value;
    let baked = source.bake(
        &Moment::default(),
        &Skinning::linear(),
        rigy_batch::Isa::best(),
    );
    let baked = baked.unwrap().value.to_bytes().unwrap().value;
    let model = Model::read(&baked, &location, &loader).unwrap().value;
    let [min, max] = model.bounds().unwrap();
    let size = (0..3).map(|axis| max[axis] - min[axis]).fold(0.0, f64::max);
    for (key, expected) in [("min", min), ("max", max)] {
        for (axis, expected) in expected.into_iter().enumerate() {
            let off = (found[key][axis].as_f64().unwrap() - expected).abs();
            assert!(
                off <= 1e-6 * size,
                "{}: {key} {axis} is off by {off}",
                path.slashed()
            );
        }
    }
}

#[test]
fn nodes_weights_and_scenes_decide_the_bounds() {
    let mut bin = Vec::new();
    for number in [
        0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 4.0, 0.0, 0.0, 4.0, 0.0, 0.0, 4.0,
    ] {
        bin.extend(number.to_le_bytes());
    }
    let view = |offset: usize| json!({"buffer": 0, "byteOffset": offset, "byteLength": 36});
    let json = json!({
        "asset": {"version": "2.0"},
        "scene": 1,
        "scenes": [{"nodes": [3]}, {"nodes": [0]}],
        "nodes": [
            {"scale": [2, 2, 2], "children": [1, 2]},
            {"mesh": 0, "translation": [0, 0, 5]},
            {"mesh": 0, "weights": [0.5]},
            {"mesh": 0, "translation": [100, 0, 0]},
        ],
        "meshes": [{"name": "t", "primitives": [{"attributes": {"POSITION": 0}, "targets": [{"POSITION": 1}]}], "weights": [0]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 2, 0]},
            {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 4], "max": [0, 0, 4]},
        ],
        "bufferViews": [view(0), view(36)],
        "buffers": [{"byteLength": bin.len()}],
    });
    let found = described(&glb(json.to_string().as_bytes(), Some(&bin)));
    // One at z 10, one lifted by half of 4 and doubled to z 4; the third is in another scene.
    let bounds = found.bounds.unwrap();
    assert_eq!(
        (bounds.min, bounds.max),
        ([0.0, 0.0, 4.0], [2.0, 4.0, 10.0])
    );
    assert_eq!(
        (found.meshes[0].morph_targets, found.meshes[0].skinned),
        (1, false)
    );
}

fn big(number: u32) -> [u8; 4] {
    number.to_be_bytes()
}

/// Images whose sizes are in their first bytes: file name, bytes, media type, width, height.
fn images() -> Vec<(&'static str, Vec<u8>, &'static str, u32, u32)> {
    let png = [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice(),
        &big(640),
        &big(480),
        b"\x08\x02\0\0\0",
    ]
    .concat();
    // A comment of 70,000 bytes in two parts comes before the frame.
    let comment = [b"\xff\xfe\x88\xb8".as_slice(), &[b'x'; 34998]].concat();
    let frame = b"\xff\xc0\0\x11\x08\x01\x2c\x02\x58\x03\x01\x22\0\x02\x11\x01\x03\x11\x01";
    let jpeg = [b"\xff\xd8".as_slice(), &comment, &comment, frame].concat();
    let webp = [
        b"RIFF\x1e\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0".as_slice(),
        &[0x3f, 0x01, 0],
        &[0xef, 0, 0],
        &[0; 4],
    ]
    .concat();
    let word = |number: u32| number.to_le_bytes();
    let ktx2 = [
        b"\xabKTX 20\xbb\r\n\x1a\n".as_slice(),
        &word(37),
        &word(1),
        &word(256),
        &word(128),
        &[0; 48],
    ]
    .concat();
    vec![
        ("a.png", png, "image/png", 640, 480),
        ("b.jpg", jpeg, "image/jpeg", 600, 300),
        ("c.webp", webp, "image/webp", 320, 240),
        ("d.ktx2", ktx2, "image/ktx2", 256, 128),
    ]
}

#[test]
fn textures_have_the_kind_and_size_of_their_images_and_missing_ones_are_warnings() {
    let dir = Dir::new();
    let images = images();
    let mut listed: Vec<Value> = Vec::new();
    for (name, bytes, ..) in &images {
        dir.write(name, bytes);
        listed.push(json!({"uri": name, "name": format!("image {name}")}));
    }
    listed.push(json!({"uri": "missing.png", "mimeType": "image/png"}));
    listed.push(json!({"uri": "data:image/png;base64,iVBORw0KGgo="}));
    listed.push(json!({}));
    let mut textures: Vec<Value> = (0..listed.len())
        .map(|source| json!({"source": source}))
        .collect();
    textures[0]["name"] = json!("own name");
    textures[2] = json!({"source": 0, "extensions": {"EXT_texture_webp": {"source": 2}}});
    textures.push(json!({"source": 0}));
    textures.push(json!({"source": 99}));
    let file = json!({"asset": {"version": "2.0"}, "images": listed, "textures": textures});
    dir.write("m.gltf", file.to_string());
    let ran = dir.run("inspect m.gltf --format json");
    assert_eq!(ran.status(), 1, "images[6] is no image");
    let found: Value = serde_json::from_str(&ran.stdout()).unwrap();
    let found_textures = list(&found["textures"]);
    for (index, (name, bytes, media_type, width, height)) in images.iter().enumerate() {
        let name = if index == 0 {
            "own name".to_owned()
        } else {
            format!("image {name}")
        };
        let expected = json!({"index": index, "name": name, "media_type": media_type, "width": width, "height": height, "bytes": bytes.len()});
        assert_eq!(found_textures[index], expected);
    }
    let nothing = |index: usize, media_type: Option<&str>, bytes: Option<u64>| json!({"index": index, "name": null, "media_type": media_type, "width": null, "height": null, "bytes": bytes});
    assert_eq!(found_textures[4], nothing(4, Some("image/png"), None));
    assert_eq!(found_textures[5]["bytes"], 8);
    assert_eq!(found_textures[6], nothing(6, None, None));
    assert_eq!(found_textures[7]["width"], 640);
    assert_eq!(found_textures[8], nothing(8, None, None));
    let warnings: Vec<String> = list(&found["warnings"])
        .iter()
        .map(crate::support::with_path)
        .collect();
    assert!(
        warnings.iter().any(|w| w.contains("images[4].uri")),
        "{warnings:?}"
    );
    assert!(
        warnings.iter().any(|w| w.contains("images[6]")),
        "{warnings:?}"
    );
    assert_eq!(found["bounds"], Value::Null);
    let text = dir.run("inspect m.gltf");
    text.prints("image/jpeg    600     300  70025");
    text.says("missing.png");
    assert_eq!(text.status(), 1);
    let mut file = file;
    file["images"].as_array_mut().unwrap().pop();
    dir.write("m.gltf", file.to_string());
    dir.run("inspect m.gltf")
        .good()
        .says("warning[W07]: m.gltf: `images[4].uri`: \"missing.png\" cannot be found");
}

#[test]
fn no_cut_or_changed_image_or_file_makes_it_panic() {
    let location = Location("m.gltf".into());
    let file =
        json!({"asset": {"version": "2.0"}, "images": [{"uri": "i"}], "textures": [{"source": 0}]})
            .to_string();
    let describe = |image: &[u8]| {
        let files = [("i".to_owned(), image.to_vec())];
        let loader = MemoryLoader {
            files: files.into(),
        };
        let read = read(file.as_bytes(), &location, &loader).unwrap();
        of_gltf(&read.value, &location, &loader)
            .unwrap()
            .value
            .textures
            .remove(0)
    };
    for (name, bytes, ..) in images() {
        assert!(describe(&bytes).width.is_some(), "{name}");
        let head = bytes.len().min(200);
        for end in 0..head {
            assert_eq!(describe(&bytes[..end]).bytes, Some(end));
        }
        for at in 0..head {
            for flip in [0x01, 0x55, 0xff] {
                let mut changed = bytes.clone();
                changed[at] ^= flip;
                describe(&changed);
            }
        }
    }
    let made = skinned(3, 0.0).glb();
    let (location, loader) = (Location("m.glb".into()), MemoryLoader::default());
    let mut accepted = 0;
    for at in 0..made.len() {
        assert!(read(&made[..at], &location, &loader).is_err());
        let mut changed = made.clone();
        changed[at] ^= 0x55;
        if let Ok(file) = read(&changed, &location, &loader) {
            let _ = of_gltf(&file.value, &location, &loader);
            accepted += 1;
        }
    }
    assert!(accepted > 0);
    let dir = Dir::with("cut.glb", &made[..made.len() - 5]);
    let ran = dir.run("inspect cut.glb --format json");
    assert_eq!((ran.status(), ran.stdout()), (1, String::new()));
    ran.says("cut.glb");
}

#[test]
fn names_cannot_command_the_terminal() {
    let dir = Dir::new();
    let mut made = skinned(3, 0.0);
    let hostile = "\u{1b}[2J\u{9b}31m\u{202e}\n\tx";
    made.json["meshes"][0]["name"] = json!(hostile);
    made.json["skins"][0]["name"] = json!(hostile);
    made.json["materials"] = json!([{"name": hostile, "alphaMode": hostile}]);
    made.json["textures"] = json!([{"name": hostile, "source": 0}]);
    made.json["images"] = json!([{"uri": "x.png", "mimeType": hostile}]);
    made.json["extensionsUsed"] = json!([hostile]);
    dir.write("\u{1b}m.glb", made.glb());
    let ran = dir.run("inspect .");
    let shown = ran.stdout() + &ran.stderr();
    assert_eq!(ran.status(), 0, "{shown}");
    assert!(
        !shown.contains(['\u{1b}', '\u{9b}', '\u{202e}', '\t']),
        "{shown:?}"
    );
    assert!(shown.matches("\\u{1b}[2J").count() >= 5, "{shown}");
    let object = &dir.run("inspect . --format json").json()[0];
    assert_eq!(object["meshes"][0]["name"], hostile);
}

#[test]
fn a_hundred_thousand_nodes_of_a_hundred_thousand_primitives_are_quick() {
    let made = skinned(3, 0.0);
    let primitive = r#"{"attributes":{"POSITION":0}},"#.repeat(100_000);
    let node = r#"{"mesh":0},"#.repeat(100_000);
    let image = r#"{"bufferView":0},"#.repeat(20_000);
    let texture = (0..20_000)
        .map(|at| format!(r#"{{"source":{at}}},"#))
        .collect::<String>();
    let of = |list: &str| list.trim_end_matches(',').to_owned();
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{}}}],"bufferViews":{},"accessors":{},"meshes":[{{"primitives":[{}]}}],"nodes":[{}],"images":[{}],"textures":[{}]}}"#,
        made.bin.len(),
        made.json["bufferViews"],
        made.json["accessors"],
        of(&primitive),
        of(&node),
        of(&image),
        of(&texture),
    );
    let dir = Dir::with("m.glb", glb(text.as_bytes(), Some(&made.bin)));
    let start = Instant::now();
    let ran = dir.run("inspect m.glb --format json");
    let elapsed = start.elapsed();
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
    let found: Value = serde_json::from_str(&ran.stdout()).unwrap();
    let expected = json!({"index": 0, "name": null, "primitives": 100_000, "vertices": 300_000, "triangles": 100_000, "morph_targets": 0, "skinned": false,
        "attributes": ["POSITION"], "seams": {"open_edges": 0, "crowded_edges": 3, "turned_edges": 0, "parts": 1}});
    assert_eq!(found["meshes"][0], expected);
    assert_eq!(
        found["bounds"],
        json!({"min": [0.0, 0.0, 0.0], "max": [0.25, 0.0, 0.0]})
    );
    assert!(elapsed < Duration::from_secs(10), "{elapsed:?}");
}

#[test]
fn bounds_that_would_take_too_long_are_left_out_with_an_error() {
    // 2,000 primitives with accessors of their own, shown by 100,000 nodes.
    let made = skinned(4096, 0.0);
    let accessor = made.json["accessors"][0].clone();
    let accessors = vec![accessor; 2_000];
    let primitives: Vec<Value> = (0..2_000)
        .map(|at| json!({"attributes": {"POSITION": at}, "mode": 0}))
        .collect();
    let json = json!({"asset": {"version": "2.0"}, "buffers": [{"byteLength": made.bin.len()}], "bufferViews": made.json["bufferViews"],
        "accessors": accessors, "meshes": [{"primitives": primitives}], "nodes": vec![json!({"mesh": 0}); 100_000]});
    let dir = Dir::with("m.glb", glb(json.to_string().as_bytes(), Some(&made.bin)));
    let start = Instant::now();
    let ran = dir.run("inspect m.glb --format json");
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
    let found: Value = serde_json::from_str(&ran.stdout()).unwrap();
    assert_eq!((ran.status(), &found["bounds"]), (1, &Value::Null));
    let message = found["warnings"][0]["message"].as_str().unwrap();
    assert!(message.contains("there are no bounds"), "{message}");
}

#[test]
fn normals_that_point_to_the_back_of_triangles_are_a_warning() {
    let numbers = |normal: f32| {
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let normals = [[0.0, 0.0, normal]; 3];
        let numbers = [corners, normals].concat().concat();
        numbers
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    let turned = json!([1, 1, -1]);
    let (plain, document) = ("someone", "pygltflib@v1.16.5");
    for (normal, scale, generator, is_told) in [
        (1.0, json!([1, 1, 1]), plain, false),
        (-1.0, json!([1, 1, 1]), plain, true),
        (1.0, turned.clone(), plain, false),
        (-1.0, turned, plain, true),
        (-1.0, json!([1, 1, 1]), document, false),
    ] {
        let accessor = |view: usize| json!({"bufferView": view, "componentType": 5126, "type": "VEC3", "count": 3, "min": [0, 0, 0], "max": [1, 1, 0]});
        let view = |start: usize| json!({"buffer": 0, "byteOffset": start, "byteLength": 36});
        let json = json!({"asset": {"version": "2.0", "generator": generator}, "buffers": [{"byteLength": 72}], "bufferViews": [view(0), view(36)],
            "accessors": [accessor(0), accessor(1)], "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1}}]}],
            "nodes": [{"mesh": 0, "scale": scale}, {"mesh": 0}]});
        let dir = Dir::with(
            "m.glb",
            glb(json.to_string().as_bytes(), Some(&numbers(normal))),
        );
        let found: Value =
            serde_json::from_str(&dir.run("inspect m.glb --format json").good().stdout()).unwrap();
        let warnings = list(&found["warnings"]);
        let told = warnings.iter().filter(|warning| {
            warning["message"]
                .as_str()
                .unwrap()
                .contains("point to the back")
        });
        assert_eq!(
            told.count(),
            usize::from(is_told),
            "{normal} {scale} {generator}: {warnings:?}"
        );
    }
}
