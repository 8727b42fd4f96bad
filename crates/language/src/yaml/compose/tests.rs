use super::*;
use crate::yaml::{Kind, Paths};

fn keys(text: &str) -> Vec<String> {
    let tree = compose(text, &Options::default()).unwrap();
    let entries = tree.entries(tree.root).unwrap();
    entries.iter().map(|e| e.key.to_string()).collect()
}

fn error(text: &str) -> String {
    let errors = compose(text, &Options::default()).unwrap_err().errors;
    errors
        .iter()
        .map(|e| e.message.as_str())
        .collect::<Vec<_>>()
        .join("; ")
}

#[test]
fn merge_keys_yield_to_local_ones_wherever_they_stand() {
    let text = "base: &b {x: 1, y: 2}\nuse: {y: 3, <<: *b, z: 4}\n";
    let tree = compose(text, &Options::default()).unwrap();
    let entry = &tree.entries(tree.root).unwrap()[1];
    let found: Vec<(String, Option<i64>)> = tree
        .entries(entry.value)
        .unwrap()
        .iter()
        .map(|e| {
            let Kind::Int(int) = tree.node(e.value).kind else {
                panic!()
            };
            (e.key.to_string(), int.exact)
        })
        .collect();
    let expected = [("x", 1), ("y", 3), ("z", 4)];
    assert_eq!(found, expected.map(|(k, v)| (k.to_owned(), Some(v))));
}

#[test]
fn a_quoted_merge_key_is_an_ordinary_key() {
    assert_eq!(keys("\"<<\": 1\na: 2"), ["<<", "a"]);
}

#[test]
fn errors_name_their_cause() {
    for (text, message) in [
        ("", "must be a mapping"),
        ("[1]", "must be a mapping"),
        ("# a\n%YAML 1.2\n--- # b\n [1, 2]", "must be a mapping"),
        ("- 1", "must be a mapping"),
        ("a: 1\n---\nb: 2", "second document"),
        ("a: 1\n\"a\": 2", "appears twice"),
        ("1: x", "key must be a string"),
        ("[a]: x", "key must be a string"),
        (": x", "a key is missing"),
        ("%TAG !t! tag:x,2000:\n---\na: 1", "directive"),
        ("a: 1\n...\nb: 2", "second document"),
        ("a: {[b]: x}", "key must be a string"),
        ("true: x", "key must be a string"),
        ("a: =", "bare"),
        ("a: <<", "bare"),
        ("a: !mine x", "unknown tag"),
        ("a: !!int x", "not a valid !!int"),
        ("a: !!seq {}", "tag !!seq"),
        ("a: &x [*x]", "alias"),
        ("a: *nowhere", "YAML"),
        ("a: {<<: 1}", "`<<` merges"),
        ("a: &a {b: 1}\nc: {<<: *a, <<: *a}", "appears twice"),
        ("a: \u{1}", "U+0001"),
        ("\u{feff}a: 1", "U+FEFF"),
        ("a: b: c", "YAML"),
        ("a:\n\t- b", "YAML"),
        ("a: [1, 2", "YAML"),
    ] {
        let found = error(text);
        assert!(found.contains(message), "{text:?}: {found}");
    }
}

#[test]
fn common_mistakes_get_advice() {
    for (text, advice) in [
        ("a:\n\t- b", "spaces"),
        ("a:\n  - b: c\n   d: e", "one column"),
        ("a:\n  - b:c\n    d: e", "after the `:` of `b:`"),
        ("a: b: c", "quotes"),
        ("x: 1\na\nb: c", "`a` lacks a `:`"),
        ("a: {b: ${c}}", "contains `${…}`"),
        ("a:\n  - b\n  c\n", "`- ` before"),
        ("a: 1\n- b\n", "dashes of a list"),
        ("a: \u{201c}b: c\u{201d}", "quotes"),
        ("a: [1, 2}", "of the wrong kind"),
        ("a: {b: 1 c: 2}", "comma"),
        ("a: [1, 2\nb: 3", "close it"),
        ("a: [{b: 1}\nc: []", "close it"),
        ("a: \"b\nc: 1", "close it"),
        ("a: \"\\m\"", "backslash"),
        ("a: \"b\"#c", "space before"),
        ("a:\n  - b [1\n    c: 2", "`b [1` lacks"),
        ("a: [1, 2\n  - b", "close"),
        ("a: {b: 0,1}", "point instead of the comma"),
        ("x: 1\n<<<<<<< HEAD\nb: 1\n", "merge conflict"),
        ("a: @b", "quotes"),
        ("a: *b", "quotes"),
        ("a: *", "quotes"),
    ] {
        let errors = compose(text, &Options::default()).unwrap_err().errors;
        let help = errors[0].help.as_deref().unwrap_or_default();
        assert!(
            help.contains(advice),
            "{text:?}: {}; {help}",
            errors[0].message
        );
    }
}

#[test]
fn nesting_and_alias_bombs_stop_early() {
    let deep = format!("a: {}", "[".repeat(20_000));
    assert!(error(&deep).contains("deeper"), "{}", error(&deep));
    let block: String = (0..200).map(|n| format!("{}k:\n", " ".repeat(n))).collect();
    assert!(error(&block).contains("deeper"));
    let mut bomb = String::from("a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
    for n in 1..12 {
        let previous = format!("*a{}, ", n - 1).repeat(10);
        bomb.push_str(&format!("a{n}: &a{n} [{previous}]\n"));
    }
    assert!(error(&bomb).contains("expand"));
}

#[test]
fn paths_name_keys_indices_and_whole_objects() {
    let text = "ß: [{id: a, \"x y\": 1}]\nbones:\n  - id: b\n    head: [1, 2]\n";
    let tree = compose(text, &Options::default()).unwrap();
    let path = |needle: &str| {
        let start = u32::try_from(text.find(needle).unwrap()).unwrap();
        Paths::new(&tree).of(Span::new(
            start,
            start + u32::try_from(needle.len()).unwrap(),
        ))
    };
    assert_eq!(path("a"), "ß[0].id");
    assert_eq!(path("\"x y\""), "ß[0][\"x y\"]");
    assert_eq!(path("{id: a, \"x y\": 1}"), "ß[0]");
    assert_eq!(path("2"), "bones[0].head[1]");
    assert_eq!(path("id: b\n    head: [1, 2]"), "bones[0]");
    assert_eq!(path("head"), "bones[0].head");
}

#[test]
fn nodes_are_limited_in_every_text() {
    let error = |text: &str| match compose(text, &Options::default()) {
        Ok(_) => None,
        Err(malformed) => Some(malformed.errors[0].message.clone()),
    };
    // The mapping, the list, its items, and the value of `b`.
    let of = |nodes: usize, end: &str| format!("a: [{}]\n{end}", "x, ".repeat(nodes - 3));
    for end in ["b: c\n", "b: 'c\n  c'\n"] {
        assert_eq!(error(&of(MAX_NODES, end)), None);
        let said = error(&of(MAX_NODES + 1, end)).unwrap();
        assert!(said.contains("more than 1000000 values"), "{said}");
    }
}

#[test]
fn faults_are_told_of_where_they_begin() {
    for (text, at) in [
        ("a: [1, 2\nb: 3", "[1"),
        ("a: \"b\nc: 1", "\"b"),
        ("a: [1, {b: 2}\nc: []", "[1"),
        ("a: b: c", ": c"),
        ("x: 1\na\nb: c", "a\nb"),
        ("a:\n\t- b", "\t"),
        ("a: 1\n---\nb: 2", "---"),
        ("a: 1\nb: *c", "*c"),
    ] {
        let errors = compose(text, &Options::default()).unwrap_err().errors;
        let span = errors[0].span.unwrap();
        assert_eq!(span.start as usize, text.find(at).unwrap(), "{text:?}");
        assert!(!text[span.start as usize..span.end as usize].contains('\n'));
    }
}

#[test]
fn a_fault_leaves_the_findings_before_it() {
    assert!(error("1: a\nb: [").contains("key must be a string"));
    assert!(error("b: [\nc: d\n1: a").contains("not closed"));
}

#[test]
fn blanks_after_a_block_scalar_at_the_end_are_no_line() {
    // A line with content ends with a break there, too.
    for (text, expected) in [
        ("a: |\n  x\n", "x\n"),
        ("a: |\n  x\n  ", "x\n"),
        ("a: |\n  x\n ", "x\n"),
        ("a: |\n  x\n    ", "x\n  \n"),
        ("a: |\n  x\n\n  ", "x\n"),
        ("a: |\r\n  x\r\n  ", "x\n"),
        ("a: |\n  x", "x\n"),
        ("a: |\n  ü # c", "ü # c\n"),
        ("a: |\n  x\n  \t", "x\n\t\n"),
        ("a: |\n  x\n# c", "x\n"),
        ("a: |-\n  x\n  ", "x"),
        ("a: |+\n  x\n  ", "x\n"),
        ("a: |+\n  x\n\n  ", "x\n\n"),
        ("a: |+\n  ", ""),
        ("a: |+\n\n  ", "\n"),
        ("a: |\n  ", ""),
        ("a: >\n  x\n  y\n  ", "x y\n"),
        ("a: >\n  x\n  y", "x y\n"),
        ("a: >+\n  x\n  ", "x\n"),
        ("a: |2\n   x\n  ", " x\n"),
        ("a:\n- b:\n    c: |\n      x\n      ", "x\n"),
        ("b: |\n  x\n  \na: y", "y"),
    ] {
        let tree = compose(text, &Options::default()).unwrap();
        let texts = tree.ids().filter_map(|id| match &tree.raw(id).kind {
            Kind::Str(text) => Some(text.to_string()),
            _ => None,
        });
        assert_eq!(texts.last().as_deref(), Some(expected), "{text:?}");
    }
}
