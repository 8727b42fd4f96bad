//! The formats that are written.

/// A format of another tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Format {
    /// Wavefront OBJ: text, with materials in an MTL file beside it.
    Obj,
    /// STL: binary; triangles alone, in one solid.
    Stl,
    /// PLY: binary, little endian; one mesh.
    Ply,
    /// Universal Scene Description: text; the only one that holds several moments.
    Usda,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Obj, Self::Stl, Self::Ply, Self::Usda];

    /// Returns its name, which is the ending of its files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Obj => "obj",
            Self::Stl => "stl",
            Self::Ply => "ply",
            Self::Usda => "usda",
        }
    }

    /// Returns true if a file holds a whole [`Sequence`](super::Sequence), and not only its first frame.
    pub fn is_animated(self) -> bool {
        self == Self::Usda
    }

    /// Returns true if a file may have several objects. The others are joined in any case.
    pub(super) fn has_objects(self) -> bool {
        matches!(self, Self::Obj | Self::Usda)
    }

    /// Returns true if a file has materials, which may have textures.
    pub(super) fn has_materials(self) -> bool {
        matches!(self, Self::Obj | Self::Usda)
    }
}
