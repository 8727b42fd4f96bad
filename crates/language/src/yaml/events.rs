//! The events of any text, from the event parser.

use std::borrow::Cow;

use saphyr_parser::{Event as Parsed, Parser, ScalarStyle, ScanError, Tag};

use super::advice::{advice, stray};
use super::event::{Event, Properties, Receiver, Style, core_tag};
use super::input::{MOST_AT_ONCE, Positions, Text};
use super::{Result, malformed, too_deep};
use rigy_base::diag::{Diagnostic, Span};

/// Sends the events of a text to a receiver, which accepts collections up to `depth` levels deep.
///
/// # Errors
/// Syntax, unknown tags, a second document, and the errors of the receiver.
pub(super) fn read<'s>(
    text: &'s str,
    depth: usize,
    receiver: &mut impl Receiver<'s>,
) -> Result<()> {
    let input = Text::new(text);
    let taken = input.taken.clone();
    let mut parser = Parser::new(input);
    let mut positions = Positions::new(text);
    let mut documents = 0;
    let mut last = Span::default();
    while let Some(next) = parser.next_event() {
        if taken.replace(0) > MOST_AT_ONCE {
            let message = format!(
                "a list in brackets, a text or a comment that begins here has more than {MOST_AT_ONCE} characters"
            );
            return Err(malformed(last, message)
                .help("write a list in lines that begin with `- `, or divide the document"));
        }
        let (event, span, column) = match next {
            Ok((event, span)) => (event, positions.span(span), span.start.col()),
            Err(error) => return Err(syntax(&error, text, depth, &mut positions)),
        };
        last = span;
        let event = match event {
            Parsed::StreamEnd => break,
            Parsed::StreamStart | Parsed::Nothing | Parsed::DocumentEnd => continue,
            Parsed::DocumentStart(_) => {
                documents += 1;
                if documents > 1 {
                    return Err(malformed(span, "a second document starts here")
                        .help("a file holds exactly one document"));
                }
                continue;
            }
            Parsed::Alias(anchor) => Event::Alias(anchor),
            Parsed::Scalar(content, style, anchor, tag) => {
                let style = match style {
                    ScalarStyle::Plain => Style::Plain,
                    ScalarStyle::Literal | ScalarStyle::Folded => Style::Block,
                    ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => Style::Quoted,
                };
                let mut content = borrowed(text, content, span);
                if style == Style::Block && has_surplus_break(text, &content, span, column) {
                    content.to_mut().pop();
                }
                Event::Scalar {
                    text: content,
                    style,
                    properties: properties(anchor, tag.as_deref(), span)?,
                }
            }
            Parsed::SequenceStart(anchor, tag) => Event::Open {
                is_map: false,
                properties: properties(anchor, tag.as_deref(), span)?,
            },
            Parsed::MappingStart(anchor, tag) => Event::Open {
                is_map: true,
                properties: properties(anchor, tag.as_deref(), span)?,
            },
            Parsed::SequenceEnd | Parsed::MappingEnd => Event::Close,
        };
        if receiver.take(event, span)? {
            break;
        }
    }
    Ok(())
}

fn properties(anchor: usize, tag: Option<&Tag>, span: Span) -> Result<Properties> {
    let tag = tag.map(|tag| core_tag(tag, span)).transpose()?;
    Ok(Properties { anchor, tag })
}

/// Returns the same text, borrowed if it is written as it reads: the parser copies every plain scalar.
fn borrowed<'s>(text: &'s str, content: Cow<'s, str>, span: Span) -> Cow<'s, str> {
    match text.get(span.start as usize..span.end as usize) {
        Some(written) if *written == content => Cow::Borrowed(written),
        _ => content,
    }
}

/// Returns true if the parser has added a line break to a block scalar, whose content begins in `column`, for blanks that stand after
/// the last break of the text: they are no line.
fn has_surplus_break(text: &str, content: &str, span: Span, column: usize) -> bool {
    let last = text.rsplit(['\n', '\r']).next().unwrap_or_default();
    let is_blank = !last.is_empty() && last.bytes().all(|byte| byte == b' ');
    if !is_blank || span.end as usize != text.len() {
        return false;
    }
    match content.trim_end_matches('\n') {
        // Blank lines alone, from the line of the `|` on.
        "" => content.len() + 1 == text[span.start as usize..].lines().count(),
        shorter => shorter.len() < content.len() && last.len() == column,
    }
}

fn syntax(
    error: &ScanError,
    text: &str,
    depth: usize,
    positions: &mut Positions<'_>,
) -> Diagnostic {
    let start = positions.byte(*error.marker());
    let span = Span::new(start, start.saturating_add(1));
    if error.info().contains("recursion limit") {
        return too_deep(depth, span);
    }
    let message = format!("this is not YAML: {}", error.info());
    if let Some(stray) = stray(error.info(), text, start as usize) {
        let span = Span::new(stray.range.start as u32, stray.range.end as u32);
        let written = text.get(stray.range).unwrap_or_default();
        let fault = malformed(span, message).help(stray.advice);
        return fault.written_as(written, stray.meant);
    }
    let fault = malformed(span, message);
    match advice(error.info(), text, start as usize) {
        Some(advice) => fault.help(advice),
        None => fault,
    }
}
