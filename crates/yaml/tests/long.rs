//! Long texts, most of them faulty: time and memory grow as the text does.
use rigy_yaml::{Kind, Limits, parse};
use std::time::{Duration, Instant};

/// How a text begins, and what is repeated in it.
const TEXTS: &[(&str, &str)] = &[
    ("a: [", "1,"),
    ("a: {", "a,"),
    ("a:\n", "- b\n"),
    ("", "a: b\n"),
    ("", "a:\n"),
    ("", "- {a: 1, b: [1, 2]}\n"),
    ("", "{"),
    ("a: ", "["),
    ("", "- "),
    ("", "? "),
    ("", "? - "),
    ("", "-\n"),
    ("", "- a\n\n\n"),
    ("", "- \"a\n"),
    ("- a\n", " \"b\n- a\n"),
    ("[", "\"a\n , 'b\n , "),
    ("[", "\"\\\"\n"),
    ("", "'''\n"),
    ("", "a\n"),
    ("a: 1\n", "  b: 2\n c\n"),
    ("", "? [a]\n: b\n"),
    ("", "[&a b]: c\n"),
    ("", "[a]: "),
    ("", "- &a b\n- *a\n"),
    ("a: &a [b]\nc:\n", "- &b *a\n"),
    ("a: b\n", "\n"),
    ("a: b\r", "\r"),
    ("a: b\n", "# c\n"),
    ("a: b\n", "  c\n"),
    ("a: |\n", "  c\n"),
    ("a: >+\n", "  c\n   d\n\n"),
    ("a: |\n", "\n"),
    ("", "[}{]"),
    ("a: b # ", "---"),
    ("a:\n", "\tb: 1\n"),
    ("a:", " "),
    ("a: ", "\t"),
    ("", ": "),
    ("a: ", "x"),
    ("a: \"", "\\n"),
    ("a: ", "&a !!str "),
    ("", "&a\n"),
    ("", "\u{feff}"),
    ("a: ", "\u{85}"),
    ("%", "YAML 1.1\n%"),
    ("---\n", "...\n"),
];

#[test]
fn every_text_is_read_within_its_time() {
    for (head, body) in TEXTS {
        let text = format!("{head}{}", body.repeat((1 << 20) / body.len()));
        let start = Instant::now();
        let tree = parse(&text, Limits::default());
        let mut values = 0;
        for id in 0..tree.len() as u32 {
            let is_text = !tree.node(id).kind.is_collection() && tree.node(id).kind != Kind::Alias;
            values += if is_text { tree.text(id).len() } else { 0 };
        }
        let took = start.elapsed();
        assert!(took < Duration::from_secs(1), "{head:?} {body:?}: {took:?}");
        assert!(
            tree.len() <= text.len() + 2 && values <= 2 * text.len(),
            "{head:?} {body:?}: {} nodes, {values} bytes",
            tree.len()
        );
        assert!(tree.faults.len() <= Limits::default().faults);
    }
}
