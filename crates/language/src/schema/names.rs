//! Which fields hold names: ids that elements get, references to them, and paths of files.

rigy_base::named! {
    /// The kind of an element that has a name.
    #[derive(Hash)]
    pub enum NameKind {
        /// A mesh of a document.
        Mesh = "mesh",
        /// A primitive or a macro of a mesh.
        Primitive = "primitive",
        /// An armature of a document.
        Armature = "armature",
        /// A bone of an armature.
        Bone = "bone",
        /// An anchor of a document.
        Anchor = "anchor",
        /// An instance of a document.
        Instance = "instance",
        /// An import of a document or of a scene.
        Import = "import",
        /// A material of a document.
        Material = "material",
        /// A pose of a document.
        Pose = "pose",
        /// A param of a document.
        Param = "param",
        /// A child of a scene.
        Child = "child",
        /// A set of three anchors in a contract.
        Frame = "frame set",
        /// A set of texture coordinates of a mesh.
        UvSet = "UV set",
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
