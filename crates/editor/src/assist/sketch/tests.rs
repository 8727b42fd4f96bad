//! A sketch is the tree of the document, and that of a text with a fault keeps what an author is typing.

use super::{NodeId, Sketch, Value};
use rigy_language::yaml::{self, Kind, Tree};

/// Returns a tree as text: values, and the bytes of scalars.
fn shown(sketch: &Sketch, id: NodeId, text: &str) -> String {
    match &sketch.node(id).value {
        Value::Empty => "~".into(),
        Value::Scalar(scalar) => format!("{:?}@{}", scalar.value(text), scalar.range.start),
        Value::Map(entries) => {
            let entries = entries.iter();
            let shown = entries.map(|it| {
                let value = self::shown(sketch, it.value, text);
                format!("{:?}: {value}", it.key.value(text))
            });
            format!("{{{}}}", shown.collect::<Vec<_>>().join(", "))
        }
        Value::List(items) => {
            let items = items.iter().map(|item| shown(sketch, *item, text));
            format!("[{}]", items.collect::<Vec<_>>().join(", "))
        }
        Value::Alias(_) => "*".into(),
    }
}

/// Returns the same text for the tree of a document that is compiled.
fn composed(tree: &Tree, id: yaml::NodeId, text: &str) -> String {
    let node = tree.node(id);
    let range = node.span.start as usize..node.span.end as usize;
    // The span of a document's node contains its tag.
    let tag = text[range.clone()].starts_with("!!str ");
    let range = range.start + if tag { "!!str ".len() } else { 0 }..range.end;
    match &node.kind {
        Kind::Null if range.is_empty() => "~".into(),
        Kind::Map(entries) => {
            let entries = entries.iter();
            let shown =
                entries.map(|it| format!("{:?}: {}", it.key, composed(tree, it.value, text)));
            format!("{{{}}}", shown.collect::<Vec<_>>().join(", "))
        }
        Kind::Seq(items) => {
            let shown = items.iter().map(|item| composed(tree, *item, text));
            format!("[{}]", shown.collect::<Vec<_>>().join(", "))
        }
        Kind::Str(value) => format!("{value:?}@{}", range.start),
        _ => format!("{:?}@{}", &text[range.clone()], range.start),
    }
}

fn assert_same(text: &str) {
    let tree = yaml::compose(text, &yaml::Options::default()).expect(text);
    let sketch = Sketch::read(text);
    assert_eq!(
        shown(&sketch, sketch.root, text),
        composed(&tree, tree.root, text),
        "{text}"
    );
}

#[test]
fn a_sound_text_has_the_tree_of_its_document() {
    for text in [
        "a: 1\nb:\n  - c: x y\n    d: [1, {e: 'it''s'}]\n  -\n    f: \"q\\n\"\n",
        "a:\n- x\n- y: z\n  w:\n  - v\nb: {c: d, \"e\":f}\n",
        "# c\n---\na: &n {x: 1, z: 3}\nb: *n\nc: {<<: *n, y: 2, x: 0}\nd: {<<: [*n, {w: 4}]}\n...\n",
        "a: one\n  two # c\nb: # d\n  c\n",
        "a: {b: [1,\n  2], c: d}\ne: f#g\nh: i:j\n",
        "a: [\n  1\n]\nb: 2\n",
        "a: !!str 0.3\n? b\n: ~\nc: \"x\n  y\"\n",
    ] {
        assert_same(text);
    }
    let inputs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/inputs");
    let texts = std::fs::read_dir(inputs).unwrap().filter_map(|entry| {
        let path = entry.unwrap().path();
        std::fs::read_to_string(&path)
            .ok()
            .filter(|_| path.extension() == Some("yaml".as_ref()))
    });
    let texts: Vec<String> = texts.collect();
    assert!(texts.len() > 60, "{}", texts.len());
    // Blocks begin behind their indicators in a document.
    let texts = texts.iter().filter(|text| {
        !text.starts_with('\u{feff}') && !text.contains(": |") && !text.contains(": >")
    });
    texts.for_each(|text| assert_same(text));
}

#[test]
fn a_fault_leaves_the_rest() {
    let texts = [
        (
            "a: [1, {b: 2\nc: 3\n",
            r#"{"a": ["1"@4, {"b": "2"@11}], "c": "3"@16}"#,
        ),
        ("a:\n  b\n  c: 1\n", r#"{"a": {"b": ~, "c": "1"@12}}"#),
        (
            "a:\n  b: 1\n  c\n  d: 2\n",
            r#"{"a": {"b": "1"@8, "c": ~, "d": "2"@19}}"#,
        ),
        ("a\n  b: 2\n", r#"{"a": {"b": "2"@7}}"#),
        ("- a\n    b: 2\n- \n", r#"[{"a": {"b": "2"@11}}, ~]"#),
        (
            "k: source: .} # c\nb: 1\n",
            r#"{"k": "source: .}"@3, "b": "1"@21}"#,
        ),
        ("a: \"x\nb: 1\n", r#"{"a": "x"@3, "b": "1"@9}"#),
        (
            "a: 1\n  b: 2\nc: 3",
            r#"{"a": "1"@3, "a": {"b": "2"@10}, "c": "3"@15}"#,
        ),
    ];
    for (text, expected) in texts {
        let sketch = Sketch::read(text);
        assert_eq!(shown(&sketch, sketch.root, text), expected, "{text}");
    }
}
