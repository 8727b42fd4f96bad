//! What a long document would come to, told while it is skimmed: bones and vertices, of which a GLB holds so many.
//!
//! Only what is plain to see is counted, so that there is never less than this in a document without faults: merged
//! lists of mappings, escapes in keys, and what is mirrored of meshes are left out.

use super::size::{self, Size, TOO_MANY_MESHES, Total};
use crate::diag::{Diagnostic, Span};
use crate::limits::Limits;
use crate::model::Shape;
use crate::tessellate;
use crate::yaml::{self, Nobody, Watch};

/// Texts that are shorter are composed at once, within the time and the memory that a refusal may take.
const SHORT: usize = 16 << 10;

/// Why a text is refused, with the path of where.
pub(super) type Refusal = (Diagnostic, String);

/// Looks at the text of a document, if it is long.
///
/// # Errors
/// U10 for its nesting and its aliases, U16 and U17 for what it would come to.
pub(super) fn of_document(text: &str, limits: &Limits) -> Result<(), Box<Refusal>> {
    match text.len() {
        ..SHORT => Ok(()),
        _ => of_any_document(text, limits),
    }
}

/// Whether a document of any length would be refused: tests compare it with what composing it comes to.
#[doc(hidden)]
pub fn refuses(text: &str, limits: &Limits) -> bool {
    of_any_document(text, limits).is_err()
}

fn of_any_document(text: &str, limits: &Limits) -> Result<(), Box<Refusal>> {
    let mut forecast = Forecast::default();
    if !skim(text, limits, &mut forecast)? {
        return Ok(());
    }
    forecast.judge(limits)?;
    let Some(prefix) = forecast.prefix.filter(|_| forecast.may_double(limits)) else {
        return Ok(());
    };
    forecast = Forecast::mirrored(prefix);
    skim(text, limits, &mut forecast)?;
    forecast.judge(limits)
}

/// Looks at a text that is a part of a document, or a contract, if it is long.
///
/// # Errors
/// U10 for its nesting and its aliases.
pub(super) fn of_part(text: &str, limits: &Limits) -> Result<(), Box<Refusal>> {
    match text.len() {
        ..SHORT => Ok(()),
        _ => skim(text, limits, &mut Nobody).map(drop),
    }
}

fn skim<'s>(
    text: &'s str,
    limits: &Limits,
    watch: &mut impl Watch<'s>,
) -> Result<bool, Box<Refusal>> {
    yaml::skim(text, limits, watch).map_err(|error| Box::new((error, String::new())))
}

/// What a node comes to: bones, or vertices and indices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Count {
    first: usize,
    indices: usize,
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

struct Mesh<'s> {
    id: &'s str,
    count: Count,
}

struct Binding<'s> {
    mesh: &'s str,
    armature: &'s str,
    /// Where it names the armature.
    span: Span,
    index: usize,
}

/// The meshes with vertices, the armatures with bones, and what binds them.
#[derive(Default)]
struct Forecast<'s> {
    meshes: Vec<Mesh<'s>>,
    armatures: Vec<(&'s str, usize)>,
    bindings: Vec<Binding<'s>>,
    /// What the ids of mirrored bones begin with; known beforehand only on a second look.
    prefix: Option<&'s str>,
    binding_count: usize,
    /// Collections that are open in one that nothing is counted of.
    skipped: usize,
    levels: Vec<Level<'s>>,
    /// The scalar that has come last.
    last: &'s str,
}

impl<'s> Forecast<'s> {
    /// For a second look at a document that mirrors bones.
    fn mirrored(prefix: &'s str) -> Self {
        Self {
            prefix: Some(prefix),
            ..Self::default()
        }
    }

    /// Whether an armature could be beyond the limit if its bones are mirrored.
    fn may_double(&self, limits: &Limits) -> bool {
        let most = self.armatures.iter().map(|(_, bones)| *bones).max();
        most.is_some_and(|bones| 2 * bones as u64 > limits.joints)
    }

    /// Compares what has been counted with the limits, as is done again when everything is known.
    fn judge(&mut self, limits: &Limits) -> Result<(), Box<Refusal>> {
        self.armatures.sort_by_key(|(id, _)| *id);
        self.bindings.sort_by_key(|binding| binding.mesh);
        let mut size = Size::default();
        for mesh in &self.meshes {
            let found = self.bindings.binary_search_by_key(&mesh.id, |b| b.mesh);
            let binding = found.ok().map(|at| &self.bindings[at]);
            let joints = binding.and_then(|binding| self.joints(binding));
            size.add_mesh(mesh.count.first, mesh.count.indices, joints);
            if let (Some(binding), Some(joints)) = (binding, joints)
                && joints as u64 > limits.joints
            {
                let error =
                    size::too_many_bones(binding.armature, binding.span, joints, limits.joints);
                let path = format!("bindings[{}].armature_id", binding.index);
                return Err(Box::new((error, path)));
            }
        }
        let mut total = Total::default();
        total.add(&size, 0);
        total
            .within(limits)
            .map_err(|error| Box::new((error, String::new())))
    }

    fn joints(&self, binding: &Binding<'_>) -> Option<usize> {
        let id = binding.armature;
        let found = self.armatures.binary_search_by_key(&id, |(id, _)| *id);
        found.ok().map(|at| self.armatures[at].1)
    }

    /// The place of a collection in the innermost, if anything is counted there.
    fn below(&self, is_map: bool) -> Option<Place> {
        use Place::{
            Armature, Armatures, Binding, Bindings, Bone, Bones, Document, Mesh, Meshes, Mirror,
            Primitive, Primitives, Symmetry,
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

impl<'s> Watch<'s> for Forecast<'s> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_replaces_what_is_merged_is_not_counted_as_it() {
        let base = "meshes:\n- {id: m, primitives: [&s {type: sphere, id: s}]}\n- &n {id: n, primitives: [*s]}\n";
        let (sphere, _) = tessellate::counts(Shape::Sphere);
        let limits = Limits {
            vertices: 3 * sphere as u64 - 1,
            ..Limits::DEFAULT
        };
        assert!(!refuses(base, &limits));
        assert!(refuses(&format!("{base}- {{<<: *n, id: o}}\n"), &limits));
        for own in [
            "primitives: []",
            "primitives: ~",
            "\"primit\\x69ves\": []",
            "primitives: [{<<: *s, type: *t}]",
            "primitives: [{<<: *s, type: \"\\x62ox\"}]",
            "primitives: [{<<: *s, \"typ\\x65\": box}]",
            "primitives: [{<<: *s, *k : box}]",
        ] {
            let text = format!("x: [&t box, &k type]\n{base}- {{<<: *n, id: o, {own}}}\n");
            assert!(!refuses(&text, &limits), "{own}");
        }
    }
}
