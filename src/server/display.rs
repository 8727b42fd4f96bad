//! Answers about how an editor displays a document: what it folds, the colours of materials, the meaning of words, and values.

use std::ops::Range as Bytes;

use lsp_types::{
    Color, ColorInformation, ColorPresentation, ColorPresentationParams, FoldingRange, InlayHint,
    InlayHintLabel, Position, Range, SemanticToken, SemanticTokenModifier, SemanticTokenType,
    SemanticTokens, SemanticTokensLegend, TextEdit,
};

use super::Server;
use super::document::Document;
use super::positions::Cursor;
use super::requests::{Answer, value};
use crate::assist::{self, NameKind, TokenKind, color_text};
use crate::base::terminal::printable;

/// Most parts that may be folded.
const MOST_FOLDS: usize = 5_000;

/// The kinds of words, in the order of their numbers.
const TYPES: [SemanticTokenType; 11] = [
    SemanticTokenType::PROPERTY,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::NUMBER,
    SemanticTokenType::NAMESPACE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::CLASS,
    SemanticTokenType::STRUCT,
    SemanticTokenType::INTERFACE,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::EVENT,
];

/// Returns the names of the kinds of words.
pub fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TYPES.to_vec(),
        token_modifiers: vec![SemanticTokenModifier::DEFINITION],
    }
}

fn type_of(kind: TokenKind) -> SemanticTokenType {
    let TokenKind::Name(kind) = kind else {
        return match kind {
            TokenKind::Function => SemanticTokenType::FUNCTION,
            TokenKind::Number => SemanticTokenType::NUMBER,
            _ => SemanticTokenType::PROPERTY,
        };
    };
    match kind {
        NameKind::Import => SemanticTokenType::NAMESPACE,
        NameKind::Param => SemanticTokenType::PARAMETER,
        NameKind::Mesh | NameKind::Primitive => SemanticTokenType::CLASS,
        NameKind::Armature => SemanticTokenType::STRUCT,
        NameKind::Bone => SemanticTokenType::INTERFACE,
        NameKind::Anchor | NameKind::Frame | NameKind::UvSet => SemanticTokenType::ENUM_MEMBER,
        NameKind::Instance | NameKind::Child | NameKind::Material => SemanticTokenType::VARIABLE,
        NameKind::Pose => SemanticTokenType::EVENT,
    }
}

impl Server {
    /// Returns the lines that may be folded. Of several parts that begin in one line, the longest counts.
    pub(super) fn folds(&self, document: &Document) -> Answer {
        let found = assist::folds(document.source(), Some(&self.recent_texts));
        let mut folds: Vec<FoldingRange> = Vec::new();
        for part in found {
            let start_line = document.lines.line_of(part.start);
            let content = document.text.get(part.clone()).unwrap_or_default();
            let end = part.start + content.trim_end().len();
            let end_line = document.lines.line_of(end);
            if let Some(last) = folds.last_mut()
                && last.start_line == start_line
            {
                last.end_line = last.end_line.max(end_line);
                continue;
            }
            if folds.len() == MOST_FOLDS {
                break;
            }
            folds.push(FoldingRange {
                start_line,
                end_line,
                ..FoldingRange::default()
            });
        }
        value(folds)
    }

    /// Returns the colours of materials.
    pub(super) fn colors(&self, document: &Document) -> Answer {
        let mut positions = self.cursor(document);
        let colors = self.found_colors(document).into_iter();
        let colors = colors.map(|found| {
            let [red, green, blue, alpha] = found.components.map(|part| part as f32);
            ColorInformation {
                range: range(&mut positions, &found.range),
                color: Color {
                    red,
                    green,
                    blue,
                    alpha,
                },
            }
        });
        value(colors.collect::<Vec<_>>())
    }

    fn found_colors(&self, document: &Document) -> Vec<assist::Color> {
        assist::colors(document.source(), Some(&self.recent_texts))
    }

    /// Returns the text of a colour for the place of one of the document; none for another place.
    pub(super) fn color_text(&self, params: &ColorPresentationParams) -> Answer {
        let document = self.open_document(params.text_document.uri.as_str())?;
        let bytes = self.bytes(document, params.range);
        let Color {
            red,
            green,
            blue,
            alpha,
        } = params.color;
        let text = color_text([red, green, blue, alpha].map(f64::from));
        let colors = self.found_colors(document).into_iter();
        let here = colors.filter(|found| found.range == bytes);
        let presentations = here.map(|found| ColorPresentation {
            label: text.clone(),
            text_edit: Some(TextEdit::new(
                self.range(document, &found.range),
                text.clone(),
            )),
            additional_text_edits: None,
        });
        value(presentations.collect::<Vec<_>>())
    }

    /// Returns the kinds of words of a document, or of a part of it.
    pub(super) fn tokens(&self, document: &Document, part: Option<Range>) -> Answer {
        let whole = 0..document.text.len();
        let part = part.map_or(whole, |part| self.bytes(document, part));
        let found = assist::tokens(document.source(), &part, Some(&self.recent_texts));
        let mut positions = self.cursor(document);
        let mut last = Position::default();
        let data = found.into_iter().map(|token| {
            let at = positions.position(token.range.start);
            let delta_line = at.line - last.line;
            let before = if delta_line == 0 { last.character } else { 0 };
            last = at;
            let text = document.text.get(token.range).unwrap_or_default();
            let kind = type_of(token.kind);
            let number = TYPES.iter().position(|known| *known == kind);
            SemanticToken {
                delta_line,
                delta_start: at.character - before,
                length: self.encoding.units(text),
                token_type: number.unwrap_or_default() as u32,
                token_modifiers_bitset: u32::from(token.is_definition),
            }
        });
        value(SemanticTokens {
            result_id: None,
            data: data.collect(),
        })
    }

    /// Returns the values of params and expressions in a part of a document.
    pub(super) fn hints(&self, document: &Document, part: Range) -> Answer {
        let part = self.bytes(document, part);
        let found = assist::hints(document.source(), &part, Some(&self.recent_texts));
        let mut positions = self.cursor(document);
        let hints = found.into_iter().map(|hint| InlayHint {
            position: positions.position(hint.offset),
            label: InlayHintLabel::String(printable(&hint.label)),
            kind: None,
            text_edits: None,
            tooltip: None,
            padding_left: Some(true),
            padding_right: None,
            data: None,
        });
        value(hints.collect::<Vec<_>>())
    }

    pub(super) fn cursor<'a>(&self, document: &'a Document) -> Cursor<'a> {
        Cursor::new(&document.text, &document.lines, self.encoding)
    }

    /// Returns the bytes of a range; of one that is reversed, none.
    fn bytes(&self, document: &Document, range: Range) -> Bytes<usize> {
        let offset = |at| document.lines.offset(&document.text, at, self.encoding);
        let start = offset(range.start);
        start..offset(range.end).max(start)
    }
}

/// Returns the range of bytes.
pub(super) fn range(positions: &mut Cursor<'_>, bytes: &Bytes<usize>) -> Range {
    let start = positions.position(bytes.start);
    Range::new(start, positions.position(bytes.end))
}
