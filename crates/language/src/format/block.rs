//! Block mappings and block sequences: their entries, and the comments and blank lines between these.
//!
//! A comment on a line of its own belongs to the entry after it, unless it stands deeper than the entry before it. A comment
//! that stands deeper than the entry around a collection belongs to the end of that collection.

use super::arrange::Piece;
use super::order::{Part, Place};
use super::source::Comment;
use super::{Formatter, Result, entries};
use rigy_yaml::Kind;

/// The surroundings of a value.
#[derive(Clone, Copy)]
pub struct Level {
    /// The column of its entries or its further lines in the output.
    pub indent: usize,
    /// The column of the entry that it is the value of, in the source.
    pub limit: isize,
    pub place: Place,
    /// It stands after a dash, where a block collection can begin.
    pub after_dash: bool,
}

impl<'s> Formatter<'_, 's> {
    /// Writes the entries of a block collection.
    pub fn block(&mut self, id: u32, level: Level) -> Result<()> {
        let from = self.out.len();
        let mut pieces = Vec::new();
        self.source.trivia();
        for (number, (key, value)) in entries(self.tree, id).enumerate() {
            let mut piece = self.lead(level, number == 0);
            self.entry(id, key, value, level)?;
            piece.end = self.out.len();
            piece.nodes = key..self.tree.past(value);
            pieces.push(piece);
        }
        let line_end = self.line_end;
        self.arrange(level.place, from, &pieces, |out, piece, number| {
            separate(out, line_end, level, number == 0, piece);
        });
        self.comments_deeper_than(level.limit, level.indent);
        Ok(())
    }

    /// Writes what stands before an entry: a line break or a blank, and the comments that belong to it.
    fn lead(&mut self, level: Level, is_first: bool) -> Piece {
        let comments = std::mem::take(&mut self.source.pending);
        let has_blank_line = self.source.has_blank_line();
        let mut piece = Piece {
            nodes: 0..0,
            start: 0,
            end: 0,
            after_gap: comments
                .first()
                .map_or(has_blank_line, |first| first.after_blank),
            has_comments: !comments.is_empty(),
        };
        separate(&mut self.out, self.line_end, level, is_first, &piece);
        piece.start = self.out.len();
        for (number, comment) in comments.iter().enumerate() {
            if number > 0 {
                self.line(comment.after_blank, level.indent);
            }
            self.out.push_str(comment.text);
        }
        if piece.has_comments {
            self.line(has_blank_line, level.indent);
        }
        piece
    }

    /// Writes one entry and the comments at the end of its line and below it.
    fn entry(&mut self, id: u32, key: u32, value: u32, level: Level) -> Result<()> {
        let (from, written) = (self.source.pos, self.out.len());
        let below = Level {
            indent: level.indent + 2,
            limit: self.source.column(from),
            place: level.place.item(),
            after_dash: true,
        };
        let around = std::mem::replace(&mut self.is_odd, false);
        match self.tree.node(id).kind {
            Kind::BlockMap => self.field(id, key, value, level.place, below)?,
            _ => {
                self.indicator('-')?;
                self.value(value, below)?;
            }
        }
        if std::mem::replace(&mut self.is_odd, around) {
            self.out.truncate(written);
            self.verbatim(from, level.indent);
        }
        let ends_in_block_scalar = self.block_scalar_end == self.source.end;
        self.source.trivia();
        self.comment_at_end();
        // Below a block scalar, a deeper comment could become a part of it.
        if !self.is_block(value) && !ends_in_block_scalar {
            self.comments_deeper_than(below.limit, below.indent);
        }
        Ok(())
    }

    fn field(&mut self, map: u32, key: u32, value: u32, place: Place, below: Level) -> Result<()> {
        let is_explicit = self.source.at_indicator(b'?');
        if is_explicit {
            self.is_odd = true;
            self.source.expect('?')?;
        }
        self.no_comments();
        self.key(map, key, below.indent, place)?;
        self.source.trivia();
        // After a key with `?`, a colon may begin the next key, such as `::`, and a key without a value needs none.
        if is_explicit && !self.source.at_indicator(b':') {
            return Ok(());
        }
        self.no_comments();
        self.indicator(':')?;
        let at = Level {
            place: self.value_place(map, key, place),
            after_dash: false,
            ..below
        };
        self.value(value, at)
    }

    /// Writes a key of `map`, which stands at `place`, and a blank after it if its colon needs one.
    pub fn key(&mut self, map: u32, key: u32, indent: usize, place: Place) -> Result<()> {
        let properties = self.properties(key)?;
        if !properties.is_empty() {
            self.out.push_str(&properties);
            self.out.push(' ');
        }
        self.no_comments();
        let node = *self.tree.node(key);
        let new_name = match place.part {
            Part::Dimensions => self.new_name(map, key),
            _ => None,
        };
        match new_name {
            Some(name) => {
                self.out.push_str(name);
                self.source.consume(node.end as usize);
            }
            // Such as `!!str : value`, whose key is the empty text.
            None if node.kind == Kind::Empty => {}
            None => self.leaf(key, indent)?,
        }
        if node.kind == Kind::Alias {
            self.out.push(' ');
        }
        Ok(())
    }

    /// Passes blanks. A comment here has no canonical place.
    pub fn no_comments(&mut self) {
        self.source.trivia();
        self.drop_comments();
    }

    fn drop_comments(&mut self) {
        self.is_odd |= !self.source.pending.is_empty();
        self.source.pending.clear();
    }

    /// Writes the value of an entry.
    fn value(&mut self, id: u32, level: Level) -> Result<()> {
        if self.is_nothing(id) {
            return Ok(());
        }
        self.source.trivia();
        let properties = self.properties(id)?;
        if !properties.is_empty() {
            self.out.push(' ');
            self.out.push_str(&properties);
        }
        let kind = self.tree.node(id).kind;
        if kind == Kind::Empty {
            // Comments before the anchor or the tag; those after it have not been read.
            self.drop_comments();
            return Ok(());
        }
        self.source.trivia();
        if self.is_block(id) {
            let is_alone = self.comment_before_block() || !properties.is_empty();
            let after_dash = level.after_dash && !is_alone;
            return self.block(
                id,
                Level {
                    after_dash,
                    ..level
                },
            );
        }
        self.no_comments();
        self.out.push(' ');
        if kind.is_collection() {
            self.flow(id, level.indent, level.place)
        } else {
            self.leaf(id, level.indent)
        }
    }

    fn is_block(&self, id: u32) -> bool {
        matches!(self.tree.node(id).kind, Kind::BlockMap | Kind::BlockSeq)
    }

    /// Writes the comment on the line before a block collection, and returns true if there is one.
    fn comment_before_block(&mut self) -> bool {
        let pending = &mut self.source.pending;
        let mut found = pending.extract_if(.., |comment| !comment.own_line);
        let (first, second) = (found.next(), found.next());
        drop(found);
        // One before an anchor, and one after it.
        self.is_odd |= second.is_some();
        if let Some(comment) = first {
            self.write_comment_at_end(comment);
        }
        first.is_some()
    }

    /// Writes the pending comments that stand deeper than a column, up to the first that does not.
    fn comments_deeper_than(&mut self, column: isize, indent: usize) {
        let count = self
            .source
            .pending
            .iter()
            .take_while(|comment| comment.column > column)
            .count();
        let comments: Vec<Comment<'s>> = self.source.pending.drain(..count).collect();
        for comment in comments {
            self.line(comment.after_blank, indent);
            self.out.push_str(comment.text);
            self.source.comment_is_written(comment);
        }
    }
}

/// Writes the line break, or the blank after a dash, before an entry.
fn separate(out: &mut String, line_end: &str, level: Level, is_first: bool, piece: &Piece) {
    if is_first && out.is_empty() {
        return;
    }
    if is_first && level.after_dash && !piece.has_comments {
        return out.push(' ');
    }
    if piece.after_gap && !is_first {
        out.push_str(line_end);
    }
    out.push_str(line_end);
    out.extend(std::iter::repeat_n(' ', level.indent));
}
