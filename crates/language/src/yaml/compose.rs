//! From the structure of a text to a tree: anchors, aliases, merge keys, tags, duplicate keys, and their limits.

mod collections;

use super::duplicates::{Duplicates, Surplus};
use super::faults::{finding, too_many};
use super::scalar::is_text;
use super::tags::{CoreTag, collection_tag, resolve};
use super::tree::{Cut, Entry, Kind, Node, NodeId, Tree, target};
use super::{MAX_NODES, Result, malformed};
use collections::Frame;
use rigy_base::diag::{Diagnostic, Span};
use rigy_base::limits::Limits;
use rigy_base::maps::HashMap;
use rigy_yaml::{Kind as Written, Problem, parse};

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
    let structure = structure(text, options);
    let mut composer = Composer::new(&structure, options);
    composer.read().map_err(alone)?;
    composer.finish()
}

/// Reads the structure of a text, as much as there can be of a tree.
fn structure<'s>(text: &'s str, options: &Options<'_>) -> rigy_yaml::Tree<'s> {
    let depth = options.limits.levels();
    // Half of the nodes, or more, are values.
    let most = 2 * (MAX_NODES + depth + 1);
    let limits = rigy_yaml::Limits {
        depth: u32::try_from(depth).unwrap_or(u32::MAX),
        nodes: u32::try_from(most).unwrap_or(u32::MAX),
        faults: 1,
        ..rigy_yaml::Limits::default()
    };
    parse(text, limits)
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

struct Composer<'t, 's, 'n> {
    text: &'t rigy_yaml::Tree<'s>,
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
    /// Of nodes of the text with anchors, the nodes of the tree and their lengths in bytes with aliases written out.
    anchors: HashMap<u32, (NodeId, usize)>,
    stack: Vec<Frame<'s>>,
    /// Most levels of nesting.
    depth: usize,
    /// Greatest length in bytes with aliases written out.
    allowance: usize,
    /// The length so far, with aliases written out.
    expanded: usize,
    duplicates: Duplicates,
}

impl<'t, 's, 'n> Composer<'t, 's, 'n> {
    fn new(text: &'t rigy_yaml::Tree<'s>, options: &Options<'n>) -> Self {
        Self {
            text,
            named: options.named,
            surplus: Surplus::default(),
            cut: None,
            root: None,
            // Keys are no nodes.
            nodes: Vec::with_capacity(text.len() / 2 + text.len() / 8 + 1),
            items: Vec::new(),
            entries: Vec::new(),
            anchors: HashMap::default(),
            stack: Vec::new(),
            depth: options.limits.levels(),
            allowance: options.limits.expansion_of(text.source().len()),
            expanded: 0,
            duplicates: Duplicates::default(),
        }
    }

    /// Takes the nodes of the text, up to its first fault.
    fn read(&mut self) -> Result<()> {
        let source = self.text.source();
        if source.starts_with('\u{feff}') {
            let mark = rigy_yaml::Fault {
                problem: Problem::Character,
                span: 0..3,
            };
            return Err(finding(&mark, source, self.depth));
        }
        let fault = self.text.faults.first();
        let end = match fault {
            Some(fault) if fault.problem == Problem::Character => 0,
            Some(fault) => fault.span.start as u32,
            None => u32::MAX,
        };
        let root = self.text.node(0);
        if !root.kind.is_map() && root.start < end {
            return Err(not_a_mapping(self.span(0)));
        }
        for id in 0..self.text.len() as u32 {
            self.close_before(id)?;
            if self.cut.is_some() {
                return Ok(());
            }
            if self.text.node(id).start >= end {
                break;
            }
            self.value(id)?;
            if self.cut.is_some() {
                return Ok(());
            }
        }
        match fault {
            Some(fault) => Err(finding(fault, source, self.depth)),
            None => self.close_before(u32::MAX),
        }
    }

    /// Ends the collections whose nodes all come before this one.
    #[inline]
    fn close_before(&mut self, id: u32) -> Result<()> {
        while self.stack.last().is_some_and(|frame| frame.past <= id) && self.cut.is_none() {
            self.check_count()?;
            let root = self.close()?;
            self.root = root.or(self.root);
        }
        Ok(())
    }

    #[inline]
    fn check_count(&self) -> Result<()> {
        match self.nodes.len() < MAX_NODES {
            true => Ok(()),
            false => Err(too_many(self.nodes[MAX_NODES - 1].span)),
        }
    }

    /// Returns the tree of all nodes.
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

    /// Returns the bytes of a node of the text with its anchor and its tag. An empty value stands at the sign before it.
    #[inline]
    fn span(&self, id: u32) -> Span {
        let node = self.text.node(id);
        let (mut start, mut end) = (node.start, node.end);
        if let Some(all) = self.text.properties(id) {
            let written = [&all.anchor, &all.tag]
                .into_iter()
                .filter(|span| !span.is_empty());
            start = written.fold(start, |start, span| start.min(span.start as u32));
        } else if node.kind == Written::Empty {
            let before = &self.text.source().as_bytes()[..start as usize];
            let is_sign = before
                .last()
                .is_some_and(|byte| matches!(byte, b':' | b'-' | b'?'));
            start -= u32::from(is_sign);
            end = start;
        }
        Span::new(start, end)
    }

    /// Takes one node of the text.
    #[inline]
    fn value(&mut self, id: u32) -> Result<()> {
        self.check_count()?;
        let (text, span) = (self.text, self.span(id));
        let kind = text.node(id).kind;
        if kind == Written::Alias {
            let (node, size) = self.alias(id, span)?;
            return self.place(node, span, size);
        }
        let properties = text.properties(id);
        if properties.is_none() && !kind.is_collection() {
            return self.bare(id, span, kind);
        }
        let tag = properties.and_then(|all| CoreTag::of(&text.source()[all.tag.clone()]));
        if kind.is_collection() {
            collection_tag(tag, kind.is_map(), span)?;
            return self.open(id, span);
        }
        let written = text.text(id);
        let is_key = self.at_key();
        let is_plain = is_plain(kind);
        let len = written.len() + 1;
        if is_key && tag.is_none() && is_plain && &*written == "<<" {
            self.merge_key(span);
            return Ok(());
        }
        let kind = resolve(written, is_plain, tag, span)?;
        let has_anchor = properties.is_some_and(|all| !all.anchor.is_empty());
        if is_key && !has_anchor {
            self.grow(len, span)?;
            return self.key(&kind, span, len);
        }
        let node = self.push(Node { span, kind });
        if has_anchor {
            self.anchors.insert(id, (node, len));
        }
        self.grow(len, span)?;
        self.place(node, span, len)
    }

    /// Takes a scalar without an anchor and a tag.
    #[inline]
    fn bare(&mut self, id: u32, span: Span, kind: Written) -> Result<()> {
        let written = self.text.text(id);
        let len = written.len() + 1;
        let is_key = self.at_key();
        if is_key && is_plain(kind) && &*written == "<<" {
            self.merge_key(span);
            return Ok(());
        }
        self.grow(len, span)?;
        // A key that is not written is a fault of the text, which is told of.
        let is_text = !is_plain(kind) || is_key && kind == Written::Empty || is_text(&written);
        let kind = match !is_text {
            false if is_key => {
                self.text_key(written, span, len);
                return Ok(());
            }
            false => Kind::Str(written),
            true => resolve(written, true, None, span)?,
        };
        match is_key {
            true => self.key(&kind, span, len),
            false => {
                let node = self.push(Node { span, kind });
                self.place(node, span, len)
            }
        }
    }

    /// Adds an alias; returns its node and the length in bytes of what it stands for.
    fn alias(&mut self, id: u32, span: Span) -> Result<(NodeId, usize)> {
        let target_of = self.text.target(id);
        let found = target_of.and_then(|target| self.anchors.get(&target).copied());
        let Some((node, size)) = found else {
            return Err(malformed(span, Problem::InsideItself.message()));
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
}

fn is_plain(kind: Written) -> bool {
    matches!(kind, Written::Plain | Written::Empty)
}

/// Returns the error of a root that is no mapping.
fn not_a_mapping(span: Span) -> Diagnostic {
    malformed(span, "a document must be a mapping of fields")
        .help("begin with a line such as `version: \"0.13\"`")
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
