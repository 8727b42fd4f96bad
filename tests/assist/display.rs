//! Folds, colours of materials, kinds of words, and values beside their texts.

use rigy_batch::Location;
use rigy_batch::assist::{NameKind, Source, TokenKind, color_text, colors, folds, hints, tokens};

/// Asks about a text of a document.
fn of<T>(text: &str, question: impl Fn(Source<'_>) -> T) -> T {
    let location = Location("a.rigy.yaml".into());
    question(Source {
        location: &location,
        text,
    })
}

#[test]
fn what_takes_several_lines_is_folded_from_its_key() {
    for (text, expected) in [
        ("a: 1\nb: {}\n", vec![]),
        ("a:\n  b: 1\nc: 2\n", vec!["a:\n  b: 1"]),
        ("a: [\n  1\n]\n", vec!["a: [\n  1\n]"]),
        (
            "a:\n- b: 1\n  c: 2\n- d\n",
            vec!["a:\n- b: 1\n  c: 2\n- d", "b: 1\n  c: 2"],
        ),
        ("a: |\n  x\n  y\nb: 1\n", vec!["a: |\n  x\n  y\n"]),
        ("a: &x\n  b: 1\nc: *x\n", vec!["a: &x\n  b: 1"]),
        ("a:\n  b: [1,\n  c: 2\n", vec!["a:\n  b: [1,\n  c: 2"]),
    ] {
        let found = of(text, |source| folds(source, None));
        let found: Vec<&str> = found.iter().map(|it| text[it.clone()].trim_end()).collect();
        let expected: Vec<&str> = expected.iter().map(|it| it.trim_end()).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn colours_are_four_numbers_of_a_material() {
    for (color, expected) in [
        ("[1, 0.5, 0, 1]", Some([1.0, 0.5, 0.0, 1.0])),
        ("[1,\n      0.5, 0, \"1\"]", Some([1.0, 0.5, 0.0, 1.0])),
        ("[1, 0.5, 0]", None),
        ("[1, 0.5, 0, 1, 1]", None),
        ("[1, 0.5, 0, 2]", None),
        ("[1, $g, 0, 1]", None),
        ("red", None),
        ("", None),
        ("\n    - 1\n    - 1\n    - 1\n    - 1", None),
    ] {
        let text = format!("version: \"0.12\"\nmaterials:\n  m:\n    base_color: {color}\n");
        let found = of(&text, |source| colors(source, None));
        let found = found
            .first()
            .map(|it| (&text[it.range.clone()], it.components));
        assert_eq!(
            found,
            expected.map(|components| (color, components)),
            "{text}"
        );
    }
    let elsewhere =
        "version: \"0.12\"\nbase_color: [1, 1, 1, 1]\nmeshes: {m: {base_color: [1, 1, 1, 1]}}\n";
    assert_eq!(of(elsewhere, |source| colors(source, None)), []);
    assert_eq!(color_text([-0.0; 4]), "[0, 0, 0, 0]");
    assert_eq!(
        color_text([1.0, 1.0 / 3.0, -1.0, f64::NAN]),
        "[1, 0.333, 0, 0]"
    );
    // Each byte has a text of its own.
    let texts = (0..=255).map(|byte| color_text([f64::from(byte) / 255.0; 4]));
    assert_eq!(texts.collect::<std::collections::BTreeSet<_>>().len(), 256);
}

const DOCUMENT: &str = "version: \"0.12\"\nparams: {w: 2, on: true, hue: red, text: \"=1\"}\nmaterials: {red: {base_color: [1, 0, 0, 1]}}\n\
                        meshes:\n- id: m\n  material: $hue\n  primitives:\n  - {type: box, id: b, dimensions: {x: $w, y: \"=max($w, 1) / 4 + $on\", z: =$nothing}}\n";

#[test]
fn words_have_the_kinds_of_what_they_name() {
    let whole = 0..DOCUMENT.len();
    let found = of(DOCUMENT, |source| tokens(source, &whole, None));
    let name = TokenKind::Name;
    for (before, word, kind, is_definition) in [
        ("", "version", TokenKind::Key, false),
        ("params: {", "w", name(NameKind::Param), true),
        ("materials: {", "red", name(NameKind::Material), true),
        ("- id: ", "m", name(NameKind::Mesh), true),
        ("material: $", "hue", name(NameKind::Param), false),
        ("box, id: ", "b", name(NameKind::Primitive), true),
        ("x: $", "w", name(NameKind::Param), false),
        ("y: \"=", "max", TokenKind::Function, false),
        ("=max($", "w", name(NameKind::Param), false),
        ("=max($w, ", "1", TokenKind::Number, false),
        ("1) / ", "4", TokenKind::Number, false),
    ] {
        let start = DOCUMENT.find(&format!("{before}{word}")).unwrap() + before.len();
        let token = found
            .iter()
            .find(|token| token.range == (start..start + word.len()));
        let token = token.unwrap_or_else(|| panic!("{before}{word}: {found:?}"));
        assert_eq!(
            (token.kind, token.is_definition),
            (kind, is_definition),
            "{before}{word}"
        );
    }
    assert!(found.is_sorted_by(|one, next| one.range.end <= next.range.start));
    // A part has the words that the whole has there.
    let part = DOCUMENT.find("meshes").unwrap()..DOCUMENT.find("primitives").unwrap();
    let of_part = of(DOCUMENT, |source| tokens(source, &part, None));
    let expected: Vec<_> = found
        .into_iter()
        .filter(|it| part.contains(&it.range.start))
        .collect();
    assert_eq!(of_part, expected);
}

#[test]
fn params_and_expressions_have_their_values_beside_them() {
    let shown = |text: &str, part: std::ops::Range<usize>| {
        let found = of(text, |source| hints(source, &part, None));
        let shown = found.into_iter().map(|hint| {
            let before = &text[..hint.offset];
            let start = before.rfind([' ', '\n']).map_or(0, |at| at + 1);
            format!("{} {}", &before[start..], hint.label)
        });
        shown.collect::<Vec<String>>()
    };
    let whole = 0..DOCUMENT.len();
    assert_eq!(
        shown(DOCUMENT, whole.clone()),
        ["$hue = red", "$w = 2", "$on\" = 1.5"]
    );
    let older = DOCUMENT.replace("0.12", "0.11");
    assert_eq!(shown(&older, whole.clone()), ["$hue = red", "$w = 2"]);
    assert!(shown(&DOCUMENT.replace("0.12", "0.9"), whole).is_empty());
    let upper = 0..DOCUMENT.find("primitives").unwrap();
    assert_eq!(shown(DOCUMENT, upper), ["$hue = red"]);
    for (expression, value) in [
        ("=0.1 + 0.2", Some("= 0.3")),
        ("=2 - 3 * 4", Some("= -10")),
        ("=1e9 * 1e3", Some("= 1000000000000.0001")),
        ("=0 * -1", Some("= 0")),
        ("=1 / 0", None),
        ("=1 +", None),
        ("=${i} * 2", None),
    ] {
        let text = format!("version: \"0.12\"\nmeshes: [{{id: m, x: \"{expression}\"}}]\n");
        let found = of(&text, |source| hints(source, &(0..text.len()), None));
        let found = found.first().map(|hint| &*hint.label);
        assert_eq!(found, value, "{expression}");
    }
}
