//! Spellings of the version (`language.md` §1.2).

use rigy_batch::base::diag::Code;

use super::compile;
use super::rows::Expected::{self, Accepted, Refused};
use super::rows::{documents, every, grouped, rows};

#[test]
fn section_1_2_versions() {
    let row = |spelling: &str, expected| {
        (
            format!("1.2 `{spelling}`"),
            format!("version: {spelling}\nmeshes: []\n"),
            expected,
        )
    };
    let rows: &[(&str, Expected)] = grouped! {
        Accepted => "\"0.1\"", "\"0.2\"", "\"0.3\"", "\"0.4\"", "\"0.5\"", "'0.5'", "!!str 0.5", "\"0\\u002e5\"";
        Refused(Code::U10) => "0.5", "0.1", ".5", "5e-1", "0.50", "0.10", "1", "true", ".inf", "[0.5]", "['0.5']";
        Refused(Code::U10) => "'1.0'", "'0.14'", "'0.15'", "'0'", "'0.5.0'", "'v0.5'", "v0.5", "''", "2024-02-29";
        Refused(Code::U10) => "' 0.5'", "'0.5 '", "'+0.5'", "'00.5'", "'0.05'", "'0.50'", "'0.-5'", "'-1.5'", "'0.0'";
        Refused(Code::U10) => "'0,5'", "'0.٥'", "{'0.5': 1}";
        Refused(Code::V34) => "", "null", "~";
    };
    every(
        rows.iter()
            .map(|(spelling, expected)| row(spelling, *expected)),
    );
    every(documents(
        "1.2",
        rows! {
            "missing" "meshes: []\n" => Refused(Code::V34);
            "misspelt" "Version: '0.5'\nmeshes: []\n" => Refused(Code::V34);
            "synonym" "rigy_version: '0.5'\nmeshes: []\n" => Accepted;
            "synonym as a number" "rigy_version: 0.5\nmeshes: []\n" => Refused(Code::U10);
            "both" "version: '0.5'\nrigy_version: '0.5'\nmeshes: []\n" => Refused(Code::U10);
            "before the schema" "version: '0.9'\nmeshes: 7\nnonsense: 1\n" => Refused(Code::U10);
        },
    ));
}

#[test]
fn section_1_2_versions_to_come_are_refused() {
    for minor in 1..=13 {
        assert!(compile(&format!("version: \"0.{minor}\"\n"), &[]).is_ok());
    }
    let refused = compile("version: \"0.14\"\n", &[]).err().unwrap();
    assert!(refused[0].message.contains("not a version of Rigy"));
}
