//! From the structure of a text to a tree: anchors, aliases, merge keys, tags, duplicate keys, and their limits.

mod collections;
mod values;

use super::duplicates::{Duplicates, Surplus};
use super::faults::{finding, too_many};
use super::tree::{Entry, NodeId, Tree};
use super::{MAX_NODES, Result, malformed};
use collections::Frame;
use rigy_base::diag::{Diagnostic, Span};
use rigy_base::limits::Limits;
use rigy_base::maps::HashMap;
use rigy_yaml::{Problem, parse};

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
/// unknown tags or aliases, non-string or duplicate keys, nesting beyond the depth of [`Limits`](rigy_base::limits::Limits), aliases that
/// expand the document beyond its allowance, and more than [`MAX_NODES`] nodes.
/// Duplicate keys are all reported; anything else stops at once.
pub fn compose<'s>(
    text: &'s str,
    options: &Options,
) -> std::result::Result<Tree<'s>, Malformed<'s>> {
    let structure = structure(text, options);
    let mut composer = Composer::new(&structure, options);
    composer.read().map_err(alone)?;
    composer.finish()
}

/// Reads the structure of a text, as much as there can be of a tree.
fn structure<'s>(text: &'s str, options: &Options) -> rigy_yaml::Tree<'s> {
    let depth = options.limits.levels();
    // Half of the nodes, or more, are values.
    let most = 2 * (MAX_NODES + depth + 1);
    let limits = rigy_yaml::Limits {
        depth: u32::try_from(depth).unwrap_or(u32::MAX),
        nodes: u32::try_from(most).unwrap_or(u32::MAX),
        faults: 1,
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
    /// The tree so far, whose root is known at the end.
    tree: Tree<'s>,
    root: Option<NodeId>,
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
    duplicates: Duplicates,
}

impl<'t, 's, 'n> Composer<'t, 's, 'n> {
    fn new(text: &'t rigy_yaml::Tree<'s>, options: &Options<'n>) -> Self {
        Self {
            text,
            named: options.named,
            surplus: Surplus::default(),
            // Keys are no nodes.
            tree: Tree::with_capacity(text.len() / 2 + text.len() / 8 + 1),
            root: None,
            items: Vec::new(),
            entries: Vec::new(),
            anchors: HashMap::default(),
            stack: Vec::new(),
            depth: options.limits.levels(),
            allowance: options.limits.expansion_of(text.source().len()),
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
            if self.tree.cut.is_some() {
                return Ok(());
            }
            if self.text.node(id).start >= end {
                break;
            }
            self.value(id)?;
            if self.tree.cut.is_some() {
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
        while self.stack.last().is_some_and(|frame| frame.past <= id) && self.tree.cut.is_none() {
            self.check_count()?;
            let root = self.close()?;
            self.root = root.or(self.root);
        }
        Ok(())
    }

    #[inline]
    fn check_count(&self) -> Result<()> {
        if self.tree.nodes.len() < MAX_NODES {
            Ok(())
        } else {
            Err(too_many(self.tree.nodes[MAX_NODES - 1].span))
        }
    }

    /// Returns the tree of all nodes.
    ///
    /// # Errors
    /// There is no root, or there are duplicate keys.
    fn finish(mut self) -> std::result::Result<Tree<'s>, Malformed<'s>> {
        if let Some(cut) = self.tree.cut {
            self.root = self.close_all(cut).map_err(alone)?.or(self.root);
        }
        let root = self
            .root
            .ok_or_else(|| alone(not_a_mapping(Span::default())))?;
        let tree = Tree { root, ..self.tree };
        match self.duplicates.into_errors() {
            errors if errors.is_empty() => Ok(tree),
            errors => Err(Malformed {
                errors,
                tree: Some(tree),
            }),
        }
    }

    /// Counts bytes towards the size of the document with its aliases written out.
    fn grow(&mut self, bytes: usize, span: Span) -> Result<()> {
        self.tree.expanded = self.tree.expanded.saturating_add(bytes);
        if self.tree.expanded > self.allowance {
            return Err(too_large(self.allowance, span));
        }
        Ok(())
    }
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
fn too_large(allowance: usize, span: Span) -> Diagnostic {
    let message = format!("aliases expand this document beyond {allowance} bytes");
    malformed(span, message).help("write fewer nested aliases")
}

#[cfg(test)]
mod tests;
