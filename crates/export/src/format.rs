//! The formats that are written, and what the files of each hold.

use std::io;

use super::layout::{Join, Layout, Up};
use super::{Export, arrays, binary, cache, obj, threemf, usda};
use rigy_models::mesh::TextureKind;

rigy_base::named! {
    /// A format of another tool.
    pub enum Format {
        /// Wavefront OBJ: text, with materials in an MTL file beside it.
        Obj = "obj",
        /// STL: binary; triangles alone, in one solid.
        Stl = "stl",
        /// 3MF: a ZIP archive of XML; objects of triangles, in millimetres.
        ThreeMf = "3mf",
        /// PLY: binary, little endian; one mesh.
        Ply = "ply",
        /// Universal Scene Description: text, with samples over time.
        Usda = "usda",
        /// Arrays of NumPy, one for all frames of each kind.
        Npz = "npz",
        /// Point cache 2: the positions of all frames, with an OBJ file beside it.
        Pc2 = "pc2",
        /// The point cache of LightWave, in the same way.
        Mdd = "mdd",
    }
}

impl Format {
    /// Returns the layout that its clients expect: of those for printing, millimetres, and z up.
    pub fn layout(self) -> Layout {
        let join = match self {
            Self::ThreeMf => Join::Node,
            _ => Join::All,
        };
        match self {
            Self::Stl | Self::ThreeMf => Layout {
                join,
                up: Up::Z,
                scale: 1000.0,
            },
            _ => Layout::default(),
        }
    }

    /// Returns true if its files are text.
    pub fn is_text(self) -> bool {
        matches!(self, Self::Obj | Self::Usda)
    }

    /// Returns true if a file holds a whole [`Sequence`](super::Sequence), and not only its first frame.
    pub fn is_animated(self) -> bool {
        self == Self::Usda || self.is_array()
    }

    /// Returns true if a file is an array of all frames, for which their topology must be one.
    pub fn is_array(self) -> bool {
        self == Self::Npz || self.mesh() != self
    }

    /// Returns the format of the mesh that a point cache moves, which is beside it; of another format the same.
    pub fn mesh(self) -> Self {
        match self {
            Self::Pc2 | Self::Mdd => Self::Obj,
            other => other,
        }
    }

    /// Returns true if a file may have several objects. The others are joined in any case.
    pub fn has_objects(self) -> bool {
        matches!(self, Self::Obj | Self::ThreeMf | Self::Usda)
    }

    /// True if a file has vertices that no triangle has.
    pub(super) fn has_points(self) -> bool {
        matches!(self, Self::Ply | Self::Npz)
    }

    /// True if an object has no normals where one of its surfaces has none.
    pub(super) fn joins_normals(self) -> bool {
        matches!(self, Self::Ply | Self::Usda)
    }

    /// True if a material may have a texture of this kind. MTL has no word that takes one channel of an image.
    pub(super) fn holds(self, kind: TextureKind) -> bool {
        match self {
            Self::Obj => matches!(kind, TextureKind::Normal | TextureKind::Emissive),
            _ => self == Self::Usda,
        }
    }

    /// Returns true if a file, or the mesh beside it, has materials, which may have textures.
    pub fn has_materials(self) -> bool {
        matches!(self.mesh(), Self::Obj | Self::Usda)
    }

    pub(super) fn write(self, export: &Export, out: &mut impl io::Write) -> io::Result<()> {
        match self {
            Self::Obj => obj::write(export, out),
            Self::Stl => binary::write_stl(export, out),
            Self::ThreeMf => threemf::write(export, out),
            Self::Ply => binary::write_ply(export, out),
            Self::Usda => usda::write(export, out),
            Self::Npz => arrays::write(export.sequence, out),
            Self::Pc2 | Self::Mdd => cache::write(export.sequence, self, out),
        }
    }
}
