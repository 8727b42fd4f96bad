//! Tests of the JSON tree: comparison with `serde_json`, limits, and the order of members after edits.

use super::limits::MAX_DEPTH;
use super::parse;
use super::value::Value;
use proptest::prelude::*;

/// Pieces that make and break JSON texts.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\"a\"",
    "\"b\"",
    "0",
    "1",
    "-",
    ".",
    "e",
    "+",
    "true",
    "null",
    "\\u00e9",
    "\\ud83d\\ude00",
    "\\ud83d",
    " ",
    "\n",
    "é",
    "\u{1}",
    "\"\\n\"",
    "1.5",
    "-0",
    "01",
    "1E-2",
];

/// True if `serde_json` has parsed the same value.
fn same(ours: &Value, theirs: &serde_json::Value) -> bool {
    match (ours, theirs) {
        (Value::Null, serde_json::Value::Null) => true,
        (Value::Bool(a), serde_json::Value::Bool(b)) => a == b,
        (Value::Number(_), serde_json::Value::Number(b)) => {
            // Without `float_roundtrip`, numbers of serde_json can differ in the last bit.
            let (a, b) = (ours.as_f64().unwrap(), b.as_f64().unwrap());
            (a - b).abs() <= 1e-15 * a.abs()
        }
        (Value::String(a), serde_json::Value::String(b)) => a == b,
        (Value::Array(a), serde_json::Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), serde_json::Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(k, v)| b.get(&**k).is_some_and(|b| same(v, b)))
        }
        _ => false,
    }
}

proptest! {
    #[test]
    fn accepts_what_serde_json_accepts(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..9)) {
        let text: String = pieces.concat();
        let theirs: Result<serde_json::Value, _> = serde_json::from_str(&text);
        match (parse(&text), theirs) {
            (Ok(ours), Ok(theirs)) => prop_assert!(same(&ours, &theirs), "{text}"),
            (Err(ours), Ok(_)) => prop_assert!(ours.message.contains("twice"), "{text}: {ours}"),
            (Ok(_), Err(theirs)) => prop_assert!(theirs.to_string().contains("out of range"), "{text}: {theirs}"),
            (Err(_), Err(_)) => {}
        }
    }

    #[test]
    fn what_is_written_is_read_again(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..9)) {
        let text: String = pieces.concat();
        if let Ok(value) = parse(&text) {
            let written = value.to_text();
            prop_assert_eq!(parse(&written).unwrap(), value);
        }
    }
}

#[test]
fn depth_and_duplicates_are_refused() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(parse(&nested(MAX_DEPTH)).is_ok());
    assert!(parse(&nested(MAX_DEPTH + 2)).is_err());
    assert!(parse(&"[".repeat(1 << 20)).is_err());
    // Brackets in strings do not count as nesting.
    let quoted = format!(
        r#"["\"{0}", "\\", {{"{0}": 1}}]"#,
        "[".repeat(MAX_DEPTH + 2)
    );
    assert!(parse(&quoted).is_ok());
    let late = format!("[{}{}", "1,".repeat(1000), nested(MAX_DEPTH + 2));
    let error = parse(&late).unwrap_err();
    assert_eq!(error.offset, 1 + 2000 + MAX_DEPTH);
    assert!(error.message.contains("deeper than 128"), "{error}");
    assert!(parse(r#"{"a":1,"a":1}"#).is_err());
    let many: Vec<String> = (0..40).map(|n| format!("\"k{}\":0", n % 39)).collect();
    assert!(parse(&format!("{{{}}}", many.join(","))).is_err());
}

#[test]
fn edits_keep_the_order_of_everything_else() {
    let text = r#"{"b":1.50,"a":[true,null],"c":{"z":1e2}}"#;
    let mut value = parse(text).unwrap();
    assert_eq!(value.to_text(), text);
    value.set("a", 7_u64);
    value.set("d", "\u{1}\"\\é");
    assert_eq!(value.remove("b"), Some(Value::Number("1.50".into())));
    let expected = r#"{"a":7,"c":{"z":1e2},"d":"\u0001\"\\é"}"#;
    assert_eq!(value.to_text(), expected);
}

#[test]
fn integers_may_be_written_in_many_ways() {
    let integer = |text| parse(text).unwrap().as_u64();
    assert_eq!(integer("100.0"), Some(100));
    assert_eq!(integer("1e2"), Some(100));
    assert_eq!(integer("-0"), Some(0));
    assert_eq!(integer("9007199254740992"), Some(1 << 53));
    for text in ["-1", "1.5", "1e300", "1e999", "\"1\"", "null"] {
        assert_eq!(integer(text), None, "{text}");
    }
}

#[test]
fn integers_that_the_machine_cannot_count_to_are_no_indices() {
    let index = |text| parse(text).unwrap().as_index();
    assert_eq!(index("4294967295"), Some(0xffff_ffff));
    // Cut off to 32 bits this would be 1.
    let beyond = cfg!(target_pointer_width = "64").then(|| 0x1_0000_0001_u64 as usize);
    assert_eq!(index("4294967297"), beyond);
    assert_eq!(index("-1"), None);
}
