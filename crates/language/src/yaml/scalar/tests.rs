use super::*;

fn kind(text: &str) -> String {
    match resolve(Cow::Borrowed(text)) {
        None => "error".into(),
        Some(Kind::Null) => "null".into(),
        Some(Kind::Bool(b)) => format!("bool {b}"),
        Some(Kind::Int(i)) => format!("int {:?}", i.exact.ok_or(i.nearest)),
        Some(Kind::Float(f)) => format!("float {f:?}"),
        Some(Kind::Date(_)) => "date".into(),
        Some(Kind::Str(s)) => format!("str {s}"),
        Some(_) => unreachable!(),
    }
}

#[test]
fn every_row_of_the_scalar_table() {
    for (text, expected) in [
        ("", "null"),
        ("~", "null"),
        ("Null", "null"),
        ("nULL", "str nULL"),
        ("TRUE", "bool true"),
        ("False", "bool false"),
        ("tRue", "str tRue"),
        ("yes", "str yes"),
        ("on", "str on"),
        ("n", "str n"),
        ("0", "int Ok(0)"),
        ("-0", "int Ok(0)"),
        ("+12", "int Ok(12)"),
        ("010", "int Ok(10)"),
        ("09", "int Ok(9)"),
        ("1_000", "int Ok(1000)"),
        ("0x1F", "int Ok(31)"),
        ("-0x10", "int Ok(-16)"),
        ("0o17", "int Ok(15)"),
        ("0b101", "int Ok(5)"),
        ("0b12", "str 0b12"),
        ("0X1F", "str 0X1F"),
        ("_1", "str _1"),
        ("-_", "str -_"),
        ("-", "str -"),
        ("+", "str +"),
        (".", "str ."),
        ("0x", "str 0x"),
        ("9223372036854775808", "int Err(9.223372036854776e18)"),
        ("0x10000000000000001", "int Err(1.8446744073709552e19)"),
        ("1.5", "float 1.5"),
        ("1.", "float 1.0"),
        ("-1.e3", "float -1000.0"),
        ("1_0.5_0", "float 10.5"),
        ("1e3", "float 1000.0"),
        ("1E+3", "float 1000.0"),
        ("1e", "str 1e"),
        ("1e1.5", "str 1e1.5"),
        (".5", "float 0.5"),
        ("-.5", "float -0.5"),
        (".5e+1", "float 5.0"),
        (".5e1", "str .5e1"),
        ("._5", "float 0.5"),
        ("._", "str ._"),
        ("-0.0", "float -0.0"),
        (".inf", "float inf"),
        ("-.Inf", "float -inf"),
        ("+.INF", "float inf"),
        (".iNf", "str .iNf"),
        (".nan", "float NaN"),
        ("-.nan", "str -.nan"),
        ("1e400", "float inf"),
        ("1e-400", "float 0.0"),
        ("2024-01-31", "date"),
        ("2024-1-31", "str 2024-1-31"),
        ("2024-1-31 1:02:03", "date"),
        ("2001-12-14t21:59:43.10-05:00", "date"),
        ("2001-12-14 21:59:43.10 -5", "date"),
        ("2001-12-15T02:59:43.1Z", "date"),
        ("2001-12-15T02:59", "str 2001-12-15T02:59"),
        ("=", "error"),
        ("<<", "error"),
        ("<", "str <"),
        ("1:30", "str 1:30"),
        ("12e03", "float 12000.0"),
        ("1.2.3", "str 1.2.3"),
        ("0.5.0", "str 0.5.0"),
        ("v0.5", "str v0.5"),
    ] {
        assert_eq!(kind(text), expected, "{text:?}");
        let begins_like_number =
            text.starts_with(|c: char| "+-.".contains(c) || c.is_ascii_digit());
        let is_known = expected.starts_with("str ") && !begins_like_number;
        assert_eq!(
            is_text(text),
            is_known && !text.starts_with(['~', '=', '<']),
            "{text:?}"
        );
    }
}

#[test]
fn long_hexadecimal_numbers_round_once() {
    let value = |text: &str| int(text).unwrap().nearest;
    assert_eq!(
        value("0x20000000000001000000"),
        151115727451828646838272.0 + 16777216.0
    );
    // Half way between two doubles, then a hair above half way.
    assert_eq!(
        value("0x8000000000000400").to_bits(),
        (2f64.powi(63)).to_bits()
    );
    assert_eq!(
        value("0x80000000000004000000000000000001"),
        (2f64.powi(63) + 2048.0) * 2f64.powi(64)
    );
    assert_eq!(value(&format!("0x1{}", "0".repeat(300))), f64::INFINITY);
}

#[test]
fn strings_are_numbers_by_their_own_grammar() {
    for (text, expected) in [
        ("1_000", 1000.0),
        ("1.", 1.0),
        (".5", 0.5),
        (" 1e3 ", 1000.0),
        ("Infinity", f64::INFINITY),
        ("-inf", f64::NEG_INFINITY),
        (".5e1", 5.0),
        ("+0.25", 0.25),
        ("\u{2003}7\u{a0}", 7.0),
        ("1e-1", 0.1),
    ] {
        assert_eq!(numeric_text(text), Some(expected), "{text:?}");
    }
    assert!(numeric_text("NaN").unwrap().is_nan());
    for text in [
        "", " ", "_1", "1_", "1__0", "0x10", "1e", ".", "e5", "--1", "1 2", ".inf", "infin", "1d3",
    ] {
        assert_eq!(numeric_text(text), None, "{text:?}");
    }
}
