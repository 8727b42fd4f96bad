//! Files of transcripts, each by a name of what is in it.

use serde_json::json;

use super::skinned::{Made, skinned};
use super::{BAD, Dir, PART, USER, document};
use crate::bake::with_clips;
use crate::inspect::{moved, triangle};

/// Makes the files of lines such as `a.rigy.yaml b.rigy.yaml = document stand`; a path that ends in `/` is a directory.
pub fn make_files(dir: &Dir, lines: &str) {
    for line in lines.lines() {
        let (paths, content) = line.split_once(" = ").unwrap_or_else(|| panic!("{line}"));
        for path in paths.split(' ') {
            match path.ends_with('/') {
                true => std::fs::create_dir_all(dir.path().join(path)).unwrap(),
                false => dir.write(path, made(content)),
            }
        }
    }
}

fn fox() -> Made {
    skinned(3, 0.0).moving("Walk", 1.0).moving("Run", 1.0)
}

fn made(content: &str) -> Vec<u8> {
    match content.split_once(' ').unwrap_or((content, "")) {
        ("text", text) => text.replace("\\n", "\n").into(),
        ("document", pose) => document(pose).into(),
        ("bad", _) => BAD.into(),
        ("part", _) => PART.into(),
        ("user", _) => USER.into(),
        ("skinned", numbers) => {
            let (vertices, shift) = numbers.split_once(' ').unwrap_or((numbers, "0.5"));
            skinned(vertices.parse().unwrap(), shift.parse().unwrap()).glb()
        }
        ("fox", _) => fox().glb(),
        ("fox-text", _) => fox().gltf("a.bin").into(),
        ("fox-data", _) => fox().bin,
        ("triangle", distance) => moved(distance.parse().unwrap()),
        ("respelled", _) => triangle(|json, _| json["asset"]["extras"] = json!("other bytes")),
        ("clips", names) => with_clips(&names.split('|').collect::<Vec<_>>()).glb(),
        ("scaled", _) => {
            let mut file = skinned(3, 0.25);
            file.json["nodes"][0]["scale"] = json!([2, 1, 1]);
            file.glb()
        }
        ("prop", _) => {
            let mut file = skinned(3, 0.0);
            file.json["nodes"][1] = json!({"mesh": 0});
            file.remove("/skins");
            file.json["meshes"][0]["primitives"][0]["attributes"] = json!({"POSITION": 0});
            file.glb()
        }
        (maker, _) => panic!("{maker} makes no file"),
    }
}
