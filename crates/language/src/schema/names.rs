//! Which fields hold names: ids that elements get, references to them, and paths of files.

/// The kind of an element that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NameKind {
    /// A mesh of a document.
    Mesh,
    /// A primitive or a macro of a mesh.
    Primitive,
    /// An armature of a document.
    Armature,
    /// A bone of an armature.
    Bone,
    /// An anchor of a document.
    Anchor,
    /// An instance of a document.
    Instance,
    /// An import of a document or of a scene.
    Import,
    /// A material of a document.
    Material,
    /// A pose of a document.
    Pose,
    /// A param of a document.
    Param,
    /// A child of a scene.
    Child,
    /// A set of three anchors in a contract.
    Frame,
    /// A set of texture coordinates of a mesh.
    UvSet,
}

impl NameKind {
    /// Returns the word for the element in messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Mesh => "mesh",
            Self::Primitive => "primitive",
            Self::Armature => "armature",
            Self::Bone => "bone",
            Self::Anchor => "anchor",
            Self::Instance => "instance",
            Self::Import => "import",
            Self::Material => "material",
            Self::Pose => "pose",
            Self::Param => "param",
            Self::Child => "child",
            Self::Frame => "frame set",
            Self::UvSet => "UV set",
        }
    }
}

/// The part that the texts of a field, or the keys of its mapping, have among names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// They are no names.
    #[default]
    None,
    /// They name the element that contains them, or, as keys, the element that follows.
    Defines(NameKind),
    /// They refer to an element.
    Refers(NameKind),
    /// They are paths of files.
    Path,
    /// As keys, they are some of these words.
    Words(&'static [&'static str]),
}
