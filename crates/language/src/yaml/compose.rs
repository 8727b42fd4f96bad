//! From the parser's events to a tree: anchors, aliases, merge keys, tags, duplicate keys, and their limits.

mod collections;

use super::duplicates::{Duplicates, Surplus};
use super::entrance::{self, not_a_mapping};
use super::event::{Event, Properties, Receiver, Style, collection_tag, resolve};
use super::events;
use super::scalar::is_text;
use super::subset;
use super::tree::{Cut, Entry, Kind, Node, NodeId, Tree, target};
use super::{MAX_NODES, Result, malformed};
use collections::Frame;
use rigy_base::diag::{Diagnostic, Span};
use rigy_base::limits::Limits;

/// How a text is composed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'o> {
    /// The limits on depth and aliases.
    pub limits: Limits,
    /// The keys whose values are mappings with any number of keys, from names of the author's to mappings and lists. All
    /// other mappings have few keys, the names of fields.
    ///
    /// If a text has 65,536 keys more than that, or as many duplicate keys as are reported, composing stops there, and
    /// [`Tree::cut`] says where. So a long text that is no document takes little time and memory. `None` if every text is
    /// composed to its end.
    pub named: Option<&'o [&'o str]>,
}

/// Composes the one document of a text into a tree.
///
/// # Errors
/// Everything here is a ParseError (`U10`): syntax, more than one document, a root that is no mapping,
/// unknown tags or aliases, non-string or duplicate keys, nesting beyond [`MAX_DEPTH`](super::MAX_DEPTH), aliases that
/// expand the document beyond its allowance, and more than [`MAX_NODES`] nodes.
/// Duplicate keys are all reported; anything else stops at once.
pub fn compose<'s>(
    text: &'s str,
    options: &Options<'_>,
) -> std::result::Result<Tree<'s>, Malformed<'s>> {
    entrance::check(text).map_err(alone)?;
    let levels = options.limits.levels();
    let new = || Composer::new(text.len(), options);
    let mut composer = new();
    // Of a fault, the event parser knows more than that the reader of the subset stops there.
    if subset::read(text, &mut composer).is_err() {
        composer = new();
        events::read(text, levels, &mut composer).map_err(alone)?;
    }
    composer.finish()
}

/// The errors of a text that is not a document.
#[derive(Debug)]
pub struct Malformed<'s> {
    /// At least one error, in document order.
    pub errors: Vec<Diagnostic>,
    /// The tree up to the errors, if there is one, for their document paths.
    pub tree: Option<Tree<'s>>,
}

fn alone<'s>(error: Diagnostic) -> Malformed<'s> {
    Malformed {
        errors: vec![error],
        tree: None,
    }
}

/// Returns true if the reader of the subset gives the tree and the duplicate keys of the event parser, and false if it does
/// not read the text. Tests and a fuzz target call this.
///
/// # Panics
/// The results differ.
#[doc(hidden)]
pub fn subset_is_exact(text: &str, named: Option<&[&str]>) -> bool {
    let options = Options {
        named,
        ..Options::default()
    };
    if entrance::check(text).is_err() {
        return false;
    }
    let new = || Composer::new(text.len(), &options);
    let mut composer = new();
    if subset::read(text, &mut composer).is_err() {
        return false;
    }
    let composed = composer.finish();
    let mut composer = new();
    let read = events::read(text, options.limits.levels(), &mut composer);
    let expected = read.map_err(alone).and_then(|()| composer.finish());
    assert_eq!(format!("{composed:?}"), format!("{expected:?}"), "{text:?}");
    true
}

struct Composer<'s, 'n> {
    /// Keys whose values have names of the author's for keys; `None` if every text is composed to its end.
    named: Option<&'n [&'n str]>,
    surplus: Surplus,
    cut: Option<Cut>,
    root: Option<NodeId>,
    nodes: Vec<Node<'s>>,
    /// The items of all open sequences, each sequence's after those of the sequences around it.
    items: Vec<NodeId>,
    /// The entries of all open mappings, in the same way.
    entries: Vec<Entry<'s>>,
    /// By the number of an anchor, its node and the length of that in bytes with aliases written out.
    anchors: Vec<Option<(NodeId, usize)>>,
    stack: Vec<Frame<'s>>,
    /// Most levels of nesting.
    depth: usize,
    /// Greatest length in bytes with aliases written out.
    allowance: usize,
    /// The length so far, with aliases written out.
    expanded: usize,
    duplicates: Duplicates,
}

impl<'s> Receiver<'s> for Composer<'s, '_> {
    fn take(&mut self, event: Event<'s>, span: Span) -> Result<bool> {
        if self.stack.is_empty() && !matches!(event, Event::Open { is_map: true, .. }) {
            return Err(not_a_mapping(span));
        }
        if self.nodes.len() >= MAX_NODES {
            let message = format!("the document has more than {MAX_NODES} values");
            return Err(malformed(span, message).help("divide the document"));
        }
        let root = self.value(event, span)?;
        self.root = root.or(self.root);
        Ok(self.cut.is_some())
    }
}

impl<'s, 'n> Composer<'s, 'n> {
    /// Returns a composer of a text of `len` bytes.
    fn new(len: usize, options: &Options<'n>) -> Self {
        // Enough for small documents; for large ones the lists grow.
        let node_count = (len / 8).min(1 << 10);
        Self {
            named: options.named,
            surplus: Surplus::default(),
            cut: None,
            root: None,
            nodes: Vec::with_capacity(node_count),
            items: Vec::new(),
            entries: Vec::new(),
            anchors: Vec::new(),
            stack: Vec::new(),
            depth: options.limits.levels(),
            allowance: options.limits.expansion_of(len),
            expanded: 0,
            duplicates: Duplicates::default(),
        }
    }

    /// Returns the tree of all events.
    ///
    /// # Errors
    /// There is no root, or there are duplicate keys.
    fn finish(mut self) -> std::result::Result<Tree<'s>, Malformed<'s>> {
        if let Some(cut) = self.cut {
            self.root = self.close_all(cut).map_err(alone)?.or(self.root);
        }
        let root = self
            .root
            .ok_or_else(|| alone(not_a_mapping(Span::default())))?;
        let tree = Tree {
            nodes: self.nodes,
            root,
            expanded: self.expanded,
            cut: self.cut,
        };
        match self.duplicates.into_errors() {
            errors if errors.is_empty() => Ok(tree),
            errors => Err(Malformed {
                errors,
                tree: Some(tree),
            }),
        }
    }

    /// Takes one event of the document's content; returns the root when it is complete.
    #[inline]
    fn value(&mut self, event: Event<'s>, span: Span) -> Result<Option<NodeId>> {
        match event {
            Event::Alias(anchor) => {
                let (node, size) = self.alias(anchor, span)?;
                self.place(node, span, size)
            }
            Event::Scalar {
                text,
                style,
                properties,
            } => {
                let Properties { anchor, tag } = properties;
                let is_key = self.at_key();
                let is_plain = style == Style::Plain;
                let is_bare = anchor == 0 && tag.is_none();
                if is_key && is_bare && (!is_plain || is_text(&text)) {
                    let len = text.len() + 1;
                    self.grow(len, span)?;
                    self.text_key(text, span, len);
                    return Ok(None);
                }
                if is_key && tag.is_none() && is_plain && &*text == "<<" {
                    self.merge_key(span);
                    return Ok(None);
                }
                let len = text.len() + 1;
                let kind = resolve(text, is_plain, tag, span)?;
                if is_key && anchor == 0 {
                    self.grow(len, span)?;
                    self.key(&kind, span, len)?;
                    return Ok(None);
                }
                let node = self.push(Node { span, kind });
                self.anchor(anchor, node, len);
                self.grow(len, span)?;
                self.place(node, span, len)
            }
            Event::Open { is_map, properties } => {
                collection_tag(properties.tag, is_map, span)?;
                self.open(properties.anchor, span, is_map)
            }
            Event::Close => self.close(span),
        }
    }

    /// Adds an alias; returns its node and the length in bytes of what it stands for.
    fn alias(&mut self, anchor: usize, span: Span) -> Result<(NodeId, usize)> {
        let Some((node, size)) = self.anchors.get(anchor).copied().flatten() else {
            return Err(malformed(
                span,
                "an alias stands inside the very node it repeats",
            ));
        };
        self.grow(size, span)?;
        let kind = Kind::Alias(target(&self.nodes, node));
        Ok((self.push(Node { span, kind }), size))
    }

    /// Counts bytes towards the size of the document with its aliases written out.
    fn grow(&mut self, bytes: usize, span: Span) -> Result<()> {
        self.expanded = self.expanded.saturating_add(bytes);
        if self.expanded > self.allowance {
            return Err(too_large(self.allowance, span));
        }
        Ok(())
    }

    fn push(&mut self, node: Node<'s>) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(node);
        id
    }

    /// Registers the anchor of a node, if it has one. The parser numbers anchors in the order of the text.
    fn anchor(&mut self, anchor: usize, node: NodeId, size: usize) {
        if anchor == 0 {
            return;
        }
        if self.anchors.len() <= anchor {
            self.anchors.resize(anchor + 1, None);
        }
        self.anchors[anchor] = Some((node, size));
    }
}

/// Returns the error of nesting beyond the limit.
pub fn too_deep(depth: usize, span: Span) -> Diagnostic {
    malformed(span, format!("nesting is deeper than {depth} levels"))
}

/// Returns the error of aliases that expand a document beyond the limit.
pub fn too_large(allowance: usize, span: Span) -> Diagnostic {
    let message = format!("aliases expand this document beyond {allowance} bytes");
    malformed(span, message).help("write fewer nested aliases")
}

#[cfg(test)]
mod tests;
