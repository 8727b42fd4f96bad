//! Colours of materials.

use std::ops::Range;

use super::Source;
use super::numbers::{list, number};
use super::project::{RecentTexts, read};
use super::sketch::{NodeId, Sketch, Value};
use super::walk::TextKind;

/// Most colours of a text.
const MOST_COLORS: usize = 1_000;

/// A colour of a material.
#[derive(Clone, Debug, PartialEq)]
pub struct Color {
    /// The bytes of the list between brackets.
    pub range: Range<usize>,
    /// Red, green, blue and alpha, each from 0 to 1.
    pub components: [f64; 4],
}

/// Returns the colours of the materials of a document that are written as four numbers between brackets.
pub fn colors(source: Source<'_>, recent: Option<&RecentTexts>) -> Vec<Color> {
    let read = read(source, recent);
    let (sketch, text) = (&read.sketch, source.text);
    let materials = sketch.entry(sketch.root, "materials", text);
    let Some(materials) = materials.filter(|_| read.kind == TextKind::Document) else {
        return Vec::new();
    };
    let of_material = |entry: &super::sketch::Entry| {
        let color = sketch.entry(entry.value, "base_color", text)?;
        color_of(sketch, color.value, text)
    };
    let entries = sketch.entries(materials.value).iter();
    let mut found: Vec<Color> = entries.filter_map(of_material).take(MOST_COLORS).collect();
    found.sort_by_key(|color| color.range.start);
    found.dedup();
    found
}

fn color_of(sketch: &Sketch, id: NodeId, text: &str) -> Option<Color> {
    let node = sketch.raw(id);
    let Value::List(items) = &node.value else {
        return None;
    };
    let is_bracketed = text.get(node.range.clone())?.starts_with('[');
    let component = |item: &NodeId| {
        let written = text.get(sketch.raw(*item).range.clone())?;
        number(written).filter(|part| (0.0..=1.0).contains(part))
    };
    let parts: Option<Vec<f64>> = items.iter().take(5).map(component).collect();
    let components = parts?.try_into().ok()?;
    is_bracketed.then(|| Color {
        range: node.range.clone(),
        components,
    })
}

/// Returns a colour as a material has it: four numbers from 0 to 1, which three decimals tell apart as well as bytes do.
pub fn color_text(components: [f64; 4]) -> String {
    let rounded = |part: f64| {
        let part = if part.is_nan() { 0.0 } else { part };
        // The sum is 0 also for -0.
        (part.clamp(0.0, 1.0) * 1e3).round() / 1e3 + 0.0
    };
    list(&components.map(rounded))
}
