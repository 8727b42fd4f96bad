//! Keys that weight files have twice. The other rules are shown by fixtures of `conformance/invalid`.

use rigy_batch::base::diag::Code;

use super::{GOOD, WEIGHTS, findings};

#[test]
fn a_key_that_a_weight_file_has_twice_is_refused() {
    let entry = "{\"vertex\": 1, \"bones\": []}";
    let bone = r#"{"vertex": 1, "bones": [{"bone_id": "r", "weight": 1, "weight": 0}]}"#;
    #[rustfmt::skip] // a row stays a line
    let rows = [
        ("\"vertex_count\"", "\"primitive_id\": \"q\", \"vertex_count\"", "primitive_id", "line 1, column 23"),
        // An escape spells the same key.
        ("\"vertex_count\"", "\"primitive\\u005fid\": \"q\", \"vertex_count\"", "primitive_id", "line 1, column 23"),
        (entry, "\n{\"vertex\": 0, \"ß\": [], \"vertex\" : 1, \"bones\": []}", "vertex", "line 2, column 24"),
        (entry, bone, "weight", "line 1, column 112"),
        // A field that is passed over, and deep in it.
        ("\"vertex_count\"", "\"note\": [\"a\", {\"b\": {\"c\": 1,\n\"c\": 2}}], \"vertex_count\"", "c", "line 2, column 1"),
        (entry, "{\"vertex\": 1, \"bones\": [], \"note\": {\"x\": 1, \"x\": 1}}", "x", "line 1, column 102"),
    ];
    for (from, to, key, at) in rows {
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
