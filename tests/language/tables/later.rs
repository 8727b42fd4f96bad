//! Features of later versions (`language.md` §7).

use rigy_batch::base::diag::Code;

use super::rows::Expected::{self, Name, Refused, Size, Vertices};
use super::rows::{every, rows};
use super::{BASE, WITHOUT_POSE, changed, good};

fn in_every_version(section: &str, rows: &[(&str, &str, Expected)]) {
    for version in ["0.1", "0.2", "0.3", "0.4", "0.5"] {
        let row = |(from, to, expected): &(&str, &str, Expected)| {
            let header = ("version: \"0.5\"", &*format!("version: \"{version}\""));
            let text = changed(&[header, WITHOUT_POSE, (from, to)]);
            (format!("{section} in {version} `{to}`"), text, *expected)
        };
        every(rows.iter().map(row));
    }
}

#[test]
fn section_7_nothing_is_gated_by_version() {
    in_every_version(
        "7",
        rows! {
            "poses:" "skinning_solver: lbs\nposes:" => Vertices(&[0]);
            "weights: []" "weights: []\n    skinning_solver: lbs" => Vertices(&[0]);
            "poses:" "symmetry: {mirror_x: {prefix_from: e, prefix_to: R}}\nposes:" => Vertices(&[0]);
        },
    );
    // A feature of 0.5 in an earlier version brings a warning, and the same bytes.
    for change in [
        ("anchors:", "skinning_solver: dqs\nanchors:"),
        ("weights: []", "weights: []\n    skinning_solver: dqs"),
        WITHOUT_POSE,
    ] {
        let text = match change {
            WITHOUT_POSE => BASE.to_owned(),
            change => changed(&[WITHOUT_POSE, change]),
        };
        let latest = good(&text);
        assert_eq!(latest.warnings, []);
        for version in ["0.1", "0.2", "0.3", "0.4"] {
            let earlier = good(&text.replacen("0.5", version, 1));
            assert_eq!(earlier.warnings, [Code::W12], "{version}: {change:?}");
            assert!((earlier.json, earlier.baked) == (latest.json.clone(), latest.baked.clone()));
        }
    }
}

#[test]
fn section_7_later_features_are_unknown() {
    let v33 = Refused(Code::V33);
    let u10 = Refused(Code::U10);
    in_every_version(
        "7",
        rows! {
            "poses:" "materials: {}\nposes:" => v33;
            "poses:" "materials: ~\nposes:" => v33;
            "- id: m" "- id: m\n    material: skin" => v33;
            "- id: m" "- id: m\n    material: ~" => v33;
            "- id: m" "- id: m\n    uv_sets: {}" => v33;
            "- id: m" "- id: m\n    uv_roles: {}" => v33;
            "{x: 1}" "{x: 1}, surface: skin" => v33;
            "{x: 1}" "{x: 1}, tags: [soft]" => v33;
            "{x: 1}" "{x: 1}, tags: []" => v33;
            "{x: 1}" "{x: 1}, tags: ~" => v33;
            "type: box" "type: wedge" => u10;
            "type: box" "type: implicit_surface" => u10;
            "{x: 1}" "{x: 1}, domain: ~" => v33;
            "{x: 1}" "{x: 1}, iso: 0.5" => v33;
            "{x: 1}" "{x: 1}, ops: []" => v33;
            "{x: 1}" "{x: 1}, extraction: {}" => v33;
            "{x: 1}" "{x: 1}, transform: {rotation_axis_angle: {axis: [0, 1, 0], degrees: 90}}" => v33;
            "{x: 1}" "{x: 1}, transform: {rotation_axis_angle: ~}" => v33;
            "{x: 1}" "{x: 1}, transform: {rotation_quat: [1, 0, 0, 0]}" => v33;
            "{x: 1}" "{x: 1}, transform: {rotation_quat: ~}" => v33;
            "poses:" "params: {width: 2}\nposes:" => v33;
            "poses:" "geometry_checks: {}\nposes:" => v33;
            "- id: m" "- id: m\n    repeat: {count: 2, as: i}" => v33;
            "{x: 1}" "{x: 1}, aabb: {min: [0, 0, 0], max: [1, 1, 1]}" => v33;
            "{x: 1}" "{x: 1}, macro: fin" => v33;
        },
    );
}

#[test]
fn section_7_what_is_accepted_keeps_its_old_meaning() {
    in_every_version(
        "7",
        rows! {
            "{x: 1}" "{x: 3}, transform: {rotation_degrees: [0, 0, 90]}" => Size([1.0, 3.0, 1.0]);
            "{x: 1}" "{x: 3}, transform: {rotation_degrees: ['0', false, -90.0]}" => Size([1.0, 3.0, 1.0]);
            "{x: 1}" "{x: 3}, transform: {rotation_degrees: ~, rotation_euler: ~}" => Size([3.0, 1.0, 1.0]);
            "{x: 1}" "{x: 3}, transform: {rotation_degrees: [0, 0, 90], rotation_euler: [0, 0, 0]}"
                => Refused(Code::U10);
            "- id: m" "- id: m\n    name: $name" => Name("$name");
            "- id: m" "- id: m\n    name: a$name" => Name("a$name");
            "- id: m" "- id: m\n    name: ${name}" => Name("${name}");
            "- id: m" "- id: m\n    name: =text" => Name("=text");
            "{x: 1}" "{x: $width}" => Refused(Code::U10);
            "{x: 1}" "{x: '=1 + 1'}" => Refused(Code::U10);
        },
    );
}

#[test]
fn section_7_2_symbolic_materials() {
    let text = "version: '0.4'\nmeshes:\n  \
        - {id: a, primitives: [{type: box, id: p, dimensions: {x: 1}, material: cloth}, \
           {type: box, id: q, dimensions: {x: 1}, material: skin}]}\n  \
        - {id: b, primitives: [{type: box, id: p, dimensions: {x: 1}, material: skin}]}\n  \
        - {id: c, primitives: [{type: box, id: p, dimensions: {x: 1}, material: ''}]}\n  \
        - {id: d, primitives: [{type: box, id: p, dimensions: {x: 1}}]}\n";
    let json = good(text).json;
    let names: Vec<&str> = json["materials"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["cloth", "skin"]);
    let meshes = json["meshes"].as_array().unwrap().iter();
    let used: Vec<Option<u64>> = meshes
        .map(|mesh| mesh["primitives"][0]["material"].as_u64())
        .collect();
    assert_eq!(used, [Some(0), Some(1), None, None]);
}
