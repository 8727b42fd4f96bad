//! Errors of documents that no small fixture shows, advice, and the order of checks. Each rule by itself is shown by a fixture of
//! `conformance/invalid`.

use std::collections::BTreeSet;

use rigy_batch::base::diag::Code;

use super::{GOOD, WEIGHTS, findings};
use crate::support::assert_contains;

#[test]
fn scale_in_a_pose_is_told_that_bones_are_rigid() {
    let text = GOOD.replacen("translation: [0, 0, 0]", "scale: [2, 2, 2]", 1);
    let found = findings(&text, WEIGHTS);
    assert_eq!(found[0].code, Some(Code::V33));
    let help = found[0].help.as_deref().unwrap_or_default();
    assert_contains(help, &["rigid", "no scale"]);
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
    #[rustfmt::skip] // a row stays a line
    let rows = [
        // An unknown bone (pass 9) before a weight of 2 (pass 12).
        (Code::V11, Code::V13, [("[{bone_id: r, weight: 1}]", "[{bone_id: x, weight: 2}]")].as_slice()),
        // Zero (pass 7) before not-a-number (pass 18), although it stands later.
        (Code::V07, Code::V32, &[("{x: 1}", "{x: .nan, y: 0}")]),
        // A bad quaternion (pass 20) before an unknown bone (pass 21).
        (Code::V36, Code::U02, &[("{r: {rotation: [1,", "{x: {rotation: [2,")]),
        // A weight map's faults (pass 10) before a mesh bound twice (pass 11).
        (Code::V17, Code::V12, &[("weight: 0.9", "weight: 5"), ("{mesh_id: n, armature_id: e", "{mesh_id: m, armature_id: a")]),
    ];
    for (first, second, changes) in rows {
        let change = |text: String, (from, to): &(&str, &str)| text.replacen(from, to, 1);
        let text = changes.iter().fold(GOOD.to_owned(), change);
        let codes: Vec<Option<Code>> = findings(&text, WEIGHTS).iter().map(|f| f.code).collect();
        assert_eq!(codes, [Some(first), Some(second)]);
    }
}

/// Each number of an operator that is not finite is told of once: a size that has to be positive by V84, a scale by V85, the others by V32.
#[test]
fn a_number_of_an_operator_that_is_not_finite_is_told_of_once() {
    for (field, numbers, code) in [
        ("metaball_sphere@1", "height: -.inf", Code::V32),
        ("metaball_sphere@1", "height: .nan", Code::V32),
        ("metaball_capsule@1", "height: -.inf", Code::V84),
        ("metaball_capsule@1", "height: .inf", Code::V32),
        (
            "metaball_sphere@1",
            "transform: {scale: [.nan, 1, 1]}",
            Code::V85,
        ),
        (
            "metaball_sphere@1",
            "transform: {scale: [-.inf, -.inf, -.inf]}",
            Code::V85,
        ),
        (
            "metaball_sphere@1",
            "transform: {scale: [.inf, .inf, .inf]}",
            Code::V32,
        ),
        (
            "metaball_sphere@1",
            "transform: {translation: [-.inf, 0, 0]}",
            Code::V32,
        ),
    ] {
        let text = format!(
            "version: '0.13'\nmeshes: [{{id: m, primitives: [{{type: implicit_surface, id: s, iso: 0.2, \
             domain: {{aabb: {{min: [-1, -1, -1], max: [1, 1, 1]}}, grid: {{nx: 5, ny: 5, nz: 5}}}}, \
             ops: [{{op: add, field: {field}, strength: 1, radius: 0.9, {numbers}}}]}}]}}]\n"
        );
        let found: BTreeSet<Option<Code>> = findings(&text, "").iter().map(|f| f.code).collect();
        assert_eq!(found, BTreeSet::from([Some(code)]), "{field} {numbers}");
    }
}
