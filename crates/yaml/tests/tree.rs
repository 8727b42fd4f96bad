//! What the reader promises: values, faults that do not end the reading, limits, and spans.
use rigy_yaml::{Kind, Limits, Problem, Tree, parse};

fn shown(tree: &Tree, id: u32) -> String {
    match tree.node(id).kind {
        Kind::Empty => "~".into(),
        Kind::Alias => "*".into(),
        kind if kind.is_map() => {
            let all = tree
                .entries(id)
                .map(|(key, value)| format!("{}: {}", shown(tree, key), shown(tree, value)));
            format!("{{{}}}", all.collect::<Vec<_>>().join(", "))
        }
        kind if kind.is_collection() => format!(
            "[{}]",
            tree.children(id)
                .map(|item| shown(tree, item))
                .collect::<Vec<_>>()
                .join(", ")
        ),
        _ => format!("{:?}", tree.text(id)),
    }
}

fn read(text: &str) -> (String, Vec<Problem>) {
    let tree = parse(text, Limits::default());
    (
        shown(&tree, 0),
        tree.faults.iter().map(|fault| fault.problem).collect(),
    )
}

#[test]
fn texts_without_faults() {
    for (text, expected) in [
        (
            "a: 1\nb:\n- c: x y\n  d: [1, {e: 'it''s'}]\n-\n  f: \"q\\n\"\n",
            r#"{"a": "1", "b": [{"c": "x y", "d": ["1", {"e": "it's"}]}, {"f": "q\n"}]}"#,
        ),
        (
            "a: |\n  b\n\n   c\nd: >-\n  e\n  f\n",
            r#"{"a": "b\n\n c\n", "d": "e f"}"#,
        ),
        (
            "a: one\n  two\nb: \"x\n  y\\\n  z\"\n",
            r#"{"a": "one two", "b": "x yz"}"#,
        ),
        ("? a\n: - b\n&x c: *x\n", r#"{"a": ["b"], "c": *}"#),
        ("\u{feff}---\r\na: b\r\n...\r\n# end\r\n", r#"{"a": "b"}"#),
        (
            "[a: b, {c, \"d\":e}]",
            r#"[{"a": "b"}, {"c": ~, "d": "e"}]"#,
        ),
        (
            "[&a\n !!str b, {c: &d\n !!str e, &f\n !!str g: h}, &i\n ]",
            r#"["b", {"c": "e", "g": "h"}, ~]"#,
        ),
    ] {
        assert_eq!(read(text), (expected.to_owned(), Vec::new()), "{text:?}");
    }
}

#[test]
fn a_fault_leaves_the_rest() {
    use Problem::*;
    for (text, expected, problems) in [
        (
            "a: [1, {b: 2\nc: 3\n",
            r#"{"a": ["1", {"b": "2"}], "c": "3"}"#,
            &[NotClosed, NotClosed][..],
        ),
        (
            "a:\n  b\n  c: 1\n",
            r#"{"a": {"b": ~, "c": "1"}}"#,
            &[MissingColon],
        ),
        ("a\n  b: 2\n", r#"{"a": {"b": "2"}}"#, &[MissingColon]),
        (
            "a: \"x\nb: 1\n",
            r#"{"a": "x", "b": "1"}"#,
            &[QuoteNotClosed],
        ),
        (
            "a: 1\n  b: 2\nc: 3",
            r#"{"a": {~: "1", "b": "2"}, "c": "3"}"#,
            &[Indentation, BelowScalar],
        ),
        (
            "a: 'x'\n  - b\nc: 3",
            r#"{"a": ["x", "b"], "c": "3"}"#,
            &[Indentation, BelowScalar],
        ),
        (
            "a:\n  - b: 1\n  c: 2\n  - d\n",
            r#"{"a": [{"b": "1"}, {"c": "2"}, "d"]}"#,
            &[MissingDash],
        ),
        ("}\na: 1\n", r#"{"}": ~, "a": "1"}"#, &[Sign, MissingColon]),
        ("a:\n\t- b\n", r#"{"a": ["b"]}"#, &[Tab]),
        ("a: [\n\tb]\n", r#"{"a": ["b"]}"#, &[Tab]),
        (
            "{[&x a]: b, c: *x}",
            r#"{"[&x a]": "b", "c": *}"#,
            &[ComplexKey],
        ),
        (
            "a: &x b\nc: &y *x\nd: *y\n",
            r#"{"a": "b", "c": *, "d": *}"#,
            &[AliasProperties],
        ),
        (
            "a: !x b\n---\nc: d\n",
            r#"{"a": "b"}"#,
            &[ForeignTag, SecondDocument],
        ),
        ("[a]: b\nc: d\n", r#"{"[a]": "b", "c": "d"}"#, &[ComplexKey]),
    ] {
        assert_eq!(
            read(text),
            (expected.to_owned(), problems.to_vec()),
            "{text:?}"
        );
    }
}

#[test]
fn an_alias_keeps_its_anchor() {
    let tree = parse("a: &x b\nc: &y *x\nd: *y\n", Limits::default());
    let values: Vec<u32> = tree.entries(0).map(|(_, value)| value).collect();
    assert_eq!(tree.target(values[1]), Some(values[0]));
    assert_eq!(tree.target(values[2]), Some(values[0]));
    let anchor = &tree.properties(values[1]).unwrap().anchor;
    assert_eq!(&tree.source()[anchor.clone()], "&y");
    assert!(tree.properties(values[2]).is_none());
}

#[test]
fn lines_of_block_scalars_begin_in_any_column() {
    let blanks = " ".repeat(70_000);
    let text = format!("a: |\n{blanks}b\n{blanks} c\n");
    assert_eq!(read(&text), (r#"{"a": "b\n c\n"}"#.to_owned(), Vec::new()));
}

#[test]
fn limits_end_the_reading() {
    let limits = Limits {
        depth: 3,
        nodes: 20,
        faults: 2,
    };
    let first = |text: &str| {
        parse(text, limits)
            .faults
            .first()
            .map(|fault| fault.problem)
    };
    assert_eq!(first("[[[[]]]]"), Some(Problem::TooDeep));
    assert_eq!(first(&"- a\n".repeat(30)), Some(Problem::TooMany));
}

#[test]
fn a_limit_may_end_the_reading_before_a_key() {
    for piece in ["a:\n", "? ", "- ? ", "&a ? ", "é:\n"] {
        let lines = (0..200).map(|depth| format!("{}{piece}", " ".repeat(depth)));
        for text in [piece.repeat(200), lines.collect()] {
            let tree = parse(&text, Limits::default());
            (0..tree.len() as u32).for_each(|id| drop(tree.text(id)));
        }
    }
}
