//! How much one document may import: files and text.

use std::collections::HashMap;

use crate::loader::Location;

/// Most files one document may import, directly or not, contracts included.
pub const MAX_FILES: usize = 1024;
/// Most text that the imports of one document may come to, in bytes, or with all aliases written out if that is more.
pub const MAX_WEIGHT: u64 = 32 << 20;

/// What the imports of one document have come to.
pub(super) struct Allowance<'r> {
    /// What each file counts for.
    counted: HashMap<Location, u64>,
    weight: u64,
    /// Whether there is room for text of so many bytes.
    room: &'r dyn Fn(u64) -> bool,
    /// Whether there was none.
    refused: bool,
}

impl<'r> Allowance<'r> {
    pub fn new(room: &'r dyn Fn(u64) -> bool) -> Self {
        Self {
            counted: HashMap::new(),
            weight: 0,
            room,
            refused: false,
        }
    }

    /// Whether it has been exceeded, or there is no room.
    pub fn is_exceeded(&self) -> bool {
        self.refused || self.counted.len() > MAX_FILES || self.weight > MAX_WEIGHT
    }

    /// Asks for room for all that has been counted.
    ///
    /// # Errors
    /// A sentence that says that there is none.
    pub fn ask(&mut self) -> Result<(), String> {
        self.refused = !(self.room)(self.weight);
        if self.refused {
            let weight = self.weight;
            return Err(format!("there is no room for {weight} bytes of imports"));
        }
        Ok(())
    }

    /// Counts a file, once, for as much as was ever known of it: for its length before it is read, and then for what
    /// it comes to.
    ///
    /// # Errors
    /// A sentence about what is exceeded.
    pub fn count(&mut self, location: &Location, weight: u64) -> Result<(), String> {
        let counted = match self.counted.get_mut(location) {
            Some(counted) => counted,
            None => self.counted.entry(location.clone()).or_default(),
        };
        let more = weight.saturating_sub(*counted);
        *counted += more;
        self.weight += more;
        if self.counted.len() > MAX_FILES {
            Err(format!("a document may import at most {MAX_FILES} files"))
        } else if self.weight > MAX_WEIGHT {
            Err(format!(
                "a document may import at most {MAX_WEIGHT} bytes of text"
            ))
        } else {
            Ok(())
        }
    }
}
