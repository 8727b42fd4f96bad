//! The document: its marks, its version of YAML, and its root.

use super::super::event::Receiver;
use super::{NotInSubset, Reader, Result, is_blank};

impl<'s, R: Receiver<'s>> Reader<'s, '_, R> {
    /// Reads a text.
    pub(super) fn document(&mut self) -> Result {
        if !self.next_content() {
            return Err(NotInSubset);
        }
        let has_version = self.version()?;
        if self.is_mark("---") {
            self.at += 3;
            self.end_of_line()?;
            if !self.next_content() {
                return Err(NotInSubset);
            }
        } else if has_version {
            return Err(NotInSubset);
        }
        if self.is_mark("...") || self.is_mark("---") {
            return Err(NotInSubset);
        }
        self.root()?;
        while !self.is_done && self.next_content() {
            if self.is_mark("---") {
                return Err(NotInSubset);
            }
            if self.is_mark("...") {
                self.at += 3;
                self.end_of_line()?;
                if self.next_content() {
                    return Err(NotInSubset);
                }
                break;
            }
            self.entry()?;
        }
        while !self.levels.is_empty() {
            self.close()?;
        }
        Ok(())
    }

    /// Reads a directive that says which version of YAML the text has, and moves to the next content. Returns true if there
    /// is one.
    fn version(&mut self) -> Result<bool> {
        let rest = &self.text[self.at..];
        if self.column() > 0 || !rest.starts_with("%YAML 1.1") && !rest.starts_with("%YAML 1.2") {
            return Ok(false);
        }
        self.at += "%YAML 1.1".len();
        self.end_of_line()?;
        match self.next_content() {
            true => Ok(true),
            false => Err(NotInSubset),
        }
    }

    /// Returns true at a line that is the mark of a document's beginning or end.
    fn is_mark(&self, mark: &str) -> bool {
        self.column() == 0 && self.text[self.at..].starts_with(mark) && is_blank(self.peek(3))
    }

    /// Reads the first line of the root, which is a mapping.
    fn root(&mut self) -> Result {
        let start = self.at;
        let properties = self.properties()?;
        if self.peek(0) == b'{' {
            self.flow(properties, start, 0)?;
            return self.end_of_line();
        }
        // The properties are those of the first key.
        self.at = start;
        self.anchor_count = 0;
        self.node(self.column(), true)
    }
}
