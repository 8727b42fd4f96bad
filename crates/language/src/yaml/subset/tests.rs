use crate::yaml::subset_is_exact;

/// Texts in the subset.
const INSIDE: &[&str] = &[
    "a: 1",
    "a: 1\na: 2",
    "a: [1, 2,]\nb: {c: 1, d: [e , # f\n  ]}\n",
    "a: 1\nb:\n  c: x y # z\n  d:\ne: ''\n",
    "---\n# c\na:\n- b: 1\n  c: 2\n-   d: 3\n- - 4\n  - 5\n-\n  e: 6\nf: g\n...\n# end",
    "  a: &x {b: [1, -2.5, \"c\"], 'd': {}, e: []}\n  f: *x\n",
    "a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  e: 1\n",
    "a: &x\n  b: 1\nc: !!seq\n  - &y !!str d\n  - *y\n!!str e: *x\n",
    "a: !!str\n  b\nc:\n  'd''e'\nf: \"\\u00e9\\x41\\n\\\"\"\n",
    "{\"a\":1,\"b\":[{\"c\":null},[]],\"d\":\"e\"}",
    "a: [1,\n  2, # c\n   3]\nb: 1",
    "ü: [ß, é]\n\"😀\": a#b:c\n",
    "a: 1\r\nb:\r\n  - c\r\n",
    "a:\n    - b\n    -   c: 1\n        d: 2\n",
    "a: |\n  b\nc: |-\n    d\n    # e\n\n\n     f \n# g\nh:\n- |\n i\n\n- - |- # j\n    k\n",
    "a:\r\n  - b: |\r\n      c\r\n     \r\n      d\r\n\r\n    e: 1\r\n",
    "a: !!str |\n  b\nc: &x |-\n  d\ne: !!str\n  |\n  f\ng: *x\n",
    "? a # b\n# c\n: d\n? 'e' # f\n: g: 1\n  h: 2\n? |-\n  i\n  j\n: - k\n  - l\n? &m n\n:\n  o\np: 1\n",
    "a:\n- ? b\n  : c\n  ? \"d\"\n  :\n  e: f\n- g\nh:\n  ? i\n  : [j]\n  ? |\n   k\n  : |\n   l\n",
    "# a\n%YAML 1.1 # b\n# c\n---\n# d\ne: f\n",
    "%YAML 1.2\n---\na: b",
    "&a {b: 1}\n",
    "&a b: 1\nc: *a\n",
    "--- # a\n!!map {b: 1} # c\n...\n",
    "a: -1\nb: -x\nc: a - b\nd: http://x:y\n",
    "a: {b: 1,}\nc: 2\n",
    "a: {b: 1, }",
    "a: {b: 1 ,  \n }  # x\nc: 1",
    "a: [{b: 1, # x\n }, {c: {d: 1,},}]\n",
];

/// Texts outside it, with faults and without.
const OUTSIDE: &[&str] = &[
    "",
    "- a",
    "a",
    "a: b: c",
    "a: b\n c",
    "a: b\n c: d",
    "a:\n  b: 1\n c: 2",
    "a: 'b",
    "a: 'b\n  c'",
    "a: |\n  b",
    "a: |\n",
    "a: |\n\n  b\n",
    "a: |+\n  b\n",
    "a: |1\n  b\n",
    "a: |\nb\n",
    "a: |\n  b\n  ",
    "a: |\n  b\n c: 1\n",
    "a: | b\n  c\n",
    "a: >\n  b\n",
    "|\n a: 1\n",
    "? a",
    "? a\n",
    "a:\n- b\n? c\n: d",
    "? a: b\n: c",
    "? a\n  b\n: c",
    "? a\n : b",
    "? a\n:b",
    "? [a]\n: b",
    "?\n  a\n: b",
    "a: ? b\n  : c",
    "&a ? b\n: c",
    "%YAML 1.1\na: b",
    "%YAML 1.3\n---\na: b",
    " %YAML 1.1\n---\na: b",
    "%YAML 1.1\n%YAML 1.1\n---\na: b",
    "&a\nb: 1",
    "&a {b: 1} c",
    "a: [1, 2",
    "a: [b -, c]",
    "a: [\n1]",
    "a: {b}",
    "a: {b: }",
    "a: [b: c]",
    "a: [1] x",
    "a: [1]#c",
    "a: \"b\"#c",
    "a:\tb",
    "a: *b",
    "a: &b\n",
    "a: &b *c",
    "a: !x b",
    "a: 1\n---\nb: 2",
    "a: 1\n--- b: 2",
    "a:\n- b\n--- c: 2",
    "---\n--- a: 2",
    "... a: 1\nb: 1",
    "a: 1\n...\nb: 2",
    "a: @b",
    "a: - b",
    "a: 1\n- b",
    "{a: 1}\nb: 2",
    "[a]: 1",
    "a: \"\\q\"",
    "a: \"\\uD800\"",
    "a: 1\rb: 2",
];

#[test]
fn trees_are_those_of_the_event_parser() {
    for text in INSIDE {
        assert!(subset_is_exact(text, None), "{text:?}");
    }
}

#[test]
fn other_texts_are_left_to_the_event_parser() {
    for text in OUTSIDE {
        assert!(!subset_is_exact(text, None), "{text:?}");
    }
}

#[test]
fn small_changes_give_the_same_trees_or_none() {
    let signs = [
        "\n",
        " ",
        "  ",
        "\n  ",
        "- ",
        "-",
        "# ",
        "#",
        ": ",
        ":",
        ",",
        "[",
        "]",
        "{",
        "}",
        "'",
        "\"",
        "&a ",
        "*x",
        "!!str ",
        "? ",
        "|",
        "|-\n",
        "\n: ",
        "%YAML 1.1\n",
        "ä",
        "\r\n",
        "\n- ",
        "...",
        "\n---\n",
        "<<",
        "\\",
    ];
    let mut read = 0;
    for text in INSIDE {
        let places = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        for at in places {
            let (before, after) = text.split_at(at);
            let mut shorter = after.chars();
            shorter.next();
            let inserted = signs.iter().map(|sign| format!("{before}{sign}{after}"));
            let cut = [before.to_owned(), format!("{before}{}", shorter.as_str())];
            for changed in inserted.chain(cut) {
                read += usize::from(subset_is_exact(&changed, None));
            }
        }
    }
    assert!(read > 2000, "{read} of them are in the subset");
}
