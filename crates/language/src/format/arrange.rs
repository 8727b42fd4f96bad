//! The order and the names of keys: entries are put into their order after they have been written.

use std::borrow::Cow;
use std::ops::Range;

use super::Formatter;
use super::order::{Part, Place};
use rigy_yaml::Kind;

/// The keys of the dimensions of a box, and the short names that they get.
const SHORT: [(&str, &str); 3] = [("width", "x"), ("height", "y"), ("depth", "z")];

/// Up to so many entries with anchors and aliases are compared pair by pair.
const COMPARED: usize = 64;

/// An entry as it has been written, in bytes of the output.
pub struct Piece {
    /// Its nodes, the key first.
    pub nodes: Range<u32>,
    pub start: usize,
    pub end: usize,
    /// A blank line stands before it; in a flow collection, a line break.
    pub after_gap: bool,
    /// It begins with comments.
    pub has_comments: bool,
}

impl<'s> Formatter<'_, 's> {
    /// The text of a node; `None` if that is an alias, a block scalar, a collection or nothing.
    fn text(&self, id: u32) -> Option<Cow<'s, str>> {
        let kind = self.tree.node(id).kind;
        let is_text = matches!(kind, Kind::Plain | Kind::Single | Kind::Double);
        is_text.then(|| self.tree.text(id))
    }

    fn is_text(&self, id: u32, expected: &str) -> bool {
        self.text(id).is_some_and(|text| text == expected)
    }

    fn has_anchor(&self, id: u32) -> bool {
        self.tree
            .properties(id)
            .is_some_and(|all| !all.anchor.is_empty())
    }

    /// The place of the value of a key of `map`, which stands at `place` itself.
    pub fn value_place(&self, map: u32, key: u32, place: Place) -> Place {
        let Some(text) = self.text(key) else {
            return Place::OTHER;
        };
        let is_box = || {
            self.tree
                .entries(map)
                .any(|(key, value)| self.is_text(key, "type") && self.is_text(value, "box"))
        };
        let found = place.value(&text);
        // Only those of boxes have short names.
        if found.part == Part::Dimensions && !is_box() {
            Place::OTHER
        } else {
            found
        }
    }

    /// The short name that a key of a box's dimensions gets, if they have it not yet, and share no keys with other mappings.
    pub fn new_name(&self, map: u32, key: u32) -> Option<&'static str> {
        let short = short_name(&self.text(key)?)?;
        let is_dimension = |text: &str| SHORT.iter().any(|(a, b)| text == *a || text == *b);
        let forbids = |other| match self.text(other).as_deref() {
            None | Some("<<") => true,
            Some(text) => text == short || is_dimension(text) && self.has_anchor(other),
        };
        let is_kept =
            key < self.anchored_up_to || self.tree.entries(map).any(|(other, _)| forbids(other));
        (!is_kept).then_some(short)
    }

    /// Puts the entries of a collection, which stand at `from` in the output, into their order. `separate` writes what stands
    /// before an entry, which is told by its number.
    pub fn arrange(
        &mut self,
        place: Place,
        from: usize,
        pieces: &[Piece],
        separate: impl Fn(&mut String, &Piece, usize),
    ) {
        if !place.is_ordered() {
            return;
        }
        let mut order: Vec<&Piece> = pieces.iter().collect();
        order.sort_by_cached_key(|piece| place.rank(self.text(piece.nodes.start).as_deref()));
        if order.is_sorted_by_key(|piece| piece.start) || !self.may_move(place, &order) {
            return;
        }
        let text = self.out.split_off(from);
        for (number, piece) in order.into_iter().enumerate() {
            separate(&mut self.out, piece, number);
            self.out
                .push_str(&text[piece.start - from..piece.end - from]);
        }
    }

    /// True if a mapping may get this order.
    fn may_move(&self, place: Place, order: &[&Piece]) -> bool {
        let is_scene = place == Place::DOCUMENT
            && order
                .iter()
                .any(|piece| self.is_text(piece.nodes.start, "rigs_version"));
        // Blank lines at the end of a block scalar may belong to it.
        let keeps_end = |id| {
            matches!(self.tree.node(id).kind, Kind::Literal | Kind::Folded)
                && indicators(self.tree.written(id)).contains('+')
        };
        let mut nodes = order.iter().flat_map(|piece| piece.nodes.clone());
        !is_scene
            && !self.is_anchor_repeated
            && !nodes.any(keeps_end)
            && self.keeps_anchors_first(order)
    }

    /// True if every alias comes after its anchor as it did before, when entries are put into this order.
    fn keeps_anchors_first(&self, order: &[&Piece]) -> bool {
        let mut concerned = Vec::new();
        for piece in order {
            let targets = piece.nodes.clone().filter_map(|id| self.tree.target(id));
            let has_anchor = piece.nodes.clone().any(|id| self.has_anchor(id));
            // The first and the last node that its aliases repeat.
            let repeated = targets.clone().min().zip(targets.max());
            if has_anchor || repeated.is_some() {
                concerned.push((piece, has_anchor, repeated));
            }
        }
        if concerned.len() > COMPARED {
            return concerned.is_sorted_by_key(|(piece, ..)| piece.start);
        }
        (1..concerned.len()).all(|at| {
            let (owner, has_anchor, _) = &concerned[at];
            let mut before = concerned[..at].iter();
            let is_late = |(user, _, repeated): &(&&Piece, bool, Option<(u32, u32)>)| {
                let refers = |(first, last)| first < owner.nodes.end && owner.nodes.start <= last;
                user.start > owner.start && repeated.is_some_and(refers)
            };
            !has_anchor || !before.any(is_late)
        })
    }
}

/// Returns the short name of a dimension of a box.
pub fn short_name(key: &str) -> Option<&'static str> {
    SHORT
        .iter()
        .find(|(long, _)| *long == key)
        .map(|(_, short)| *short)
}

/// Returns what a block scalar begins with, up to a comment and the break of its first line.
pub fn indicators(written: &str) -> &str {
    let len = written.find([' ', '\t', '\n', '\r']);
    &written[..len.unwrap_or(written.len())]
}
