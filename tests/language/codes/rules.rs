//! Errors of documents: one change to the good document, the code that it brings, and the place.

use rigy_batch::base::diag::Code;

use super::{GOOD, WEIGHTS, findings};

/// A list of rows: a code, a text of the good document and its replacement, the path of the finding, and the text at which
/// it is reported.
macro_rules! rules {
    ($($code:ident, $from:literal => $to:literal, $path:literal, $at:literal;)*) => {
        [$((Code::$code, $from, $to, $path, $at)),*]
    };
}

/// The line and column of the first occurrence of a text, counted from 1.
fn position(text: &str, needle: &str) -> (u32, u32) {
    let at = text
        .find(needle)
        .unwrap_or_else(|| panic!("{needle:?} is in the document"));
    let line = text[..at].matches('\n').count() as u32 + 1;
    let column = (at - text[..at].rfind('\n').map_or(0, |newline| newline + 1)) as u32 + 1;
    (line, column)
}

/// Applies a change, and checks code, category, path and position of the first finding.
fn expect(code: Code, from: &str, to: &str, path: &str, at: &str) {
    assert!(
        GOOD.contains(from),
        "{code}: {from:?} is in the good document"
    );
    let text = GOOD.replacen(from, to, 1);
    let found = findings(&text, WEIGHTS);
    let first = found
        .first()
        .unwrap_or_else(|| panic!("{code}: nothing found"));
    assert_eq!(first.code, Some(code), "{}", first.message);
    assert_eq!(first.category, code.category());
    let place = first.place.as_ref().unwrap();
    assert_eq!(place.path, path, "{code}: {}", first.message);
    assert_eq!(
        place.position,
        Some(position(&text, at)),
        "{code}: {}",
        first.message
    );
}

#[test]
fn every_rule_of_the_document() {
    for (code, from, to, path, at) in rules! {
        V01, "{id: n," => "{id: m,", "meshes[1].id", "m, primitives: []";
        V02, "id: q, dim" => "id: p, dim", "meshes[0].primitives[1].id", "p, dimensions: {x: 1}}\n  - {id: n";
        V03, "{id: e," => "{id: a,", "armatures[1].id", "a, bones: []";
        V04, "{id: s, parent" => "{id: r, parent", "armatures[0].bones[1].id", "r, parent: r";
        U01, "parent: r," => "parent: x,", "armatures[0].bones[1].parent", "x, head";
        V05, "parent: r," => "parent: s,", "armatures[0].bones[1].parent", "s, head: [0, 1";
        V06, "tail: [0, 2, 0]" => "tail: [0, 1, 0]", "armatures[0].bones[1]", "{id: s, parent";
        V07, "{x: 1}" => "{x: 0}", "meshes[0].primitives[0].dimensions.x", "0}}";
        V08, "mesh_id: m" => "mesh_id: x", "bindings[0].mesh_id", "x\n    armature_id";
        V09, "armature_id: a" => "armature_id: x", "bindings[0].armature_id", "x\n    weights";
        U12, "armature_id: a" => "armature_id: e", "bindings[0].armature_id", "e\n    weights";
        V10, "{primitive_id: p" => "{primitive_id: x",
            "bindings[0].weights[0].primitive_id", "x, bones: [{bone_id: r";
        V11, "[{bone_id: r" => "[{bone_id: x", "bindings[0].weights[0].bones[0].bone_id", "x, weight: 1}]}]";
        V12, "{mesh_id: n, armature_id: e" => "{mesh_id: m, armature_id: a",
            "bindings[1].mesh_id", "m, armature_id: a";
        V13, "[{bone_id: r, weight: 1}" => "[{bone_id: r, weight: 1.5}",
            "bindings[0].weights[0].bones[0].weight", "1.5";
        V14, "- primitive_id: q" => "- primitive_id: x",
            "bindings[0].weight_maps[0].primitive_id", "x\n        gradients";
        V15, "from: {bone_id: r" => "from: {bone_id: x",
            "bindings[0].weight_maps[0].gradients[0].from.bone_id", "x, weight: 1}, to";
        V17, "{bone_id: s, weight: 0.5}" => "{bone_id: s, weight: 7}",
            "bindings[0].weight_maps[0].gradients[0].to.weight", "7}}]";
        V16, "bones: [{bone_id: s, weight: 0.25" => "bones: [{bone_id: x, weight: 0.25",
            "bindings[0].weight_maps[0].overrides[0].bones[0].bone_id", "x, weight: 0.25";
        V18, "0.25" => "-0.25", "bindings[0].weight_maps[0].overrides[0].bones[0].weight", "-0.25";
        V19, "[3]" => "[3, 24]", "bindings[0].weight_maps[0].overrides[0].vertices[1]", "24]";
        V20, "w.json" => "x.json", "bindings[0].weight_maps[0].source", "x.json";
        V23, "weights: []}" => "weights: [], weight_maps: [{primitive_id: z}]}",
            "bindings[1].weight_maps[0]", "{primitive_id: z";
        V24, "{id: d," => "{id: c,", "anchors[1].id", "c, translation: [0, 0, 1]";
        V25, "anchors:" => "instances: [{id: i, mesh_id: m}, {id: i, mesh_id: m}]\nanchors:",
            "instances[1].id", "i, mesh_id: m}]";
        V26, "anchors:" =>
            "instances: [{id: i, import: x, attach3: {from: [a, b, c], to: [a, b, c], mode: rigid}}]\nanchors:",
            "instances[0].import", "x, attach3";
        V27, "anchors:" => "instances: [{id: i, mesh_id: x}]\nanchors:", "instances[0].mesh_id", "x}]";
        V28, "{id: c, tr" => "{id: m, tr", "anchors[0].id", "m, translation";
        V32, "roll: 0" => "roll: .nan", "armatures[0].bones[0].roll", ".nan";
        V33, "roll: 0" => "rol: 0", "armatures[0].bones[0].rol", "rol: 0";
        V34, ", tail: [0, 2, 0]" => "", "armatures[0].bones[1]", "{id: s, parent";
        V36, "[1, 0, 0, 0]" => "[1, 1, 0, 0]", "poses[0].bones.r.rotation", "[1, 1, 0, 0]";
        U02, "bones: {r:" => "bones: {x:", "poses[0].bones.x", "x: {rotation";
        U03, "{id: u," => "{id: t,", "poses[1].id", "t, bones: {s";
        U04, "[-1, 1]" => "[1, 1]", "bindings[0].weight_maps[0].gradients[0].range", "[1, 1]";
        U10, "id: m\n" => "id: 7\n", "meshes[0].id", "7\n";
        U11, "v0_1_default" => "v9", "tessellation_profile", "v9";
        U14, "w.json" => "../w.json", "bindings[0].weight_maps[0].source", "../w.json";
        U15, "{x: 1}" => "{x: 1e300}", "meshes[0].id", "m\n";
        W03, "none, head: [0, 0, 0]" => "none, head: [0, 0, 0.5]", "armatures[0].bones[0].head[2]", "0.5]";
        W04, "[1, 0, 0, 0]" => "[0.9239, 0, 0.3827, 0]", "poses[0].bones.r.rotation", "[0.9239";
        W11, "{id: u, bones: {s: {translation: [0, 1, 0]}}}" => "{id: u, bones: {}}", "poses[1]", "{id: u";
        W12, "version: \"0.5\"" => "version: \"0.4\"", "poses", "poses:";
    } {
        expect(code, from, to, path, at);
    }
}

#[test]
fn scale_in_a_pose_is_told_that_bones_are_rigid() {
    let text = GOOD.replacen("translation: [0, 0, 0]", "scale: [2, 2, 2]", 1);
    let found = findings(&text, WEIGHTS);
    assert_eq!(found[0].code, Some(Code::V33));
    let help = found[0].help.as_deref().unwrap_or_default();
    assert!(
        help.contains("rigid") && help.contains("no scale"),
        "{help}"
    );
}

#[test]
fn outputs_that_no_file_can_hold_are_refused_before_memory_is_taken() {
    let bones: Vec<String> = (0..65_536)
        .map(|i| format!("{{id: b{i}, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}}"))
        .collect();
    let list = format!("bones: [{}]", bones.join(", "));
    let text = GOOD.replacen("{id: e, bones: []}", &format!("{{id: e, {list}}}"), 1);
    let text = text
        .replacen("armature_id: a", "armature_id: e", 1)
        .replace("bone_id: r", "bone_id: b1");
    let text = text.replace("bone_id: s", "bone_id: b2");
    let found = findings(&text, WEIGHTS);
    let first = found.iter().find(|finding| !finding.is_warning()).unwrap();
    assert_eq!(first.code, Some(Code::U16), "{}", first.message);

    let capsules: Vec<String> = (0..160_000)
        .map(|i| format!("{{type: capsule, id: c{i}, dimensions: {{radius: 1}}}}"))
        .collect();
    let text = format!(
        "version: \"0.5\"\nmeshes: [{{id: m, primitives: [{}]}}]\n",
        capsules.join(", ")
    );
    assert_eq!(findings(&text, WEIGHTS)[0].code, Some(Code::U17));
}

#[test]
fn the_order_of_checks_decides_which_finding_comes_first() {
    for (first, second, changes) in [
        // An unknown bone (pass 9) before a weight of 2 (pass 12).
        (
            Code::V11,
            Code::V13,
            [("[{bone_id: r, weight: 1}]", "[{bone_id: x, weight: 2}]")].as_slice(),
        ),
        // Zero (pass 7) before not-a-number (pass 18), although it stands later.
        (Code::V07, Code::V32, &[("{x: 1}", "{x: .nan, y: 0}")]),
        // A bad quaternion (pass 20) before an unknown bone (pass 21).
        (
            Code::V36,
            Code::U02,
            &[("{r: {rotation: [1,", "{x: {rotation: [2,")],
        ),
        // A weight map's faults (pass 10) before a mesh bound twice (pass 11).
        (
            Code::V17,
            Code::V12,
            &[
                ("weight: 0.5", "weight: 5"),
                ("{mesh_id: n, armature_id: e", "{mesh_id: m, armature_id: a"),
            ],
        ),
    ] {
        let change = |text: String, (from, to): &(&str, &str)| text.replacen(from, to, 1);
        let text = changes.iter().fold(GOOD.to_owned(), change);
        let codes: Vec<Option<Code>> = findings(&text, WEIGHTS).iter().map(|f| f.code).collect();
        assert_eq!(codes, [Some(first), Some(second)]);
    }
}
