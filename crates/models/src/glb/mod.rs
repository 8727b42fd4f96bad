//! From a scene to the bytes of a GLB (`numerics.md` §8–§10).
//!
//! In: an [`Assembly`](crate::geometry::scene::Assembly), or for baked output a [`Scene`](crate::geometry::scene::Scene) and the posed vertices of its bound meshes. Out: a [`Glb`], planned in
//! full before its first byte is written, then streamed to any writer in small pieces. The text of
//! numbers, key order and padding are decided only here.

mod data;
mod json;
mod layout;
mod material;
mod positions;
mod write;

pub use layout::{Posed, bake, export, export_len};
pub use positions::{Positions, SameName};
pub(crate) use rigy_gltf::number::all_finite;
pub use rigy_gltf::{MAX_LEN, number};
pub(crate) use write::Frame;
pub use write::Glb;

/// Deviations from what the contract says about files of documents. The default has none, and gives the bytes of the contract.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// True puts instances into baked files, too: parts at rest, and the meshes of the document as they are posed.
    pub with_instances: bool,
    /// True makes every material double-sided.
    pub double_sided: bool,
}

/// The reason why a scene cannot become a GLB. Meshes are named by their index in the list of their document.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum GlbError {
    /// A finite f64 has no finite f32 (U15), or arithmetic has overflowed before that.
    #[error("{what} of this mesh do not fit single precision")]
    Overflow {
        /// Index of the part that the mesh belongs to; `None` for a mesh of the document itself.
        part: Option<usize>,
        /// The mesh.
        mesh: usize,
        /// The attribute that overflows, in the plural.
        what: &'static str,
    },
    /// The BIN chunk or the whole file would pass [`MAX_LEN`] (U17).
    #[error("the file would have {bytes} bytes; a GLB ends at {} GiB", (MAX_LEN + 1) >> 30)]
    TooLarge {
        /// Its length.
        bytes: u64,
    },
}
