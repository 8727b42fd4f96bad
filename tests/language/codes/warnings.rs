//! Warnings, and the part of a line that a finding underlines.

use rigy_batch::base::diag::Code;

use super::findings;
use crate::support::assert_contains;

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
    assert_contains(message, &["5000 bones", "and 4997 more"]);
    assert!(message.chars().count() < 400, "{message}");
    assert_eq!(
        findings(&document(1, "{b1: {translation: [0, 1, 0]}}"), "").len(),
        1,
        "`two` alone"
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

/// A document with one bone more than it needs; the parts go into their places.
fn rigged(version: &str, transform: &str, binding: &str, poses: &str) -> String {
    format!(
        "version: '{version}'\nmeshes: [{{id: m, primitives: [{{type: box, id: p, dimensions: {{x: 1}}, transform: {{{transform}}}}}]}}]\n\
         armatures: [{{id: a, bones: [{{id: r, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}}, {{id: s, parent: r, head: [0, 0, 0], tail: [1, 0, 0]}}]}}]\n\
         bindings: [{{mesh_id: m, armature_id: a, {binding}}}]\nposes: [{poses}]\n"
    )
}

#[test]
fn what_hardly_anybody_means_is_told_of_and_what_is_near_it_is_not() {
    use Code::{W17, W18, W19, W20};
    let whole = "weights: [{primitive_id: p, bones: [{bone_id: r, weight: 1}]}]";
    let list = |weights: &str| format!("weights: [{{primitive_id: p, bones: [{weights}]}}]");
    let pose = |rotations: &str| format!("{{id: o, bones: {{{rotations}}}}}");
    let half_turns = pose("r: {rotation: [0, 0, 0, 1]}, s: {rotation: [0.28, 0, 0, -0.96]}");
    let one_of_two = pose("r: {rotation: [0, 0, 0, 1]}, s: {rotation: [1, 0, 0, 0]}");
    let twice = "weights: [{primitive_id: p, bones: [{bone_id: s, weight: 1}]}, {primitive_id: p, bones: []}, {primitive_id: p, bones: [{bone_id: r, weight: 1}]}]";
    let maps =
        |gradients: &str| format!("weight_maps: [{{primitive_id: p, gradients: [{gradients}]}}]");
    let gradient = "{axis: x, range: [-1, 1], from: {bone_id: r, weight: 1}, to: []}";
    let three = maps(&[gradient; 3].join(", "));
    #[rustfmt::skip] // a row stays a line
    let rows: [(&str, &str, &str, &str, &[Code]); 16] = [
        ("0.5", "", whole, "", &[]),
        ("0.5", "rotation_euler: [0, 6.2832, -6.2831853]", whole, "", &[]),
        ("0.5", "rotation_euler: [90, 0, -90]", whole, "", &[W18]),
        ("0.5", "rotation_degrees: [720, 0, -90]", whole, "", &[]),
        ("0.13", "rotation_degrees: [720, 0, -90]", whole, "", &[]),
        ("0.13", "rotation_euler: [0, 0, -6.3]", whole, "", &[W18]),
        ("0.13", "rotation_degrees: [0, 90, 720]", whole, "", &[]),
        ("0.5", "", whole, &half_turns, &[W19, W19]),
        ("0.5", "", whole, &one_of_two, &[]),
        ("0.5", "", whole, &pose("r: {rotation: [0.6, 0, 0, 0.8]}"), &[]),
        ("0.5", "", twice, "", &[W17, W17]),
        ("0.5", "", &maps(gradient), "", &[]),
        ("0.5", "", &three, "", &[W17]),
        ("0.5", "", &list("{bone_id: r, weight: 0.6}, {bone_id: s, weight: 0.3}"), "", &[]),
        ("0.5", "", &list("{bone_id: r, weight: 1}, {bone_id: s, weight: 0.11}"), "", &[W20]),
        ("0.5", "", &list("{bone_id: r, weight: 0}"), "", &[W20]),
    ];
    for (version, transform, binding, poses, expected) in rows {
        let text = rigged(version, transform, binding, poses);
        let codes: Vec<Code> = findings(&text, "").iter().filter_map(|w| w.code).collect();
        assert_eq!(codes, expected, "{text}");
    }
}

/// A chain of three bones, each of which moves a box, and a pose.
fn chain(pose: &str) -> String {
    let bone = |id: &str, parent: &str, y: f64| {
        let next = y + 1.0;
        format!("{{id: {id}, parent: {parent}, head: [0, {y:?}, 0], tail: [0, {next:?}, 0]}}")
    };
    let bones = [
        bone("a", "none", 0.0),
        bone("b", "a", 1.0),
        bone("c", "b", 2.0),
    ]
    .join(", ");
    let weight =
        |id: &str| format!("{{primitive_id: p{id}, bones: [{{bone_id: {id}, weight: 1}}]}}");
    let weights = ["a", "b", "c"].map(weight).join(", ");
    let boxes = ["a", "b", "c"].map(|id| format!("{{type: box, id: p{id}, dimensions: {{x: 1}}}}"));
    format!(
        "version: '0.5'\nmeshes: [{{id: m, primitives: [{}]}}]\narmatures: [{{id: r, bones: [{bones}]}}]\n\
         bindings: [{{mesh_id: m, armature_id: r, weights: [{weights}]}}]\nposes: [{{id: o, bones: {{{pose}}}}}]\n",
        boxes.join(", ")
    )
}

#[test]
fn a_pose_of_bones_whose_parents_are_a_cycle_is_refused_at_once() {
    let bones = "{id: a, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}, \
                 {id: b, parent: c, head: [0, 1, 0], tail: [0, 2, 0]}, {id: c, parent: b, head: [0, 2, 0], tail: [0, 3, 0]}";
    let text = format!(
        "version: '0.5'\nmeshes: [{{id: m, primitives: [{{type: box, id: x, dimensions: {{x: 1, y: 1, z: 1}}}}]}}]\n\
         armatures: [{{id: r, bones: [{bones}]}}]\nbindings: [{{mesh_id: m, armature_id: r}}]\nposes: [{{id: o, bones: {{}}}}]\n"
    );
    let found = findings(&text, "");
    let codes: Vec<_> = found.iter().map(|f| f.code).collect();
    assert_eq!(codes, [Some(Code::V05); 2]);
}

/// The places to which bones are carried that a pose leaves behind.
fn left_behind(text: &str) -> Vec<String> {
    let warnings = findings(text, "");
    let carried = warnings.iter().filter(|w| w.code == Some(Code::W24));
    let place = |message: &str| message.rsplit("carries it to ").next().map(str::to_owned);
    carried.filter_map(|w| place(&w.message)).collect()
}

#[test]
fn a_bone_is_told_of_that_stays_where_it_is_while_its_parent_moves() {
    let turned = "rotation: [0.6, 0, 0, 0.8]";
    let a = format!("a: {{{turned}}}");
    let (b, c) = ("translation: [0, 1, 0]", "translation: [0, 2, 0]");
    for (pose, places) in [
        // By 106 degrees: the second bone is carried, and the third with it.
        (
            format!("{a}, b: {{{b}}}, c: {{{c}}}"),
            vec!["[-0.96, -0.28, 0]", "[-0.96, 0.72, 0]"],
        ),
        // The order of the entries does not matter, and the third follows the turned second.
        (
            format!("c: {{{c}}}, b: {{{turned}, {b}}}, {a}"),
            vec!["[-1.92, -0.56, 0]", "[-0.96, -0.28, 0]"],
        ),
        (
            format!("a: {{translation: [0, 0, 0.5]}}, b: {{{b}}}, c: {{{c}}}"),
            vec!["[0, 1, 0.5]", "[0, 2, 0.5]"],
        ),
        // The author has moved it, rightly or not.
        (
            format!(
                "{a}, b: {{{turned}, translation: [-0.96, -0.28, 0]}}, c: {{translation: [-1.92, -0.56, 0]}}"
            ),
            vec![],
        ),
        (
            format!("{a}, b: {{translation: [3, 0, 0]}}, c: {{translation: [3, 1, 0]}}"),
            vec![],
        ),
        // A turn about the line to the child, a turn of a thousandth, and no turn.
        (
            format!("a: {{rotation: [0.6, 0, 0.8, 0]}}, b: {{{b}}}, c: {{{c}}}"),
            vec![],
        ),
        (
            format!("a: {{rotation: [0.9999999, 0, 0, 0.000447]}}, b: {{{b}}}, c: {{{c}}}"),
            vec![],
        ),
        (format!("b: {{{b}}}, c: {{{turned}, {c}}}"), vec![]),
    ] {
        assert_eq!(left_behind(&chain(&pose)), places, "{pose}");
    }
    // Another armature may have bones of the same ids.
    let pose = format!("{a}, b: {{{b}}}, c: {{{c}}}");
    let twice = chain(&pose).replace(
        "armatures: [",
        "armatures: [{id: other, bones: [{id: b, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}]}, ",
    );
    assert_eq!(left_behind(&twice), left_behind(&chain(&pose)));
    let far = format!("a: {{translation: [1.0e308, 1.0e308, 0]}}, b: {{{b}}}, c: {{{c}}}");
    assert_eq!(left_behind(&chain(&far)).len(), 0);
    // A bone without translation is W11's, and so is what hangs on it.
    let silent = chain(&format!("{a}, b: {{{turned}}}, c: {{{c}}}"));
    let found = findings(&silent, "");
    let codes: Vec<_> = found.iter().map(|w| w.code).collect();
    assert_eq!(codes, [Some(Code::W11)]);
    // It names the place of which W24 would tell, whether the pose names the bone or not.
    assert_contains(&found[0].message, &["`b` [-0.96, -0.28, 0.0]"]);
    let absent = findings(&chain(&format!("{a}, c: {{{turned}}}")), "");
    let listed = "`b` [-0.96, -0.28, 0.0], `c` [-0.96, 0.72, 0.0]";
    assert_contains(&absent[0].message, &[listed]);
    // No part comes apart where all its vertices follow both bones alike, or where a bone has no weight.
    let pose = chain(&format!("{a}, b: {{{b}}}, c: {{{c}}}"));
    let alike = pose.replace(
        "[{bone_id: a, weight: 1}]",
        "[{bone_id: a, weight: 0.5}, {bone_id: b, weight: 0.5}]",
    );
    let alike = alike.replace("{primitive_id: pb, bones: [{bone_id: b, weight: 1}]}, ", "");
    assert_eq!(
        left_behind(&alike),
        ["[-0.96, 0.72, 0]"].map(String::from)[..0]
    );
    let idle = pose.replace("{bone_id: a, weight: 1}", "{bone_id: a, weight: 0}");
    assert_eq!(left_behind(&idle).len(), 0);
}

#[test]
fn a_prefix_is_told_of_that_no_id_has() {
    let document = |prefix: &str| {
        format!(
            "version: '0.3'\nmeshes: [{{id: L_m, primitives: [{{type: box, id: leg, dimensions: {{x: 1}}}}]}}]\n\
             armatures: [{{id: r, bones: [{{id: armL, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}}]}}]\n\
             anchors: [{{id: handle, translation: [0, 0, 0]}}]\nsymmetry: {{mirror_x: {{prefix_from: {prefix}, prefix_to: R}}}}\n"
        )
    };
    for (prefix, is_told) in [
        ("L_", true),
        ("Leg", true),
        ("le", false),
        ("arm", false),
        ("hand", false),
    ] {
        let found = findings(&document(prefix), "");
        let codes: Vec<_> = found.iter().map(|w| w.code).collect();
        assert_eq!(
            codes.contains(&Some(Code::W22)),
            is_told,
            "{prefix}: {codes:?}"
        );
    }
    let help = findings(&document("L_"), "")[0]
        .help
        .clone()
        .unwrap_or_default();
    assert_contains(&help, &["`leg`, `armL`, `handle`"]);
}

#[test]
fn a_surface_is_told_of_that_its_domain_cuts() {
    let document = |max: f64, radius: f64, operator: &str| {
        format!(
            "version: '0.13'\nmeshes: [{{id: m, primitives: [{{type: implicit_surface, id: s, iso: 0.25, \
             domain: {{aabb: {{min: [-2, -2, -2], max: [2, {max:?}, 2]}}, grid: {{nx: 9, ny: 9, nz: 9}}}}, \
             ops: [{{op: add, field: metaball_sphere@1, strength: 1, radius: {radius:?}}}{operator}]}}]}}]\n"
        )
    };
    let beside = ", {op: add, field: metaball_sphere@1, strength: 1, radius: 1, transform: {translation: [-2, 0, 0]}}";
    for (text, sides) in [
        (document(2.0, 1.5, ""), None),
        (document(0.5, 1.5, ""), Some("open at y = 0.5")),
        (document(2.0, 1.5, beside), Some("open at x = -2")),
        (
            document(2.0, 5.0, ""),
            Some("x = -2, x = 2, y = -2, y = 2, z = -2, z = 2"),
        ),
        // All of it is inside: it has no triangles.
        (document(2.0, 50.0, ""), None),
    ] {
        let found = findings(&text, "");
        let message = found
            .iter()
            .find(|w| w.code == Some(Code::W23))
            .map(|w| &*w.message);
        assert_eq!(message.is_some(), sides.is_some(), "{found:?}");
        assert_contains(message.unwrap_or_default(), &[sides.unwrap_or_default()]);
    }
}
