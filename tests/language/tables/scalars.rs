//! Scalars (`language.md` §1.1) and the numbers that fields make of them (§1.3).

use rigy_batch::base::diag::{Category, Code};

use super::rows::Expected::Name;
use super::rows::{every, grouped, none_wrong};
use super::{BOX, Made, changed, compile};
use Meaning::{Both, Nothing, Null, Number, Text};

/// The meaning of a scalar in a field.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    Null,
    /// Booleans are 1 and 0.
    Number(f64),
    Text,
    /// Text that number fields can read.
    Both(f64),
    /// No field accepts it.
    Nothing,
}

impl PartialEq for Meaning {
    /// Distinguishes -0.0 from 0.0, and holds one NaN equal to another.
    fn eq(&self, other: &Self) -> bool {
        let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
        match (*self, *other) {
            (Number(a), Number(b)) | (Both(a), Both(b)) => same(a, b),
            (Null, Null) | (Text, Text) | (Nothing, Nothing) => true,
            _ => false,
        }
    }
}

/// Compiles; `None` if it is refused as malformed.
fn well_formed(text: &str) -> Option<Result<Made, Code>> {
    match compile(text, &[]) {
        Ok(made) => Some(Ok(made)),
        Err(errors) if errors[0].code == Some(Code::U10) => {
            assert_eq!(errors[0].category, Category::ParseError);
            None
        }
        Err(errors) => Some(Err(errors[0].code.unwrap())),
    }
}

fn number(scalar: &str) -> Option<f64> {
    let with = |from: &str, to: &str| well_formed(&changed(&[(from, to)]));
    let head = "head: [0, 0, 0], tail: [0, 1, 0], roll: 0}";
    let bone = format!("{{id: r, parent: none, {head}");
    let in_block = "id: r\n        parent: none\n        tail: [0, 1, 0]\n        head:\n";
    let in_block = format!("{in_block}          - {scalar}\n          - 0\n          - 0");
    match with(&bone, &in_block)? {
        Ok(made) => {
            let nodes = made.json["nodes"].as_array().unwrap();
            let node = nodes.iter().find(|node| node["name"] == "r").unwrap();
            Some(node["translation"][0].as_f64().unwrap())
        }
        Err(Code::V32) => Some(not_finite(scalar)),
        Err(code) => panic!("{scalar}: {code}"),
    }
}

/// The infinite number or NaN that a scalar means.
fn not_finite(scalar: &str) -> f64 {
    let code = |text: &str| well_formed(text).and_then(Result::err);
    let dimension = changed(&[("{x: 1}", &format!("{{x: {scalar}}}"))]);
    let range = changed(&[("range: [-1, 1]", &format!("range: [{scalar}, 1]"))]);
    match (code(&dimension), code(&range)) {
        (Some(Code::V07), _) => f64::NEG_INFINITY,
        (_, Some(Code::U04)) => f64::INFINITY,
        (Some(Code::V32), Some(Code::V32)) => f64::NAN,
        codes => panic!("{scalar}: {codes:?}"),
    }
}

fn meaning(scalar: &str) -> Meaning {
    // `name` takes text and null, `symmetry` a mapping and null.
    let named = format!(
        "version: '0.5'\nmeshes:\n  - id: m\n    name: {scalar}\n    primitives: [{BOX}]\n"
    );
    let named = well_formed(&named).is_some();
    let null = well_formed(&format!("version: '0.5'\nsymmetry: {scalar}\n")).is_some();
    match (null, named, number(scalar)) {
        (true, true, None) => Null,
        (false, true, None) => Text,
        (false, true, Some(value)) => Both(value),
        (false, false, Some(value)) => Number(value),
        (false, false, None) => Nothing,
        strange => panic!("{scalar}: {strange:?}"),
    }
}

fn scalars(section: &str, rows: &[(&str, Meaning)]) {
    let wrong = rows.iter().filter_map(|(scalar, expected)| {
        let found = meaning(scalar);
        (found != *expected)
            .then(|| format!("{section} `{scalar}`: expected {expected:?}, found {found:?}"))
    });
    none_wrong(wrong);
}

const INF: f64 = f64::INFINITY;

const NAN: f64 = f64::NAN;

#[test]
fn section_1_1_plain_scalars() {
    scalars(
        "1.1 null",
        grouped! {
            Null => "", "~", "null", "Null", "NULL";
            Text => "nULL", "none";
        },
    );
    scalars(
        "1.1 bool",
        grouped! {
            Number(1.0) => "true", "True", "TRUE";
            Number(0.0) => "false", "False", "FALSE";
            Text => "tRUE", "yes", "Yes", "no", "NO", "on", "off", "y", "n";
        },
    );
    scalars(
        "1.1 int",
        grouped! {
            Number(7.0) => "7", "+7";
            Number(-7.0) => "-7";
            Number(0.0) => "-0";
            Number(10.0) => "010";
            Number(9.0) => "09";
            Number(1000.0) => "1_000";
            Number(31.0) => "0x1F";
            Number(-16.0) => "-0x10";
            Number(15.0) => "0o17";
            Number(5.0) => "0b101";
            Text => "0o8", "0b2", "0xG", "_1";
        },
    );
    scalars(
        "1.1 float",
        grouped! {
            Number(1.5) => "1.5";
            Number(-0.0) => "-0.0";
            Number(1.0) => "1.";
            Number(150.0) => "1.5e2";
            Number(0.015) => "1.5e-2";
            Number(100.0) => "1.e+2";
            Number(1000.0) => "1e3", "1e+3";
            Number(-0.001) => "-1E-3";
            Number(0.5) => ".5";
            Number(-0.5) => "-.5";
            Number(5.0) => ".5e+1";
            Number(0.05) => ".5e-1";
            Both(5.0) => ".5e1";
            Number(10.25) => "1_0.2_5";
            Number(INF) => ".inf", "+.Inf";
            Number(-INF) => "-.INF";
            Number(NAN) => ".nan", ".NaN", ".NAN";
            Text => "-.nan", ".iNF", "1e", ".";
        },
    );
    scalars(
        "1.1 date",
        grouped! {
            Nothing => "2024-02-29", "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43", "2001-12-15T02:59:43.1Z";
            Text => "2024-02";
        },
    );
    scalars(
        "1.1 error",
        grouped! {
            Nothing => "=", "<<";
            Text => "==", "<";
        },
    );
    scalars(
        "1.1 string",
        grouped! {
            Text => "bone", "1:30", "1.2.3", "v0.5";
            Both(INF) => "inf";
            Both(NAN) => "nan";
            Both(7.0) => "'7'";
            Text => "'true'", "'~'", "\"\"", "'='", "'2024-02-29'";
        },
    );
    scalars(
        "1.1 tags",
        grouped! {
            Both(7.0) => "!!str 7";
            Text => "!!str true", "!!str 2024-02-29";
            Number(7.0) => "!!int '7'", "!!float 7";
            Number(0.5) => "!!float '.5'";
            Number(1.0) => "!!bool 'true'";
            Null => "!!null ''";
            Both(7.0) => "!<tag:yaml.org,2002:str> 7";
            Nothing => "!!int x", "!!bool 1", "!!timestamp 2024-02-29", "!!binary aGk=", "!mine 7";
        },
    );
}

#[test]
fn section_1_3_numbers() {
    let beyond = format!("1{}", "0".repeat(400));
    scalars(
        "1.3 number",
        grouped! {
            Number(9_007_199_254_740_992.0) => "9007199254740993";
            Number(2.5) => "2.5";
            Number(1.0) => "true";
            Number(0.0) => "false";
            Number(INF) => "1e400";
            Number(0.0) => "1e-400";
            Number(-0.0) => "-1e-400";
            Number(5e-324) => "5e-324";
            Nothing => &beyond;
            Null => "null";
            Nothing => "2024-02-29", "[1]";
            Both(1000.0) => "'1_000'";
            Both(1.0) => "'1.'";
            Both(0.5) => "'.5'";
            Both(1000.0) => "' 1e3 '";
            Both(0.15) => "'+1.5E-1'";
            Both(-0.0) => "'-0'";
            Both(10.0) => "'010'";
            Both(10.25) => "'1_0.2_5'";
            Both(INF) => "'1e400'", "'inf'";
            Both(-INF) => "'-INF'";
            Both(INF) => "'Infinity'", "'+infinity'";
            Both(NAN) => "'NaN'", "'-nan'";
            Both(7.0) => "\"\\u2003 7\\u00a0\"";
            Text => "'_1'", "'1_'", "'1__0'", "''", "' '", "'.'", "'1e'", "'e1'", "'--1'", "'1 2'", "'0x10'";
            Text => "'0o7'", "'0b1'", "'.inf'", "'one'";
        },
    );
}

#[test]
fn section_1_1_text_stays_as_it_was_written() {
    let named = |scalar: &str, name: &'static str| {
        let text = format!("version: '0.5'\nmeshes:\n  - id: {scalar}\n    primitives: [{BOX}]\n");
        (format!("1.1 `{scalar}`"), text, Name(name))
    };
    every([
        named("yes", "yes"),
        named("1:30", "1:30"),
        named(".5e1", ".5e1"),
        named("!!str 0x1F", "0x1F"),
        named("' two words '", " two words "),
        named("\"\\u00e9\"", "é"),
        named("|-\n      7", "7"),
        named(">-\n      folded\n      text", "folded text"),
    ]);
}
