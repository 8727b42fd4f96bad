//! Block mappings and block sequences: their entries, and the comments and blank lines between these.
//!
//! A comment on a line of its own belongs to the entry after it, unless it stands deeper than the entry before it. A comment
//! that stands deeper than the entry around a collection belongs to the end of that collection.

use super::arrange::{Child, Key, Piece};
use super::order::Place;
use super::source::{Comment, Kind};
use super::{Formatter, Result, Unknown};

/// How a collection begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// Where the output ends.
    Here,
    /// On a line of its own.
    Line,
    /// After the dash of an item, or on a line of its own if a comment comes first.
    Dash,
}

/// The surroundings of a collection.
#[derive(Clone, Copy)]
pub(super) struct Level {
    /// The column of its entries in the output.
    pub indent: usize,
    /// The column of the entry that it is the value of, in the source.
    pub limit: isize,
    pub place: Place,
    pub start: Start,
}

impl<'s> Formatter<'s> {
    /// Writes the entries of a block collection, whose first event has been taken.
    pub(super) fn block(&mut self, level: Level) -> Result<()> {
        let from = self.out.len();
        let kept_ends = self.kept_ends;
        let renames = self.renames.len();
        let mut pieces = Vec::new();
        let mut is_first = true;
        loop {
            self.source.trivia();
            if self.source.at_end()? {
                break;
            }
            let mut piece = self.lead(level, is_first);
            self.entry(level, &mut piece)?;
            is_first = false;
            piece.end = self.out.len();
            if level.place.is_ordered() {
                pieces.push(piece);
            }
        }
        if is_first {
            return Err(Unknown);
        }
        self.source.next()?;
        let may_move = self.kept_ends == kept_ends;
        let line_end = self.line_end;
        self.arrange(
            level.place,
            from,
            renames,
            pieces,
            may_move,
            |out, piece, number| {
                let is_first = number == 0;
                separate(out, line_end, level, is_first, piece);
            },
        );
        self.comments_deeper_than(level.limit, level.indent);
        Ok(())
    }

    /// Writes what stands before an entry: a line break or a blank, and the comments that belong to it.
    fn lead(&mut self, level: Level, is_first: bool) -> Piece {
        let comments = std::mem::take(&mut self.source.pending);
        let has_blank_line = self.source.has_blank_line();
        let mut piece = Piece::default();
        piece.has_comments = !comments.is_empty();
        piece.after_blank = comments
            .first()
            .map_or(has_blank_line, |first| first.after_blank);
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
    fn entry(&mut self, level: Level, piece: &mut Piece) -> Result<()> {
        let (from, written) = (self.source.pos, self.out.len());
        let column = self.source.column(from);
        let around = std::mem::replace(&mut self.is_odd, false);
        let before = self.begin_piece(piece);
        let has_block = match self.source.at_indicator(b'-') {
            true => self.item(level, column)?,
            false => self.field(level, column, piece)?,
        };
        self.end_piece(piece, before);
        if std::mem::replace(&mut self.is_odd, around) {
            self.out.truncate(written);
            self.renames.retain(|rename| !rename.is_after(written));
            self.verbatim(from, level.indent);
        }
        let ends_in_block_scalar = self.block_scalar_end == self.source.end;
        self.source.trivia();
        self.comment_at_end();
        // Below a block scalar, a deeper comment could become a part of it.
        if !has_block && !ends_in_block_scalar {
            self.comments_deeper_than(column, level.indent + 2);
        }
        Ok(())
    }

    fn item(&mut self, level: Level, column: isize) -> Result<bool> {
        self.source.expect(b'-')?;
        self.out.push('-');
        let child = Child {
            place: level.place.item(),
            column,
        };
        self.value(level.indent, child, Start::Dash)
    }

    fn field(&mut self, level: Level, column: isize, piece: &mut Piece) -> Result<bool> {
        let is_explicit = self.source.at_indicator(b'?');
        if is_explicit {
            self.is_odd = true;
            self.source.expect(b'?')?;
        }
        self.no_comments();
        let key = self.key(level.indent, column)?;
        self.no_comments();
        // After a key with `?`, a colon may begin the next key, such as `::`.
        let has_colon = match is_explicit {
            true => self.source.at_indicator(b':'),
            false => self.source.byte() == Some(b':'),
        };
        if has_colon {
            self.source.expect(b':')?;
            self.out.push(':');
        }
        let child = Child {
            place: self.enter(level.place, key, piece)?,
            column,
        };
        if !has_colon {
            // A key after `?` needs no colon if it has no value.
            let is_nothing = matches!(self.source.next()?.kind, Kind::Nothing);
            return (is_explicit && is_nothing).then_some(false).ok_or(Unknown);
        }
        self.value(level.indent, child, Start::Line)
    }

    /// Writes a key, and a blank after it if its colon needs one.
    pub(super) fn key(&mut self, indent: usize, column: isize) -> Result<Key> {
        let event = self.source.next()?;
        let properties = self.properties(event.properties)?;
        if !properties.is_empty() {
            self.out.push_str(&properties);
            self.out.push(' ');
        }
        self.no_comments();
        let written = self.out.len();
        let is_written = !matches!(event.kind, Kind::Nothing);
        if is_written {
            self.leaf(&event, indent + 2, column)?;
        }
        let at = written..self.out.len();
        let text = match event.kind {
            // Such as `!!str : value`, whose key is the empty text.
            Kind::Nothing if !properties.is_empty() => None,
            Kind::Scalar(text) => Some(text.into_owned()),
            Kind::Alias(_) => {
                self.out.push(' ');
                None
            }
            Kind::BlockScalar => None,
            _ => return Err(Unknown),
        };
        Ok(Key {
            text,
            at,
            has_anchor: event.anchor != 0,
        })
    }

    /// Passes blanks. A comment here has no canonical place.
    pub(super) fn no_comments(&mut self) {
        self.source.trivia();
        if !self.source.pending.is_empty() {
            self.is_odd = true;
            self.source.pending.clear();
        }
    }

    /// Writes the value of an entry, and returns true if it is a block collection. `start` says what it stands after: a dash,
    /// or a colon.
    fn value(&mut self, indent: usize, child: Child, start: Start) -> Result<bool> {
        self.source.trivia();
        let event = self.source.next()?;
        if matches!(event.kind, Kind::Nothing) && event.properties == 0 {
            return Ok(false);
        }
        let properties = self.properties(event.properties)?;
        if !properties.is_empty() {
            self.out.push(' ');
            self.out.push_str(&properties);
        }
        if matches!(event.kind, Kind::Nothing) {
            // Comments before the anchor or the tag; those after it have not been read.
            self.is_odd |= !self.source.pending.is_empty();
            self.source.pending.clear();
            return Ok(false);
        }
        self.source.trivia();
        let is_flow = matches!(self.source.byte(), Some(b'[' | b'{'));
        if matches!(event.kind, Kind::Collection) && !is_flow {
            let is_alone = self.comment_before_block() || !properties.is_empty();
            self.anchored += usize::from(event.anchor != 0);
            self.block(Level {
                indent: indent + 2,
                limit: child.column,
                place: child.place,
                start: if is_alone { Start::Line } else { start },
            })?;
            self.anchored -= usize::from(event.anchor != 0);
            return Ok(true);
        }
        self.no_comments();
        self.out.push(' ');
        match event.kind {
            Kind::Collection => {
                self.anchored += usize::from(event.anchor != 0);
                self.flow(indent, 1, child.place)?;
                self.anchored -= usize::from(event.anchor != 0);
            }
            _ => self.leaf(&event, indent + 2, child.column)?,
        }
        Ok(false)
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
        let is_deeper = |comment: &&Comment<'s>| comment.column > column;
        let count = self.source.pending.iter().take_while(is_deeper).count();
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
    match level.start {
        Start::Here if is_first => return,
        Start::Dash if is_first && !piece.has_comments => return out.push(' '),
        _ => {}
    }
    if piece.after_blank && !is_first {
        out.push_str(line_end);
    }
    out.push_str(line_end);
    out.extend(std::iter::repeat_n(' ', level.indent));
}
