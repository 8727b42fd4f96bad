//! Weight files beside a document.

use serde_json::json;

use crate::support::{Dir, document};

#[test]
fn weight_files_stay_inside_the_root() {
    let dir = Dir::new();
    let weights = "{\"primitive_id\": \"b\", \"vertex_count\": 24}";
    let map = "weights: [], weight_maps: [{primitive_id: b, source: ../w.json}]";
    dir.write("d/a.rigy.yaml", document("p").replace("weights: []", map));
    dir.write("w.json", weights);
    let ran = dir.run("d --format json");
    assert_eq!(ran.status(), 1);
    let error = &ran.json()[0]["errors"][0];
    assert_eq!(
        json!([error["code"], error["category"]]),
        json!(["U14", "ParseError"])
    );
    assert_eq!(dir.run("d --root .").status(), 0);
}

#[test]
fn a_large_weight_file_is_mapped_or_read_with_the_same_bytes() {
    let dir = Dir::new();
    let entry = |v: usize| {
        format!("{{\"vertex\": {v}, \"bones\": [{{\"bone_id\": \"r\", \"weight\": 0.5}}]}}")
    };
    let entries: Vec<String> = (0..30_000).map(|i| entry(i % 24)).collect();
    let weights = format!(
        "{{\"primitive_id\": \"b\", \"vertex_count\": 24.0, \"influences\": [{}]}}",
        entries.join(",")
    );
    assert!(weights.len() as u64 > rigy_batch::io::MAP_THRESHOLD);
    let map = "weights: [], weight_maps: [{primitive_id: b, source: w.json}]";
    dir.write("a.rigy.yaml", document("p").replace("weights: []", map));
    dir.write("w.json", weights);
    assert_eq!(dir.run(".").status(), 0);
    assert_eq!(dir.run(". --no-mmap").stdout(), "1 document: 1 unchanged\n");
}

#[test]
fn weight_files_are_judged_field_by_field() {
    let head = "\"primitive_id\": \"b\", \"vertex_count\": 24";
    let entry = |vertex: &str, bone: &str, weight: &str| {
        format!(
            "{{{head}, \"influences\": [{{\"vertex\": {vertex}, \"bones\": [{{\"bone_id\": {bone}, \"weight\": {weight}}}]}}]}}"
        )
    };
    #[rustfmt::skip] // a row stays a line
    let rows = [
        (format!("{{{head}}}"), None),
        ("{\"primitive_id\": \"b\", \"extra\": 1e999, \"vertex_count\": 24.0}".into(), None),
        (format!("{{{head}, \"vertex_count\": 24}}"), Some("V20")),
        (entry("23", "\"r\"", "1"), None),
        (entry("0", "\"r\"", "-0.0"), None),
        (format!("{{{head}, \"weights\": []}}"), Some("V20")),
        (format!("{{{head}, \"influences\": null}}"), Some("V20")),
        (format!("{{{head}, \"influences\": [{{}}]}}"), Some("V20")),
        ("[]".into(), Some("V20")),
        ("{".into(), Some("V20")),
        ("\u{feff}{}".into(), Some("V20")),
        ("{}".into(), Some("V22")),
        ("{\"primitive_id\": \"c\", \"vertex_count\": 8}".into(), Some("V22")),
        ("{\"primitive_id\": \"b\", \"vertex_count\": \"24\"}".into(), Some("V21")),
        (entry("24", "\"r\"", "1"), Some("V19")),
        (entry("-1", "\"r\"", "1"), Some("V19")),
        (entry("1e400", "\"r\"", "1"), Some("V19")),
        (entry("true", "\"r\"", "1"), Some("V19")),
        (entry("0", "\"nobody\"", "1"), Some("V16")),
        (entry("0", "7", "1"), Some("V20")),
        (entry("0", "\"r\"", "1.5"), Some("V18")),
        (entry("0", "\"r\"", "1e400"), Some("V18")),
        (entry("0", "\"r\"", "true"), Some("V18")),
    ];
    for (weights, code) in rows {
        let dir = Dir::new();
        let map = "weights: [], weight_maps: [{primitive_id: b, source: w.json}]";
        dir.write("a.rigy.yaml", document("p").replace("weights: []", map));
        dir.write("w.json", &weights);
        let ran = dir.run(". --format json");
        let found = ran.json()[0]["errors"][0]["code"]
            .as_str()
            .map(str::to_owned);
        assert_eq!(found.as_deref(), code, "{weights}");
    }
}
