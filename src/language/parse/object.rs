//! Reading one mapping field by field, gathering every fault on the way.

use std::cell::{Cell, RefCell};

use super::version::POSES;
use crate::base::diag::{Code, Diagnostic, Findings, MOST_FINDINGS, Span, Spanned};
use crate::language::model::LaterFeature;
use crate::language::yaml::{Entry, Kind, Node, NodeId, Tree};

/// The tree being read and the faults found so far.
pub(super) struct Reader<'t, 's> {
    tree: &'t Tree<'s>,
    /// The outermost alias through which the node at hand is reached.
    via: Cell<Option<NodeId>>,
    findings: RefCell<Findings>,
    /// Minor version that the file declares.
    declared: u32,
    later_features: RefCell<Vec<LaterFeature>>,
}

/// A mapping whose unknown keys have been reported.
pub(super) struct Object<'r, 't, 's> {
    reader: &'r Reader<'t, 's>,
    entries: &'t [Entry<'s>],
    /// What messages call it: `bone`, `mesh`, ….
    what: &'static str,
    /// Fields that an unknown key was taken for.
    misspelt: Vec<String>,
    pub span: Span,
}

/// Reads one value; `None` after reporting why it cannot be read.
pub(super) trait Read<T>: Fn(&Reader<'_, '_>, NodeId) -> Option<T> {}
impl<T, F: Fn(&Reader<'_, '_>, NodeId) -> Option<T>> Read<T> for F {}

impl<'t, 's> Reader<'t, 's> {
    pub fn new(tree: &'t Tree<'s>, declared: u32) -> Self {
        Self {
            tree,
            via: Cell::default(),
            findings: RefCell::default(),
            declared,
            later_features: RefCell::default(),
        }
    }

    pub fn into_errors(self) -> Vec<Diagnostic> {
        self.findings.into_inner().into_errors()
    }

    /// Takes the uses of features that are newer than the declared version, in document order.
    pub fn later_features(&self) -> Vec<LaterFeature> {
        let mut features = self.later_features.take();
        features.sort_by_key(|feature| feature.span.start);
        features
    }

    pub fn root(&self) -> NodeId {
        self.tree.root()
    }

    pub fn node(&self, id: NodeId) -> &'t Node<'s> {
        self.tree.node(id)
    }

    /// Where a node is written, as diagnostics should say it.
    pub fn span(&self, id: NodeId) -> Span {
        self.tree.span_of(id, self.via.get())
    }

    /// Where a key is written.
    pub fn key_span(&self, entry: &Entry<'_>) -> Span {
        match self.via.get() {
            None => entry.key_span,
            via => self.tree.through(entry.key_span, via),
        }
    }

    /// Reads a node of the document, looking through an alias.
    fn read<T>(&self, id: NodeId, read: impl Read<T>) -> Option<T> {
        let Some(target) = self.tree.target(id) else {
            return read(self, id);
        };
        let outside = self.via.get();
        self.via.set(outside.or(Some(id)));
        let value = read(self, target);
        self.via.set(outside);
        value
    }

    pub fn is_mapping(&self, id: NodeId) -> bool {
        matches!(self.node(id).kind, Kind::Map(_))
    }

    /// Reports a fault and yields nothing, so that readers can end with it.
    pub fn fail<T>(&self, error: Diagnostic) -> Option<T> {
        self.findings.borrow_mut().report(error);
        None
    }

    /// Whether no further fault is kept.
    pub fn is_full(&self) -> bool {
        self.findings.borrow().is_full()
    }

    /// Returns the candidate nearest to a misspelt word.
    pub fn nearest<'a>(
        &self,
        word: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Option<&'a str> {
        self.findings.borrow().nearest(word, candidates)
    }

    /// Reports that a value is not of the wanted kind.
    pub fn wrong<T>(&self, id: NodeId, wanted: &str) -> Option<T> {
        self.fail(self.mismatch(id, wanted))
    }

    /// That a value is not of the wanted kind.
    pub fn mismatch(&self, id: NodeId, wanted: &str) -> Diagnostic {
        let found = self.node(id).kind.describe();
        let message = format!("expected {wanted}, found {found}");
        Diagnostic::new(Code::U10, self.span(id), message)
    }

    /// A mapping with these keys and no others.
    pub fn object(
        &self,
        id: NodeId,
        what: &'static str,
        fields: &[&str],
    ) -> Option<Object<'_, 't, 's>> {
        let Some(entries) = self.tree.entries(id) else {
            return self.wrong(id, &format!("{}, which is a mapping", with_article(what)));
        };
        let mut misspelt = Vec::new();
        for entry in entries {
            if !fields.contains(&&*entry.key) {
                misspelt.extend(self.unknown_field(entry, what, fields));
            }
        }
        Some(Object {
            reader: self,
            entries,
            what,
            misspelt,
            span: self.span(id),
        })
    }

    /// Reports a key that is no field; returns the one that it was likely meant to be.
    pub fn unknown_field(&self, entry: &Entry<'_>, what: &str, fields: &[&str]) -> Option<String> {
        if self.is_full() {
            return None; // it would not be reported
        }
        let message = format!("{} has no field `{}`", with_article(what), entry.key);
        let glued = glued(&entry.key, fields);
        let near = self.nearest(&entry.key, fields.iter().copied());
        let help = match (glued, near) {
            (Some((field, value)), _) => {
                format!("write `{field}: {value}`, with a colon and a space")
            }
            (None, Some(field)) => format!("did you mean `{field}`?"),
            (None, None) if (what, &*entry.key) == (POSE_BONE, "scale") => RIGID_BONES.into(),
            (None, None) => format!("what it can have: {}", list(fields)),
        };
        let near = glued.map(|(field, _)| field).or(near);
        let _: Option<()> =
            self.fail(Diagnostic::new(Code::V33, self.key_span(entry), message).help(help));
        near.map(str::to_owned)
    }

    /// Every element of a sequence; `None` if any of them is faulty.
    pub fn list<T>(&self, id: NodeId, read: impl Read<T>) -> Option<Vec<T>> {
        let items = match &self.node(id).kind {
            Kind::Seq(items) => items,
            Kind::Map(entries) if entries.iter().any(|e| e.key.starts_with('-')) => {
                let message = "expected a list, found a mapping whose key begins with `-`";
                let error = Diagnostic::new(Code::U10, self.span(id), message);
                return self.fail(error.help("write a space after the dash"));
            }
            _ => return self.wrong(id, "a list"),
        };
        let mut all = Vec::with_capacity(items.len());
        let mut whole = true;
        for item in items {
            match self.read(*item, &read) {
                Some(value) => all.push(value),
                None => whole = false,
            }
        }
        whole.then_some(all)
    }

    /// A sequence of exactly `N` elements.
    pub fn tuple<T, const N: usize>(
        &self,
        id: NodeId,
        of: &str,
        read: impl Read<T>,
    ) -> Option<[T; N]> {
        match &self.node(id).kind {
            Kind::Seq(items) if items.len() == N => self.list(id, read)?.try_into().ok(),
            Kind::Seq(items) => {
                let message = format!("expected a list of {N} {of}, found {}", items.len());
                self.fail(Diagnostic::new(Code::U10, self.span(id), message))
            }
            _ => self.wrong(id, &format!("a list of {N} {of}")),
        }
    }

    /// The entries of a mapping with free keys.
    pub fn map(&self, id: NodeId, of: &str) -> Option<&'t [Entry<'s>]> {
        match self.tree.entries(id) {
            Some(entries) => Some(entries),
            None => self.wrong(id, &format!("a mapping from {of}")),
        }
    }

    /// Every entry of a mapping with free keys; `None` if any of them is faulty.
    pub fn entries<T>(
        &self,
        id: NodeId,
        of: &str,
        read: impl Fn(&Reader<'_, '_>, Spanned<String>, NodeId) -> Option<T>,
    ) -> Option<Vec<T>> {
        let one = |entry: &Entry<'_>| {
            let key = Spanned::new(entry.key.clone().into_owned(), self.key_span(entry));
            self.read(entry.value, |r: &Reader<'_, '_>, id| {
                read(r, key.clone(), id)
            })
        };
        let all: Vec<Option<T>> = self.map(id, of)?.iter().map(one).collect();
        all.into_iter().collect()
    }
}

impl Object<'_, '_, '_> {
    fn find(&self, field: &str) -> Option<NodeId> {
        let entry = self.entries.iter().find(|entry| entry.key == field);
        entry.map(|entry| entry.value)
    }

    /// Whether an unknown key was likely meant to be this field.
    pub fn is_misspelt(&self, field: &str) -> bool {
        self.misspelt.iter().any(|known| known == field)
    }

    /// Where the key of a field stands, if the field is there.
    pub fn key_span(&self, field: &str) -> Option<Span> {
        let entry = self.entries.iter().find(|entry| entry.key == field);
        entry.map(|entry| self.reader.key_span(entry))
    }

    /// Notes that a field uses a feature of version 0.5, if the declared version is lower.
    pub fn uses_feature(&self, field: &str, name: &'static str) {
        let (reader, introduced) = (self.reader, POSES);
        let mut features = reader.later_features.borrow_mut();
        if reader.declared >= introduced || features.len() >= MOST_FINDINGS {
            return;
        }
        features.extend(self.key_span(field).map(|span| LaterFeature {
            name,
            introduced,
            declared: reader.declared,
            span,
        }));
    }

    /// A field that must be there (`V34`).
    pub fn required<T>(&self, field: &str, read: impl Read<T>) -> Option<T> {
        match self.find(field) {
            Some(id) => self.reader.read(id, read),
            // Reported as misspelt, with what it should be.
            None if self.is_misspelt(field) => None,
            None => {
                let message = format!("this {} has no `{field}`", self.what);
                let error = Diagnostic::new(Code::V34, self.span, message);
                self.reader.fail(match what_to_write(field) {
                    Some(help) => error.help(help),
                    None => error,
                })
            }
        }
    }

    /// A field that may be absent, but not null. The outer `None` means a fault was reported.
    pub fn optional<T>(&self, field: &str, read: impl Read<T>) -> Option<Option<T>> {
        match self.find(field) {
            Some(id) => self.reader.read(id, read).map(Some),
            None => Some(None),
        }
    }

    /// A field that may be absent or null, which are the same.
    pub fn nullable<T>(&self, field: &str, read: impl Read<T>) -> Option<Option<T>> {
        match self.find(field) {
            Some(id) if matches!(self.reader.node(id).kind, Kind::Null) => Some(None),
            _ => self.optional(field, read),
        }
    }

    /// A list that defaults to empty.
    pub fn list<T>(&self, field: &str, read: impl Read<T>) -> Option<Vec<T>> {
        let list = self.optional(field, |r: &Reader<'_, '_>, id| r.list(id, &read))?;
        Some(list.unwrap_or_default())
    }
}

/// What messages call a thing, with its article.
fn with_article(what: &str) -> String {
    let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {what}")
}

/// A key that has swallowed its value, such as `mode:rigid` or `weight 0.5`, taken apart.
fn glued<'k>(key: &'k str, fields: &[&str]) -> Option<(&'k str, &'k str)> {
    let (field, value) = key.split_once([':', '=', ' '])?;
    let value = value.trim_start_matches([':', '=', ' ']);
    (fields.contains(&field.trim_end()) && !value.is_empty()).then_some((field.trim_end(), value))
}

/// What can stand after a field whose values are not plain to see.
fn what_to_write(field: &str) -> Option<&'static str> {
    Some(match field {
        "parent" => ROOT_BONE,
        "mode" => "one of `mode: rigid`, `mode: uniform` and `mode: affine`",
        "axis" => "one of `axis: x`, `axis: y` and `axis: z`",
        "range" => "such as `range: [0.0, 1.0]`, in metres",
        "type" => "one of `box`, `sphere`, `cylinder` and `capsule`",
        "dimensions" => "such as `dimensions: {radius: 0.5}`",
        "attach3" => {
            "three anchors `from` the part and three of this document `to` bring them, with a `mode`"
        }
        _ => return None,
    })
}

/// The name of a pose's entry in messages.
pub(super) const POSE_BONE: &str = "pose bone";

/// Why an entry of a pose has no `scale` (amendment 0.5, section 4).
const RIGID_BONES: &str = "bone transforms are rigid: `rotation` and `translation` only, no scale";

/// What a bone without a parent says.
pub(super) const ROOT_BONE: &str = "a bone without a parent says `parent: none`";

/// Field names as a sentence lists them.
fn list(fields: &[&str]) -> String {
    let quoted: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
    quoted.join(", ")
}
