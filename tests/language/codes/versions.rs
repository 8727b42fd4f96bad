//! Keys of a later version than the document's.

use rigy_batch::base::diag::Code;

use super::findings;

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
