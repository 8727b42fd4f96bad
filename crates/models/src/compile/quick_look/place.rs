//! The collections of a document whose contents are counted.

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
