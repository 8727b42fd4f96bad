//! From the tree of the reader of YAML to a sketch.

use std::ops::Range;

use super::tree::{Entry, Node, NodeId, Scalar, Sketch, Style, Value};
use rigy_base::limits::Limits;
use rigy_base::maps::{HashMap, HashSet};
use rigy_language::yaml::{self, MAX_EXPANSION, plain_scalar};
use rigy_yaml::{Kind, Problem, Tree, parse};

impl Sketch {
    /// Reads a text, with or without faults.
    pub fn read(text: &str) -> Self {
        let limits = rigy_yaml::Limits {
            depth: Limits::DEFAULT.depth as u32,
            faults: usize::MAX,
            ..rigy_yaml::Limits::default()
        };
        let tree = parse(text, limits);
        let spans = |problem: Problem| {
            let mut spans: Vec<_> = tree
                .faults
                .iter()
                .filter(|fault| fault.problem == problem)
                .map(|fault| fault.span.clone())
                .collect();
            spans.sort_unstable_by_key(|span| span.start);
            spans
        };
        let mut converter = Converter {
            text,
            tree: &tree,
            below: spans(Problem::BelowScalar)
                .iter()
                .map(|span| span.start)
                .collect(),
            rests: spans(Problem::OnOneLine),
            nodes: Vec::with_capacity(tree.len() / 2),
            anchored: HashMap::default(),
            left: MAX_EXPANSION.max(10 * text.len()),
        };
        let root = converter.node(0);
        Self {
            nodes: converter.nodes,
            root,
        }
    }
}

/// What a merged entry counts for, besides its key.
const ENTRY: usize = 16;

struct Converter<'t, 's> {
    text: &'s str,
    tree: &'t Tree<'s>,
    /// Where the scalars begin that have fields or items below them.
    below: Vec<usize>,
    /// What stands after a value that has a colon after it, each up to the end of its line.
    rests: Vec<Range<usize>>,
    nodes: Vec<Node>,
    /// The nodes with anchors, by their numbers in the tree.
    anchored: HashMap<u32, NodeId>,
    /// The number of bytes that merge keys, and aliases as keys, may still repeat.
    left: usize,
}

impl Converter<'_, '_> {
    fn push(&mut self, range: Range<usize>, value: Value) -> NodeId {
        self.nodes.push(Node { range, value });
        self.nodes.len() - 1
    }

    /// Converts a node after its parts. The tree's depth is limited.
    fn node(&mut self, id: u32) -> NodeId {
        let range = self.tree.span(id);
        let node = match self.tree.node(id).kind {
            Kind::Empty => self.push(range, Value::Empty),
            Kind::Alias => {
                let target = self.tree.target(id);
                let target = target.and_then(|target| self.anchored.get(&target));
                self.push(range, Value::Alias(target.copied()))
            }
            kind if kind.is_collection() => {
                let (value, last) = if kind.is_map() {
                    self.map(id)
                } else {
                    self.list(id)
                };
                let end = last.map_or(0, |last| self.nodes[last].range.end);
                self.push(range.start..range.end.max(end), value)
            }
            _ => {
                let scalar = self.value(id);
                self.push(scalar.range.clone(), Value::Scalar(scalar))
            }
        };
        if let Some(properties) = self.tree.properties(id)
            && !properties.anchor.is_empty()
        {
            self.anchored.insert(id, node);
        }
        node
    }

    /// Converts the items of a list; returns the last one, too.
    fn list(&mut self, id: u32) -> (Value, Option<NodeId>) {
        let mut items = Vec::new();
        let above = usize::from(self.above(id).is_some());
        for item in self.tree.children(id).skip(above) {
            let node = self.node(item);
            if self.nodes[node].value == Value::Empty {
                let at = self.after_blanks(self.nodes[node].range.end);
                self.nodes[node].range = at..at;
            }
            items.push(node);
        }
        let last = items.last().copied();
        (Value::List(items), last)
    }

    /// Returns where an item is typed: behind the blanks after its dash.
    fn after_blanks(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default().bytes();
        at + rest.take_while(|byte| *byte == b' ').count()
    }

    /// Converts the entries of a mapping, before them those that merge keys bring and that it does not have itself; returns its last
    /// value, too.
    fn map(&mut self, id: u32) -> (Value, Option<NodeId>) {
        let (mut own, mut sources) = (Vec::new(), Vec::new());
        let mut last = None;
        let above = usize::from(self.above(id).is_some());
        for (key, value) in self.tree.entries(id).skip(above) {
            let key = self.key(key);
            let is_merged = false;
            if let Some(above) = self.above(value) {
                own.push(Entry {
                    key: key.clone(),
                    value: self.node(above),
                    is_merged,
                });
            }
            let value = self.node(value);
            last = Some(value);
            match self.text.get(key.range.clone()) {
                Some("<<") => sources.push(value),
                _ => own.push(Entry {
                    key,
                    value,
                    is_merged,
                }),
            }
        }
        if !sources.is_empty() {
            own.splice(0..0, self.merged(&own, &sources));
        }
        (Value::Map(own), last)
    }

    /// Returns the entries of mappings, and of lists of mappings, with the keys that are not among `own`, each once.
    fn merged(&mut self, own: &[Entry], sources: &[NodeId]) -> Vec<Entry> {
        if self.left == 0 {
            return Vec::new();
        }
        let target = |id: NodeId| match self.nodes[id].value {
            Value::Alias(Some(target)) => &self.nodes[target].value,
            ref value => value,
        };
        let mut known: HashSet<&str> = own.iter().map(|it| it.key.value(self.text)).collect();
        let mut entries = Vec::new();
        for source in sources {
            let maps = match target(*source) {
                Value::List(items) => items,
                _ => std::slice::from_ref(source),
            };
            for map in maps {
                let more = match target(*map) {
                    Value::Map(more) => more.as_slice(),
                    _ => &[],
                };
                let lens = more.iter().map(|it| it.key.value(self.text).len());
                let size = ENTRY + lens.map(|len| ENTRY + len).sum::<usize>();
                if size > self.left {
                    self.left = 0;
                    return entries;
                }
                self.left -= size;
                let new = more
                    .iter()
                    .filter(|it| known.insert(it.key.value(self.text)));
                let is_merged = true;
                entries.extend(new.cloned().map(|it| Entry { is_merged, ..it }));
            }
        }
        entries
    }

    /// The scalar above the fields or items of a collection, which has it as its first.
    fn above(&self, id: u32) -> Option<u32> {
        let node = self.tree.node(id);
        let is_below = self.below.binary_search(&(node.start as usize)).is_ok();
        (is_below && node.kind.is_collection()).then(|| id + 1 + u32::from(node.kind.is_map()))
    }

    fn key(&mut self, id: u32) -> Scalar {
        let target = self.tree.target(id);
        let target = target.filter(|target| self.tree.span(*target).len() <= self.left);
        let mut key = scalar(self.tree, target.unwrap_or(id));
        if target.is_some() {
            self.left -= key.range.len();
            key.decoded = Some(key.value(self.text).into());
        }
        Scalar {
            range: self.tree.span(id),
            is_text: true,
            ..key
        }
    }

    /// Returns the scalar of a node, with what follows it in its line after a colon: a text that is being typed.
    fn value(&self, id: u32) -> Scalar {
        let scalar = scalar(self.tree, id);
        let end = scalar.range.end;
        let next = self.rests.partition_point(|rest| rest.start < end);
        let Some(rest) = self.rests.get(next).filter(|rest| {
            let mut between = self.text[end..rest.start].bytes();
            scalar.style == Style::Plain && between.all(|byte| matches!(byte, b' ' | b'\t'))
        }) else {
            return scalar;
        };
        let typed = self.text[rest.clone()]
            .split(" #")
            .next()
            .unwrap_or_default()
            .trim_end();
        Scalar {
            range: scalar.range.start..rest.start + typed.len(),
            is_text: true,
            ..scalar
        }
    }
}

/// Returns the scalar of a node of a tree.
fn scalar(tree: &Tree, id: u32) -> Scalar {
    let node = tree.node(id);
    let style = match node.kind {
        Kind::Single => Style::Single,
        Kind::Double => Style::Double,
        Kind::Literal | Kind::Folded => Style::Block,
        _ => Style::Plain,
    };
    let tag = tree.properties(id).map_or(0..0, |all| all.tag.clone());
    let is_text = match &tree.source()[tag] {
        "" if style == Style::Plain => {
            let value = plain_scalar(tree.text(id));
            matches!(value, Some(yaml::Kind::Str(_)))
        }
        tag => tag.is_empty() || tag.contains("str"),
    };
    Scalar {
        range: tree.span(id),
        style,
        is_text,
        decoded: node.is_encoded.then(|| tree.text(id).into()),
    }
}
