//! Expressions: texts that begin with `=` and stand for a number (`extensions.md` §2.7).

mod parser;

use super::draft::Draft;
use super::params::Params;
use crate::yaml::{Kind, NodeId};
use rigy_base::diag::{Code, Diagnostic, Mend, shortened};

pub use parser::functions;

/// Longest expression in characters, with the `=`.
const MAX_LEN: usize = 4_096;

/// A fault of an expression.
struct Fault {
    code: Code,
    message: String,
    /// A misspelt name of a param, and the name that is likely meant; the same name if it lacks its `$`.
    meant: Option<(String, String)>,
}

impl Fault {
    fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            meant: None,
        }
    }
}

/// Returns the text of an expression after the `=`; `None` if a text is no expression. A line break at its end is
/// ignored.
fn body(text: &str) -> Option<&str> {
    let body = text.strip_prefix('=')?;
    let body = body.strip_suffix('\n').unwrap_or(body);
    (!body.is_empty() && !body.contains('\n')).then_some(body)
}

/// Returns true if a text is an expression.
pub fn is_expression(text: &str) -> bool {
    body(text).is_some()
}

/// Puts the values of all expressions in their places.
///
/// # Errors
/// Reports V68 to V71, and U10 for limits.
pub fn evaluate_all(params: &Params, draft: &mut Draft) {
    draft.visit_texts(|draft, id, text| {
        let Some(body) = body(&text) else {
            return;
        };
        match evaluate(body, |name| parameter(params, name, draft)) {
            Ok(value) => draft.tree.node_mut(id).kind = Kind::Float(value),
            Err(fault) => {
                let message = fault.message;
                let message = format!("in `{}`: {message}", shortened(text.to_string()));
                let error = Diagnostic::new(fault.code, draft.span(id), message);
                draft.report(match fault.meant {
                    Some((name, _)) if fault.code == Code::V68 => error
                        .help(format!("`{name}` is a param: write `${name}`"))
                        .mend(Mend::Replace {
                            to: marked(&text, &name),
                            from: text.to_string(),
                        }),
                    Some((name, near)) => {
                        let (from, to) = (text.to_string(), renamed(&text, &name, &near));
                        error
                            .help(format!("did you mean `${near}`?"))
                            .mend(Mend::Replace { from, to })
                    }
                    None if fault.code == Code::V68
                        && is_plain(draft, id, &text)
                        && is_cut_at_comma(body) =>
                    {
                        error.help("put quotes around it: a comma ends a value between brackets")
                    }
                    None => error,
                });
            }
        }
    });
}

/// Returns an expression in which another param stands wherever this one stood.
fn renamed(text: &str, name: &str, to: &str) -> String {
    let mut parts = text.split('$');
    let mut renamed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (own, rest) = part.split_at(name_len(part));
        renamed.extend(["$", if own == name { to } else { own }, rest]);
    }
    renamed
}

/// Returns an expression in which a name that stands alone has a `$` before it.
fn marked(text: &str, name: &str) -> String {
    let (mut marked, mut rest) = (String::new(), text);
    while let Some(next) = rest.chars().next() {
        let len = name_len(rest).max(next.len_utf8());
        let (token, after) = rest.split_at(len);
        let is_it = token == name && !marked.ends_with('$');
        marked.extend([if is_it { "$" } else { "" }, token]);
        rest = after;
    }
    marked
}

/// Returns true if a text is written without quotes, so that its span is as long as the text.
fn is_plain(draft: &Draft, id: NodeId, text: &str) -> bool {
    let span = draft.tree.node(id).span;
    (span.end - span.start) as usize == text.len()
}

/// Returns true if a text is an expression once `=` stands before it, whatever its params are.
pub fn is_well_formed(body: &str) -> bool {
    match evaluate(body, |_| Ok(1.0)) {
        Ok(_) => true,
        Err(fault) => matches!(fault.code, Code::V70 | Code::V71),
    }
}

/// Returns true if an expression ends inside brackets, as one does that a comma of a list has cut.
fn is_cut_at_comma(body: &str) -> bool {
    body.matches('(').count() > body.matches(')').count()
}

/// Returns the value of a param as a number.
fn parameter(params: &Params, name: &str, draft: &Draft) -> Result<f64, Fault> {
    match params.get(name, draft) {
        Some(Kind::Bool(value)) => Ok(f64::from(u8::from(*value))),
        Some(Kind::Int(int)) => Ok(int.nearest),
        Some(Kind::Float(value)) => Ok(*value),
        Some(_) => Err(Fault::new(
            Code::V69,
            format!("param `{name}` is a text, not a number"),
        )),
        None => {
            let near = draft.findings.nearest(name, params.names());
            Err(Fault {
                meant: near.map(|near| (name.to_owned(), near.to_owned())),
                ..Fault::new(Code::V69, format!("there is no param `{name}`"))
            })
        }
    }
}

/// Returns the value of an expression, rounded to a multiple of 1e-9.
fn evaluate(body: &str, parameter: impl Fn(&str) -> Result<f64, Fault>) -> Result<f64, Fault> {
    let len = 1 + body.chars().count();
    if len > MAX_LEN {
        let message = format!("the expression has {len} characters; the limit is {MAX_LEN}");
        return Err(Fault::new(Code::U10, message));
    }
    let tokens = tokens(body)?;
    let value = parser::value(&tokens, &parameter)?;
    quantized(value)
}

/// Rounds to a multiple of 1e-9, ties to even. The product is not always the decimal that one would write: 15 becomes
/// 15.000000000000002.
fn quantized(value: f64) -> Result<f64, Fault> {
    let steps = value / 1e-9;
    if steps.is_infinite() {
        return Err(Fault::new(
            Code::V70,
            "the value is too large to be rounded",
        ));
    }
    let value = steps.round_ties_even() * 1e-9;
    Ok(if value == 0.0 { 0.0 } else { value })
}

/// A token. Names are those of functions; params have a `$`.
#[derive(Clone, Copy, PartialEq)]
enum Token<'t> {
    Number(&'t str),
    Param(&'t str),
    Name(&'t str),
    /// One of `+ - * / ( ) ,`.
    Sign(char),
}

/// Returns the tokens of an expression.
///
/// # Errors
/// V68 for a character that begins no token.
fn tokens(text: &str) -> Result<Vec<Token<'_>>, Fault> {
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
                tokens.push(Token::Number(&rest[..len]));
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

#[cfg(test)]
mod tests;
