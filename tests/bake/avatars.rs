//! Made avatars: VRM 0.x and 1.0, whose extensions refer to what a bake removes (`bake.md` §6).

use serde_json::{Value, json};

use super::builder::{Made, arm};
use super::cli::lines;
use super::reader::chunks;
use crate::support::{Dir, with_path};

/// An arm with two morph targets, and a second user of its mesh, `hat`, that is mirrored and so becomes a mesh of its own.
fn avatar(extensions: Value) -> Made {
    let mut made = arm();
    let moved = made.floats("VEC3", &[0.5; 18]);
    made.json["meshes"][0]["primitives"][0]["targets"] =
        json!([{ "POSITION": moved }, { "POSITION": moved }]);
    let node = json!({"name": "hat", "mesh": 0, "skin": 0, "scale": [-1, 1, 1]});
    let hat = made.push("nodes", node);
    made.json["scenes"][0]["nodes"] = json!([0, 3, hat]);
    let names: Vec<&String> = extensions.as_object().unwrap().keys().collect();
    made.json["extensionsUsed"] = json!(names);
    made.json["extensions"] = extensions;
    made
}

fn baked(made: &Made, more: &str) -> (Value, Vec<Value>) {
    let dir = Dir::with("made.vrm", made.glb());
    let arguments = format!("made.vrm -o out --keep-skeleton {more}");
    let warnings = lines(&dir, &arguments)[0]["warnings"].clone();
    let glb = dir.read("out/made.glb");
    let json = serde_json::from_slice(chunks(&glb).0).unwrap();
    (json, warnings.as_array().unwrap().clone())
}

/// The messages of warnings, without the advice at their ends. All have the code W15.
fn told(warnings: &[Value]) -> Vec<String> {
    let advice = "; `--keep-extensions` leaves extensions as they are";
    assert!(warnings.iter().all(|warning| warning["code"] == "W15"));
    let messages = warnings.iter().map(with_path);
    messages
        .map(|message| message.strip_suffix(advice).unwrap().to_owned())
        .collect()
}

fn vrm_0() -> Value {
    json!({"VRM": {
        "specVersion": "0.0",
        "meta": {"title": "arm"},
        "humanoid": {"humanBones": [
            {"bone": "hips", "node": 0, "useDefaultValues": true},
            {"bone": "jaw", "node": -1},
            {"bone": "chest", "node": 77},
        ]},
        "firstPerson": {"firstPersonBone": 1, "meshAnnotations": [{"mesh": 0, "firstPersonFlag": "Auto"}]},
        "blendShapeMaster": {"blendShapeGroups": [
            {"name": "Neutral", "presetName": "neutral", "binds": [], "materialValues": []},
            {"name": "A", "presetName": "a", "binds": [{"mesh": 0, "index": 1, "weight": 100}],
             "materialValues": [{"materialName": "paint", "propertyName": "_Color", "targetValue": [1, 0, 0, 1]}]},
        ]},
        "secondaryAnimation": {
            "boneGroups": [{"comment": "hair", "center": -1, "bones": [1], "colliderGroups": [0]}],
            "colliderGroups": [{"node": 0, "colliders": []}],
        },
    }})
}

fn vrm_1() -> Value {
    json!({
        "VRMC_vrm": {
            "specVersion": "1.0",
            "humanoid": {"humanBones": {"hips": {"node": 0}, "head": {"node": 1}, "jaw": {"node": 99}}},
            "firstPerson": {"meshAnnotations": [{"node": 2, "type": "auto"}, {"node": 4, "type": "thirdPersonOnly"}, {"node": 3, "type": "both"}]},
            "expressions": {
                "preset": {"happy": {"isBinary": true, "morphTargetBinds": [{"node": 2, "index": 0, "weight": 1}],
                    "materialColorBinds": [{"material": 0, "type": "color", "targetValue": [1, 1, 1, 1]}]}},
                "custom": {"w\u{1b}ink": {"morphTargetBinds": [{"node": 2, "index": 1, "weight": 1}]}},
            },
        },
        "VRMC_springBone": {"specVersion": "1.0",
            "colliders": [{"node": 0, "shape": {}, "extensions": {"VRMC_springBone_extended_collider": {}}}],
            "springs": [{"name": "hair", "joints": [{"node": 0}, {"node": 1}]}]},
    })
}

#[test]
fn avatars_of_version_0_lose_morph_targets_and_springs() {
    let (output, warnings) = baked(&avatar(vrm_0()), "");
    let mut expected = vrm_0();
    let vrm = &mut expected["VRM"];
    vrm["humanoid"]["humanBones"].as_array_mut().unwrap().pop();
    vrm["blendShapeMaster"]["blendShapeGroups"][1]["binds"] = json!([]);
    vrm["secondaryAnimation"] = json!({"boneGroups": [], "colliderGroups": []});
    // The mesh of the mirrored node is another one.
    let annotations = &mut vrm["firstPerson"]["meshAnnotations"];
    annotations
        .as_array_mut()
        .unwrap()
        .push(json!({"mesh": 1, "firstPersonFlag": "Auto"}));
    assert_eq!(output["extensions"], expected);
    assert_eq!(output["nodes"][6]["mesh"], 1);
    assert_eq!(
        told(&warnings),
        [
            "`extensions`: removed from `VRM`: entries of nodes that are not there: \"humanBones[2]\"; the morph targets of \"A\"; the spring bones of \"hair\""
        ]
    );
}

#[test]
fn avatars_of_version_1_lose_morph_targets_and_springs() {
    let mut made = avatar(vrm_1());
    let used = made.json["extensionsUsed"].as_array_mut().unwrap();
    used.push(json!("VRMC_springBone_extended_collider"));
    let (output, warnings) = baked(&made, "");
    let mut expected = vrm_1();
    expected.as_object_mut().unwrap().remove("VRMC_springBone");
    let vrm = &mut expected["VRMC_vrm"];
    vrm["humanoid"]["humanBones"]
        .as_object_mut()
        .unwrap()
        .remove("jaw");
    for (kind, name) in [("preset", "happy"), ("custom", "w\u{1b}ink")] {
        let expression = vrm["expressions"][kind][name].as_object_mut().unwrap();
        expression.remove("morphTargetBinds");
    }
    // `body` and `hat` have left their meshes to the nodes 5 and 6.
    vrm["firstPerson"]["meshAnnotations"][0]["node"] = json!(5);
    vrm["firstPerson"]["meshAnnotations"][1]["node"] = json!(6);
    assert_eq!(output["extensions"], expected);
    assert_eq!(output["extensionsUsed"], json!(["VRMC_vrm"]));
    assert_eq!(
        json!([output["nodes"][5]["name"], output["nodes"][6]["name"]]),
        json!(["body", "hat"])
    );
    assert_eq!(
        told(&warnings),
        [
            "`extensions`: removed from `VRMC_springBone`: all of it, because the joints have nothing to move; the springs \"hair\"",
            "`extensions`: removed from `VRMC_vrm`: entries of nodes that are not there: \"jaw\"; the morph targets of \"happy\", \"w\\u{1b}ink\"",
        ]
    );
}

#[test]
fn kept_extensions_stay_letter_by_letter() {
    for extensions in [vrm_0(), vrm_1()] {
        let dir = Dir::with("in/made.vrm", avatar(extensions.clone()).glb());
        let bake = |more: &str| {
            let line = lines(&dir, &format!("in -o out {more}")).remove(0);
            let output: Value =
                serde_json::from_slice(chunks(&dir.read("out/made.glb")).0).unwrap();
            (
                line["warnings"].as_array().map(Vec::len),
                output["extensions"] == extensions,
            )
        };
        assert_eq!(bake("--keep-extensions"), (Some(0), true));
        // The option is part of what the cache compares.
        assert!(!bake("").1);
        assert_eq!(bake("--keep-extensions"), (Some(0), true));
    }
}

#[test]
fn avatars_without_a_skin_keep_their_springs() {
    for extensions in [vrm_0(), vrm_1()] {
        let mut made = avatar(extensions);
        for node in [2, 4] {
            made.remove(&format!("/nodes/{node}/skin"));
        }
        let (output, _) = baked(&made, "");
        let springs = &output["extensions"]["VRMC_springBone"]["springs"];
        let groups = &output["extensions"]["VRM"]["secondaryAnimation"]["boneGroups"];
        assert_eq!(
            springs.as_array().or(groups.as_array()).map(Vec::len),
            Some(1)
        );
    }
}

#[test]
fn springs_and_constraints_of_nodes_that_do_not_exist_go_whole() {
    let mut extensions = vrm_1();
    extensions["VRMC_springBone"]["springs"][0]["center"] = json!(50);
    let mut made = avatar(extensions);
    for node in [2, 4] {
        made.remove(&format!("/nodes/{node}/skin"));
    }
    let constraint = |source: u32| json!({"VRMC_node_constraint": {"specVersion": "1.0", "constraint": {"roll": {"source": source, "weight": 1}}}});
    made.json["nodes"][0]["extensions"] = constraint(1);
    made.json["nodes"][1]["extensions"] = constraint(44);
    let (output, warnings) = baked(&made, "");
    assert!(output["extensions"].get("VRMC_springBone").is_none());
    assert_eq!(output["nodes"][0]["extensions"], constraint(1));
    assert!(output["nodes"][1].get("extensions").is_none());
    assert_eq!(warnings.len(), 4, "{warnings:#?}");
}

#[test]
fn many_names_are_cut_short() {
    let binds = json!({"binds": [{"mesh": 0, "index": 0, "weight": 1}]});
    let group = |index: usize| {
        let mut group = binds.clone();
        group["name"] = json!(format!("{index}{}", "x".repeat(200)));
        group
    };
    let groups: Vec<Value> = (0..1000).map(group).collect();
    let extension = json!({"VRM": {"blendShapeMaster": {"blendShapeGroups": groups}}});
    let (_, warnings) = baked(&avatar(extension), "");
    let message = &told(&warnings)[0];
    assert!(
        message.len() < 1000 && message.ends_with(" and 995 more"),
        "{message}"
    );
}

#[test]
fn long_annotations_are_not_repeated() {
    let mut extension = vrm_0();
    extension["VRM"]["firstPerson"]["meshAnnotations"][0]["extras"] = json!(vec![0; 100]);
    let (output, _) = baked(&avatar(extension), "");
    let annotations = &output["extensions"]["VRM"]["firstPerson"]["meshAnnotations"];
    assert_eq!(annotations.as_array().map(Vec::len), Some(1));
}

#[test]
fn levels_of_detail_go_with_the_meshes_that_have_moved() {
    let mut made = avatar(json!({}));
    let positions = made.floats("VEC3", &[0.0, 1.0, 2.0]);
    let points = json!({"primitives": [{"attributes": {"POSITION": positions}, "mode": 0}]});
    let mesh = made.push("meshes", points);
    let far = made.push("nodes", json!({"mesh": mesh}));
    let levels = |ids: Value| json!({"MSFT_lod": {"ids": ids}});
    let near = made.push(
        "nodes",
        json!({"name": "near", "mesh": mesh, "extensions": levels(json!([far]))}),
    );
    made.json["nodes"][3]["extensions"] = levels(json!([far]));
    made.json["nodes"][1]["extensions"] = levels(json!([2]));
    made.json["scenes"][0]["nodes"] = json!([0, 3, near]);
    made.json["extensionsUsed"] = json!(["MSFT_lod"]);
    let (output, warnings) = baked(&made, "");
    assert_eq!(output["nodes"][near]["extensions"], levels(json!([far])));
    assert!(output["nodes"][3].get("extensions").is_none());
    assert!(output["nodes"][1].get("extensions").is_none());
    assert_eq!(
        told(&warnings),
        ["`extensions`: removed from `MSFT_lod`: the levels of the nodes \"fore\", \"mount\""]
    );
}

#[test]
fn extensions_of_other_shapes_are_passed_over() {
    for odd in [
        json!(1),
        json!([]),
        json!({}),
        json!("x"),
        json!([[]]),
        json!({"a": 1}),
    ] {
        let extensions = json!({
            "VRM": {"humanoid": odd, "blendShapeMaster": odd, "firstPerson": odd, "secondaryAnimation": odd},
            "VRMC_vrm": {"humanoid": {"humanBones": odd}, "firstPerson": {"meshAnnotations": odd}, "expressions": {"preset": odd, "custom": odd}},
        });
        let (output, warnings) = baked(&avatar(extensions.clone()), "");
        assert_eq!(output["extensions"], extensions);
        assert!(warnings.is_empty(), "{warnings:?}");
    }
}
