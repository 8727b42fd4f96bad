//! The meaning of words of a text, by which an editor colours them.

use std::ops::Range;

use super::project::{ReadText, RecentTexts, read};
use super::sketch::{Scalar, Value};
use super::walk::{TextKind, version_of};
use super::{NameKind, Source};
use crate::base::maps::HashSet;
use crate::language::version::Feature;

/// Most words of an answer.
const MOST_TOKENS: usize = 20_000;

/// The kind of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TokenKind {
    /// The name of an element.
    Name(NameKind),
    /// The key of a mapping, if it is no name.
    Key,
    /// A function of an expression.
    Function,
    /// A number of an expression.
    Number,
}

/// A word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its bytes.
    pub range: Range<usize>,
    /// Its kind.
    pub kind: TokenKind,
    /// True if an element gets its name there.
    pub is_definition: bool,
}

/// Returns the words in a part of a text, in their order; none overlap, and none contains a line break.
pub fn tokens(
    source: Source<'_>,
    within: &Range<usize>,
    recent: Option<&RecentTexts>,
) -> Vec<Token> {
    let read = read(source, recent);
    let is_inside = |range: &Range<usize>| range.start < within.end && within.start < range.end;
    let mut found: Vec<Token> = names(&read).filter(|it| is_inside(&it.range)).collect();
    let named: HashSet<usize> = found.iter().map(|token| token.range.start).collect();
    let keys = keys(&read).filter(|key| is_inside(&key.range) && !named.contains(&key.range.start));
    found.extend(keys);
    found.extend(of_expressions(&read, &is_inside));
    found.sort_unstable_by_key(|it| (it.range.start, it.range.end, it.kind, !it.is_definition));
    let mut end = 0;
    found.retain(|token| {
        let text = read.text.get(token.range.clone()).unwrap_or_default();
        let is_word = !text.is_empty() && !text.contains(['\n', '\r']);
        let is_kept = is_word && token.range.start >= end;
        if is_kept {
            end = token.range.end;
        }
        is_kept
    });
    found.truncate(MOST_TOKENS);
    found
}

fn names(read: &ReadText) -> impl Iterator<Item = Token> {
    read.names().all.iter().map(|name| Token {
        range: name.range.clone(),
        kind: TokenKind::Name(name.kind),
        is_definition: name.is_definition,
    })
}

fn keys(read: &ReadText) -> impl Iterator<Item = Token> {
    let entries = read.sketch.nodes().flat_map(|node| match &node.value {
        Value::Map(entries) => entries.as_slice(),
        _ => &[],
    });
    let own = entries.filter(|entry| !entry.is_merged);
    own.map(|entry| token(entry.key.inner(), TokenKind::Key))
}

fn token(range: Range<usize>, kind: TokenKind) -> Token {
    Token {
        range,
        kind,
        is_definition: false,
    }
}

/// Returns the functions and numbers of expressions. An expression that is spelled with escapes has none.
fn of_expressions(read: &ReadText, is_inside: &dyn Fn(&Range<usize>) -> bool) -> Vec<Token> {
    let is_document = read.kind == TextKind::Document;
    let version = version_of(&read.sketch, &read.text);
    let mut found = Vec::new();
    if !is_document || !version.has(Feature::Expressions) {
        return found;
    }
    for node in read.sketch.nodes() {
        let Value::Scalar(scalar) = &node.value else {
            continue;
        };
        if is_expression(scalar, &read.text) && is_inside(&scalar.range) {
            let start = scalar.inner().start;
            found.extend(words(scalar.value(&read.text), start));
        }
    }
    found
}

fn is_expression(scalar: &Scalar, text: &str) -> bool {
    let is_plain = scalar.is_text && scalar.decoded.is_none();
    is_plain && scalar.value(text).starts_with('=')
}

/// Returns the functions and numbers of an expression that begins at an offset.
fn words(text: &str, offset: usize) -> Vec<Token> {
    let bytes = text.as_bytes();
    let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let len = bytes[at..].iter().take_while(is_word).count();
        let is_param = at > 0 && bytes[at - 1] == b'$';
        if len > 0 && !is_param {
            let kind = match bytes[at].is_ascii_alphabetic() || bytes[at] == b'_' {
                true => TokenKind::Function,
                false => TokenKind::Number,
            };
            found.push(token(offset + at..offset + at + len, kind));
        }
        at += len.max(1);
    }
    found
}
