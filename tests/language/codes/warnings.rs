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
