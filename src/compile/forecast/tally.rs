//! What is counted while a document is skimmed: which collections are bones, primitives and what is around them.

use std::collections::HashSet;

use crate::base::diag::Span;
use crate::compile::allowance::MAX_FILES;
use crate::compile::size::TOO_MANY_MESHES;
use crate::geometry::tessellate;
use crate::language::model::Shape;
use crate::language::yaml::Watch;

/// What a node comes to: bones, or vertices and indices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Count {
    pub first: usize,
    pub indices: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Place {
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

/// A collection that is being looked through.
struct Level<'s> {
    place: Place,
    key: &'s str,
    own: Option<Count>,
    merged: Option<Count>,
    /// Whether it has a key that cannot be read: it may replace what is merged.
    opaque: bool,
    /// Its id, or that of the mesh that a binding is about.
    id: Option<&'s str>,
    /// What a binding binds it to.
    armature: Option<(&'s str, Span)>,
}

pub(super) struct Mesh<'s> {
    pub id: &'s str,
    pub count: Count,
}

pub(super) struct Binding<'s> {
    pub mesh: &'s str,
    pub armature: &'s str,
    /// Where it names the armature.
    pub span: Span,
    /// Its place among all bindings.
    pub index: usize,
}

/// The meshes with vertices, the armatures with bones, and what binds them.
#[derive(Default)]
pub(super) struct Tally<'s> {
    pub meshes: Vec<Mesh<'s>>,
    pub armatures: Vec<(&'s str, usize)>,
    pub bindings: Vec<Binding<'s>>,
    /// Paths of imported documents, and where the first is that is one too many.
    sources: HashSet<&'s str>,
    pub beyond: Option<Span>,
    /// What the ids of mirrored bones begin with; known beforehand only on a second look.
    pub prefix: Option<&'s str>,
    binding_count: usize,
    /// Collections that are open in one that nothing is counted of.
    skipped: usize,
    levels: Vec<Level<'s>>,
    /// The scalar that has come last.
    last: &'s str,
}

impl<'s> Tally<'s> {
    /// For a second look at a document that mirrors bones.
    pub fn mirrored(prefix: &'s str) -> Self {
        Self {
            prefix: Some(prefix),
            ..Self::default()
        }
    }

    /// The place of a collection in the innermost, if anything is counted there.
    fn below(&self, is_map: bool) -> Option<Place> {
        use Place::{
            Armature, Armatures, Binding, Bindings, Bone, Bones, Document, Import, Imports, Mesh,
            Meshes, Mirror, Primitive, Primitives, Symmetry,
        };
        let Some(level) = self.levels.last() else {
            return Some(Document);
        };
        Some(match (level.place, level.key, is_map) {
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

    /// Takes a node's count into the innermost collection.
    fn take(&mut self, count: Count) {
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        match (level.place, level.key) {
            (Place::Bones | Place::Primitives, _) => {
                let sum = level.own.get_or_insert_default();
                let least = usize::from(level.place == Place::Bones);
                sum.first += count.first.max(least);
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

    /// Keeps what a finished mesh, armature or binding is.
    fn keep(&mut self, level: &Level<'s>, count: Count) {
        match (level.place, level.id) {
            (Place::Mesh, Some(id)) if count.first > 0 && self.meshes.len() < TOO_MANY_MESHES => {
                self.meshes.push(Mesh { id, count });
            }
            (Place::Armature, Some(id)) if self.armatures.len() < TOO_MANY_MESHES => {
                self.armatures.push((id, count.first));
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

    /// An import of a file, if its path is plain to see.
    fn import(&mut self, path: Option<&'s str>, span: Span) {
        let is_new =
            path.is_some_and(|path| self.sources.len() <= MAX_FILES && self.sources.insert(path));
        if is_new && self.sources.len() > MAX_FILES {
            self.beyond = Some(span);
        }
    }

    /// What a bone counts for: itself, and its mirror image.
    fn bone(&self, level: &Level<'s>) -> Count {
        let mirrored = match (self.prefix, level.id) {
            (Some(prefix), Some(id)) => id.starts_with(prefix),
            _ => false,
        };
        Count {
            first: 1 + usize::from(mirrored),
            indices: 0,
        }
    }
}

impl<'s> Watch<'s> for Tally<'s> {
    type Note = Count;

    fn open(&mut self, is_map: bool) {
        if self.skipped > 0 {
            self.skipped += 1;
            return;
        }
        let Some(place) = self.below(is_map) else {
            self.skipped = 1;
            return;
        };
        self.levels.push(Level {
            place,
            key: "",
            own: None,
            merged: None,
            opaque: false,
            id: None,
            armature: None,
        });
    }

    fn pair(&mut self) {
        self.open(true);
        self.key(Some(self.last));
    }

    fn key(&mut self, text: Option<&'s str>) {
        if self.skipped > 0 {
            return;
        }
        if let Some(level) = self.levels.last_mut() {
            level.key = text.unwrap_or("");
            level.opaque |= text.is_none();
        }
    }

    fn scalar(&mut self, text: Option<&'s str>, span: Span) {
        self.last = text.unwrap_or("");
        if self.skipped > 0 {
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
            // What is not known counts as nothing, and replaces what is merged all the same.
            (Place::Primitive, "type") => {
                level.own = Some(text.and_then(shape).unwrap_or_default())
            }
            (Place::Mesh, "primitives") | (Place::Armature, "bones") => {
                level.own = Some(Count::default());
            }
            (Place::Mirror, "prefix_from") => self.prefix = text,
            (Place::Import, "source") => self.import(text, span),
            _ => {}
        }
    }

    fn alias(&mut self, count: Count) {
        if self.skipped == 0 {
            self.take(count);
        }
    }

    fn close(&mut self) -> Count {
        if self.skipped > 0 {
            self.skipped -= 1;
            return Count::default();
        }
        let Some(level) = self.levels.pop() else {
            return Count::default();
        };
        let count = match level.place {
            Place::Bone => self.bone(&level),
            _ if level.opaque => level.own.unwrap_or_default(),
            _ => level.own.or(level.merged).unwrap_or_default(),
        };
        self.keep(&level, count);
        self.take(count);
        count
    }
}

/// What a shape of this name comes to.
fn shape(name: &str) -> Option<Count> {
    let shape = Shape::ALL.into_iter().find(|shape| shape.name() == name)?;
    let (vertices, indices) = tessellate::counts(shape);
    Some(Count {
        first: vertices,
        indices,
    })
}
