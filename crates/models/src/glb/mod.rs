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

use std::io::{self, Write};

use data::{Block, EMPTY};
use rigy_base::output::OutputFile;

pub use layout::{Posed, bake, export, export_len};
pub use positions::{Positions, SameName};
pub(crate) use rigy_gltf::number::{all_finite, first_not_finite};
pub use rigy_gltf::{MAX_LEN, number};

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

/// A planned file. Its bytes are encoded while they are written, so it holds no copy of them.
pub struct Glb<'a> {
    frame: Frame,
    json: Vec<u8>,
    blocks: Vec<Block<'a>>,
}

const MAGIC: &[u8; 4] = b"glTF";
const VERSION: u32 = 2;
const HEADER_LEN: u64 = 12;
const CHUNK_HEADER_LEN: u64 = 8;

/// Lengths of a file and its chunks, which are within the limits of the format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    len: u32,
    json_len: u32,
    bin_len: u32,
}

impl Frame {
    /// A JSON chunk and a BIN chunk whose contents have these lengths, multiples of four.
    fn new(json_len: u64, bin_len: u64) -> Result<Self, GlbError> {
        Self::fit(json_len, bin_len, HEADER_LEN + 2 * CHUNK_HEADER_LEN)
    }

    /// As [`Frame::new`], but without a BIN chunk if it would be empty.
    pub fn without_empty_chunk(json_len: u64, bin_len: u64) -> Result<Self, GlbError> {
        match bin_len {
            0 => Self::fit(json_len, 0, HEADER_LEN + CHUNK_HEADER_LEN),
            _ => Self::new(json_len, bin_len),
        }
    }

    fn fit(json_len: u64, bin_len: u64, headers: u64) -> Result<Self, GlbError> {
        let bytes = headers.saturating_add(json_len).saturating_add(bin_len);
        if bytes > MAX_LEN {
            return Err(GlbError::TooLarge { bytes });
        }
        Ok(Self {
            len: bytes as u32,
            json_len: json_len as u32, // both at most as long as the whole
            bin_len: bin_len as u32,
        })
    }

    /// Bytes of the file.
    pub fn len(&self) -> u64 {
        self.len.into()
    }

    /// Offset of the content of the JSON chunk in bytes.
    pub const JSON_OFFSET: u64 = HEADER_LEN + CHUNK_HEADER_LEN;

    /// Offset of the content of the BIN chunk in bytes.
    pub fn bin_offset(&self) -> u64 {
        Self::JSON_OFFSET + u64::from(self.json_len) + CHUNK_HEADER_LEN
    }

    /// Returns the bytes before the content of the JSON chunk: the file header and the chunk header.
    pub fn before_json(&self) -> [u8; 20] {
        let mut bytes = [0; 20];
        let words = [
            *MAGIC,
            VERSION.to_le_bytes(),
            self.len.to_le_bytes(),
            self.json_len.to_le_bytes(),
            *b"JSON",
        ];
        bytes.copy_from_slice(words.as_flattened());
        bytes
    }

    /// Returns the bytes before the content of the BIN chunk: its header.
    pub fn before_bin(&self) -> [u8; 8] {
        let mut bytes = [0; 8];
        bytes.copy_from_slice([self.bin_len.to_le_bytes(), *b"BIN\0"].as_flattened());
        bytes
    }
}

/// Returns the bytes of a GLB that has this text and these data.
///
/// # Errors
/// If it would be too large.
pub fn glb(mut json: Vec<u8>, mut bin: Vec<u8>) -> Result<Vec<u8>, GlbError> {
    json.resize(json.len().next_multiple_of(4), b' ');
    bin.resize(bin.len().next_multiple_of(4), 0);
    let frame = Frame::new(json.len() as u64, bin.len() as u64)?;
    Ok([&frame.before_json()[..], &json, &frame.before_bin(), &bin].concat())
}

impl<'a> Glb<'a> {
    /// Pads the JSON text with spaces and checks the lengths.
    fn new(mut json: Vec<u8>, blocks: Vec<Block<'a>>, bin_len: u64) -> Result<Self, GlbError> {
        json.resize(json.len().next_multiple_of(4), b' ');
        Ok(Self {
            frame: Frame::new(json.len() as u64, bin_len)?,
            json,
            blocks,
        })
    }
}

impl OutputFile for Glb<'_> {
    fn len(&self) -> u64 {
        self.frame.len()
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.frame.before_json())?;
        out.write_all(&self.json)?;
        out.write_all(&self.frame.before_bin())?;
        let mut piece = EMPTY;
        self.blocks
            .iter()
            .try_for_each(|block| block.write(out, &mut piece))
    }
}
