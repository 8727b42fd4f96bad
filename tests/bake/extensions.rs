//! Made files and samples with extensions: those that stay, those that go, and their references.

use serde_json::{Value, json};

use super::builder::arm;
use super::container;
use super::reader::Gltf;
use super::runs::{Ask, baked, checked, run, warned};
use crate::support::{Dir, assert_contains, glb_parts, published};

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
    made.add("/animations/0/channels", pointer);
    let (output, warnings) = warned(&made, &Ask::at(0.3));
    assert!(output.tree.get("extensionsUsed").is_none());
    let message = warnings[0]["message"].as_str().unwrap();
    assert!(message.contains("/materials/0/pbr"), "{message}");
}

fn json_of_output(made: &super::builder::Made) -> String {
    let dir = Dir::with("made.glb", made.glb());
    run(&dir, "made.glb", &Ask::at(0.3)).good();
    let glb = dir.read("out/made.glb");
    let len = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    String::from_utf8(glb[20..20 + len].to_vec()).unwrap()
}

#[test]
fn hidden_nodes_stay_hidden() {
    let hidden = r#""extensions":{"KHR_node_visibility":{"visible":false}}"#;
    let visibility = |visible| json!({"KHR_node_visibility": {"visible": visible}});
    let mut made = arm();
    made.json["extensionsUsed"] = json!(["KHR_node_visibility"]);
    let nodes = made.json["nodes"].as_array().unwrap();
    let skinned = nodes.iter().position(|node| node["skin"].is_u64()).unwrap();
    made.json["nodes"][skinned]["extensions"] = visibility(true);
    assert_eq!(json_of_output(&made).matches(hidden).count(), 0);
    made.json["nodes"][skinned]["extensions"] = visibility(false);
    assert_eq!(json_of_output(&made).matches(hidden).count(), 2);
}

#[test]
fn children_of_a_hidden_node_stay_hidden() {
    let hidden = json!({"KHR_node_visibility": {"visible": false}});
    let mut made = arm();
    made.json["extensionsUsed"] = json!(["KHR_node_visibility"]);
    let positions = made.floats("VEC3", &[0.0, 1.0, 2.0]);
    let joints = made.accessor("VEC4", 5121, 1, &[0; 4]);
    let weights = made.floats("VEC4", &[1.0, 0.0, 0.0, 0.0]);
    let attributes = json!({"POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights});
    let mesh = made.push(
        "meshes",
        json!({"primitives": [{"attributes": attributes, "mode": 0}]}),
    );
    let below = made.push("nodes", json!({"mesh": mesh, "skin": 0}));
    let above = made.push("nodes", json!({"children": [below], "extensions": hidden}));
    made.add("/scenes/0/nodes", above);
    let output = json_of_output(&made);
    assert_eq!(
        output.matches(r#"{"visible":false}"#).count(),
        2,
        "{output}"
    );
}

#[test]
fn numbers_of_unknown_extensions_that_are_no_references_stay() {
    let mut made = arm();
    made.json["extensionsUsed"] = json!(["ACME_notes"]);
    made.json["extensions"] = json!({"ACME_notes": {"accessor": 999, "bufferView": 2.5}});
    let output = json_of_output(&made);
    assert_contains(&output, &[r#"{"accessor":999,"bufferView":2.5}"#]);
}

#[test]
fn accessors_of_instanced_nodes_are_still_referred_to() {
    let mut made = arm();
    made.json["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
    let places = made.floats("VEC3", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let sizes = made.floats("VEC3", &[0.5; 6]);
    let positions = made.floats("VEC3", &[0.0, 1.0, 2.0]);
    let mesh = made.push(
        "meshes",
        json!({"primitives": [{"attributes": {"POSITION": positions}, "mode": 0}]}),
    );
    let node = json!({"mesh": mesh, "extensions": {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": places, "SCALE": sizes}}}});
    let node = made.push("nodes", node);
    made.json["scenes"][0]["nodes"] = json!([0, 3, node]);
    let dir = Dir::with("made.glb", made.glb());
    run(&dir, "made.glb", &Ask::at(0.3)).good();
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
    let dir = Dir::with("made.glb", made.glb());
    run(&dir, "made.glb", &Ask::at(0.3)).good();
    let output = Gltf::read(&dir.read("out/made.glb"), dir.path());
    let table = "extensions.EXT_structural_metadata.propertyTables.0.properties.h.values";
    let view = output.tree.at(table).unwrap().index();
    assert_eq!(output.view(view), b"heights!");
}

#[test]
fn a_compressed_sample_loses_the_extension_and_no_vertex() {
    let Some(folder) = published("gltf-samples/compressed") else {
        return;
    };
    let dir = Dir::new();
    let fox = "Fox-gltfpack";
    for kind in ["quantized", "meshopt"] {
        let name = format!("{fox}-{kind}.glb");
        dir.write(&name, std::fs::read(folder.join(&name)).unwrap());
    }
    for ask in [Ask::REST, Ask::at(0.5)] {
        run(&dir, &format!("{fox}-meshopt.glb"), &ask).good();
        let glb = dir.read(&format!("out/{fox}-meshopt.glb"));
        let mut problems = Vec::new();
        container::check(&glb, &mut problems);
        assert!(problems.is_empty(), "{problems:#?}");
        let (plain, _) = checked(&dir, &format!("{fox}-quantized.glb"), &ask);
        let packed = Gltf::read(&glb, dir.path());
        let names = |file: &Gltf| file.tree.list("extensionsUsed").to_vec();
        assert_eq!(names(&packed), names(&plain));
        // The tool reorders vertices when it compresses; their bounds stay.
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

/// The output of a made file, and its warnings, without a check of what moves or is renumbered.
fn unchecked(made: &super::builder::Made) -> (Gltf, Vec<serde_json::Value>) {
    let dir = Dir::with("made.glb", made.glb());
    let ran = run(&dir, "made.glb", &Ask::at(0.3)).good();
    let warnings = ran.json()[0]["warnings"].as_array().unwrap().clone();
    (Gltf::read(&dir.read("out/made.glb"), dir.path()), warnings)
}

/// The members of `extensions` of the nodes of an output, and the messages of the warnings.
fn node_extensions(made: &super::builder::Made) -> (Vec<String>, Vec<String>) {
    let (output, warnings) = unchecked(made);
    let nodes = output.tree.list("nodes").iter();
    let names = nodes.map(|node| {
        let extensions = node.get("extensions");
        extensions.map_or(String::new(), |all| all.keys().join(" "))
    });
    let messages = warnings
        .iter()
        .map(|warning| warning["message"].to_string());
    (names.collect(), messages.collect())
}

#[test]
fn instances_of_a_skinned_mesh_go_with_it() {
    let mut made = arm();
    made.json["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing", "ACME_seat"]);
    let places = made.floats("VEC3", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let instancing = json!({"attributes": {"TRANSLATION": places}});
    made.json["nodes"][2]["extensions"] = json!({"ACME_seat": {}, "EXT_mesh_gpu_instancing": instancing, "EXT_instance_features": {}});
    let (names, messages) = node_extensions(&made);
    let moved = "EXT_mesh_gpu_instancing EXT_instance_features";
    assert_eq!(names, ["", "", "ACME_seat", "", moved]);
    assert_eq!(messages.len(), 1);
    assert!(
        messages[0].contains("instances of a skinned mesh"),
        "{messages:?}"
    );
    // Without other extensions, none are left on the node; a hidden node stays hidden.
    let hidden = json!({"visible": false});
    made.json["nodes"][2]["extensions"] = json!({"EXT_mesh_gpu_instancing": instancing});
    made.json["nodes"][3]["extensions"] = json!({"KHR_node_visibility": hidden});
    let (names, _) = node_extensions(&made);
    let moved = "EXT_mesh_gpu_instancing KHR_node_visibility";
    assert_eq!(names, ["", "", "", "KHR_node_visibility", moved]);
}

#[test]
fn lists_of_indices_for_several_primitives_are_left_out() {
    let mut made = arm();
    made.json["extensionsUsed"] = json!(["EXT_mesh_primitive_restart"]);
    made.json["extensionsRequired"] = json!(["EXT_mesh_primitive_restart"]);
    let groups = json!({"primitiveGroups": [{"primitives": [0], "indices": 6}]});
    made.json["meshes"][0]["extensions"] = json!({"EXT_mesh_primitive_restart": groups});
    let output = json_of_output(&made);
    assert!(!output.contains("primitive_restart"), "{output}");
}

#[test]
fn accessors_of_edges_are_still_referred_to() {
    let mut made = arm();
    made.json["extensionsUsed"] = json!([
        "CESIUM_primitive_outline",
        "EXT_mesh_primitive_edge_visibility"
    ]);
    let edges = made.accessor("SCALAR", 5121, 2, &[4, 5]);
    let seen = made.accessor("SCALAR", 5121, 1, &[9]);
    let strings = json!([{"indices": edges}]);
    made.json["meshes"][0]["primitives"][0]["extensions"] = json!({
        "CESIUM_primitive_outline": {"indices": edges},
        "EXT_mesh_primitive_edge_visibility": {"visibility": seen, "lineStrings": strings},
    });
    let (output, _) = unchecked(&made);
    let extensions = output.tree.at("meshes.0.primitives.0.extensions").unwrap();
    let values = |path: &str| output.reals(extensions.at(path).unwrap().index()).concat();
    assert_eq!(values("CESIUM_primitive_outline.indices"), [4.0, 5.0]);
    let edges = extensions
        .get("EXT_mesh_primitive_edge_visibility")
        .unwrap();
    let values = |path: &str| output.reals(edges.at(path).unwrap().index()).concat();
    assert_eq!(values("visibility"), [9.0]);
    assert_eq!(values("lineStrings.0.indices"), [4.0, 5.0]);
}

#[test]
fn a_required_extension_that_is_not_known_is_refused_unless_it_is_allowed() {
    let mut made = arm();
    made.json["extensionsUsed"] = json!(["ACME_water", "ACME_sky"]);
    made.json["extensionsRequired"] = json!(["ACME_water", "ACME_sky"]);
    made.json["materials"][0]["extensions"] = json!({"ACME_water": {"depth": 2}});
    let dir = Dir::with("in/made.glb", made.glb());
    let bake = |allowed: &str| dir.run(&format!("bake in -o out {allowed}"));
    let ran = bake("--allow-extension ACME_sky --allow-extension OTHER");
    assert_eq!(ran.status(), 1);
    let text = ran.stderr();
    assert_contains(
        &text,
        &["`bake --allow-extension ACME_water` bakes the file"],
    );
    assert!(!text.contains("--allow-extension ACME_sky"), "{text}");
    bake("--allow-extension ACME_sky --allow-extension ACME_water").good();
    let output = Gltf::read(&dir.read("out/made.glb"), dir.path());
    assert_eq!(output.tree.list("extensionsRequired").len(), 2);
    let kept = output.tree.at("materials.0.extensions.ACME_water.depth");
    assert_eq!(kept.unwrap().index(), 2);
    // An extension that was allowed before is refused now, although the cache has the outcome.
    assert_eq!(bake("").status(), 1);
}

/// The result of a bake of a file that requires an extension.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    /// The output has it as the input does.
    Kept,
    /// The output has it, changed where it would not be true.
    Changed,
    /// The output has no use for it.
    Removed,
    Refused,
}

#[test]
fn the_fate_of_every_extension_is_known() {
    use Fate::{Changed, Kept, Refused, Removed};
    let node = json!({"source": 0});
    // In `extensions` of: the file, a node, a material, a primitive.
    let cases = [
        (
            "VRM",
            0,
            json!({"humanoid": {"humanBones": []}, "secondaryAnimation": {"boneGroups": [{"bones": [0]}]}}),
            Changed,
        ),
        (
            "VRMC_vrm",
            0,
            json!({"specVersion": "1.0", "expressions": {"custom": {"a": {"morphTargetBinds": [{"node": 2, "index": 0, "weight": 1}]}}}}),
            Changed,
        ),
        (
            "VRMC_springBone",
            0,
            json!({"specVersion": "1.0", "springs": [{"joints": [{"node": 0}]}]}),
            Removed,
        ),
        (
            "VRMC_node_constraint",
            1,
            json!({"specVersion": "1.0", "constraint": {"rotation": node}}),
            Kept,
        ),
        (
            "VRMC_materials_mtoon",
            2,
            json!({"specVersion": "1.0"}),
            Kept,
        ),
        (
            "VRMC_materials_hdr_emissiveMultiplier",
            2,
            json!({"emissiveMultiplier": 2}),
            Kept,
        ),
        ("VRMC_vrm_animation", 0, json!({"specVersion": "1.0"}), Kept),
        (
            "VRMC_springBone_extended_collider",
            0,
            json!({"specVersion": "1.0"}),
            Kept,
        ),
        ("GODOT_single_root", 0, Value::Null, Removed), // a flag; the file has three roots
        ("KHR_node_visibility", 1, json!({"visible": true}), Kept),
        (
            "KHR_node_selectability",
            1,
            json!({"selectable": false}),
            Kept,
        ),
        (
            "KHR_node_hoverability",
            1,
            json!({"hoverable": false}),
            Kept,
        ),
        ("KHR_xmp_json_ld", 0, json!({"packets": []}), Kept),
        ("KHR_materials_unlit", 2, json!({}), Kept),
        ("EXT_materials_bump", 2, json!({}), Kept),
        ("ADOBE_materials_clearcoat_tint", 2, json!({}), Kept),
        ("AGI_stk_metadata", 0, json!({}), Kept),
        ("EXT_structural_metadata", 0, json!({}), Kept),
        ("MOZ_lightmap", 2, json!({}), Kept),
        ("MSFT_packing_normalRoughnessMetallic", 2, json!({}), Kept),
        ("KHR_accessor_float64", 0, json!({}), Refused),
        ("KHR_accessor_float16", 0, json!({}), Refused),
        ("KHR_mesh_primitive_restart", 0, json!({}), Refused),
        ("ACME_water", 2, json!({}), Refused),
    ];
    for (name, place, value, fate) in cases {
        let mut made = arm();
        made.json["extensionsUsed"] = json!([name]);
        made.json["extensionsRequired"] = json!([name]);
        let pointer = ["", "/nodes/1", "/materials/0"][place];
        if !value.is_null() {
            made.json.pointer_mut(pointer).unwrap()["extensions"] = json!({name: value});
        }
        let dir = Dir::with("made.glb", made.glb());
        let ran = dir.run("bake made.glb -o out --keep-skeleton");
        let found = if ran.status() == 1 {
            assert_contains(ran.stderr(), &[name, "is required, but not supported"]);
            Refused
        } else {
            assert_eq!(ran.status(), 0, "{name}: {}", ran.stderr());
            let (json, _) = glb_parts(&dir.read("out/made.glb"));
            let output = json
                .pointer(pointer)
                .map(|object| &object["extensions"][name]);
            let is_required = json["extensionsRequired"] == json!([name]);
            let found = match output {
                Some(Value::Null) | None => Removed,
                Some(output) if *output == value => Kept,
                Some(_) => Changed,
            };
            assert_eq!(is_required, found != Removed, "{name}");
            found
        };
        assert_eq!(found, fate, "{name}");
    }
}

#[test]
fn an_extension_that_holds_geometry_cannot_be_allowed() {
    let mut made = arm();
    let restart = "KHR_mesh_primitive_restart";
    made.json["extensionsUsed"] = json!([restart]);
    made.json["extensionsRequired"] = json!([restart]);
    let dir = Dir::with("made.glb", made.glb());
    dir.run(&format!("bake made.glb --allow-extension {restart}"))
        .exits_saying(1, "export strips");
}

#[test]
fn advice_about_an_extension_does_not_repeat_odd_names() {
    let mut made = arm();
    made.json["extensionsRequired"] = json!(["$(rm)\u{1b}"]);
    let dir = Dir::with("made.glb", made.glb());
    let text = dir.run("bake made.glb").stderr();
    assert!(text.contains("--allow-extension NAME"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text}");
}

#[test]
fn an_image_that_names_a_view_that_does_not_exist_is_named() {
    let mut made = arm();
    made.json["images"] = json!([
        {"uri": "data:image/png;base64,"},
        {"bufferView": 999, "mimeType": "image/png"}
    ]);
    let dir = Dir::with("made.glb", made.glb());
    let ran = run(&dir, "made.glb", &Ask::at(0.3));
    assert_eq!(ran.status(), 1);
    let message = "there is no buffer view 999";
    let place = "images[1].bufferView";
    let text = ran.stderr();
    assert!(text.contains(message) && text.contains(place), "{text}");
}
