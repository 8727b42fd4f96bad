//! Copies the tree of the text into a draft, and writes out repeats on the way (`extensions.md` §2.2).

use std::borrow::Cow;

use super::budget::{self, Amount};
use super::draft::{CHECKS, Draft};
use crate::schema::preprocessed::REPEAT;
use crate::version::Feature;
use crate::yaml::{Entry, Int, Kind, NodeId, Step, Tree, is_identifier, through_alias, too_deep};
use rigy_base::diag::{Code, Diagnostic, Span};

/// Deepest nesting once aliases and repeats are written out.
pub const MAX_DEPTH: usize = 1_024;

/// Copies the tree of a text; repeats are written out if the version has them. Returns the entry `geometry_checks`, copied as
/// it is and taken out of the document.
///
/// # Errors
/// Reports V62 to V64, and U10 for limits. A `repeat` in another place than an item of a list is V64, too.
pub fn write_out<'s>(source: &Tree<'s>, draft: &mut Draft<'s>) -> Option<Entry<'s>> {
    let amounts = budget::amounts(source);
    let total = amounts[source.root.index()];
    if let Some(excess) = total.excess() {
        draft.malformed(source.node(source.root).span, excess);
        return None;
    }
    let repeats = draft.version.has(Feature::Params);
    let mut copier = Copier {
        source,
        draft,
        amounts,
        written_out: budget::written_out(source),
        total,
        tokens: Vec::new(),
        repeats,
        in_params: false,
        is_stopped: false,
    };
    copier.document()
}

struct Copier<'d, 's> {
    source: &'d Tree<'s>,
    draft: &'d mut Draft<'s>,
    /// The amount of every node of the source.
    amounts: Vec<Amount>,
    /// The number of nodes of every node of the source with the repeats in it written out, at least.
    written_out: Vec<u64>,
    /// The amount of the document with the repeats that have been met written out.
    total: Amount,
    /// The tokens of the repeats around the current node, the outermost first, with the index of the repetition.
    tokens: Vec<(String, u64)>,
    /// True if repeats are written out.
    repeats: bool,
    /// True in the params of the document, which have any names.
    in_params: bool,
    /// True once a limit is exceeded: the copy is not complete.
    is_stopped: bool,
}

/// The checked parts of a repeat.
struct Repeat {
    count: f64,
    name: String,
    body: NodeId,
}

impl<'s> Copier<'_, 's> {
    fn document(&mut self) -> Option<Entry<'s>> {
        let root = self.source.node(self.source.root);
        let (mut entries, mut checks) = (Vec::new(), None);
        for entry in self.source.entries(self.source.root).unwrap_or(&[]) {
            if entry.key == CHECKS {
                let repeats = std::mem::take(&mut self.repeats);
                checks = Some(self.entry(entry, 0, 1));
                self.repeats = repeats;
            } else {
                self.in_params = entry.key == "params";
                let entry = self.entry(entry, 0, 1);
                entries.push(entry);
            }
        }
        let root = self.draft.add(root.span, Kind::Map(entries));
        self.draft.tree.root = root;
        let expanded = self.source.expanded.max(self.total.text as usize);
        self.draft.tree.expanded = expanded;
        checks
    }

    fn entry(&mut self, entry: &Entry<'s>, via: u32, depth: usize) -> Entry<'s> {
        let key_span = match via {
            0 => entry.key_span,
            via => Span {
                via,
                ..entry.key_span
            },
        };
        // Of the copies that the repeats around it make, the first is told of.
        if self.is_repeat(entry) && self.tokens.iter().all(|(_, index)| *index == 0) {
            let message = "`repeat` stands only in an item of a list, as its only key";
            let error = Diagnostic::new(Code::V64, key_span, message);
            let help = match self.source.node(entry.value).kind {
                Kind::Null => "indent `count`, `as` and `body` further than `repeat`",
                _ => {
                    "write `- repeat: {count: …, as: i, body: {…}}`, with all further keys in the `body`; the entries of a mapping are not repeated"
                }
            };
            self.draft.report(error.help(help));
        }
        Entry {
            key: entry.key.clone(),
            key_span,
            value: self.copy(entry.value, via, depth),
        }
    }

    /// Copies a node. `via` is the origin or the alias through which it is reached.
    fn copy(&mut self, id: NodeId, via: u32, depth: usize) -> NodeId {
        let (target, via) = match self.source.target(id) {
            Some(target) if via == 0 => (target, through_alias(id)),
            Some(target) => (target, via),
            None => (id, via),
        };
        let span = Span {
            via,
            ..self.source.raw(id).span
        };
        if depth > MAX_DEPTH && !self.is_stopped {
            self.is_stopped = true;
            self.draft.report(too_deep(MAX_DEPTH, span));
        }
        if self.is_stopped {
            return self.draft.add(span, Kind::Null);
        }
        let source = self.source;
        let kind = match &source.raw(target).kind {
            Kind::Str(text) => self.text(text),
            Kind::Seq(items) => Kind::Seq(self.items(items, via, depth + 1).into()),
            Kind::Map(entries) => {
                let copies = entries
                    .iter()
                    .map(|entry| self.entry(entry, via, depth + 1));
                Kind::Map(copies.collect())
            }
            other => other.clone(),
        };
        self.draft.add(span, kind)
    }

    /// Copies the items of a list, with repeats among them written out.
    fn items(&mut self, items: &[NodeId], via: u32, depth: usize) -> Vec<NodeId> {
        let mut copies = Vec::with_capacity(items.len());
        for item in items {
            match self
                .repeats
                .then(|| budget::repeat(self.source, *item))
                .flatten()
            {
                Some(value) => self.repeat(*item, value, via, depth, &mut copies),
                None => copies.push(self.copy(*item, via, depth)),
            }
            if self.is_stopped {
                break;
            }
        }
        copies
    }

    /// Returns true if an entry means a repeat: it has the key, and is nothing that the author calls so, such as a material.
    fn is_repeat(&self, entry: &Entry<'s>) -> bool {
        let is_named = match self.source.entries(entry.value) {
            Some(fields) => fields.iter().all(|e| REPEAT.field(&e.key).is_none()),
            None => self.in_params,
        };
        self.repeats && entry.key == "repeat" && !is_named
    }

    /// Writes out a repeat into a list.
    fn repeat(
        &mut self,
        item: NodeId,
        value: NodeId,
        via: u32,
        depth: usize,
        copies: &mut Vec<NodeId>,
    ) {
        let via = match self.source.target(item) {
            Some(_) if via == 0 => through_alias(item),
            _ => via,
        };
        let Repeat { count, name, body } = match self.checked(value, via) {
            Ok(repeat) => repeat,
            Err(error) => return self.draft.report(error),
        };
        let at = Span {
            via,
            ..self.source.node(item).span
        };
        let nested = Amount {
            nodes: self.written_out[body.index()],
            text: 0,
        };
        let least = self.total.plus(nested.times(count));
        self.total = self.total.plus(self.amounts[body.index()].times(count));
        if let Some(excess) = self.total.excess().or_else(|| least.excess()) {
            self.is_stopped = true;
            return self.draft.report(
                Diagnostic::new(Code::U10, at, excess)
                    .help("repeat fewer times, or place the same part by instances"),
            );
        }
        for index in 0..count as u64 {
            let step = Step::Repeat {
                name: name.clone(),
                index,
                at,
            };
            let via = self.draft.origins.add(via, step);
            self.tokens.push((format!("${{{name}}}"), index));
            let copy = self.copy(body, via, depth);
            copies.push(copy);
            self.tokens.pop();
            if self.is_stopped {
                return;
            }
        }
    }

    /// Checks a repeat in the order of the table of §2.2; the first fault counts.
    fn checked(&self, value: NodeId, via: u32) -> Result<Repeat, Diagnostic> {
        let through = |span: Span| match via {
            0 => span,
            via => Span { via, ..span },
        };
        let node = self.source.node(value);
        let span = through(node.span);
        let fault =
            |code, span: Span, message: String| Err(Diagnostic::new(code, through(span), message));
        let Some(entries) = self.source.entries(value) else {
            let message = format!("`repeat` is a mapping, not {}", node.kind.describe());
            return fault(Code::V64, span, message);
        };
        if let Some(other) = entries.iter().find(|e| REPEAT.field(&e.key).is_none()) {
            let message = format!(
                "a repeat has no `{}`: it has `count`, `as` and `body`",
                other.key
            );
            return fault(Code::V64, other.key_span, message);
        }
        let find = |key: &str| {
            self.source.value(value, key).ok_or_else(|| {
                Diagnostic::new(Code::V64, span, format!("this repeat has no `{key}`"))
            })
        };
        let count = find("count")?;
        let count = match &self.substituted(count) {
            Kind::Int(int) if int.nearest >= 0.0 => int.exact.map_or(int.nearest, |n| n as f64),
            other => {
                let found = match other {
                    Kind::Float(value) if value.fract() == 0.0 => {
                        "a number with a point or an exponent".to_owned()
                    }
                    other => other.describe(),
                };
                let message = format!("`count` is a whole number of 0 or more, not {found}");
                return fault(Code::V62, self.source.node(count).span, message);
            }
        };
        let name = find("as")?;
        let name = match self.substituted(name) {
            Kind::Str(text) if is_identifier(&text) => text.into_owned(),
            other => {
                let message = format!(
                    "`as` is a name of letters, digits and underscores, not {}",
                    other.describe()
                );
                return fault(Code::V63, self.source.node(name).span, message);
            }
        };
        let body = find("body")?;
        let body = self.source.target(body).unwrap_or(body);
        match &self.source.node(body).kind {
            Kind::Map(entries) => match &entries[..] {
                [inner] if self.is_repeat(inner) => {
                    let message = "the `body` of a repeat is not a repeat itself";
                    let error = Diagnostic::new(Code::V64, through(inner.key_span), message);
                    let help = "put the inner repeat into a list of the body, as into the `primitives` of a repeated mesh, or write the copies of one of the two out";
                    Err(error.help(help))
                }
                _ => Ok(Repeat { count, name, body }),
            },
            other => {
                let message = format!("`body` is a mapping, not {}", other.describe());
                fault(Code::V64, self.source.node(body).span, message)
            }
        }
    }

    /// Returns a value with the tokens of the repeats around it substituted.
    fn substituted(&self, id: NodeId) -> Kind<'s> {
        match &self.source.node(id).kind {
            Kind::Str(text) => self.text(text),
            other => other.clone(),
        }
    }

    /// Returns a text with the tokens of the repeats around it substituted: the index as a number if the token is all of it.
    fn text(&self, text: &Cow<'s, str>) -> Kind<'s> {
        if self.tokens.is_empty() || !text.contains("${") {
            return Kind::Str(text.clone());
        }
        let mut text = text.clone();
        for (token, index) in &self.tokens {
            if text == *token {
                return Kind::Int(Int {
                    nearest: *index as f64,
                    exact: i64::try_from(*index).ok(),
                });
            }
            if text.contains(token.as_str()) {
                text = text.replace(token.as_str(), &index.to_string()).into();
            }
        }
        Kind::Str(text)
    }
}
