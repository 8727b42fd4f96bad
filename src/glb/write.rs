//! The container: header, JSON chunk, BIN chunk (`numerics.md` §10).

use std::io::{self, Write};

use super::data::{Block, EMPTY};
use super::{GlbError, OutputFile};

/// A planned file. Its bytes are made while they are written, so it holds no copy of them.
pub struct Glb<'a> {
    json: Vec<u8>,
    blocks: Vec<Block<'a>>,
    bin_len: u32,
    len: u32,
}

const MAGIC: &[u8; 4] = b"glTF";
const VERSION: u32 = 2;
const HEADER_LEN: u64 = 12;
const CHUNK_HEADER_LEN: u64 = 8;

impl<'a> Glb<'a> {
    /// Pads the JSON text with spaces and checks the lengths.
    pub(super) fn new(
        mut json: Vec<u8>,
        blocks: Vec<Block<'a>>,
        bin_len: u64,
    ) -> Result<Self, GlbError> {
        json.resize(json.len().next_multiple_of(4), b' ');
        let bytes = HEADER_LEN + 2 * CHUNK_HEADER_LEN + json.len() as u64 + bin_len;
        let too_large = |_| GlbError::TooLarge { bytes };
        Ok(Self {
            len: u32::try_from(bytes).map_err(too_large)?,
            bin_len: u32::try_from(bin_len).map_err(too_large)?,
            json,
            blocks,
        })
    }
}

impl OutputFile for Glb<'_> {
    fn len(&self) -> u64 {
        u64::from(self.len)
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let json_len = self.json.len() as u32; // checked with the whole length
        out.write_all(MAGIC)?;
        for word in [VERSION, self.len, json_len] {
            out.write_all(&word.to_le_bytes())?;
        }
        out.write_all(b"JSON")?;
        out.write_all(&self.json)?;
        out.write_all(&self.bin_len.to_le_bytes())?;
        out.write_all(b"BIN\0")?;
        let mut piece = EMPTY;
        let mut blocks = self.blocks.iter();
        blocks.try_for_each(|block| block.write(out, &mut piece))
    }
}
