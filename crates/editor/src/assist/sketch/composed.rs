//! The sketch of a text without faults: from the tree of the YAML reader.

use super::{Entry, Node, Scalar, Sketch, Style, Value};
use rigy_base::diag::Span;
use rigy_language::yaml::{self, Kind, Tree};
use std::ops::Range;

/// Returns the sketch of a text; `None` if the text has a fault.
pub fn read(text: &str) -> Option<Sketch> {
    // With a byte order mark, offsets count from the mark's end.
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let tree = yaml::compose(body, &yaml::Options::default()).ok()?;
    let converter = Converter {
        text,
        shift: text.len() - body.len(),
        tree: &tree,
    };
    let mut nodes: Vec<Node> = Vec::with_capacity(tree.node_count());
    for id in tree.ids() {
        let node = converter.node(id, &nodes);
        nodes.push(node);
    }
    Some(Sketch {
        nodes,
        root: tree.root().index(),
        is_sound: true,
    })
}

struct Converter<'t, 's> {
    text: &'s str,
    shift: usize,
    tree: &'t Tree<'s>,
}

impl Converter<'_, '_> {
    fn range(&self, span: Span) -> Range<usize> {
        span.start as usize + self.shift..span.end as usize + self.shift
    }

    /// Returns a node. Those of its parts come before it.
    fn node(&self, id: yaml::NodeId, before: &[Node]) -> Node {
        let node = self.tree.raw(id);
        let mut range = self.range(node.span);
        let value = match &node.kind {
            Kind::Alias(target) => Value::Alias(Some(target.index())),
            Kind::Map(entries) => {
                let own = entries.iter().rev().find(|entry| entry.key_span.via == 0);
                if let Some(last) = own
                    && !self.is_flow(&range)
                {
                    let of_value = before.get(last.value.index());
                    let end = of_value.map_or(0, |value| value.range.end);
                    range.end = end.max(self.range(last.key_span).end);
                }
                Value::Map(entries.iter().map(|entry| self.entry(entry)).collect())
            }
            Kind::Seq(items) => {
                let last = items.last().and_then(|last| before.get(last.index()));
                if let Some(last) = last
                    && !self.is_flow(&range)
                {
                    range.end = last.range.end.max(range.start + 1);
                }
                Value::List(items.iter().map(|item| item.index()).collect())
            }
            Kind::Null if range.is_empty() => Value::Empty,
            kind => {
                let text = match kind {
                    Kind::Str(text) => Some(&**text),
                    _ => None,
                };
                let scalar = self.scalar(range.clone(), text);
                range = scalar.range.clone();
                Value::Scalar(scalar)
            }
        };
        Node { range, value }
    }

    fn is_flow(&self, range: &Range<usize>) -> bool {
        let first = self.text.as_bytes().get(range.start);
        matches!(first, Some(b'[' | b'{'))
    }

    fn entry(&self, entry: &yaml::Entry<'_>) -> Entry {
        Entry {
            key: self.scalar(self.range(entry.key_span), Some(&entry.key)),
            value: entry.value.index(),
            is_merged: entry.key_span.via > 0,
        }
    }

    /// Returns a scalar whose value is `value` if it is text.
    fn scalar(&self, range: Range<usize>, value: Option<&str>) -> Scalar {
        let raw = self.text.get(range.clone()).unwrap_or_default();
        let style = match raw.as_bytes() {
            [b'\'', .., b'\''] => Style::Single,
            [b'"', .., b'"'] => Style::Double,
            [b'|' | b'>', ..] => Style::Block,
            // The span of a block may begin after its indicator.
            _ if value.is_some_and(|value| value.ends_with('\n')) => Style::Block,
            _ => Style::Plain,
        };
        let mut scalar = Scalar {
            range,
            style,
            is_text: value.is_some(),
            decoded: None,
        };
        let inner = self.text.get(scalar.inner()).unwrap_or_default();
        scalar.decoded = value.filter(|value| *value != inner).map(Into::into);
        scalar
    }
}
