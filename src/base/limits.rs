//! How much a document may be of anything, before memory is taken for it.
//!
//! Rooms keep their own limits where nobody would change them; these are the ones that callers may lower, or raise
//! where that is safe.

/// The limits of one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of its text, and of that of each file it imports (U10).
    pub bytes: u64,
    /// Nested sequences and mappings (U10).
    pub depth: u64,
    /// Bytes that it may come to with all aliases written out, or ten times its own if that is more (U10).
    pub aliases: u64,
    /// Bones of an armature that a mesh is bound to (U16).
    pub joints: u64,
    /// Vertices of an output (U17).
    pub vertices: u64,
}

impl Limits {
    /// Those that hold unless somebody says otherwise.
    pub const DEFAULT: Self = Self {
        bytes: 16 << 20,
        depth: 128,
        aliases: 8 << 20,
        joints: 65_535,
        vertices: u32::MAX as u64,
    };

    /// The most that each may be raised to: positions in a text have 32 bits, parsers descend once for each level,
    /// joints are numbered in 16 bits, and vertices in 32.
    pub const MOST: Self = Self {
        bytes: 1 << 30,
        aliases: 1 << 30,
        ..Self::DEFAULT
    };

    /// Sets the bytes of a text.
    #[must_use]
    pub const fn bytes(self, bytes: u64) -> Self {
        Self { bytes, ..self }
    }

    /// Sets the depth of nesting.
    #[must_use]
    pub const fn depth(self, depth: u64) -> Self {
        Self { depth, ..self }
    }

    /// Sets the bytes of a text with all aliases written out.
    #[must_use]
    pub const fn aliases(self, bytes: u64) -> Self {
        Self {
            aliases: bytes,
            ..self
        }
    }

    /// Sets the bones of an armature that a mesh is bound to.
    #[must_use]
    pub const fn joints(self, joints: u64) -> Self {
        Self { joints, ..self }
    }

    /// Sets the vertices of an output.
    #[must_use]
    pub const fn vertices(self, vertices: u64) -> Self {
        Self { vertices, ..self }
    }

    /// Bytes that a text may come to with all its aliases written out.
    pub fn expansion_of(&self, len: usize) -> usize {
        len.saturating_mul(10).max(self.aliases as usize)
    }

    /// Sets limits as a command line does: `NAME=NUMBER`, where `number` reads the number.
    ///
    /// # Errors
    /// A sentence about what is wrong with it.
    pub fn set(
        &mut self,
        text: &str,
        number: impl Fn(&str) -> Result<u64, String>,
    ) -> Result<(), String> {
        let (name, value) = text.split_once('=').ok_or("write NAME=NUMBER")?;
        let (place, most) = match name {
            "bytes" => (&mut self.bytes, Self::MOST.bytes),
            "depth" => (&mut self.depth, Self::MOST.depth),
            "aliases" => (&mut self.aliases, Self::MOST.aliases),
            "joints" => (&mut self.joints, Self::MOST.joints),
            "vertices" => (&mut self.vertices, Self::MOST.vertices),
            _ => {
                return Err(format!(
                    "there is no limit `{name}`; there are bytes, depth, aliases, joints, vertices"
                ));
            }
        };
        let value = number(value)?;
        if value > most {
            return Err(format!("`{name}` can be at most {most}"));
        }
        *place = value;
        Ok(())
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
