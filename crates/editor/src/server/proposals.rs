//! Proposals and outlines as the protocol has them.

use std::ops::Range;

use ls_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, DocumentSymbol, Documentation,
    MarkupContent, MarkupKind, Range as LspRange, SymbolKind, TextEdit,
};

use crate::assist::{self, Completion, CompletionKind, Symbol};

/// Returns a text in Markdown.
pub fn markdown(value: String) -> MarkupContent {
    MarkupContent {
        kind: MarkupKind::Markdown,
        value,
    }
}

/// Returns a proposal that replaces a range. Fields that have to be there come first, and then the order of `assist` counts.
pub fn proposal(found: Completion, rank: usize, range: LspRange) -> CompletionItem {
    let group = if found.is_required { 0 } else { 1 };
    let about = (!found.about.is_empty()).then_some(found.about);
    CompletionItem {
        kind: Some(match found.kind {
            CompletionKind::Key => CompletionItemKind::PROPERTY,
            CompletionKind::Word => CompletionItemKind::ENUM_MEMBER,
            CompletionKind::File => CompletionItemKind::FILE,
            CompletionKind::Name(_) => CompletionItemKind::REFERENCE,
        }),
        sort_text: Some(format!("{group}{rank:06}")),
        documentation: about.map(|about| Documentation::MarkupContent(markdown(about))),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit {
            range,
            new_text: found.insert,
        })),
        label: found.label,
        ..CompletionItem::default()
    }
}

/// Returns the elements of a text as a tree.
pub fn outline(
    symbols: Vec<Symbol>,
    range_of: &dyn Fn(&Range<usize>) -> LspRange,
) -> Vec<DocumentSymbol> {
    let one = |symbol: Symbol| {
        // Clients refuse an empty name.
        let name = if symbol.name.trim().is_empty() {
            "\u{2014}".to_owned()
        } else {
            symbol.name
        };
        #[expect(deprecated, reason = "the struct has a field that `tags` has replaced")]
        DocumentSymbol {
            name,
            detail: None,
            kind: kind(symbol.kind),
            tags: None,
            deprecated: None,
            range: range_of(&symbol.range),
            selection_range: range_of(&symbol.name_range),
            children: Some(outline(symbol.children, range_of)),
        }
    };
    symbols.into_iter().map(one).collect()
}

/// Returns the kind of the protocol that clients show with a fitting sign.
fn kind(kind: assist::SymbolKind) -> SymbolKind {
    use assist::SymbolKind as Kind;
    match kind {
        Kind::Mesh | Kind::Scene => SymbolKind::CLASS,
        Kind::Primitive => SymbolKind::FIELD,
        Kind::Macro | Kind::Repeat => SymbolKind::FUNCTION,
        Kind::Armature => SymbolKind::STRUCT,
        Kind::Bone => SymbolKind::PROPERTY,
        Kind::Binding | Kind::Weights | Kind::WeightMap => SymbolKind::INTERFACE,
        Kind::Pose => SymbolKind::EVENT,
        Kind::Anchor | Kind::Frame => SymbolKind::CONSTANT,
        Kind::Import => SymbolKind::MODULE,
        Kind::Instance | Kind::Child => SymbolKind::OBJECT,
        Kind::Material => SymbolKind::ENUM,
        Kind::Param => SymbolKind::VARIABLE,
    }
}
