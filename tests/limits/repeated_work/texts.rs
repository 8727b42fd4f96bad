//! Long texts that are no documents are refused soon, within little memory, and with the findings they always had.

use crate::limits::{errors, run_soon};
use crate::support::Dir;
use crate::support::chance::cases;

fn lines(len: usize, line: impl Fn(usize) -> String) -> String {
    let mut text = String::with_capacity(len + 100);
    for n in 0.. {
        if text.len() >= len {
            break;
        }
        text += &line(n);
    }
    text
}

#[test]
fn keys_that_no_document_has_are_refused_within_200_mb() {
    let len = cases(4_000_000, 15_000_000);
    let head = "version: \"0.5\"\n";
    let mesh = "meshes:\n- id: m\n  primitives: []\n";
    let pose = "poses:\n- id: p\n  bones:\n";
    let bone = "armatures:\n- id: r\n  bones:\n  - id: b\n    parent: none\n";
    let distinct = |indent: &str| lines(len, |n| format!("{indent}a{n}:\n"));
    // Text, code and message of the first finding, and its path.
    #[rustfmt::skip] // a row stays a line
    let cases = [
        (head.to_owned() + &"a:\n".repeat(len / 3), "U10", "key `a` appears twice", "a"),
        (format!("{head}{pose}{}", "    a: {}\n".repeat(len / 10)), "U10", "key `a` appears twice", "poses[0].bones.a"),
        (head.to_owned() + &distinct(""), "V33", "a document has no field `a0`", "a0"),
        (distinct("") + head, "V33", "a document has no field `a0`", "a0"),
        (format!("{head}{mesh}{}", distinct("  ")), "V33", "a mesh has no field `a0`", "meshes[0].a0"),
        (format!("{head}{bone}{}", distinct("    ")), "V33", "a bone has no field `a0`", "armatures[0].bones[0].a0"),
        (format!("{head}{pose}{}", distinct("    ")), "U10", "expected a pose bone, which is a mapping, found null", "poses[0].bones.a0"),
        (format!("{head}{pose}    b:\n      rotation:\n{}", distinct("        ")), "U10", "more keys than the fields of any document", ""),
    ];
    for (text, code, said, path) in cases {
        let dir = Dir::with("a.rigy.yaml", text);
        let (printed, peak) = run_soon(&dir, said, "a.rigy.yaml --limit bytes=16M", 3);
        let errors = errors(&printed);
        let first = &errors[0];
        assert_eq!(first["code"], code, "{said}");
        assert!(first["message"].as_str().unwrap().contains(said), "{first}");
        if !path.is_empty() {
            assert_eq!(first["path"], path, "{said}");
            assert_eq!(errors.len(), 1000, "{said}");
        }
        assert!(peak < 200_000_000, "{said}: {peak} bytes");
    }
}

#[test]
fn long_mappings_of_names_and_merges_are_documents() {
    let names = |count| lines(count, |n| format!("    b{n}: {{}}\n"));
    let bones: String = (0..70_000)
        .map(|n| format!("  - {{id: b{n}, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}}\n"))
        .collect();
    let count = names(1_000_000).lines().count();
    assert!(count > 1 << 16 && count <= 70_000);
    let text = format!(
        "version: \"0.5\"\narmatures:\n- id: r\n  bones:\n{bones}poses:\n- id: p\n  bones: &all\n{}\
         - id: q\n  bones: {{<<: *all, b1: {{translation: [0, 0, 1]}}}}\n",
        names(1_000_000)
    );
    let dir = Dir::with("a.rigy.yaml", text);
    dir.run("a.rigy.yaml -n --limit bytes=16M").good();
}
