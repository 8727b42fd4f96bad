//! The tree that the steps change, with what they have found.

use std::borrow::Cow;

use super::Rotations;
use crate::version::Version;
use crate::yaml::{Entry, Kind, Node, NodeId, Origins, Step, Tree};
use rigy_base::diag::{Code, Diagnostic, Findings, Span};

/// The key of the authored checks, which no step reads or changes.
pub const CHECKS: &str = "geometry_checks";

/// A tree without aliases, in which every node is the value of one place.
pub struct Draft<'s> {
    pub tree: Tree<'s>,
    pub version: Version,
    pub rotations: Rotations,
    pub origins: Origins,
    pub findings: Findings,
    /// The names of the params, once these have been taken out.
    pub params: Vec<String>,
}

impl<'s> Draft<'s> {
    pub fn new(version: Version, rotations: Rotations) -> Self {
        Self {
            tree: Tree::with_capacity(0),
            version,
            rotations,
            origins: Origins::default(),
            findings: Findings::default(),
            params: Vec::new(),
        }
    }

    pub fn kind(&self, id: NodeId) -> &Kind<'s> {
        &self.tree.node(id).kind
    }

    pub fn span(&self, id: NodeId) -> Span {
        self.tree.node(id).span
    }

    pub fn add(&mut self, span: Span, kind: Kind<'s>) -> NodeId {
        self.tree.push(Node { span, kind })
    }

    /// Adds a list of numbers.
    pub fn add_numbers(&mut self, span: Span, numbers: &[f64]) -> NodeId {
        let items = numbers
            .iter()
            .map(|number| self.add(span, Kind::Float(*number)))
            .collect();
        self.add(span, Kind::Seq(items))
    }

    /// Returns the entries of a mapping; none for other nodes.
    pub fn entries(&self, id: NodeId) -> &[Entry<'s>] {
        self.tree.entries(id).unwrap_or(&[])
    }

    /// Returns the items of a list; none for other nodes.
    pub fn items(&self, id: NodeId) -> &[NodeId] {
        match self.kind(id) {
            Kind::Seq(items) => items,
            _ => &[],
        }
    }

    /// Returns the entry of a mapping with this key.
    pub fn find(&self, id: NodeId, key: &str) -> Option<&Entry<'s>> {
        self.tree.entry(id, key)
    }

    /// Returns the value of a key.
    pub fn value(&self, id: NodeId, key: &str) -> Option<NodeId> {
        self.tree.value(id, key)
    }

    /// Returns the meshes of the document; none if the list is missing or no list.
    pub fn meshes(&self) -> Vec<NodeId> {
        let meshes = self.value(self.tree.root, "meshes");
        meshes.map_or(Vec::new(), |meshes| self.items(meshes).to_vec())
    }

    /// Returns the list of primitives of each mesh, with the mesh.
    pub fn primitive_lists(&self) -> Vec<(NodeId, NodeId)> {
        self.meshes()
            .into_iter()
            .filter_map(|mesh| Some((mesh, self.value(mesh, "primitives")?)))
            .collect()
    }

    /// Returns all primitives, macros included.
    pub fn primitives(&self) -> Vec<NodeId> {
        self.primitive_lists()
            .into_iter()
            .flat_map(|(_, list)| self.items(list).to_vec())
            .collect()
    }

    /// Adds a mapping of sizes by their names.
    pub fn add_sizes(&mut self, span: Span, sizes: [(&'static str, f64); 3]) -> NodeId {
        let sizes =
            sizes.map(|(key, size)| Self::entry(key, span, self.add(span, Kind::Float(size))));
        self.add(span, Kind::Map(sizes.into()))
    }

    /// Returns an entry that a step makes.
    pub fn entry(key: &'static str, span: Span, value: NodeId) -> Entry<'s> {
        Entry {
            key: Cow::Borrowed(key),
            key_span: span,
            value,
        }
    }

    /// Visits every text of the document that does not come from a param once, in document order. A visitor may put a scalar in
    /// its place.
    pub fn visit_texts(&mut self, mut visit: impl FnMut(&mut Self, NodeId, Cow<'s, str>)) {
        let mut open = vec![self.tree.root];
        while let Some(id) = open.pop() {
            let node = self.tree.node(id);
            match &node.kind {
                Kind::Map(entries) => open.extend(entries.iter().rev().map(|e| e.value)),
                Kind::Seq(items) => open.extend(items.iter().rev()),
                Kind::Str(text) if !self.origins.is_param(node.span) => {
                    let text = text.clone();
                    visit(self, id, text);
                }
                _ => {}
            }
        }
    }

    /// Returns a span that says that a step made its node from the template at `span`.
    pub fn made(&mut self, span: Span, step: Step) -> Span {
        let via = self.origins.add(span.via, step);
        Span { via, ..span }
    }

    /// Reports a ParseError without a code of its own.
    pub fn malformed(&mut self, span: Span, message: impl Into<String>) {
        self.findings.error(Code::U10, span, message);
    }

    pub fn report(&mut self, error: Diagnostic) {
        self.findings.report(error);
    }

    /// Puts the authored checks back, as the last key of the document.
    pub fn append_checks(&mut self, checks: Option<Entry<'s>>) {
        let root = self.tree.root;
        if let (Some(checks), Kind::Map(entries)) = (checks, &mut self.tree.node_mut(root).kind) {
            entries.push(checks);
        }
    }
}
