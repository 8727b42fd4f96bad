//! The outline of a text.

use std::ops::Range;

use super::project::{RecentTexts, read};
use super::question::Source;
use super::sketch::{Entry, Scalar, Value};
use super::walk::{NodePlace, Reading};
use rigy_base::maps::HashMap;
use rigy_language::model::composition::{ANCHOR, INSTANCE};
use rigy_language::model::meshes::MESH;
use rigy_language::model::rigging::{ARMATURE, BONE, POSE};
use rigy_language::model::scenes::{CHILD, SCENE};
use rigy_language::model::weights::{BINDING, PRIMITIVE_WEIGHTS, WEIGHT_MAP};
use rigy_language::schema::Record;
use rigy_language::schema::meshes::PRIMITIVE;
use rigy_language::schema::names::{NameKind, Role};
use rigy_language::schema::preprocessed::{BOX_DECOMPOSE, PRISM, REPEAT};

/// Deepest nesting of bones in the outline. Bones below that are siblings.
const MOST_LEVELS: usize = 64;

/// The kind of an element of the outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A mesh.
    Mesh,
    /// A primitive of a mesh.
    Primitive,
    /// A macro of a mesh.
    Macro,
    /// A repeat.
    Repeat,
    /// An armature.
    Armature,
    /// A bone.
    Bone,
    /// A binding, by the id of its mesh.
    Binding,
    /// The weights of a primitive, by its id.
    Weights,
    /// A weight map, by the id of its primitive.
    WeightMap,
    /// A pose.
    Pose,
    /// An anchor.
    Anchor,
    /// An import.
    Import,
    /// An instance.
    Instance,
    /// A material.
    Material,
    /// A param.
    Param,
    /// The lowest part of a scene, by its alias.
    Scene,
    /// A child of a scene.
    Child,
    /// A set of three anchors of a contract.
    Frame,
}

/// An element of the outline.
#[derive(Debug)]
pub struct Symbol {
    /// Its name: its id, or where it has none the id by which it is known; the word for its kind if neither is written.
    pub name: String,
    /// Its kind.
    pub kind: SymbolKind,
    /// The bytes of the element.
    pub range: Range<usize>,
    /// The bytes of the name, in `range`; all of it if there is no name.
    pub name_range: Range<usize>,
    /// The elements in it; below a bone, the bones whose parent it is.
    pub children: Vec<Symbol>,
}

/// Returns the outline of a text, in the order of the text. A bone stands below its parent if the parent comes before it.
pub fn symbols(source: Source, recent: Option<&RecentTexts>) -> Vec<Symbol> {
    let read = read(source, recent);
    let reading = read.reading();
    let mut found = Vec::new();
    collect(reading, &reading.root(), &mut found);
    found
}

/// Adds the elements in a mapping or a list. What an alias repeats stands at its anchor.
fn collect(reading: Reading, place: &NodePlace, found: &mut Vec<Symbol>) {
    let of_keys = match place.key_role {
        Role::Defines(kind) => keyed(kind),
        _ => None,
    };
    for (entry, part) in reading.parts(place) {
        let is_alias = matches!(reading.sketch.raw(part.node).value, Value::Alias(_));
        if is_alias || entry.is_some_and(|entry| entry.is_merged) {
            continue;
        }
        let symbol = match (entry, of_keys) {
            (Some(entry), Some(kind)) => Some(of_key(reading, entry, &part, kind)),
            _ => element(reading, &part),
        };
        match symbol {
            Some(mut symbol) => {
                collect(reading, &part, &mut symbol.children);
                if symbol.kind == SymbolKind::Armature {
                    symbol.children = tree(reading, &part, symbol.children);
                }
                found.push(symbol);
            }
            None => collect(reading, &part, found),
        }
    }
}

fn keyed(kind: NameKind) -> Option<SymbolKind> {
    match kind {
        NameKind::Material => Some(SymbolKind::Material),
        NameKind::Import => Some(SymbolKind::Import),
        NameKind::Param => Some(SymbolKind::Param),
        NameKind::Frame => Some(SymbolKind::Frame),
        _ => None,
    }
}

fn of_key(reading: Reading, entry: &Entry, part: &NodePlace, kind: SymbolKind) -> Symbol {
    let end = reading.sketch.raw(part.node).range.end;
    let name_range = entry.key.range.clone();
    Symbol {
        name: entry.key.value(reading.text).to_owned(),
        kind,
        range: name_range.start..end.max(name_range.end),
        name_range,
        children: Vec::new(),
    }
}

/// Returns the element that a mapping is, without what is in it.
fn element(reading: Reading, place: &NodePlace) -> Option<Symbol> {
    let (kind, key) = kind_of(place.record?)?;
    let Value::Map(_) = reading.sketch.node(place.node).value else {
        return None;
    };
    let range = reading.sketch.raw(place.node).range.clone();
    let name: Option<&Scalar> = reading
        .sketch
        .entry(place.node, key, reading.text)
        .and_then(|entry| reading.sketch.scalar(entry.value));
    let name = name.filter(|name| range.start <= name.range.start && name.range.end <= range.end);
    let text = name.map_or("", |name| name.value(reading.text));
    Some(Symbol {
        name: match text {
            "" => place.record?.name.to_owned(),
            text => text.to_owned(),
        },
        kind,
        name_range: name.map_or(range.clone(), |name| name.range.clone()),
        range,
        children: Vec::new(),
    })
}

/// Returns the kind of a mapping and the key of its name.
fn kind_of(record: &'static Record) -> Option<(SymbolKind, &'static str)> {
    let table: [(&'static Record, SymbolKind, &str); 15] = [
        (&MESH, SymbolKind::Mesh, "id"),
        (&PRIMITIVE, SymbolKind::Primitive, "id"),
        (&BOX_DECOMPOSE, SymbolKind::Macro, "id"),
        (&PRISM, SymbolKind::Macro, "id"),
        (&REPEAT, SymbolKind::Repeat, "as"),
        (&ARMATURE, SymbolKind::Armature, "id"),
        (&BONE, SymbolKind::Bone, "id"),
        (&BINDING, SymbolKind::Binding, "mesh_id"),
        (&PRIMITIVE_WEIGHTS, SymbolKind::Weights, "primitive_id"),
        (&WEIGHT_MAP, SymbolKind::WeightMap, "primitive_id"),
        (&POSE, SymbolKind::Pose, "id"),
        (&ANCHOR, SymbolKind::Anchor, "id"),
        (&INSTANCE, SymbolKind::Instance, "id"),
        (&SCENE, SymbolKind::Scene, "base"),
        (&CHILD, SymbolKind::Child, "id"),
    ];
    table
        .iter()
        .find(|row| std::ptr::eq(row.0, record))
        .map(|(_, kind, key)| (*kind, *key))
}

/// Returns the bones of an armature as a tree, before them what is not a bone of its list.
fn tree(reading: Reading, armature: &NodePlace, symbols: Vec<Symbol>) -> Vec<Symbol> {
    let parents = parents(reading, armature);
    let mut by_name: HashMap<String, usize> = HashMap::default();
    // For each symbol, its parent and its level.
    let mut places: Vec<(Option<usize>, usize)> = Vec::new();
    for (at, symbol) in symbols.iter().enumerate() {
        let parent = parents
            .get(&symbol.range.start)
            .and_then(|name| by_name.get(name))
            .copied();
        let place = match parent {
            Some(parent) if places[parent].1 < MOST_LEVELS => (Some(parent), places[parent].1 + 1),
            Some(parent) => places[parent],
            None => (None, 0),
        };
        places.push(place);
        by_name.entry(symbol.name.clone()).or_insert(at);
    }
    let mut all: Vec<Option<Symbol>> = symbols.into_iter().map(Some).collect();
    let mut roots = Vec::new();
    for at in (0..all.len()).rev() {
        let Some(mut symbol) = all[at].take() else {
            continue;
        };
        symbol.children.reverse();
        match places[at].0.and_then(|parent| all[parent].as_mut()) {
            Some(parent) => parent.children.push(symbol),
            None => roots.push(symbol),
        }
    }
    roots.reverse();
    roots
}

/// Returns the parents of the bones of an armature, by the first bytes of the bones.
fn parents(reading: Reading, armature: &NodePlace) -> HashMap<usize, String> {
    let Reading { text, sketch, .. } = reading;
    let bones = sketch.entry(armature.node, "bones", text);
    bones
        .map_or(&[][..], |bones| sketch.items(bones.value))
        .iter()
        .filter_map(|item| {
            let parent = sketch.text_of(*item, "parent", text)?;
            Some((sketch.raw(*item).range.start, parent.to_owned()))
        })
        .collect()
}
