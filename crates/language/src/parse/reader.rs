//! Reads the values of a tree and collects all faults.

use std::cell::{Cell, RefCell};

use super::shapes;
use crate::model::LaterFeature;
use crate::version::{Feature, Version};
use crate::yaml::{Entry, Kind, Node, NodeId, Origins, Tree};
use rigy_base::diag::{Code, Diagnostic, Findings, MOST_FINDINGS, Span, Spanned};

/// The tree that is read, and the faults found so far.
pub struct Reader<'t, 's> {
    tree: &'t Tree<'s>,
    /// The outermost alias through which the current node is reached.
    via: Cell<Option<NodeId>>,
    findings: RefCell<Findings>,
    /// The version that the file declares.
    pub version: Version,
    origins: &'t Origins,
    /// The names of the params that the file had.
    params: &'t [String],
    later_features: RefCell<Vec<LaterFeature>>,
}

/// A function that reads one value. It returns `None` after it has reported a fault.
pub trait Read<T>: Fn(&Reader<'_, '_>, NodeId) -> Option<T> {}
impl<T, F: Fn(&Reader<'_, '_>, NodeId) -> Option<T>> Read<T> for F {}

impl<'t, 's> Reader<'t, 's> {
    pub fn new(
        tree: &'t Tree<'s>,
        version: Version,
        origins: &'t Origins,
        params: &'t [String],
    ) -> Self {
        Self {
            tree,
            via: Cell::default(),
            findings: RefCell::default(),
            version,
            origins,
            params,
            later_features: RefCell::default(),
        }
    }

    /// Returns the faults, in the order in which they were reported.
    pub fn into_errors(self) -> Vec<Diagnostic> {
        self.findings.into_inner().into_errors()
    }

    /// Adds a use of a feature, if the file declares a version that does not have it.
    pub fn use_feature(&self, name: &'static str, feature: Feature, span: Span) {
        let mut features = self.later_features.borrow_mut();
        if !self.version.has(feature) && features.len() < MOST_FINDINGS {
            features.push(LaterFeature {
                name,
                introduced: feature.since(),
                declared: self.version,
                span,
            });
        }
    }

    /// Takes the uses of features that are newer than the declared version, in document order.
    pub fn take_later_features(&self) -> Vec<LaterFeature> {
        let mut features = self.later_features.take();
        features.sort_by_key(|feature| feature.span.start);
        features
    }

    pub fn node(&self, id: NodeId) -> &'t Node<'s> {
        self.tree.node(id)
    }

    /// Returns the span of a node for diagnostics, which tells the alias through which it is reached.
    pub fn span(&self, id: NodeId) -> Span {
        self.tree.span_of(id, self.via.get())
    }

    /// Returns the span of a key for diagnostics.
    pub fn key_span(&self, entry: &Entry) -> Span {
        match self.via.get() {
            None => entry.key_span,
            via => self.tree.through(entry.key_span, via),
        }
    }

    /// Reads a node, or the node that it stands for if it is an alias.
    pub fn read<T>(
        &self,
        id: NodeId,
        read: impl FnOnce(&Reader, NodeId) -> Option<T>,
    ) -> Option<T> {
        let Some(target) = self.tree.target(id) else {
            return read(self, id);
        };
        let outside = self.via.get();
        self.via.set(outside.or(Some(id)));
        let value = read(self, target);
        self.via.set(outside);
        value
    }

    /// Reports a fault and returns `None`, so that a reading function can end with it.
    pub fn fail<T>(&self, error: Diagnostic) -> Option<T> {
        self.findings.borrow_mut().report(error);
        None
    }

    /// Returns true if further faults are dropped.
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

    /// Reports a value of the wrong kind.
    pub fn wrong<T>(&self, id: NodeId, wanted: &str) -> Option<T> {
        self.fail(self.mismatch(id, wanted))
    }

    /// Returns the fault of a value of the wrong kind.
    pub fn mismatch(&self, id: NodeId, wanted: &str) -> Diagnostic {
        let found = self.node(id).kind.describe();
        let message = format!("expected {wanted}, found {found}");
        let error = Diagnostic::new(self.type_code(id), self.span(id), message);
        let error = shapes::with_shape(error, wanted, &self.node(id).kind, self.version);
        self.unmarked(error, id)
    }

    /// Returns the fault of a value, with advice if it is the name of a param.
    pub fn unmarked(&self, error: Diagnostic, id: NodeId) -> Diagnostic {
        match &self.node(id).kind {
            Kind::Str(text) if !self.origins.is_param(self.span(id)) => {
                error.unmarked_param(text, self.params)
            }
            _ => error,
        }
    }

    /// Returns true if so few faults have been found that the next one is worth a search.
    pub fn is_thorough(&self) -> bool {
        self.findings.borrow().is_thorough()
    }

    /// Returns the code of a value that has the wrong type: V61 if it is that of a param.
    pub fn type_code(&self, id: NodeId) -> Code {
        if self.origins.is_param(self.span(id)) {
            Code::V61
        } else {
            Code::U10
        }
    }

    /// Returns true if a repeat made the number, which is the index that it has put in the place of a token.
    pub fn is_token(&self, id: NodeId) -> bool {
        let span = self.node(id).span;
        let Kind::Int(int) = &self.node(id).kind else {
            return false;
        };
        let digits = int.nearest.to_string().len();
        self.origins.is_from_repeat(span) && (span.end - span.start) as usize != digits
    }

    /// Returns true if a macro made the node.
    pub fn is_from_macro(&self, id: NodeId) -> bool {
        self.origins.is_from_macro(self.span(id))
    }

    /// Reads the elements of a sequence; returns `None` if one of them has a fault.
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
        whole(items.iter().map(|item| self.read(*item, &read)))
    }

    /// Reads a sequence of exactly `N` elements; `of` names them in messages.
    pub fn tuple<T, const N: usize>(
        &self,
        id: NodeId,
        of: &str,
        read: impl Read<T>,
    ) -> Option<[T; N]> {
        match &self.node(id).kind {
            Kind::Seq(items) if items.len() == N => {
                let elements: [Option<T>; N] =
                    std::array::from_fn(|at| self.read(items[at], &read));
                elements
                    .iter()
                    .all(Option::is_some)
                    .then(|| elements.map(|element| element.expect("all elements were read")))
            }
            Kind::Seq(items) => {
                let message = format!("expected a list of {N} {of}, found {}", items.len());
                let error = Diagnostic::new(Code::U10, self.span(id), message);
                self.fail(match shapes::count(N, of, items.len()) {
                    Some(help) => error.help(help),
                    None => error,
                })
            }
            _ => self.wrong(id, &format!("a list of {N} {of}")),
        }
    }

    /// Returns the entries of a mapping whose keys are names of the author's.
    pub fn map(&self, id: NodeId, of: &str) -> Option<&'t [Entry<'s>]> {
        match self.tree.entries(id) {
            Some(entries) => Some(entries),
            None => self.wrong(id, &format!("a mapping from {of}")),
        }
    }

    /// Reads the entries of a mapping whose keys are names of the author's; returns `None` if one of them has a fault.
    pub fn entries<T>(
        &self,
        id: NodeId,
        of: &str,
        read: impl Fn(&Reader, Spanned<String>, NodeId) -> Option<T>,
    ) -> Option<Vec<T>> {
        whole(self.map(id, of)?.iter().map(|entry| {
            let key = Spanned::new(entry.key.clone().into_owned(), self.key_span(entry));
            self.read(entry.value, |r: &Reader, id| read(r, key, id))
        }))
    }
}

/// Takes all elements, so that the faults of all are reported; returns `None` if one of them has a fault.
pub fn whole<T>(elements: impl ExactSizeIterator<Item = Option<T>>) -> Option<Vec<T>> {
    let count = elements.len();
    let mut all = Vec::with_capacity(count);
    all.extend(elements.flatten());
    (all.len() == count).then_some(all)
}
