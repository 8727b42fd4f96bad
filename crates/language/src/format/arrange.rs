//! Entries of mappings as they have been written, and how they are put into their order.

use std::ops::Range;

use super::order::{Part, Place};
use super::source::Kind;
use super::{Formatter, Result};

/// The key of a box, and the short name that it gets.
const SHORT: [(&str, &str); 3] = [("width", "x"), ("height", "y"), ("depth", "z")];

/// The least and the greatest number of no aliases.
pub(super) const NO_ALIASES: (usize, usize) = (usize::MAX, 0);

/// Up to so many entries with anchors and aliases are compared pair by pair.
const COMPARED: usize = 64;

/// Where the value of an entry stands.
#[derive(Clone, Copy)]
pub(super) struct Child {
    pub place: Place,
    /// The column of the entry in the source.
    pub column: isize,
}

/// An entry as it has been written, in bytes of the output.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece {
    pub start: usize,
    pub end: usize,
    /// A blank line stands before it.
    pub after_blank: bool,
    /// It begins with comments.
    pub has_comments: bool,
    rank: usize,
    is_type_box: bool,
    /// The parser's numbers of its anchors.
    anchors: Range<usize>,
    /// Those of its aliases: the least and the greatest.
    aliases: (usize, usize),
}

/// A key as it has been written.
pub(super) struct Key {
    /// Its text; `None` if it is an alias.
    pub text: Option<String>,
    pub at: Range<usize>,
    pub has_anchor: bool,
}

/// A key of dimensions in the output.
#[derive(Clone, Debug)]
pub(super) struct Rename {
    at: Range<usize>,
    /// Which of the three dimensions of a box it is.
    dimension: usize,
    is_long: bool,
}

impl Rename {
    /// True if its key stands at or after an offset of the output.
    pub fn is_after(&self, at: usize) -> bool {
        self.at.start >= at
    }
}

impl Formatter<'_> {
    /// Begins an entry; [`end_piece`](Self::end_piece) takes what this returns.
    pub(super) fn begin_piece(&mut self, piece: &mut Piece) -> (usize, usize) {
        piece.anchors.start = self.source.anchors;
        std::mem::replace(&mut self.aliases, NO_ALIASES)
    }

    pub(super) fn end_piece(&mut self, piece: &mut Piece, around: (usize, usize)) {
        piece.anchors.end = self.source.anchors;
        piece.aliases = self.aliases;
        self.aliases = (around.0.min(self.aliases.0), around.1.max(self.aliases.1));
    }

    /// Notes a key of a mapping, whose value comes next, and returns the place of the value.
    pub(super) fn enter(&mut self, place: Place, key: Key, piece: &mut Piece) -> Result<Place> {
        piece.rank = place.rank(key.text.as_deref());
        if place.part == Part::Dimensions && !place.is_repeat {
            self.note_dimension(&key);
        }
        let Some(text) = key.text else {
            return Ok(Place::OTHER);
        };
        if place.part == Part::Primitive && text == "type" {
            piece.is_type_box =
                matches!(&self.source.peek()?.kind, Kind::Scalar(shape) if shape == "box");
        }
        self.is_scene |= place == Place::DOCUMENT && text == "rigs_version";
        Ok(place.value(&text))
    }

    fn note_dimension(&mut self, key: &Key) {
        let is_plain = !key.has_anchor && self.anchored == 0;
        let text = key.text.as_deref();
        let found = SHORT
            .iter()
            .position(|(long, short)| text == Some(long) || text == Some(short));
        match (found, text) {
            (Some(dimension), Some(text)) if is_plain => self.renames.push(Rename {
                at: key.at.clone(),
                dimension,
                is_long: text == SHORT[dimension].0,
            }),
            // Keys that other mappings share, and keys that come from them, are left alone, and so are their neighbours.
            (Some(_), _) | (_, None | Some("<<")) => self.is_shared = true,
            _ => {}
        }
    }

    /// Puts the entries of a mapping, which stand at `from` in the output, into their order. `separate` writes what stands
    /// before an entry, which is told by its number.
    pub(super) fn arrange(
        &mut self,
        place: Place,
        from: usize,
        renames: usize,
        pieces: Vec<Piece>,
        may_move: bool,
        separate: impl Fn(&mut String, &Piece, usize),
    ) {
        if place.part == Part::Dimensions && !place.is_repeat {
            return self.settle_renames(renames);
        }
        if pieces.is_empty() {
            return;
        }
        let mut renames = match place.part {
            Part::Primitive => self.renames.split_off(renames),
            _ => Vec::new(),
        };
        if !pieces.iter().any(|piece| piece.is_type_box) {
            renames.clear();
        }
        let mut order: Vec<&Piece> = pieces.iter().collect();
        if may_move && !self.is_anchor_repeated && !(place == Place::DOCUMENT && self.is_scene) {
            order.sort_by_key(|piece| piece.rank);
        }
        if !keeps_anchors_first(&order) {
            order.sort_by_key(|piece| piece.start);
        }
        if renames.is_empty() && order.is_sorted_by_key(|piece| piece.start) {
            return;
        }
        let text = self.out.split_off(from);
        for (number, piece) in order.into_iter().enumerate() {
            separate(&mut self.out, piece, number);
            let mut at = piece.start;
            for rename in renames
                .iter()
                .filter(|rename| (piece.start..piece.end).contains(&rename.at.start))
            {
                self.out.push_str(&text[at - from..rename.at.start - from]);
                self.out.push_str(SHORT[rename.dimension].1);
                at = rename.at.end;
            }
            self.out.push_str(&text[at - from..piece.end - from]);
        }
    }

    /// Keeps only those keys of dimensions that get their short name: their mapping has it not yet, and shares no keys.
    fn settle_renames(&mut self, from: usize) {
        let found = self.renames.split_off(from);
        if std::mem::take(&mut self.is_shared) {
            return;
        }
        let has_short = |dimension| {
            found
                .iter()
                .any(|other| other.dimension == dimension && !other.is_long)
        };
        let kept = found
            .iter()
            .filter(|rename| rename.is_long && !has_short(rename.dimension));
        self.renames.extend(kept.cloned());
    }
}

/// Returns true if every alias comes after its anchor as it did before, when entries are put into this order.
fn keeps_anchors_first(order: &[&Piece]) -> bool {
    let has_alias = |piece: &Piece| piece.aliases.0 <= piece.aliases.1;
    let has_any = |piece: &&&Piece| has_alias(piece) || !piece.anchors.is_empty();
    let concerned: Vec<&Piece> = order.iter().filter(has_any).copied().collect();
    let refers = |user: &Piece, owner: &Piece| {
        let (least, most) = user.aliases;
        least < owner.anchors.end && owner.anchors.start <= most
    };
    if concerned.len() > COMPARED {
        return concerned.is_sorted_by_key(|piece| piece.start);
    }
    (1..concerned.len()).all(|at| {
        let owner = concerned[at];
        let is_late =
            |user: &&Piece| user.start > owner.start && has_alias(user) && refers(user, owner);
        owner.anchors.is_empty() || !concerned[..at].iter().any(is_late)
    })
}

/// Returns the short name of a dimension of a box.
pub(super) fn short_name(key: &str) -> Option<&'static str> {
    let found = SHORT.iter().find(|(long, _)| *long == key);
    found.map(|(_, short)| *short)
}
