//! Every code that a document without composition can raise: one change to a good document, the code it
//! brings, and where.

use rigy_batch::base::diag::{Code, Diagnostic};
use rigy_batch::base::executor::Sequential;
use rigy_batch::base::loader::MemoryLoader;
use rigy_batch::compile::{Files, Input, check};
use rigy_batch::kernel::simd::Isa;

const GOOD: &str = r#"version: "0.5"
tessellation_profile: v0_1_default
meshes:
  - id: m
    primitives:
      - {type: box, id: p, dimensions: {x: 1}}
      - {type: box, id: q, dimensions: {x: 1}}
  - {id: n, primitives: []}
armatures:
  - id: a
    bones:
      - {id: r, parent: none, head: [0, 0, 0], tail: [0, 1, 0], roll: 0}
      - {id: s, parent: r, head: [0, 1, 0], tail: [0, 2, 0]}
  - {id: e, bones: []}
bindings:
  - mesh_id: m
    armature_id: a
    weights: [{primitive_id: p, bones: [{bone_id: r, weight: 1}]}]
    weight_maps:
      - primitive_id: q
        gradients: [{axis: x, range: [-1, 1], from: {bone_id: r, weight: 1}, to: {bone_id: s, weight: 0.5}}]
        overrides: [{vertices: [3], bones: [{bone_id: s, weight: 0.25}]}]
        source: w.json
  - {mesh_id: n, armature_id: e, weights: []}
poses:
  - {id: t, bones: {r: {rotation: [1, 0, 0, 0], translation: [0, 0, 0]}, s: {translation: [0, 1, 0]}}}
  - {id: u, bones: {s: {translation: [0, 1, 0]}}}
anchors:
  - {id: c, translation: [0, 0, 0]}
  - {id: d, translation: [0, 0, 1]}
"#;

const WEIGHTS: &str =
    r#"{"primitive_id": "q", "vertex_count": 24, "influences": [{"vertex": 1, "bones": []}]}"#;

/// Everything that compiling a document and all its outputs finds.
fn findings(text: &str, weights: &str) -> Vec<Diagnostic> {
    let mut loader = MemoryLoader::default();
    loader.files.insert("w.json".into(), weights.into());
    let files = Files::new(loader);
    let judged = check(Input::new("d.rigy.yaml", text), &files).and_then(|checked| {
        let mut warnings = checked.warnings;
        let compiled = checked.value.build()?;
        warnings.extend(compiled.warnings);
        compiled.value.export()?;
        for id in compiled.value.pose_ids() {
            let posed = compiled.value.pose(id, Isa::best(), &Sequential);
            posed.unwrap().bake()?;
        }
        Ok(warnings)
    });
    judged.unwrap_or_else(|errors| errors)
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
fn the_good_document_is_good() {
    assert_eq!(findings(GOOD, WEIGHTS), []);
}

#[test]
fn every_rule_of_the_document() {
    use Code::*;
    for (code, from, to, path, at) in [
        (
            V01,
            "{id: n,",
            "{id: m,",
            "meshes[1].id",
            "m, primitives: []",
        ),
        (
            V02,
            "id: q, dim",
            "id: p, dim",
            "meshes[0].primitives[1].id",
            "p, dimensions: {x: 1}}\n  - {id: n",
        ),
        (V03, "{id: e,", "{id: a,", "armatures[1].id", "a, bones: []"),
        (
            V04,
            "{id: s, parent",
            "{id: r, parent",
            "armatures[0].bones[1].id",
            "r, parent: r",
        ),
        (
            U01,
            "parent: r,",
            "parent: x,",
            "armatures[0].bones[1].parent",
            "x, head",
        ),
        (
            V05,
            "parent: r,",
            "parent: s,",
            "armatures[0].bones[1].parent",
            "s, head: [0, 1",
        ),
        (
            V06,
            "tail: [0, 2, 0]",
            "tail: [0, 1, 0]",
            "armatures[0].bones[1]",
            "{id: s, parent",
        ),
        (
            V07,
            "{x: 1}",
            "{x: 0}",
            "meshes[0].primitives[0].dimensions.x",
            "0}}",
        ),
        (
            V08,
            "mesh_id: m",
            "mesh_id: x",
            "bindings[0].mesh_id",
            "x\n    armature_id",
        ),
        (
            V09,
            "armature_id: a",
            "armature_id: x",
            "bindings[0].armature_id",
            "x\n    weights",
        ),
        (
            U12,
            "armature_id: a",
            "armature_id: e",
            "bindings[0].armature_id",
            "e\n    weights",
        ),
        (
            V10,
            "{primitive_id: p",
            "{primitive_id: x",
            "bindings[0].weights[0].primitive_id",
            "x, bones: [{bone_id: r",
        ),
        (
            V11,
            "[{bone_id: r",
            "[{bone_id: x",
            "bindings[0].weights[0].bones[0].bone_id",
            "x, weight: 1}]}]",
        ),
        (
            V12,
            "{mesh_id: n, armature_id: e",
            "{mesh_id: m, armature_id: a",
            "bindings[1].mesh_id",
            "m, armature_id: a",
        ),
        (
            V13,
            "[{bone_id: r, weight: 1}",
            "[{bone_id: r, weight: 1.5}",
            "bindings[0].weights[0].bones[0].weight",
            "1.5",
        ),
        (
            V14,
            "- primitive_id: q",
            "- primitive_id: x",
            "bindings[0].weight_maps[0].primitive_id",
            "x\n        gradients",
        ),
        (
            V15,
            "from: {bone_id: r",
            "from: {bone_id: x",
            "bindings[0].weight_maps[0].gradients[0].from.bone_id",
            "x, weight: 1}, to",
        ),
        (
            V17,
            "{bone_id: s, weight: 0.5}",
            "{bone_id: s, weight: 7}",
            "bindings[0].weight_maps[0].gradients[0].to.weight",
            "7}}]",
        ),
        (
            V16,
            "bones: [{bone_id: s, weight: 0.25",
            "bones: [{bone_id: x, weight: 0.25",
            "bindings[0].weight_maps[0].overrides[0].bones[0].bone_id",
            "x, weight: 0.25",
        ),
        (
            V18,
            "0.25",
            "-0.25",
            "bindings[0].weight_maps[0].overrides[0].bones[0].weight",
            "-0.25",
        ),
        (
            V19,
            "[3]",
            "[3, 24]",
            "bindings[0].weight_maps[0].overrides[0].vertices[1]",
            "24]",
        ),
        (
            V20,
            "w.json",
            "x.json",
            "bindings[0].weight_maps[0].source",
            "x.json",
        ),
        (
            V23,
            "weights: []}",
            "weights: [], weight_maps: [{primitive_id: z}]}",
            "bindings[1].weight_maps[0]",
            "{primitive_id: z",
        ),
        (
            V24,
            "{id: d,",
            "{id: c,",
            "anchors[1].id",
            "c, translation: [0, 0, 1]",
        ),
        (
            V25,
            "anchors:",
            "instances: [{id: i, mesh_id: m}, {id: i, mesh_id: m}]\nanchors:",
            "instances[1].id",
            "i, mesh_id: m}]",
        ),
        (
            V26,
            "anchors:",
            "instances: [{id: i, import: x, attach3: {from: [a, b, c], to: [a, b, c], mode: rigid}}]\nanchors:",
            "instances[0].import",
            "x, attach3",
        ),
        (
            V27,
            "anchors:",
            "instances: [{id: i, mesh_id: x}]\nanchors:",
            "instances[0].mesh_id",
            "x}]",
        ),
        (
            V28,
            "{id: c, tr",
            "{id: m, tr",
            "anchors[0].id",
            "m, translation",
        ),
        (
            V32,
            "roll: 0",
            "roll: .nan",
            "armatures[0].bones[0].roll",
            ".nan",
        ),
        (
            V33,
            "roll: 0",
            "rol: 0",
            "armatures[0].bones[0].rol",
            "rol: 0",
        ),
        (
            V34,
            ", tail: [0, 2, 0]",
            "",
            "armatures[0].bones[1]",
            "{id: s, parent",
        ),
        (
            V36,
            "[1, 0, 0, 0]",
            "[1, 1, 0, 0]",
            "poses[0].bones.r.rotation",
            "[1, 1, 0, 0]",
        ),
        (
            U02,
            "bones: {r:",
            "bones: {x:",
            "poses[0].bones.x",
            "x: {rotation",
        ),
        (U03, "{id: u,", "{id: t,", "poses[1].id", "t, bones: {s"),
        (
            U04,
            "[-1, 1]",
            "[1, 1]",
            "bindings[0].weight_maps[0].gradients[0].range",
            "[1, 1]",
        ),
        (U10, "id: m\n", "id: 7\n", "meshes[0].id", "7\n"),
        (U11, "v0_1_default", "v9", "tessellation_profile", "v9"),
        (
            U14,
            "w.json",
            "../w.json",
            "bindings[0].weight_maps[0].source",
            "../w.json",
        ),
        (U15, "{x: 1}", "{x: 1e300}", "meshes[0].id", "m\n"),
        (
            W03,
            "none, head: [0, 0, 0]",
            "none, head: [0, 0, 0.5]",
            "armatures[0].bones[0].head[2]",
            "0.5]",
        ),
        (
            W04,
            "[1, 0, 0, 0]",
            "[0.9239, 0, 0.3827, 0]",
            "poses[0].bones.r.rotation",
            "[0.9239",
        ),
        (
            W11,
            "{id: u, bones: {s: {translation: [0, 1, 0]}}}",
            "{id: u, bones: {}}",
            "poses[1]",
            "{id: u",
        ),
        (
            W12,
            "version: \"0.5\"",
            "version: \"0.4\"",
            "poses",
            "poses:",
        ),
    ] {
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
fn every_rule_of_weight_files() {
    for (code, from, to) in [
        (Code::V20, "\"vertex\"", "\"vert\""),
        (Code::V21, "24", "25"),
        (Code::V22, "\"q\"", "\"p\""),
        (Code::V19, "\"vertex\": 1", "\"vertex\": 24"),
        (Code::V16, "[]", "[{\"bone_id\": \"x\", \"weight\": 1}]"),
        (Code::V18, "[]", "[{\"bone_id\": \"r\", \"weight\": 2}]"),
    ] {
        let found = findings(GOOD, &WEIGHTS.replacen(from, to, 1));
        assert_eq!(found[0].code, Some(code), "{}", found[0].message);
        assert_eq!(
            found[0].place.as_ref().unwrap().path,
            "bindings[0].weight_maps[0].source"
        );
    }
}

#[test]
fn a_key_that_a_weight_file_has_twice_is_refused() {
    let entry = "{\"vertex\": 1, \"bones\": []}";
    let bone = r#"{"vertex": 1, "bones": [{"bone_id": "r", "weight": 1, "weight": 0}]}"#;
    for (from, to, key, at) in [
        (
            "\"vertex_count\"",
            "\"primitive_id\": \"q\", \"vertex_count\"",
            "primitive_id",
            "line 1, column 23",
        ),
        // An escape spells the same key.
        (
            "\"vertex_count\"",
            "\"primitive\\u005fid\": \"q\", \"vertex_count\"",
            "primitive_id",
            "line 1, column 23",
        ),
        (
            entry,
            "\n{\"vertex\": 0, \"ß\": [], \"vertex\" : 1, \"bones\": []}",
            "vertex",
            "line 2, column 24",
        ),
        (entry, bone, "weight", "line 1, column 112"),
        // A field that is passed over, and deep in it.
        (
            "\"vertex_count\"",
            "\"note\": [\"a\", {\"b\": {\"c\": 1,\n\"c\": 2}}], \"vertex_count\"",
            "c",
            "line 2, column 1",
        ),
        (
            entry,
            "{\"vertex\": 1, \"bones\": [], \"note\": {\"x\": 1, \"x\": 1}}",
            "x",
            "line 1, column 102",
        ),
    ] {
        let weights = WEIGHTS.replacen(from, to, 1);
        let found = findings(GOOD, &weights);
        let first = found.first().unwrap_or_else(|| panic!("{weights}"));
        assert_eq!(first.code, Some(Code::V20), "{weights}: {}", first.message);
        let key = format!("the key \"{key}\" twice");
        assert!(first.message.contains(&key), "{weights}: {}", first.message);
        assert!(first.message.contains(at), "{weights}: {}", first.message);
    }
    let not_keys = r#"{"vertex": 1, "bones": [], "note": ["x", "x", {"a": "a", "b": {"a": ":"}}]}"#;
    let weights = WEIGHTS.replacen(entry, not_keys, 1);
    assert_eq!(findings(GOOD, &weights), []);
    // A vertex that is listed twice keeps its last influences, as before (`language.md` 5.2).
    let again = format!("{entry}, {entry}");
    assert_eq!(findings(GOOD, &WEIGHTS.replacen(entry, &again, 1)), []);
    let deep = format!("{}1{}", "{\"a\": ".repeat(200), "}".repeat(200));
    let weights = WEIGHTS.replacen(
        "\"vertex_count\"",
        &format!("\"note\": {deep}, \"vertex_count\""),
        1,
    );
    let found = findings(GOOD, &weights);
    assert_eq!(found[0].code, Some(Code::V20));
    assert!(found[0].message.contains("deeper"), "{}", found[0].message);
}

#[test]
fn bones_that_a_pose_leaves_at_the_origin_are_named_with_their_heads() {
    let bones = |count: usize| {
        let bone =
            |i: usize| format!("{{id: b{i}, parent: r, head: [0, {i}, -0.0], tail: [1, {i}, 0]}}");
        (1..=count).map(bone).collect::<Vec<_>>().join(", ")
    };
    let document = |count: usize, pose: &str| {
        format!(
            "version: '0.5'\nmeshes: [{{id: m, primitives: [{{type: box, id: p, dimensions: {{x: 1}}}}]}}]\n\
             armatures:\n  - {{id: a, bones: [{{id: r, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}}, {}]}}\n  \
             - {{id: unbound, bones: [{{id: x, parent: none, head: [0, 0, 1.0e-9], tail: [0, 1, 0]}}, \
             {{id: y, parent: x, head: [0, 0, 5], tail: [0, 1, 0]}}]}}\n\
             bindings: [{{mesh_id: m, armature_id: a}}]\nposes:\n  - id: one\n    bones: {pose}\n  - {{id: two, bones: {{}}}}\n",
            bones(count)
        )
    };
    let warnings = findings(
        &document(
            2,
            "{b1: {rotation: [1, 0, 0, 0]}, b2: {translation: [0, 0, 0]}}",
        ),
        "",
    );
    let codes: Vec<_> = warnings.iter().map(|w| w.code).collect();
    assert_eq!(
        codes,
        [Some(Code::W11); 2],
        "one for each pose, and none for the unbound armature"
    );
    let (one, two) = (&warnings[0], &warnings[1]);
    assert!(
        one.message.contains("pose `one`") && one.message.contains("`b1` [0.0, 1.0, 0.0]"),
        "{}",
        one.message
    );
    assert!(!one.message.contains("b2"), "{}", one.message);
    assert!(
        two.message.contains("`b2` [0.0, 2.0, 0.0]"),
        "{}",
        two.message
    );
    assert!(
        one.help
            .as_deref()
            .unwrap_or_default()
            .contains("translation")
    );
    let place = one.place.as_ref().unwrap();
    assert_eq!((&*place.path, place.position), ("poses[0]", Some((8, 5))));
    let many = findings(&document(5000, "{}"), "");
    assert_eq!(many.len(), 2);
    let message = &many[0].message;
    assert!(
        message.contains("5000 bones") && message.contains("and 4997 more"),
        "{message}"
    );
    assert!(message.chars().count() < 400, "{message}");
    assert_eq!(
        findings(&document(1, "{b1: {translation: [0, 1, 0]}}"), "").len(),
        1,
        "`two` alone"
    );
}

#[test]
fn each_key_of_a_later_version_is_named_with_that_version() {
    let dqs = "bindings: [{mesh_id: m, armature_id: a, skinning_solver: dqs}, {mesh_id: n, armature_id: a, skinning_solver: lbs}]";
    let text = |version: &str| {
        format!(
            "version: '{version}'\nskinning_solver: dqs\nmeshes: [{{id: m}}, {{id: n}}]\n\
             armatures: [{{id: a, bones: []}}]\n{dqs}\nposes: [{{id: p, bones: {{}}}}, {{id: q, bones: {{}}}}]\n"
        )
        .replace("{id: m}", "{id: m, primitives: []}")
        .replace("{id: n}", "{id: n, primitives: []}")
    };
    let found = findings(&text("0.3"), "");
    let paths: Vec<&str> = found
        .iter()
        .map(|f| &*f.place.as_ref().unwrap().path)
        .collect();
    assert_eq!(
        paths,
        ["skinning_solver", "bindings[0].skinning_solver", "poses"]
    );
    for finding in &found {
        assert_eq!(finding.code, Some(Code::W12));
        let says = ["0.5", "0.3"]
            .iter()
            .all(|version| finding.message.contains(version));
        assert!(says, "{}", finding.message);
    }
    assert!(
        found[0].message.contains("`skinning_solver: dqs`"),
        "{}",
        found[0].message
    );
    assert!(found[2].message.contains("`poses`"), "{}", found[2].message);
    assert_eq!(findings(&text("0.5"), ""), []);
    let linear = text("0.1").replace("dqs", "lbs");
    let unused = &linear[..linear.find("poses").unwrap()];
    assert_eq!(
        findings(&format!("{unused}poses: []\n"), ""),
        [],
        "nothing of 0.5 is used"
    );
}

#[test]
fn an_underline_ends_before_a_comment_and_before_blanks() {
    let underlined = |text: &str| {
        let found = findings(text, "");
        let excerpt = found[0].place.as_ref().unwrap().excerpt.clone().unwrap();
        excerpt.line[excerpt.start..excerpt.end].to_owned()
    };
    let cases = [
        ("foo   # c", "foo"),
        ("foo  ", "foo"),
        ("a#b # c", "a#b"),
        ("it's # c 'd'", "it's"),
        ("say \"hi # c", "say \"hi"),
        ("say, \"hi # c", "say, \"hi"),
        ("\"x\"    # c", "\"x\""),
        ("\"x\"\t# \"c\"", "\"x\""),
        ("'it''s # in'  # c", "'it''s # in'"),
        ("\"a \\\" # in\" # c", "\"a \\\" # in\""),
        ("ß#ü # c", "ß#ü"),
        ("[1, 2]   # c", "[1, 2]"),
        ("[a, 'b # in' ] # c", "[a, 'b # in' ]"),
        ("[\"a\"] # c", "[\"a\"]"),
        (
            "{\"id\":\"m # in\", \"x\":' # '}   # c",
            "{\"id\":\"m # in\", \"x\":' # '}",
        ),
        ("{id: m   # c\n    , name: x}", "{id: m"),
        ("id: m   # c\n    name: x", "id: m"),
        ("id: m   # c\r\n    name: x", "id: m"),
        ("id: \"m # in\"   # c\n    name: x", "id: \"m # in\""),
        ("- foo  # c\n    - bar # d", "- foo"),
        ("\"multi # in\n     line\" # c", "\"multi # in"),
        ("&a \"x # in\"  # c", "&a \"x # in\""),
        ("&it's \"x # in\"  # c", "&it's \"x # in\""),
        ("!!str 'x'  # c", "!!str 'x'"),
        ("&a # c\n    - x", "&a"),
    ];
    for (mesh, expected) in cases {
        let text = format!("version: '0.5'\nmeshes:\n  - {mesh}\n");
        assert_eq!(underlined(&text), expected, "{mesh:?}");
    }
    let key = "version: '0.5'\nmeshes:\n  - {id: m, \"id\"  : n, primitives: []} # c\n";
    assert_eq!(underlined(key), "\"id\"");
}

#[test]
fn a_weight_map_beside_weights_is_a_warning() {
    let text = GOOD.replacen("- primitive_id: q", "- primitive_id: p", 1);
    let found = findings(&text, &WEIGHTS.replacen("\"q\"", "\"p\"", 1));
    let codes: Vec<Option<Code>> = found.iter().map(|f| f.code).collect();
    assert_eq!(codes, [Some(Code::W02)]);
    let place = found[0].place.as_ref().unwrap();
    assert_eq!(place.path, "bindings[0].weight_maps[0].primitive_id");
}

#[test]
fn more_than_four_influences_are_a_warning() {
    let five = "[{bone_id: r, weight: 1}, {bone_id: r, weight: 1}, {bone_id: r, weight: 1}, {bone_id: s, weight: 0}, {bone_id: s, weight: 0}]";
    let text = GOOD.replacen("[{bone_id: r, weight: 1}]", five, 1);
    let found = findings(&text, WEIGHTS);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].code, Some(Code::W01));
    assert!(
        found[0].message.contains("24 vertices"),
        "{}",
        found[0].message
    );
}

#[test]
fn what_no_file_can_hold_is_refused_before_memory_is_taken() {
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
