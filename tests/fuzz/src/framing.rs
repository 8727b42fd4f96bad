//! A GLB as its two chunks, so that they can change without the lengths around them becoming wrong.

use crate::made::glb;

/// JSON text and binary chunk, both without padding that was added.
pub struct Parts {
    pub json: Vec<u8>,
    pub bin: Option<Vec<u8>>,
}

impl Parts {
    /// A file's chunks, if it has the shape of a GLB.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let word = |at: usize| {
            let word = bytes.get(at..at + 4)?;
            Some(u32::from_le_bytes(word.try_into().ok()?) as usize)
        };
        if !bytes.starts_with(b"glTF") {
            return None;
        }
        let end = word(12)?.checked_add(20)?;
        let json = bytes.get(20..end)?.trim_ascii_end().to_vec();
        let bin = match bytes.len() > end {
            true => Some(bytes.get(end + 8..end + 8 + word(end)?)?.to_vec()),
            false => None,
        };
        Some(Self { json, bin })
    }

    /// The file with lengths and padding as they should be.
    pub fn join(&self) -> Vec<u8> {
        glb(&self.json, self.bin.as_deref())
    }
}
