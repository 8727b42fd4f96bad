//! The time from an edit to its findings, in a document of a megabyte.
//!
//! It says something in a release build only: `cargo test --release --test all server::cost -- --ignored --nocapture`.

use std::fmt::Write;
use std::time::{Duration, Instant};

use serde_json::json;

use super::client::Client;

/// Returns a document of about a megabyte: meshes with boxes, each on a line of its own.
fn large() -> String {
    let mut text = String::from(
        "version: \"0.9\"\nmaterials:\n  steel: {base_color: [0.5, 0.5, 0.5]}\nmeshes:\n",
    );
    for mesh in 0..200 {
        writeln!(
            text,
            "  - id: mesh_{mesh}\n    material: steel\n    primitives:"
        )
        .unwrap();
        for part in 0..50 {
            let at = f64::from(part) * 0.25;
            writeln!(
                text,
                "      - {{type: box, id: part_{part}, dimensions: {{x: 0.5, y: 1, z: 2}}, transform: {{translation: [{at}, 0, {mesh}]}}}}"
            )
            .unwrap();
        }
    }
    text
}

#[test]
#[ignore = "a measurement, for release builds"]
fn time_from_an_edit_to_its_findings() {
    let text = large();
    let (mut client, _) = Client::with(None, json!({}));
    client.notify(
        "textDocument/didOpen",
        json!({"textDocument": {"uri": "untitled:x", "languageId": "rigy", "version": 0, "text": text}}),
    );
    assert_eq!(client.findings("untitled:x").0, Vec::<String>::new());
    for (what, wrong) in [("valid", false), ("with a finding", true)] {
        let mut times: Vec<Duration> = Vec::new();
        for version in 1..=41 {
            // The digit of the first dimension of a box in the middle.
            let digit = match wrong && version % 2 == 1 {
                true => "-",
                false => "1",
            };
            let line = 4 + 100 * 53 + 20;
            let at = text.lines().nth(line).unwrap().find("x: 0").unwrap() as u32 + 2;
            let begun = Instant::now();
            client.edit("untitled:x", version, line as u32, at, at + 1, digit);
            loop {
                let message = client.findings("untitled:x").1;
                if message["params"]["version"] == version {
                    break;
                }
            }
            times.push(begun.elapsed());
        }
        times.sort();
        let (median, most) = (times[times.len() / 2], times[times.len() - 1]);
        eprintln!(
            "{} bytes, {what}: {median:.1?} median, {most:.1?} most",
            text.len()
        );
    }
}
