//! Counts of bones, vertices, imports and nodes, taken from the events of a text.

use std::borrow::Cow;

use crate::compile::allowance::MAX_FILES;
use crate::compile::size::TOO_MANY_MESHES;
use crate::geometry::tessellate;
use rigy_language::base::diag::{Diagnostic, Span};
use rigy_language::base::limits::Limits;
use rigy_language::base::maps::{HashMap, HashSet};
use rigy_language::model::Shape;
use rigy_language::yaml::{Event, Receiver, too_deep};

/// The kinds of collections that are counted.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    Document,
    Meshes,
    Mesh,
    Primitives,
    Primitive,
    Armatures,
    Armature,
    Bones,
    Bone,
    Bindings,
    Binding,
    Symmetry,
    Mirror,
    Imports,
    Import,
}

impl Place {
    /// Returns the kind of a mapping or sequence by what is around it: the kind of that and the key; nothing is around the
    /// document. `None` if it is not counted.
    pub fn of(around: Option<(Self, &str)>, is_map: bool) -> Option<Self> {
        use Place::{
            Armature, Armatures, Binding, Bindings, Bone, Bones, Document, Import, Imports, Mesh,
            Meshes, Mirror, Primitive, Primitives, Symmetry,
        };
        let Some((place, key)) = around else {
            return Some(Document);
        };
        Some(match (place, key, is_map) {
            (Document, "meshes", false) => Meshes,
            (Meshes, _, true) => Mesh,
            (Mesh, "primitives", false) => Primitives,
            (Primitives, _, true) => Primitive,
            (Document, "armatures", false) => Armatures,
            (Armatures, _, true) => Armature,
            (Armature, "bones", false) => Bones,
            (Bones, _, true) => Bone,
            (Document, "bindings", false) => Bindings,
            (Bindings, _, true) => Binding,
            (Document, "symmetry", true) => Symmetry,
            (Symmetry, "mirror_x", true) => Mirror,
            (Document, "imports", true) => Imports,
            (Imports, name, true) if name != "<<" => Import,
            _ => return None,
        })
    }
}

/// The contents of a node: bones, or vertices and indices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Count {
    /// Bones of an armature or its parts, vertices of a mesh or its parts.
    pub main: u64,
    /// Indices of a mesh or its parts.
    pub indices: u64,
}

/// A collection that is open.
struct Level<'s> {
    place: Place,
    is_map: bool,
    /// True between a key and its value.
    awaits: bool,
    /// The number of its anchor, 0 if it has none.
    anchor: usize,
    /// Its last key.
    key: &'s str,
    /// The count of its own entries; `None` if it has none that are counted.
    own: Option<Count>,
    /// The count of the mapping that is merged into it. Its own entries replace it.
    merged: Option<Count>,
    /// True if it has a key that cannot be read, which may replace a merged one.
    opaque: bool,
    /// Its id; of a binding, the id of the mesh.
    id: Option<&'s str>,
    /// The id of the armature that a binding names, and the bytes of that id.
    armature: Option<(&'s str, Span)>,
}

pub(super) struct Mesh<'s> {
    pub id: &'s str,
    pub count: Count,
}

pub(super) struct Binding<'s> {
    pub mesh: &'s str,
    pub armature: &'s str,
    /// The bytes of the armature's id.
    pub span: Span,
    /// Its index among all bindings.
    pub index: usize,
}

/// The meshes with vertices, the armatures with bones, their bindings, and the imports.
#[derive(Default)]
pub(super) struct Tally<'s> {
    pub meshes: Vec<Mesh<'s>>,
    /// Ids and numbers of bones.
    pub armatures: Vec<(&'s str, u64)>,
    pub bindings: Vec<Binding<'s>>,
    /// Paths of imported documents.
    sources: HashSet<&'s str>,
    /// The first import beyond the limit on files.
    pub surplus_import: Option<Span>,
    /// The prefix of bones that are mirrored. A first scan may meet it after the bones; a second has it from the start.
    pub prefix: Option<&'s str>,
    /// The version that the document declares.
    pub version: Option<&'s str>,
    /// Number of mappings, sequences, and scalars that are values; aliases are left out.
    pub nodes: u64,
    /// True if a mapping may be merged into another, which may then replace some of its nodes.
    pub may_merge: bool,
    binding_count: usize,
    /// Most levels of nesting.
    depth: usize,
    /// The open collections that are not counted, each with whether it is a mapping and stands between a key and its value.
    skipped: Vec<(bool, bool)>,
    levels: Vec<Level<'s>>,
    /// The counts of collections with anchors, by their numbers.
    anchored: HashMap<usize, Count>,
}

impl<'s> Tally<'s> {
    /// Returns a tally, for a second reading with the prefix of bones that the document mirrors.
    pub fn new(limits: &Limits, prefix: Option<&'s str>) -> Self {
        Self {
            prefix,
            depth: limits.levels(),
            ..Self::default()
        }
    }

    /// Returns true if the next node is the key of a mapping, and notes that it is there.
    fn takes_key(&mut self) -> bool {
        let innermost = self.skipped.last_mut();
        let counted = self
            .levels
            .last_mut()
            .map(|level| (level.is_map, &mut level.awaits));
        let Some((true, awaits)) = innermost
            .map(|(is_map, awaits)| (*is_map, awaits))
            .or(counted)
        else {
            return false;
        };
        *awaits = !*awaits;
        *awaits
    }

    /// Begins a collection in the innermost one.
    fn open(&mut self, is_map: bool, anchor: usize) {
        if self.skipped.is_empty() {
            let around = self.levels.last().map(|level| (level.place, level.key));
            if let Some(place) = Place::of(around, is_map) {
                self.levels.push(Level {
                    place,
                    is_map,
                    awaits: false,
                    anchor,
                    key: "",
                    own: None,
                    merged: None,
                    opaque: false,
                    id: None,
                    armature: None,
                });
                return;
            }
        }
        self.skipped.push((is_map, false));
    }

    /// Adds a node's count to the innermost collection.
    fn add(&mut self, count: Count) {
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        match (level.place, level.key) {
            (Place::Bones | Place::Primitives, _) => {
                let sum = level.own.get_or_insert_default();
                sum.main += count.main;
                sum.indices += count.indices;
            }
            (Place::Mesh | Place::Armature | Place::Primitive | Place::Bone, "<<") => {
                level.merged = Some(count);
            }
            (Place::Mesh, "primitives") | (Place::Armature, "bones") => level.own = Some(count),
            (Place::Primitive, "type") => level.own = Some(Count::default()),
            _ => {}
        }
    }

    /// Keeps a mesh, armature or binding that has ended.
    fn keep(&mut self, level: &Level<'s>, count: Count) {
        match (level.place, level.id) {
            (Place::Mesh, Some(id)) if count.main > 0 && self.meshes.len() < TOO_MANY_MESHES => {
                self.meshes.push(Mesh { id, count });
            }
            (Place::Armature, Some(id)) if self.armatures.len() < TOO_MANY_MESHES => {
                self.armatures.push((id, count.main));
            }
            (Place::Binding, mesh) => {
                let index = self.binding_count;
                self.binding_count += 1;
                if let (Some(mesh), Some((armature, span)), true) =
                    (mesh, level.armature, index < TOO_MANY_MESHES)
                {
                    self.bindings.push(Binding {
                        mesh,
                        armature,
                        span,
                        index,
                    });
                }
            }
            _ => {}
        }
    }

    /// Counts an import, if its path can be read.
    fn import(&mut self, path: Option<&'s str>, span: Span) {
        let is_new =
            path.is_some_and(|path| self.sources.len() <= MAX_FILES && self.sources.insert(path));
        if is_new && self.sources.len() > MAX_FILES {
            self.surplus_import = Some(span);
        }
    }

    /// The count of a bone: one, or two if it is mirrored. An item without an id is none: it may be a repeat that
    /// comes to nothing.
    fn bone(&self, level: &Level<'s>) -> Count {
        if level.id.is_none() && level.merged.is_none_or(|merged| merged.main == 0) {
            return Count::default();
        }
        let mirrored = match (self.prefix, level.id) {
            (Some(prefix), Some(id)) => id.starts_with(prefix),
            _ => false,
        };
        Count {
            main: 1 + u64::from(mirrored),
            indices: 0,
        }
    }

    /// Takes a key. `text` is `None` if the key is not written as it reads (with escapes, for example), or is an alias.
    fn key(&mut self, text: Option<&'s str>) {
        self.may_merge |= text.is_none_or(|text| text == "<<");
        if !self.skipped.is_empty() {
            return;
        }
        if let Some(level) = self.levels.last_mut() {
            level.key = text.unwrap_or("");
            level.opaque |= text.is_none();
        }
    }

    /// Takes a scalar that is no key; `text` as for keys.
    fn scalar(&mut self, text: Option<&'s str>, span: Span) {
        self.nodes += 1;
        if !self.skipped.is_empty() {
            return;
        }
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        match (level.place, level.key) {
            (Place::Mesh | Place::Armature | Place::Bone, "id") | (Place::Binding, "mesh_id") => {
                level.id = text;
            }
            (Place::Binding, "armature_id") => level.armature = text.map(|id| (id, span)),
            // A type that is not known counts as nothing, and replaces a merged one all the same.
            (Place::Primitive, "type") => {
                level.own = Some(text.and_then(shape).unwrap_or_default())
            }
            (Place::Mesh, "primitives") | (Place::Armature, "bones") => {
                level.own = Some(Count::default());
            }
            (Place::Mirror, "prefix_from") => self.prefix = text,
            (Place::Document, "version") => self.version = text,
            (Place::Import, "source") => self.import(text, span),
            _ => {}
        }
    }

    /// Ends the innermost collection.
    fn close(&mut self) {
        if self.skipped.pop().is_some() {
            return;
        }
        let Some(level) = self.levels.pop() else {
            return;
        };
        let count = match level.place {
            Place::Bone => self.bone(&level),
            _ if level.opaque => level.own.unwrap_or_default(),
            _ => level.own.or(level.merged).unwrap_or_default(),
        };
        if level.anchor != 0 {
            self.anchored.insert(level.anchor, count);
        }
        self.keep(&level, count);
        self.add(count);
    }
}

impl<'s> Receiver<'s> for Tally<'s> {
    fn take(&mut self, event: Event<'s>, span: Span) -> Result<bool, Diagnostic> {
        if let Event::Close = event {
            self.close();
            return Ok(false);
        }
        let is_key = self.takes_key();
        match event {
            Event::Scalar { text, .. } => {
                let text = match text {
                    Cow::Borrowed(text) => Some(text),
                    Cow::Owned(_) => None,
                };
                if is_key {
                    self.key(text);
                } else {
                    self.scalar(text, span);
                }
            }
            Event::Open { is_map, properties } => {
                if self.levels.len() + self.skipped.len() >= self.depth {
                    return Err(too_deep(self.depth, span));
                }
                self.nodes += 1;
                self.open(is_map, properties.anchor);
            }
            Event::Alias(_) if is_key => self.key(None),
            Event::Alias(anchor) if self.skipped.is_empty() => {
                self.add(self.anchored.get(&anchor).copied().unwrap_or_default());
            }
            Event::Alias(_) | Event::Close => {}
        }
        Ok(self.surplus_import.is_some())
    }
}

/// The vertices and indices of the shape of this name.
fn shape(name: &str) -> Option<Count> {
    let shape = Shape::ALL.into_iter().find(|shape| shape.name() == name)?;
    let (vertices, indices) = tessellate::counts(shape);
    Some(Count {
        main: vertices,
        indices,
    })
}
