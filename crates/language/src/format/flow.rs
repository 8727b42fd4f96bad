//! Flow collections. One that fills a line stays on it; in others the line breaks between entries stay.

use super::arrange::Piece;
use super::order::Place;
use super::source::Kind;
use super::{Formatter, Result, Unknown};

impl Formatter<'_> {
    /// Writes a flow collection that begins here and whose first event has been taken. It stands in an entry that begins in
    /// column `indent`, and `depth - 1` flow collections are around it.
    pub(super) fn flow(&mut self, indent: usize, depth: usize, place: Place) -> Result<()> {
        let open = self.source.byte().ok_or(Unknown)?;
        let close = if open == b'{' { b'}' } else { b']' };
        self.source.expect(open)?;
        self.out.push(char::from(open));
        let (from, renames) = (self.out.len(), self.renames.len());
        let inner = indent + 2 * depth;
        // `breaks` is true for each entry with a line break before it. Breaks stay in their places if entries change theirs.
        let (mut pieces, mut breaks) = (Vec::new(), Vec::new());
        let (mut count, mut is_broken, mut has_comma) = (0, false, true);
        loop {
            self.no_comments();
            is_broken |= self.source.is_new_line;
            if self.source.at_end()? {
                break;
            }
            if !has_comma {
                return Err(Unknown);
            }
            let mut piece = Piece::default();
            if count > 0 {
                self.out.push(',');
            }
            self.flow_gap(is_broken, count, inner);
            piece.start = self.out.len();
            let before = self.begin_piece(&mut piece);
            match open {
                b'{' => self.pair(indent, depth, place, &mut piece)?,
                _ => self.flow_item(indent, depth, place)?,
            }
            self.end_piece(&mut piece, before);
            piece.end = self.out.len();
            if place.is_ordered() {
                breaks.push(is_broken);
                pieces.push(piece);
            }
            count += 1;
            self.no_comments();
            is_broken = self.source.is_new_line;
            has_comma = self.source.byte() == Some(b',');
            if has_comma {
                self.source.expect(b',')?;
            }
        }
        self.source.next()?;
        let line_end = self.line_end;
        self.arrange(place, from, renames, pieces, true, |out, _, number| {
            if number > 0 {
                out.push(',');
            }
            gap(out, line_end, breaks[number], number, inner);
        });
        if count > 0 && is_broken {
            if has_comma {
                self.out.push(',');
            }
            self.line(false, inner - 2);
        }
        self.source.expect(close)?;
        self.out.push(char::from(close));
        Ok(())
    }

    fn flow_gap(&mut self, is_broken: bool, number: usize, indent: usize) {
        gap(&mut self.out, self.line_end, is_broken, number, indent);
    }

    /// Writes an item of a flow sequence, which may be a single pair without braces.
    fn flow_item(&mut self, indent: usize, depth: usize, place: Place) -> Result<()> {
        let byte = self.source.byte();
        let event = self.source.peek()?;
        let is_collection = matches!(event.kind, Kind::Collection) && event.properties == 0;
        if !is_collection || matches!(byte, Some(b'{' | b'[')) {
            return self.flow_node(indent, depth, place.item());
        }
        self.source.next()?;
        self.pair(indent, depth, Place::OTHER, &mut Piece::default())?;
        let is_end = matches!(self.source.next()?.kind, Kind::End);
        is_end.then_some(()).ok_or(Unknown)
    }

    /// Writes a key and its value.
    fn pair(&mut self, indent: usize, depth: usize, place: Place, piece: &mut Piece) -> Result<()> {
        if self.source.at_indicator(b'?') {
            self.is_odd = true;
            self.source.expect(b'?')?;
            self.no_comments();
        }
        let key = self.key(indent + 2 * depth - 2, 0)?;
        self.no_comments();
        let has_colon = self.source.byte() == Some(b':');
        if has_colon {
            self.source.expect(b':')?;
            self.out.push(':');
            self.no_comments();
        }
        let place = self.enter(place, key, piece)?;
        let event = self.source.peek()?;
        if matches!(event.kind, Kind::Nothing) && event.properties == 0 {
            self.source.next()?;
            return Ok(());
        }
        if !has_colon {
            return Err(Unknown);
        }
        self.out.push(' ');
        self.flow_node(indent, depth, place)
    }

    fn flow_node(&mut self, indent: usize, depth: usize, place: Place) -> Result<()> {
        let event = self.source.next()?;
        self.no_comments();
        let properties = self.properties(event.properties)?;
        self.out.push_str(&properties);
        if matches!(event.kind, Kind::Nothing) {
            return Ok(());
        }
        self.no_comments();
        if !properties.is_empty() {
            self.out.push(' ');
        }
        if !matches!(event.kind, Kind::Collection) {
            return self.leaf(&event, indent + 2 * depth, 0);
        }
        self.anchored += usize::from(event.anchor != 0);
        self.flow(indent, depth + 1, place)?;
        self.anchored -= usize::from(event.anchor != 0);
        Ok(())
    }
}

/// Writes the line break or the blank before an entry.
fn gap(out: &mut String, line_end: &str, is_broken: bool, number: usize, indent: usize) {
    if is_broken {
        out.push_str(line_end);
        out.extend(std::iter::repeat_n(' ', indent));
    } else if number > 0 {
        out.push(' ');
    }
}
