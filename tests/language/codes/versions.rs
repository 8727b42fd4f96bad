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

#[test]
fn advice_about_a_version_has_the_number_that_the_author_wrote() {
    for (written, advised) in [
        ("0.13", "0.13"),
        ("0.10", "0.10"),
        ("0.1", "0.1"),
        ("7.5", "0.13"),
        ("1", "0.13"),
    ] {
        let found = findings(&format!("version: {written}\nmeshes: []\n"), "");
        let help = found[0].help.as_deref().unwrap();
        assert_eq!(
            help,
            format!("put quotes around it: `version: \"{advised}\"`"),
            "{written}"
        );
    }
}

#[test]
fn a_field_of_a_later_version_is_told_with_its_version() {
    let found = findings("version: \"0.5\"\nmaterials: {}\n", "");
    let help = found[0].help.as_deref();
    assert_eq!(
        help,
        Some("version 0.6 introduced it; this document declares 0.5")
    );
}

#[test]
fn an_id_that_is_a_token_alone_gets_advice() {
    let body = "{type: box, id: \"${i}\", dimensions: {x: 1}}";
    let text = format!(
        "version: \"0.12\"\nmeshes: [{{id: m, primitives: [{{repeat: {{count: 1, as: i, body: {body}}}}}]}}]\n"
    );
    let help = findings(&text, "")[0].help.clone().unwrap();
    assert!(help.contains("such as `b${i}`"), "{help}");
    let body = "{type: box, id: 5, dimensions: {x: \"${i}\"}}";
    let text = format!(
        "version: \"0.12\"\nmeshes: [{{id: m, primitives: [{{repeat: {{count: 1, as: i, body: {body}}}}}]}}]\n"
    );
    let help = findings(&text, "")[0].help.clone().unwrap();
    assert!(help.starts_with("put quotes around it"), "{help}");
}

#[test]
fn a_token_in_a_flow_list_without_quotes_gets_advice() {
    for list in ["[${i}, 0, 0]", "[0, ${i}, 0]"] {
        let found = findings(&format!("version: \"0.12\"\nmeshes: {list}\n"), "");
        let help = found[0].help.as_deref().unwrap_or_default();
        assert!(
            help.contains("a brace begins a mapping"),
            "{list}: {:?}",
            found[0]
        );
    }
}
