//! From the text of an expression to its tokens.

use super::Fault;
use crate::base::diag::Code;

/// A token. Names are those of functions; params have a `$`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'t> {
    Number(f64),
    Param(&'t str),
    Name(&'t str),
    /// One of `+ - * / ( ) ,`.
    Sign(char),
}

/// Returns the tokens of an expression.
///
/// # Errors
/// V68 for a character that begins no token.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, Fault> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let len = match first {
            ' ' | '\t' | '\r' | '\u{c}' | '\u{b}' => 1,
            '+' | '-' | '*' | '/' | '(' | ')' | ',' => {
                tokens.push(Token::Sign(first));
                1
            }
            '0'..='9' => {
                let len = number_len(rest.as_bytes());
                // Digits, a point and an exponent always parse; the value may be infinite.
                tokens.push(Token::Number(rest[..len].parse().unwrap_or(f64::NAN)));
                len
            }
            '$' if name_len(&rest[1..]) > 0 => {
                let len = 1 + name_len(&rest[1..]);
                tokens.push(Token::Param(&rest[1..len]));
                len
            }
            _ if name_len(rest) > 0 => {
                let len = name_len(rest);
                tokens.push(Token::Name(&rest[..len]));
                len
            }
            other => {
                let message = format!("`{other}` has no meaning in an expression");
                return Err(Fault::new(Code::V68, message));
            }
        };
        rest = &rest[len..];
    }
    Ok(tokens)
}

/// Returns the length of a number: digits, a fraction and an exponent, if there are any.
fn number_len(text: &[u8]) -> usize {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or(&[]);
        rest.iter().take_while(|b| b.is_ascii_digit()).count()
    };
    let mut len = digits(0);
    if text.get(len) == Some(&b'.') {
        len += 1 + digits(len + 1);
    }
    if let Some(b'e' | b'E') = text.get(len) {
        let sign = usize::from(matches!(text.get(len + 1), Some(b'+' | b'-')));
        let exponent = digits(len + 1 + sign);
        if exponent > 0 {
            len += 1 + sign + exponent;
        }
    }
    len
}

/// Returns the length of the name with which a text begins; 0 if it begins with none.
fn name_len(text: &str) -> usize {
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    match text.as_bytes().first() {
        Some(first) if !first.is_ascii_digit() => text.bytes().take_while(is_name).count(),
        _ => 0,
    }
}
