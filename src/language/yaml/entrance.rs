//! What is looked at before the parser is: characters, and how the document begins.

use super::{Result, malformed};
use crate::base::diag::{Diagnostic, Span};

/// Refuses what YAML does not count as printable, and a byte order mark (callers pass over the first).
pub(super) fn characters(text: &str) -> Result<()> {
    let plain = |byte: u8| (b' '..=b'~').contains(&byte) | (byte == b'\n');
    if text.bytes().fold(true, |all, byte| all & plain(byte)) {
        return Ok(());
    }
    let allowed = |c: char| match c {
        '\t' | '\n' | '\r' | '\u{85}' => true,
        '\u{feff}' | '\u{fffe}' | '\u{ffff}' => false,
        c => !c.is_control(),
    };
    let Some((at, c)) = text.char_indices().find(|(_, c)| !allowed(*c)) else {
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

/// Refuses a root that opens with a bracket. The parser would say so too, but only after holding every token
/// of it back, in case the whole sequence turned out to be a key.
pub(super) fn first_token(text: &str) -> Result<()> {
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

/// A root that is anything but a mapping.
pub(super) fn not_a_mapping(span: Span) -> Diagnostic {
    malformed(span, "a document must be a mapping of fields")
        .help("begin with a line such as `version: \"0.5\"`")
}
