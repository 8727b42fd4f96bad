use super::format;
use rigy_base::limits::Limits;

/// Formats a text, and checks that doing it again changes nothing.
fn formatted(text: &str) -> String {
    let once =
        format(text, &Limits::DEFAULT).unwrap_or_else(|errors| panic!("{text:?}: {errors:?}"));
    let twice =
        format(&once, &Limits::DEFAULT).unwrap_or_else(|errors| panic!("{once:?}: {errors:?}"));
    assert_eq!(twice, once, "from {text:?}");
    once
}

fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(formatted(text), *expected, "from {text:?}");
    }
}

#[test]
fn keys_get_their_order_and_their_comments_go_with_them() {
    check(&[
        (
            "meshes: []\nversion: \"0.5\"\n",
            "version: \"0.5\"\nmeshes: []\n",
        ),
        (
            "# about meshes\nmeshes: [] # m\n\n# about it\nversion: \"0.5\" # v\n  # below\n# end\n",
            "# about it\nversion: \"0.5\" # v\n  # below\n# about meshes\nmeshes: [] # m\n# end\n",
        ),
        (
            "# file\n\n# m\nmeshes: []\nversion: \"0.5\"\n",
            "# file\n\nversion: \"0.5\"\n\n# m\nmeshes: []\n",
        ),
        (
            "own: 1\nmeshes: []\nother: 2\n<<: {a: 1}\nversion: \"0.5\"\n",
            "<<: {a: 1}\nversion: \"0.5\"\nmeshes: []\nown: 1\nother: 2\n",
        ),
        (
            "meshes:\n- primitives:\n  - # the lid\n    id: b\n    type: box\n  id: m\n",
            "meshes:\n  - primitives:\n      - # the lid\n        type: box\n        id: b\n    id: m\n",
        ),
        (
            "meshes: [{primitives: [{id: b, type: box, transform: {rotation_degrees: [1,2,3], translation: [0,0,0]}}]}]\n",
            "meshes: [{primitives: [{type: box, id: b, transform: {translation: [0, 0, 0], rotation_degrees: [1, 2, 3]}}]}]\n",
        ),
        (
            "armatures:\n  - id: a\n    bones:\n      - tail: [0, 1, 0]\n        id: r\n      - repeat:\n          body: {head: [0, 0, 0], id: \"r${i}\"}\n          as: i\n          count: 2\n",
            "armatures:\n  - id: a\n    bones:\n      - id: r\n        tail: [0, 1, 0]\n      - repeat:\n          body: {id: \"r${i}\", head: [0, 0, 0]}\n          as: i\n          count: 2\n",
        ),
        (
            "version: \"0.5\"\nrigs_version: \"0.1\"\nimports: {}\nmeshes: []\n",
            "version: \"0.5\"\nrigs_version: \"0.1\"\nimports: {}\nmeshes: []\n",
        ),
    ]);
}

#[test]
fn an_alias_never_comes_before_its_anchor() {
    let kept = "meshes: &a []\nversion: *a\n";
    check(&[
        (kept, kept),
        (
            "bindings: &a []\nmeshes: []\nposes: *a\n",
            "meshes: []\nbindings: &a []\nposes: *a\n",
        ),
        (
            "x: &a 1\nposes: &b [*a]\nanchors: *b\nversion: 2\n",
            "x: &a 1\nposes: &b [*a]\nanchors: *b\nversion: 2\n",
        ),
        // Which of two anchors of one name an alias means depends on the order.
        (
            "x: &a 1\nposes: [&a 2]\nversion: 0\n",
            "x: &a 1\nposes: [&a 2]\nversion: 0\n",
        ),
    ]);
}

#[test]
fn boxes_get_short_names_where_nothing_else_uses_them() {
    let of = |primitive: &str| format!("meshes: [{{primitives: [{primitive}]}}]\n");
    let change = |from: &str, to: &str| assert_eq!(formatted(&of(from)), of(to));
    let kept = |text: &str| change(text, text);
    change(
        "{type: box, dimensions: {width: 1, height: 2, depth: 3}}",
        "{type: box, dimensions: {x: 1, y: 2, z: 3}}",
    );
    change(
        "{dimensions: {\"width\": 1, height: 2}, type: box}",
        "{type: box, dimensions: {x: 1, y: 2}}",
    );
    change(
        "{type: box, dimensions: {width: 1, x: 2, height: 3}}",
        "{type: box, dimensions: {width: 1, x: 2, y: 3}}",
    );
    change(
        "{type: box, dimensions: {width: &a 1, height: *a}}",
        "{type: box, dimensions: {x: &a 1, y: *a}}",
    );
    kept("{type: cylinder, dimensions: {height: 1, radius: 2}}");
    kept("&p {type: box, dimensions: {height: 1}}, {<<: *p, type: capsule}");
    kept("{type: box, dimensions: {&k width: 1}}, {id: *k}");
    kept("{type: box, dimensions: {<<: {x: 1}, width: 1}}");
    kept("{type: wedge, dimensions: {width: 1, height: 2, depth: 3}}");
    assert_eq!(
        formatted(
            "meshes:\n- primitives:\n  - id: a\n    dimensions:\n      # wide\n      width: 1 # w\n      height: 2\n    type: box\n"
        ),
        "meshes:\n  - primitives:\n      - type: box\n        id: a\n        dimensions:\n          # wide\n          x: 1 # w\n          y: 2\n",
    );
}

#[test]
fn blanks_and_blank_lines_become_regular() {
    check(&[
        (
            "\n\n\na :   1\n\n\n\nb:    # c  \n    - 1\n    -   - 2\n        - 3\n\n\n",
            "a: 1\n\nb:    # c\n  - 1\n  - - 2\n    - 3\n",
        ),
        (
            "a:\n- \n  - b\n-\n  c: d\n  e:\n    f\n-\n",
            "a:\n  - - b\n  - c: d\n    e: f\n  -\n",
        ),
        ("a: 1", "a: 1\n"),
        ("a: 1\r\nb:\r\n- 2\r\n", "a: 1\r\nb:\r\n  - 2\r\n"),
        ("\u{feff}a:  1\n", "\u{feff}a: 1\n"),
        (
            "a: &x\n    b: !!int   1\n    <<:   *x2\n"
                .replace("*x2", "{}")
                .as_str(),
            "a: &x\n  b: !!int 1\n  <<: {}\n",
        ),
        (
            "&r !!map\na: &e\nb: !!str\n? c\n",
            "&r !!map\na: &e\nb: !!str\n? c\n",
        ),
        (
            "a: &x 1\n*x : 2\n".replace("&x 1", "&x y").as_str(),
            "a: &x y\n*x : 2\n",
        ),
        (
            "%YAML 1.2\n# before\n---   # start\n\n\na:   1\n...\n\n\n# after\n",
            "%YAML 1.2\n# before\n---   # start\na: 1\n...\n\n# after\n",
        ),
        ("--- {a: 1}\n", "---\n{a: 1}\n"),
    ]);
}

#[test]
fn flow_collections_keep_their_lines() {
    check(&[
        ("a: [ 1,2 ,3, ]\n", "a: [1, 2, 3]\n"),
        (
            "a: { b : 1,c, \"d\":2, e: , f: [ ], g: [h: 1, ? i : 2] }\n"
                .replace(", ? i : 2", "")
                .as_str(),
            "a: {b: 1, c, \"d\": 2, e:, f: [], g: [h: 1]}\n",
        ),
        (
            "{\n\"a\" : [1,\n2], \"b\": {}}\n",
            "{\n  \"a\": [1,\n    2], \"b\": {}}\n",
        ),
        (
            "a:\n    b: [\n      1, 2,\n      3,\n      ]\n",
            "a:\n  b: [\n    1, 2,\n    3,\n  ]\n",
        ),
        (
            "a: {b: \"x\n y\", c: d\n  e}\n",
            "a: {b: \"x\n  y\", c: d\n  e}\n",
        ),
        // With a comment inside, the lines stay as they are and move together.
        (
            "a:\n    b: [1,   # c\n        2]\n    c:   1\n",
            "a:\n  b: [1,   # c\n      2]\n  c: 1\n",
        ),
        ("a: {b: &x , c: !!str }\n", "a: {b: &x, c: !!str}\n"),
    ]);
}

#[test]
fn scalars_keep_their_spelling() {
    check(&[
        (
            "a:   1_000.50e+1\nb:  'it''s'\nc:  \"\\x41\\\n   b\"\n",
            "a: 1_000.50e+1\nb: 'it''s'\nc: \"\\x41\\\n  b\"\n",
        ),
        (
            "a: one\n    two\n\n    three # c\nb: 1\n",
            "a: one\n  two\n\n  three # c\nb: 1\n",
        ),
        (
            "a:\n  |\n      x\n       y  \n\n      z\n\n\nb: 1\n",
            "a: |\n  x\n   y  \n\n  z\n\nb: 1\n",
        ),
        (
            "a: |4-\n       x\n      y\nb: >+ # c\n   z\n\n\nc: 1\n",
            "a: |4-\n       x\n      y\nb: >+ # c\n  z\n\n\nc: 1\n",
        ),
        (
            "meshes: |+\n  x\n\n\nversion: 1\n",
            "meshes: |+\n  x\n\n\nversion: 1\n",
        ),
        ("a: |+\n  x\n\n", "a: |+\n  x\n\n"),
        (
            "a:\n    - b: |\n            x\n      # in b?\n    # in a\nc: |\n   x",
            "a:\n  - b: |\n      x\n    # in b?\n  # in a\nc: |\n  x\n",
        ),
        ("a: |\nb: >-\n\nc: 1\n", "a: |\nb: >-\n\nc: 1\n"),
    ]);
}

#[test]
fn unusual_texts_keep_their_values() {
    check(&[
        (
            "meshes:\n   - |+\n      \nversion: 1\n",
            "meshes:\n  - |+\n\nversion: 1\n",
        ),
        (
            "{\n  a : !!str,\n  !!str : b,\n}\n",
            "{\n  a: !!str,\n  !!str : b,\n}\n",
        ),
        ("...\na:   1\n", "...\na: 1\n"),
        ("id:   nbsp\u{a0}\n", "id: nbsp\u{a0}\n"),
        ("? &a a\n::   *a\n", "? &a a\n:: *a\n"),
    ]);
}

#[test]
fn comments_stay_where_they_belong() {
    check(&[
        ("a:\n  # none yet\nb: 1\n", "a:\n  # none yet\nb: 1\n"),
        (
            "a:\n    - 1\n    # after 1\n# before b\nb: 2\n# end\n",
            "a:\n  - 1\n  # after 1\n# before b\nb: 2\n# end\n",
        ),
        (
            "a: # one\n  # two\n  &x # three\n  # four\n  b: 1\n",
            "a: # one\n  # two\n  &x # three\n  # four\n  b: 1\n",
        ),
        (
            "a: &x # one\n     # two\n     b: 1\n",
            "a: &x # one\n  # two\n  b: 1\n",
        ),
        (
            "a:\n  # why\n  1\n? b # c\n: 2\n",
            "a:\n  # why\n  1\n? b # c\n: 2\n",
        ),
        (
            "a:\n  - # one\n    # two\n    b: 1\n",
            "a:\n  - # one\n    # two\n    b: 1\n",
        ),
        // A key after `?` needs no value.
        (
            "? a  # a\n# b\n? b\n    # in b\n",
            "? a  # a\n# b\n? b\n  # in b\n",
        ),
    ]);
}

#[test]
fn what_is_no_document_is_refused() {
    for text in [
        "",
        "[1]",
        "a: 1\na: 2\n",
        "a: [\n",
        "a: 1\n---\nb: 2\n",
        "1: 2\n",
        "a: !x 1\n",
    ] {
        let errors = format(text, &Limits::DEFAULT).unwrap_err();
        assert!(
            errors.iter().all(|error| error.code.is_some()),
            "{text:?}: {errors:?}"
        );
    }
    let long = "a: 12345678\n";
    assert!(format(long, &Limits::DEFAULT.bytes(8)).is_err());
}

#[test]
fn blanks_after_a_block_scalar_at_the_end_are_taken_away() {
    check(&[
        ("name: |\n   x\n   ", "name: |\n  x\n"),
        ("name: |+\n   x\n\n   ", "name: |+\n  x\n\n"),
        ("name: >\n   x\n    ", "name: >\n  x\n   \n"),
        ("name: |+2 # c\n   x\n  ", "name: |+2 # c\n   x\n"),
        (
            "meshes: []\nversion: |-\n   0.5\n   ",
            "version: |-\n  0.5\nmeshes: []\n",
        ),
        ("name: |+\n  ", "name: |+\n"),
    ]);
}
