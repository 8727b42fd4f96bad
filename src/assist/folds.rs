//! Parts of a text that an editor folds.

use std::ops::Range;

use super::Source;
use super::project::{RecentTexts, read};
use super::sketch::{NodeId, Sketch, Style, Value};

/// Returns the bytes of all mappings, lists and blocks that take more than one line, in the order of their first bytes. A value
/// begins at its key.
pub fn folds(source: Source<'_>, recent: Option<&RecentTexts>) -> Vec<Range<usize>> {
    let read = read(source, recent);
    let sketch = &read.sketch;
    let mut found = Vec::new();
    for node in sketch.nodes() {
        match &node.value {
            Value::Map(entries) => {
                let own = entries.iter().filter(|entry| !entry.is_merged);
                let whole = own.filter_map(|entry| {
                    let end = end_of(sketch, entry.value)?;
                    Some(entry.key.range.start..end)
                });
                found.extend(whole);
            }
            Value::List(items) => {
                let whole = items.iter().filter_map(|item| {
                    let end = end_of(sketch, *item)?;
                    Some(sketch.raw(*item).range.start..end)
                });
                found.extend(whole);
            }
            _ => {}
        }
    }
    let has_lines = |range: &Range<usize>| {
        let part = source.text.get(range.clone()).unwrap_or_default();
        part.trim_end().contains(['\n', '\r'])
    };
    found.retain(has_lines);
    found.sort_unstable_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    found
}

/// Returns the end of a node that may be folded.
fn end_of(sketch: &Sketch, id: NodeId) -> Option<usize> {
    let node = sketch.raw(id);
    let is_foldable = match &node.value {
        Value::Map(_) | Value::List(_) => true,
        Value::Scalar(scalar) => scalar.style == Style::Block,
        _ => false,
    };
    is_foldable.then_some(node.range.end)
}
