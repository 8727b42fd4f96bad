//! Limits of a document that are checked before memory is taken.
//!
//! These are the limits that callers may lower, or raise where that is safe. Limits that never change are constants of the
//! modules that check them.

use crate::meter::{DEFAULT_LIMIT, Meter};

/// What to do about a text that is longer than the limit on bytes.
pub const LONGER_TEXTS: &str = "documents may be longer with `--limit bytes=N`, up to 1G (in Python and JavaScript: `limit`); or divide the document";

/// The limits of one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of its text, and of the text of each file that it imports (U10).
    pub bytes: u64,
    /// Levels of nested sequences and mappings (U10).
    pub depth: u64,
    /// Bytes of its text with all aliases written out; ten times the length of the text if that is more (U10).
    pub aliases: u64,
    /// Bones of an armature that a mesh is bound to (U16).
    pub joints: u64,
    /// Vertices of an output (U17).
    pub vertices: u64,
    /// Bytes of the JSON of a document's output, by an estimate that errs on the high side.
    pub json: u64,
    /// Steps of [work](crate::meter) for an output of the document or glTF file, or for an answer about it (U17).
    pub work: u64,
}

impl Limits {
    /// The default limits.
    pub const DEFAULT: Self = Self {
        bytes: 1 << 20,
        depth: 128,
        aliases: 8 << 20,
        joints: 65_535,
        vertices: u32::MAX as u64,
        json: 256 << 20,
        work: DEFAULT_LIMIT,
    };

    /// The greatest values of the limits: offsets in a text have 32 bits, parsers call themselves once for each level,
    /// joint indices have 16 bits, and vertex indices 32. Work takes time, and memory that is counted by it.
    pub const MOST: Self = Self {
        bytes: 1 << 30,
        aliases: 1 << 30,
        work: 1 << 50,
        ..Self::DEFAULT
    };

    /// Sets the bytes of a text.
    #[must_use]
    pub const fn bytes(self, bytes: u64) -> Self {
        Self { bytes, ..self }
    }

    /// Sets the bytes of a text with all aliases written out.
    #[must_use]
    pub const fn aliases(self, bytes: u64) -> Self {
        Self {
            aliases: bytes,
            ..self
        }
    }

    /// Sets the vertices of an output.
    #[must_use]
    pub const fn vertices(self, vertices: u64) -> Self {
        Self { vertices, ..self }
    }

    /// Sets the bytes of the JSON of a document's output.
    #[must_use]
    pub const fn json(self, bytes: u64) -> Self {
        Self {
            json: bytes,
            ..self
        }
    }

    /// Lowers the limits on the size of an output to those of `most`.
    #[must_use]
    pub fn at_most(self, most: Self) -> Self {
        self.vertices(self.vertices.min(most.vertices))
            .json(self.json.min(most.json))
    }

    /// Returns the meter of an output.
    pub const fn meter(&self) -> Meter {
        Meter::new(self.work)
    }

    /// Returns how many bytes a text of `len` bytes may have with all its aliases written out.
    pub fn expansion_of(&self, len: usize) -> usize {
        len.saturating_mul(10).max(countable(self.aliases))
    }

    /// Returns the levels of nesting as parsers count them.
    pub fn levels(&self) -> usize {
        countable(self.depth)
    }

    /// Returns the default limits with those that arguments set: `NAME=N` each, where N is a number as [`size`] reads it.
    ///
    /// # Errors
    /// A sentence about the fault of an argument.
    pub fn of<'t>(arguments: impl IntoIterator<Item = &'t str>) -> Result<Self, String> {
        let mut limits = Self::DEFAULT;
        arguments.into_iter().try_for_each(|one| limits.set(one))?;
        Ok(limits)
    }

    fn set(&mut self, text: &str) -> Result<(), String> {
        let (name, value) = text.split_once('=').ok_or("write NAME=NUMBER")?;
        let (place, most) = match name {
            "bytes" => (&mut self.bytes, Self::MOST.bytes),
            "depth" => (&mut self.depth, Self::MOST.depth),
            "aliases" => (&mut self.aliases, Self::MOST.aliases),
            "joints" => (&mut self.joints, Self::MOST.joints),
            "vertices" => (&mut self.vertices, Self::MOST.vertices),
            "work" => (&mut self.work, Self::MOST.work),
            _ => {
                return Err(format!(
                    "there is no limit `{name}`; there are bytes, depth, aliases, joints, vertices, work"
                ));
            }
        };
        let value = size(value)?;
        if value > most {
            return Err(format!("`{name}` can be at most {most}"));
        }
        *place = value;
        Ok(())
    }
}

/// Returns a limit as a number of the machine; the largest that it has, if the limit is beyond.
fn countable(limit: u64) -> usize {
    usize::try_from(limit).unwrap_or(usize::MAX)
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Reads a number of bytes: digits, and K, M, G or T for powers of 1024.
///
/// # Errors
/// If it is none, or 0.
pub fn size(text: &str) -> Result<u64, String> {
    let end = text.trim_end_matches(|c: char| !c.is_ascii_digit()).len();
    let (digits, unit) = text.split_at(end);
    let unit = unit.to_ascii_uppercase();
    let shift = match unit.strip_suffix("IB").unwrap_or(&unit) {
        "" | "B" => Some(0),
        "K" => Some(10),
        "M" => Some(20),
        "G" => Some(30),
        "T" => Some(40),
        _ => None,
    };
    let number: Option<u64> = digits.parse().ok();
    let bytes = number
        .zip(shift)
        .and_then(|(number, shift)| number.checked_mul(1 << shift));
    bytes
        .filter(|bytes| *bytes > 0)
        .ok_or_else(|| "not a size; write a number of bytes, or 512M, or 2G".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_bytes_or_powers_of_1024() {
        for (text, bytes) in [
            ("1", 1),
            ("512M", 512 << 20),
            ("2g", 2 << 30),
            ("3KiB", 3072),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "0", "G", "-1", "1.5G", "2X", "99999999T", "2 G"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
