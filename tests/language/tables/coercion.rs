//! Values that each type accepts (`language.md` §1.3), and keys that may be left out (§1.4).

use rigy_batch::base::diag::Code;

use super::rows::Expected::{self, Accepted, Name, Refused, Size, Vertices};
use super::rows::{changes, every, grouped, rows};
use super::{BASE, WITHOUT_POSE, changed};

#[test]
fn section_1_3_integers() {
    let rows: &[(&str, Expected)] = grouped! {
        Vertices(&[1]) => "1", "0x1", "1.0", "1e0", "true", "'1'", "'1.0'", "'1.00'", "'+1'", "'01'";
        Vertices(&[0]) => "-0.0", "false", "'-0'";
        Vertices(&[10]) => "'1_0'", "'1_0.0'", "1_0";
        Refused(Code::U10) => "1.5", ".inf", ".nan", "'1.'", "'.0'", "'1e0'", "'1.5'", "'1__0'", "'_1'", "'1_'";
        Refused(Code::U10) => "''", "'0x1'", "one", "~", "[1]", "2024-02-29", "-1", "-1.0", "'-1'";
        Refused(Code::V19) => "24", "99999999999999999999999";
    };
    every(rows.iter().map(|(vertex, expected)| {
        let text = changed(&[("vertices: [0]", &format!("vertices: [{vertex}]"))]);
        (format!("1.3 integer `{vertex}`"), text, *expected)
    }));
}

#[test]
fn section_1_3_text_and_literals() {
    every(changes(
        "1.3 string",
        rows! {
            "- id: m" "- id: m\n    name: ' left '" => Name(" left ");
            "- id: m" "- id: m\n    name: ''" => Name("m");
            "- id: m" "- id: m\n    name: ~" => Name("m");
            "- id: m" "- id: m\n    name: 7" => Refused(Code::U10);
            "id: p" "id: 7" => Refused(Code::U10);
            "id: p" "id: 1.5" => Refused(Code::U10);
            "id: p" "id: true" => Refused(Code::U10);
            "id: p" "id: ~" => Refused(Code::U10);
            "id: p" "id: 2024-02-29" => Refused(Code::U10);
            "id: p" "id: []" => Refused(Code::U10);
            "id: p" "id: {}" => Refused(Code::U10);
            "id: d" "id: ''" => Accepted;
        },
    ));
    every(changes(
        "1.3 literal",
        rows! {
            "type: box" "type: 'box'" => Accepted;
            "type: box" "type: Box" => Refused(Code::U10);
            "type: box" "type: ' box'" => Refused(Code::U10);
            "type: box" "type: ''" => Refused(Code::U10);
            "type: box" "type: 1" => Refused(Code::U10);
            "type: box" "type: ~" => Refused(Code::U10);
            "axis: x" "axis: X" => Refused(Code::U10);
            "poses:" "units: meters\nposes:" => Accepted;
            "poses:" "units: metres\nposes:" => Refused(Code::U10);
            "poses:" "units: ~\nposes:" => Refused(Code::U10);
            "poses:" "coordinate_system: {up: Y, forward: -Z, handedness: right}\nposes:" => Accepted;
            "poses:" "coordinate_system: {up: Z, forward: -Z, handedness: right}\nposes:" => Refused(Code::U10);
            "poses:" "coordinate_system: {up: Y, forward: -Z}\nposes:" => Refused(Code::V34);
            "poses:" "skinning_solver: dqs\nposes:" => Accepted;
            "poses:" "skinning_solver: ~\nposes:" => Accepted;
            "poses:" "skinning_solver: DQS\nposes:" => Refused(Code::U10);
            "weights: []" "weights: []\n    skinning_solver: ~" => Accepted;
            "weights: []" "weights: []\n    skinning_solver: linear" => Refused(Code::U10);
        },
    ));
}

#[test]
fn section_1_3_collections() {
    every(changes(
        "1.3 list",
        rows! {
            "vertices: [0]" "vertices: []" => Vertices(&[]);
            "vertices: [0]" "vertices: [2, 0, 2]" => Vertices(&[0, 2]);
            "vertices: [0]" "vertices: ~" => Refused(Code::U10);
            "vertices: [0]" "vertices: {0: 0}" => Refused(Code::U10);
            "vertices: [0]" "vertices: {}" => Refused(Code::U10);
            "vertices: [0]" "vertices: '0'" => Refused(Code::U10);
            "vertices: [0]" "vertices: 0" => Refused(Code::U10);
            "weights: []" "weights: ~" => Refused(Code::U10);
        },
    ));
    every(changes(
        "1.3 tuple",
        rows! {
            "tail: [0, 1, 0]" "tail: ['0', true, .5]" => Accepted;
            "tail: [0, 1, 0]" "tail: [0, 1]" => Refused(Code::U10);
            "tail: [0, 1, 0]" "tail: [0, 1, 0, 0]" => Refused(Code::U10);
            "tail: [0, 1, 0]" "tail: []" => Refused(Code::U10);
            "tail: [0, 1, 0]" "tail: ~" => Refused(Code::U10);
            "tail: [0, 1, 0]" "tail: {x: 0, y: 1, z: 0}" => Refused(Code::U10);
            "tail: [0, 1, 0]" "tail: 1" => Refused(Code::U10);
            "tail: [0, 1, 0]" "tail: [0, ~, 0]" => Refused(Code::U10);
            "range: [-1, 1]" "range: [-1, 0, 1]" => Refused(Code::U10);
            "rotation: [1, 0, 0, 0]" "rotation: [1, 0, 0]" => Refused(Code::U10);
            "rotation: [1, 0, 0, 0]" "rotation: ~" => Accepted;
            "{x: 1}" "{x: 1}, transform: {translation: ~, rotation_euler: ~}" => Accepted;
        },
    ));
    every(changes(
        "1.3 map",
        rows! {
            "{x: 1}" "{x: 3, z: 2}" => Size([3.0, 1.0, 2.0]);
            "{x: 1}" "{}" => Refused(Code::U10);
            "{x: 1}" "[1, 1, 1]" => Refused(Code::U10);
            "{x: 1}" "~" => Refused(Code::U10);
            "{x: 1}" "1" => Refused(Code::U10);
            "bones: {r: {rotation: [1, 0, 0, 0]}}" "bones: {}" => Accepted;
            "bones: {r: {rotation: [1, 0, 0, 0]}}" "bones: [r]" => Refused(Code::U10);
            "bones: {r: {rotation: [1, 0, 0, 0]}}" "bones: ~" => Refused(Code::U10);
        },
    ));
    every(changes(
        "1.3 object",
        rows! {
            "{rotation: [1, 0, 0, 0]}" "{}" => Accepted;
            "{rotation: [1, 0, 0, 0]}" "~" => Refused(Code::U10);
            "{rotation: [1, 0, 0, 0]}" "[]" => Refused(Code::U10);
            "{rotation: [1, 0, 0, 0]}" "rest" => Refused(Code::U10);
            "{x: 1}" "{x: 1}, transform: {}" => Accepted;
            "{x: 1}" "{x: 1}, transform: ~" => Accepted;
            "{x: 1}" "{x: 1}, transform: []" => Refused(Code::U10);
            "{x: 1}" "{x: 1}, transform: {scale: [1, 1, 1]}" => Refused(Code::V33);
            "roll: 0" "Roll: 0" => Refused(Code::V33);
            "roll: 0" "from_: 0" => Refused(Code::V33);
            ", weight: 1}, to" "}, to" => Refused(Code::V34);
            "    weights: []\n" "" => Vertices(&[0]);
        },
    ));
}

#[test]
fn section_1_4_a_binding_may_leave_out_its_weights() {
    // [D7]: the weight map still applies, and without one every vertex follows the root.
    let maps = &BASE[BASE.find("    weight_maps:").unwrap()..BASE.find("poses:").unwrap()];
    for version in ["0.1", "0.2", "0.3", "0.4", "0.5"] {
        let header = ("version: \"0.5\"", &*format!("version: \"{version}\""));
        let text = changed(&[header, WITHOUT_POSE, ("    weights: []\n", "")]);
        let alone = text.replacen(maps, "", 1);
        every([
            (format!("1.4 in {version}"), text, Vertices(&[0])),
            (format!("1.4 in {version}, alone"), alone, Vertices(&[])),
        ]);
    }
}

#[test]
fn section_1_3_null_is_absence_only_where_it_says_so() {
    every(changes(
        "1.3 null",
        rows! {
            "roll: 0" "roll: ~" => Refused(Code::U10);
            "meshes:\n  - id: m\n    primitives:\n      - {type: box, id: p, dimensions: {x: 1}}" "meshes: ~"
                => Refused(Code::U10);
            "primitives:\n      - {type: box, id: p, dimensions: {x: 1}}" "primitives: ~" => Refused(Code::U10);
            "poses:\n  - {id: t, bones: {r: {rotation: [1, 0, 0, 0]}}}" "poses: ~" => Refused(Code::U10);
            "poses:" "units: ~\nposes:" => Refused(Code::U10);
            "poses:" "coordinate_system: ~\nposes:" => Refused(Code::U10);
            "poses:" "tessellation_profile: ~\nposes:" => Refused(Code::U10);
            "poses:" "imports: ~\nposes:" => Refused(Code::U10);
            "poses:" "instances: ~\nposes:" => Refused(Code::U10);
            "poses:" "symmetry: ~\nposes:" => Accepted;
            "poses:" "symmetry: {mirror_x: ~}\nposes:" => Accepted;
            "{x: 1}" "{x: 1}, name: ~, material: ~" => Accepted;
            "- id: a" "- id: a\n    name: ~" => Accepted;
            "id: d" "id: d, scope: ~" => Accepted;
            "gradients: [{axis: x, range: [-1, 1], from: {bone_id: r, weight: 1}, to: []}]"
                "gradients: ~" => Vertices(&[0]);
            "overrides: [{vertices: [0], bones: [{bone_id: s, weight: 1}]}]"
                "overrides: ~\n        source: ~" => Vertices(&[]);
        },
    ));
    let maps = &BASE[BASE.find("    weight_maps:").unwrap()..BASE.find("poses:").unwrap()];
    let without = changed(&[(maps, "    weight_maps: ~\n")]);
    every([("1.3 null `weight_maps`".into(), without, Vertices(&[]))]);
}
