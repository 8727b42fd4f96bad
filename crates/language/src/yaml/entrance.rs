//! Checks before parsing: the characters of a text, and its beginning.

use super::{Result, malformed};
use rigy_base::diag::{Diagnostic, Span};

/// Refuses a text by its characters, or by its first token.
pub(super) fn check(text: &str) -> Result<()> {
    characters(text)?;
    first_token(text)
}

/// Refuses characters that YAML does not allow, and byte order marks (callers remove one at the beginning).
fn characters(text: &str) -> Result<()> {
    let allowed = |c: char| match c {
        '\t' | '\r' | '\u{85}' => true,
        '\u{feff}' | '\u{fffe}' | '\u{ffff}' => false,
        c => !c.is_control(),
    };
    let Some((at, c)) = unusual(text).find(|(_, c)| !allowed(*c)) else {
        return Ok(());
    };
    let start = u32::try_from(at).unwrap_or(u32::MAX);
    let span = Span::new(start, start.saturating_add(c.len_utf8() as u32));
    let message = format!(
        "the character U+{:04X} may not stand in a document",
        u32::from(c)
    );
    Err(malformed(span, message).help("write it as an escape in double quotes"))
}

/// Returns the characters of a text, with their offsets, that are neither line feeds nor characters of ASCII that can be
/// printed.
pub(super) fn unusual(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += usual_len(&text.as_bytes()[at..]);
        let found = (at, text[at..].chars().next()?);
        at += found.1.len_utf8();
        Some(found)
    })
}

/// Returns the number of bytes before the first that is not usual. Most texts have none, so they are read a block at a time.
fn usual_len(bytes: &[u8]) -> usize {
    const BLOCK: usize = 64;
    let is_usual = |byte: &u8| (b' '..=b'~').contains(byte) | (*byte == b'\n');
    let all_usual = |block: &&[u8]| block.iter().fold(true, |all, byte| all & is_usual(byte));
    let blocks = bytes.chunks_exact(BLOCK).take_while(all_usual).count();
    let rest = bytes[blocks * BLOCK..].iter();
    blocks * BLOCK + rest.take_while(|byte| is_usual(byte)).count()
}

/// Refuses a root that begins with a bracket. The parser would find that too, but only after it has kept all tokens up to
/// the closing bracket, because the sequence could be a key.
fn first_token(text: &str) -> Result<()> {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let directive = rest.starts_with(['#', '%']);
        match rest.strip_prefix("---") {
            Some(after) => rest = after,
            None if directive => rest = rest.split_once(['\n', '\r']).map_or("", |(_, next)| next),
            None => break,
        }
    }
    if rest.starts_with('[') {
        let start = u32::try_from(text.len() - rest.len()).unwrap_or(u32::MAX);
        let end = start.saturating_add(1);
        return Err(not_a_mapping(Span::new(start, end)));
    }
    Ok(())
}

/// Returns the error of a root that is no mapping.
pub(super) fn not_a_mapping(span: Span) -> Diagnostic {
    malformed(span, "a document must be a mapping of fields")
        .help("begin with a line such as `version: \"0.13\"`")
}
