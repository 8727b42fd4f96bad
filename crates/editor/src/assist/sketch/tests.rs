//! Both readers of sketches give the same tree for texts without faults.

use super::{NodeId, Sketch, Value};

/// Returns a tree as text: values, and the bytes of scalars.
fn shown(sketch: &Sketch, id: NodeId, text: &str) -> String {
    match &sketch.node(id).value {
        Value::Empty => "~".into(),
        Value::Scalar(scalar) => format!("{:?}@{}", scalar.value(text), scalar.range.start),
        Value::Map(entries) => {
            let mut shown: Vec<String> = (entries.iter())
                .map(|e| {
                    format!(
                        "{:?}: {}",
                        e.key.value(text),
                        self::shown(sketch, e.value, text)
                    )
                })
                .collect();
            shown.sort();
            format!("{{{}}}", shown.join(", "))
        }
        Value::List(items) => {
            let items = items.iter().map(|item| shown(sketch, *item, text));
            format!("[{}]", items.collect::<Vec<_>>().join(", "))
        }
        Value::Alias(_) => "*".into(),
    }
}

#[test]
fn both_readers_give_one_tree() {
    let texts = [
        "a: 1\nb:\n  - c: x y\n    d: [1, {e: 'it''s'}]\n  -\n    f: \"q\\n\"\n",
        "a:\n- x\n- y: z\n  w:\n  - v\nb: {c: d, \"e\":f}\n",
        "# c\n---\na: &n {x: 1}\nb: *n\nc: {<<: *n, y: 2}\n...\n",
        "a: one\n  two # c\nb: # d\n  c\n",
        "a: {b: [1,\n  2], c: d}\ne: f#g\nh: i:j\n",
        "a: [\n  1\n]\nb: 2\n",
        "a: !!str 0.3\nb: - \n",
    ];
    for text in &texts[..6] {
        let sound = super::composed::read(text).expect(text);
        let tolerant = Sketch::read_tolerantly(text);
        let shown = |sketch: &Sketch| shown(sketch, sketch.root, text);
        assert_eq!(shown(&tolerant), shown(&sound), "{text}");
    }
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
        ("a\n  b: 2\n", r#"{"a": {"b": "2"@7}, "a": ~}"#),
        ("a: \"x\nb: 1\n", r#"{"a": "x"@3, "b": "1"@9}"#),
        (
            "a: 1\n  b: 2\nc: 3",
            r#"{"a": "1"@3, "a": {"b": "2"@10}, "c": "3"@15}"#,
        ),
    ];
    for (text, expected) in texts {
        let sketch = Sketch::read(text);
        assert!(!sketch.is_sound, "{text}");
        assert_eq!(shown(&sketch, sketch.root, text), expected, "{text}");
    }
}
