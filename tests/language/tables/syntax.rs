//! Documents, keys, aliases and merges (`language.md` §1.1).

use rigy_batch::base::diag::Code;
use rigy_batch::compile::decode;

use super::rows::Expected::{Accepted, Name, Refused, Size};
use super::rows::{changes, documents, every, rows};

#[test]
fn section_1_1_documents() {
    every(documents(
        "1.1",
        rows! {
            "byte order mark" "\u{feff}version: '0.5'\n" => Accepted;
            "two byte order marks" "\u{feff}\u{feff}version: '0.5'\n" => Refused(Code::U10);
            "carriage returns" "version: '0.5'\r\nmeshes: []\r\n" => Accepted;
            "markers and comments" "# one\n---\nversion: '0.5' # two\n...\n# three\n" => Accepted;
            "second document" "version: '0.5'\n---\nversion: '0.5'\n" => Refused(Code::U10);
            "empty second document" "version: '0.5'\n---\n" => Refused(Code::U10);
            "empty file" "" => Refused(Code::U10);
            "only a comment" "# nothing\n" => Refused(Code::U10);
            "root is a list" "- version: '0.5'\n" => Refused(Code::U10);
            "root is a flow list" "[version, '0.5']\n" => Refused(Code::U10);
            "root is a scalar" "version\n" => Refused(Code::U10);
            "root is null" "~\n" => Refused(Code::U10);
            "root in braces" "{version: '0.5', meshes: []}\n" => Accepted;
            "YAML 1.1 directive, 010"
                "%YAML 1.1\n---\nversion: '0.5'\nmeshes: [{id: yes, primitives: \
                    [{type: box, id: p, dimensions: {x: 010}}]}]\n" => Size([10.0, 1.0, 1.0]);
            "YAML 1.1 directive, yes"
                "%YAML 1.1\n---\nversion: '0.5'\nmeshes: [{id: yes, primitives: \
                    [{type: box, id: p, dimensions: {x: 010}}]}]\n" => Name("yes");
        },
    ));
    let not_utf8 = decode("d.rigy.yaml", b"version: '0.5' # \xff\n").unwrap_err();
    assert_eq!(not_utf8[0].code, Some(Code::U10), "1.1 not UTF-8");
}

#[test]
fn section_1_1_keys_aliases_and_merges() {
    every(changes(
        "1.1 duplicate key",
        rows! {
            "poses:" "meshes:" => Refused(Code::U10);
            "id: m\n" "id: m\n    id: m\n" => Refused(Code::U10);
            "id: m\n" "id: m\n    \"id\": m\n" => Refused(Code::U10);
            "{x: 1}" "{x: 1, x: 1}" => Refused(Code::U10);
            "{x: 1}" "{x: 1, !!str x: 1}" => Refused(Code::U10);
            "bones: {r:" "bones: {r: {}, 'r':" => Refused(Code::U10);
        },
    ));
    every(changes(
        "1.1 key",
        rows! {
            "{x: 1}" "{'x': 3}" => Size([3.0, 1.0, 1.0]);
            "{x: 1}" "{!!str x: 3}" => Size([3.0, 1.0, 1.0]);
            "{x: 1}" "{7: 1}" => Refused(Code::U10);
            "{x: 1}" "{1.5: 1}" => Refused(Code::U10);
            "{x: 1}" "{true: 1}" => Refused(Code::U10);
            "{x: 1}" "{~: 1}" => Refused(Code::U10);
            "{x: 1}" "{2024-02-29: 1}" => Refused(Code::U10);
            "{x: 1}" "{[x]: 1}" => Refused(Code::U10);
            "{x: 1}" "{'7': 1}" => Refused(Code::V33);
            "poses:" "7: []\nposes:" => Refused(Code::U10);
            "poses:" "~: []\nposes:" => Refused(Code::U10);
        },
    ));
    every(changes(
        "1.1 alias",
        rows! {
            "{x: 1}" "{x: &w 3, y: *w}" => Size([3.0, 3.0, 1.0]);
            "{x: 1}}"
                "&d {x: 3}}\n      - {type: box, id: q, dimensions: *d, transform: {translation: [0, 4, 0]}}"
                    => Size([3.0, 5.0, 1.0]);
            "{x: 1}" "*d" => Refused(Code::U10);
        },
    ));
    every(changes(
        "1.1 merge",
        rows! {
            "{x: 1}" "{<<: {x: 3, y: 2}}" => Size([3.0, 2.0, 1.0]);
            "{x: 1}" "{x: 4, <<: {x: 3, y: 2}}" => Size([4.0, 2.0, 1.0]);
            "{x: 1}" "{<<: {x: 3, y: 2}, x: 4}" => Size([4.0, 2.0, 1.0]);
            "{x: 1}" "{<<: [{x: 3}, {x: 5, y: 2}]}" => Size([3.0, 2.0, 1.0]);
            "{x: 1}" "{<<: 3}" => Refused(Code::U10);
            "{x: 1}" "{<<: [3]}" => Refused(Code::U10);
        },
    ));
    every(changes(
        "1.1 tag",
        rows! {
            "tail: [0, 1, 0]" "tail: !!seq [0, 1, 0]" => Accepted;
            "{x: 1}" "!!map {x: 3}" => Size([3.0, 1.0, 1.0]);
            "{x: 1}" "!!seq {x: 3}" => Refused(Code::U10);
            "tail: [0, 1, 0]" "tail: !!map [0, 1, 0]" => Refused(Code::U10);
            "vertices: [0]" "vertices: !!set {0}" => Refused(Code::U10);
            "{x: 1}" "!box {x: 3}" => Refused(Code::U10);
        },
    ));
    every(changes(
        "1.1 syntax",
        rows! {
            "  - id: m" "\t- id: m" => Refused(Code::U10);
            "id: m\n" "id: m: n\n" => Refused(Code::U10);
            "id: m\n" "id: 'm\n" => Refused(Code::U10);
            "{x: 1}" "{x: 1" => Refused(Code::U10);
            "{x: 1}" "{x: 1}]" => Refused(Code::U10);
            "id: m\n" "id: @m\n" => Refused(Code::U10);
            "id: m\n" "id: \"\\q\"\n" => Refused(Code::U10);
        },
    ));
}
