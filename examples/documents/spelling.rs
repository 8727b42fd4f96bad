//! The many ways to write one number or one string (`language.md` 1.1 and 1.3).

use super::random::Random;

/// Any text that a number field reads as exactly `value`.
pub fn number(random: &mut Random, value: f64) -> String {
    if value == 0.0 {
        return zero(random, value);
    }
    if let Some(integer) = as_integer(value) {
        return whole(random, integer);
    }
    let plain = plain_decimal(value);
    match random.below(10) {
        0 => format!("{value:e}"),
        1 => format!("{value:.17e}"),
        2 => format!("\"{plain}\""),
        3 => format!("' {value:e} '"),
        4 => underscored(&plain),
        5 => format!("\"{}\"", underscored(&plain)),
        6 => without_leading_zero(&plain),
        7 if plain.contains('.') && !plain.contains('e') => format!("{plain}00"),
        8 if value > 0.0 => format!("+{plain}"),
        _ => plain,
    }
}

/// The integer that stands for exactly this number; there is none for -0.0.
pub fn as_integer(value: f64) -> Option<i64> {
    let whole =
        value.fract() == 0.0 && value.abs() < 1e9 && !(value == 0.0 && value.is_sign_negative());
    whole.then_some(value as i64)
}

fn zero(random: &mut Random, value: f64) -> String {
    let choices: &[&str] = if value.is_sign_negative() {
        &["-0.0", "-.0", "-0.", "-0e0", "\"-0\"", "'-0.0'", "-0.0e-3"]
    } else {
        &[
            "0",
            "0.0",
            "-0",
            "+0",
            "0e0",
            "false",
            "False",
            ".0",
            "'0'",
            "0x0",
            "00",
            "!!float 0",
            "!!int '0'",
            "0_0",
        ]
    };
    (*random.pick(choices)).into()
}

/// Integers have the most spellings of all.
fn whole(random: &mut Random, integer: i64) -> String {
    let sign = if integer < 0 { "-" } else { "" };
    let digits = integer.unsigned_abs().to_string();
    match random.below(18) {
        0 => format!("{integer}.0"),
        1 => format!("{integer}."),
        2 => format!("{integer}e0"),
        3 => format!("{sign}0{digits}"),
        4 => format!("\"{integer}\""),
        5 => format!("'{integer}.'"),
        6 => format!("\"{integer}.00\""),
        7 => format!("\" {integer}e0\""),
        8 => format!("!!float {integer}"),
        9 => underscored(&format!("{integer}")),
        10 if integer > 0 => format!("+{integer}"),
        11 if integer > 0 => format!("{integer:#X}").replace("0X", "0x"),
        12 if integer > 0 => format!("{integer:#o}"),
        13 if integer > 0 => format!("{integer:#b}"),
        14 | 15 if integer == 1 => (*random.pick(&["true", "True", "TRUE"])).into(),
        _ => format!("{integer}"),
    }
}

/// Any text that an integer field reads as `value`.
pub fn integer(random: &mut Random, value: u64) -> String {
    match random.below(14) {
        0 => format!("{value}.0"),
        1 => format!("\"{value}\""),
        2 => format!("'{value}.0'"),
        3 => format!("\"+{value}\""),
        4 => format!("0{value}"),
        5 => format!("{value}e0"),
        6 => format!("{value:#x}"),
        7 => underscored(&value.to_string()),
        8 if value == 1 => "true".into(),
        8 if value == 0 => "false".into(),
        _ => value.to_string(),
    }
}

/// The shortest digits that give the number back, with an exponent only where zeros would pile up.
pub fn plain_decimal(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-7..1e15).contains(&size) {
        return format!("{value:e}");
    }
    format!("{value:?}")
}

/// `1234.5678` as `1_234.5_678`: one underscore inside each run of at least two digits.
fn underscored(plain: &str) -> String {
    let mut out = String::new();
    let mut runs = plain.split('.').peekable();
    while let Some(run) = runs.next() {
        let digits = run.trim_start_matches(['+', '-']);
        out.push_str(&run[..run.len() - digits.len()]);
        if digits.len() >= 2 && digits.bytes().all(|b| b.is_ascii_digit()) {
            out.push_str(&digits[..1]);
            out.push('_');
            out.push_str(&digits[1..]);
        } else {
            out.push_str(digits);
        }
        if runs.peek().is_some() {
            out.push('.');
        }
    }
    out
}

/// `0.5` as `.5`, `+.5` as YAML allows.
fn without_leading_zero(plain: &str) -> String {
    match (plain.strip_prefix("0."), plain.strip_prefix("-0.")) {
        (Some(rest), _) if rest.len().is_multiple_of(2) => format!("+.{rest}"),
        (Some(rest), _) => format!(".{rest}"),
        (_, Some(rest)) => format!("-.{rest}"),
        _ => plain.into(),
    }
}

/// True where a plain scalar could be taken for something other than text.
pub fn needs_quotes(text: &str) -> bool {
    const WORDS: [&str; 14] = [
        "", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf", "infinity",
        "nil",
    ];
    let risky = |c: char| c.is_ascii_digit() || "+-.=<~!&*?|>@`%".contains(c);
    text.starts_with(risky) || WORDS.contains(&text.to_ascii_lowercase().as_str())
}

/// `text` in double quotes, escaped where it has to be.
pub fn double_quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        escape(&mut out, c);
    }
    out + "\""
}

/// `text` in quotes of one kind or the other, with more escapes than are needed if `fancy`.
pub fn string(random: &mut Random, text: &str, fancy: bool) -> String {
    // A key must not take more than 1024 characters.
    let fancy = fancy && text.len() < 90;
    let simple = text.chars().all(|c| (' '..='~').contains(&c));
    match random.below(6) {
        0 | 1 if simple => format!("'{}'", text.replace('\'', "''")),
        2 if fancy => format!("!!str {}", double_quoted(text)),
        3 | 4 if fancy => format!("\"{}\"", richly_escaped(random, text)),
        _ => double_quoted(text),
    }
}

fn richly_escaped(random: &mut Random, text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        let code = c as u32;
        match random.below(4) {
            0 => out.push_str(&format!("\\U{code:08x}")),
            1 if code < 0x100 => out.push_str(&format!("\\x{code:02x}")),
            2 if code < 0x10000 => out.push_str(&format!("\\u{code:04X}")),
            _ => escape(&mut out, c),
        }
    }
    out
}

fn escape(out: &mut String, c: char) {
    let code = c as u32;
    match c {
        '"' | '\\' => out.extend(['\\', c]),
        '\n' => out.push_str("\\n"),
        '\t' => out.push_str("\\t"),
        '\0'..='\u{1f}' | '\u{7f}'..='\u{a0}' => out.push_str(&format!("\\x{code:02X}")),
        '\u{2007}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => {
            out.push_str(&format!("\\u{code:04X}"))
        }
        _ => out.push(c),
    }
}
