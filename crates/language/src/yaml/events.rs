//! The events of any text, from the event parser.

use std::borrow::Cow;

use saphyr_parser::{Event as Parsed, Parser, ScalarStyle, ScanError, Tag};

use super::advice::{advice, stray};
use super::event::{Event, Properties, Receiver, Style, core_tag};
use super::input::{Positions, Text};
use super::{Result, malformed, too_deep};
use crate::base::diag::{Diagnostic, Span};

/// Sends the events of a text to a receiver, which accepts collections up to `depth` levels deep.
///
/// # Errors
/// Syntax, unknown tags, a second document, and the errors of the receiver.
pub(super) fn read<'s>(
    text: &'s str,
    depth: usize,
    receiver: &mut impl Receiver<'s>,
) -> Result<()> {
    let mut parser = Parser::new(Text::new(text));
    let mut positions = Positions::new(text);
    let mut documents = 0;
    while let Some(next) = parser.next_event() {
        let (event, span) = match next {
            Ok((event, span)) => (event, positions.span(span)),
            Err(error) => return Err(syntax(&error, text, depth, &mut positions)),
        };
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
            Parsed::Scalar(content, style, anchor, tag) => Event::Scalar {
                text: borrowed(text, content, span),
                style: match style {
                    ScalarStyle::Plain => Style::Plain,
                    ScalarStyle::Literal | ScalarStyle::Folded => Style::Block,
                    ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => Style::Quoted,
                },
                properties: properties(anchor, tag.as_deref(), span)?,
            },
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
