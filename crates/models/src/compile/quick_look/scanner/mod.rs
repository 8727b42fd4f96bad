//! A scanner for long YAML texts, which builds no tree. It takes a tenth of the time of composing, and memory only for the
//! levels that are open and the anchors that it has met.
//!
//! It reads all YAML that documents are made of, but reports only broken limits. Where it does not understand a text, it
//! stops, and [`compose`](rigy_language::yaml::compose()) finds the error. It never counts more than a valid document
//! has, so composing would refuse every text that it refuses.

mod cursor;
mod nodes;

use std::collections::HashMap;

use cursor::Cursor;
use rigy_language::base::diag::{Diagnostic, Span};
use rigy_language::base::limits::Limits;
use rigy_language::yaml::{too_deep, too_large};

/// Most anchors that are kept; an alias of a further one counts as nothing.
const MOST_ANCHORS: usize = (1 << 19) / 8 * 7;

/// Receives the nodes of a text in document order.
pub(super) trait Visitor<'s> {
    /// A value that [`Visitor::close`] computes for a collection; an alias of the collection gets it again.
    type Summary: Copy + Default + PartialEq;
    /// A mapping or a sequence begins.
    fn open(&mut self, is_map: bool);
    /// The last scalar turns out to be the key of a mapping with one entry, which begins there.
    fn pair(&mut self);
    /// A key. `text` is `None` if the key is not written as it reads (with escapes, for example), or is an alias.
    fn key(&mut self, text: Option<&'s str>);
    /// A scalar that is no key, and its bytes; `text` as for keys.
    fn scalar(&mut self, text: Option<&'s str>, at: Span);
    /// An alias that is no key.
    fn alias(&mut self, summary: Self::Summary);
    /// The innermost collection ends.
    fn close(&mut self) -> Self::Summary;
}

/// A visitor that does nothing: the scanner checks depth and aliases by itself.
struct Ignore;

impl Visitor<'_> for Ignore {
    type Summary = ();
    fn open(&mut self, _: bool) {}
    fn pair(&mut self) {}
    fn key(&mut self, _: Option<&str>) {}
    fn scalar(&mut self, _: Option<&str>, _: Span) {}
    fn alias(&mut self, (): ()) {}
    fn close(&mut self) {}
}

/// Scans a text. Returns false if it stops because it does not understand the text.
///
/// # Errors
/// Nesting and aliases beyond their limits (U10), in the words of [`compose`](rigy_language::yaml::compose()).
pub(super) fn scan<'s>(
    text: &'s str,
    limits: &Limits,
    visitor: &mut impl Visitor<'s>,
) -> std::result::Result<bool, Diagnostic> {
    match Scanner::new(text, limits, visitor).run() {
        Ok(()) => Ok(true),
        Err(Stop::NotUnderstood) => Ok(false),
        Err(Stop::Limit(error)) => Err(*error),
    }
}

/// Returns the length of a text with its aliases written out, as the scanner counts it: `None` if the scanner does not
/// understand the text, `usize::MAX` beyond a limit. Tests compare it with the length that composing finds.
#[doc(hidden)]
pub fn expanded_length(text: &str) -> Option<usize> {
    let mut ignore = Ignore;
    let mut scanner = Scanner::new(text, &Limits::DEFAULT, &mut ignore);
    match scanner.run() {
        Ok(()) => Some(scanner.expanded),
        Err(Stop::NotUnderstood) => None,
        Err(Stop::Limit(_)) => Some(usize::MAX),
    }
}

/// The reason why scanning ends before the text does.
enum Stop {
    /// A limit is exceeded.
    Limit(Box<Diagnostic>),
    /// The text is not YAML, or is YAML that no document contains.
    NotUnderstood,
}

type Result<T = ()> = std::result::Result<T, Stop>;

#[derive(Clone, Copy, PartialEq)]
enum Shape {
    /// A block mapping at this column.
    BlockMap(usize),
    /// A block sequence at this column.
    BlockSeq(usize),
    FlowMap,
    FlowSeq,
    /// A mapping that is one entry of a flow sequence, without braces.
    Pair,
}

/// A collection that is open.
struct Frame<'s> {
    shape: Shape,
    anchor: Option<&'s str>,
    /// Its first byte.
    start: u32,
    /// True between a key or a dash and its value.
    awaits: bool,
    /// The first byte of the last item of a flow sequence, if the item is a scalar.
    item: Option<usize>,
    /// Its length in bytes so far, with aliases written out.
    size: usize,
}

/// The node of an anchor.
#[derive(Clone, Copy)]
struct Anchor {
    /// The first byte of the node.
    start: u32,
    /// The length of the node with aliases written out.
    size: u32,
    /// True if `summaries` has an entry for the anchor.
    has_summary: bool,
}

struct Scanner<'s, 'v, V: Visitor<'s>> {
    cursor: Cursor<'s>,
    frames: Vec<Frame<'s>>,
    /// An anchor at the end of a line, which belongs to the node in the next.
    held: Option<&'s str>,
    anchors: HashMap<&'s str, Anchor>,
    summaries: HashMap<&'s str, V::Summary>,
    /// The byte after the last quoted scalar or bracket: a `:` there is an indicator, whatever follows it.
    adjacent: usize,
    started: bool,
    ended: bool,
    /// Most levels of nesting.
    depth: usize,
    /// Greatest length with aliases written out.
    allowance: usize,
    /// The length so far, with aliases written out.
    expanded: usize,
    visitor: &'v mut V,
}

impl<'s, 'v, V: Visitor<'s>> Scanner<'s, 'v, V> {
    fn new(text: &'s str, limits: &Limits, visitor: &'v mut V) -> Self {
        Self {
            cursor: Cursor::new(text),
            frames: Vec::new(),
            held: None,
            anchors: HashMap::new(),
            summaries: HashMap::new(),
            adjacent: usize::MAX,
            started: false,
            ended: false,
            depth: limits.levels(),
            allowance: limits.expansion_of(text.len()),
            expanded: 0,
            visitor,
        }
    }

    fn run(&mut self) -> Result {
        loop {
            self.cursor.blanks();
            if self.is_in_flow() {
                self.flow()?;
            } else if !self.cursor.is_at_end() {
                self.block()?;
            } else {
                break;
            }
        }
        while !self.frames.is_empty() {
            self.close()?;
        }
        Ok(())
    }

    #[inline]
    fn is_in_flow(&self) -> bool {
        use Shape::{FlowMap, FlowSeq, Pair};
        matches!(self.top(), Some(FlowMap | FlowSeq | Pair))
    }

    /// The shape of the innermost collection.
    #[inline]
    fn top(&self) -> Option<Shape> {
        self.frames.last().map(|frame| frame.shape)
    }

    /// True if a value must follow in the innermost collection.
    #[inline]
    fn awaits(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.awaits)
    }

    fn set_awaits(&mut self, awaits: bool) {
        if let Some(frame) = self.frames.last_mut() {
            frame.awaits = awaits;
        }
    }
}

/// Converts a length or an offset; texts are far shorter than 4 GiB.
fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

impl<'s, V: Visitor<'s>> Scanner<'s, '_, V> {
    /// Counts a key towards the innermost mapping.
    pub(super) fn add_key(&mut self, size: usize, text: Option<&'s str>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.size = frame.size.saturating_add(size);
            frame.awaits = true;
        }
        self.visitor.key(text);
    }

    /// Counts a value or an item towards its collection.
    #[inline]
    pub(super) fn add(&mut self, size: usize) -> Result {
        let frame = self.frames.last_mut().ok_or(Stop::NotUnderstood)?;
        if !frame.awaits && frame.shape != Shape::FlowSeq {
            return Err(Stop::NotUnderstood);
        }
        frame.awaits = false;
        frame.size = frame.size.saturating_add(size);
        Ok(())
    }

    /// Adds an empty value if a value was awaited.
    #[inline]
    pub(super) fn empty(&mut self) {
        if !self.awaits() {
            return;
        }
        self.expanded += 1;
        let _ = self.add(1);
        let anchor = self.held.take();
        self.remember(anchor, offset(self.cursor.at), 1, V::Summary::default());
        self.visitor.scalar(None, Span::default());
    }

    /// Opens a collection at the cursor, whose indicator has `len` bytes.
    pub(super) fn open(&mut self, shape: Shape, anchor: Option<&'s str>, len: usize) -> Result {
        let start = self.cursor.at;
        let can_be = match self.frames.last_mut() {
            None => matches!(shape, Shape::BlockMap(_) | Shape::FlowMap) && self.expanded == 0,
            Some(frame) => {
                frame.item = None;
                std::mem::replace(&mut frame.awaits, false) || frame.shape == Shape::FlowSeq
            }
        };
        if !can_be {
            return Err(Stop::NotUnderstood);
        }
        self.enter(shape, anchor, Span::new(offset(start), offset(start + len)))?;
        self.visitor
            .open(!matches!(shape, Shape::BlockSeq(_) | Shape::FlowSeq));
        Ok(())
    }

    /// Adds a level.
    ///
    /// # Errors
    /// Nesting, or the length, beyond its limit.
    pub(super) fn enter(&mut self, shape: Shape, anchor: Option<&'s str>, span: Span) -> Result {
        if self.frames.len() >= self.depth {
            return Err(Stop::Limit(Box::new(too_deep(self.depth, span))));
        }
        self.grow(2, span.start as usize)?;
        self.frames.push(Frame {
            shape,
            anchor,
            start: span.start,
            awaits: false,
            item: None,
            size: 2,
        });
        Ok(())
    }

    /// Ends the innermost collection.
    pub(super) fn close(&mut self) -> Result {
        self.empty();
        let frame = self.frames.pop().ok_or(Stop::NotUnderstood)?;
        let summary = self.visitor.close();
        self.remember(frame.anchor, frame.start, frame.size, summary);
        if let Some(outer) = self.frames.last_mut() {
            outer.size = outer.size.saturating_add(frame.size);
        }
        Ok(())
    }

    /// Counts bytes towards the size of the document with its aliases written out.
    #[inline]
    pub(super) fn grow(&mut self, bytes: usize, at: usize) -> Result {
        self.expanded = self.expanded.saturating_add(bytes);
        if self.expanded > self.allowance {
            let span = Span::new(offset(at), offset(self.cursor.at.max(at)));
            let error = too_large(self.allowance, span);
            return Err(Stop::Limit(Box::new(error)));
        }
        Ok(())
    }

    /// The length of an anchor's node, and true if there is a summary of it.
    pub(super) fn anchored(&self, name: &str) -> Result<(usize, bool)> {
        match self.anchors.get(name) {
            Some(anchor) => Ok((anchor.size as usize, anchor.has_summary)),
            None if self.anchors.len() >= MOST_ANCHORS => Ok((0, false)),
            None => Err(Stop::NotUnderstood),
        }
    }

    /// Keeps the node of an anchor, unless a node that began later has the same anchor.
    pub(super) fn remember(
        &mut self,
        anchor: Option<&'s str>,
        start: u32,
        size: usize,
        summary: V::Summary,
    ) {
        let Some(name) = anchor else {
            return;
        };
        let known = self.anchors.get(name);
        let has_space = self.anchors.len() < MOST_ANCHORS;
        if known.is_some_and(|known| known.start > start) || (!has_space && known.is_none()) {
            return;
        }
        let has_summary = has_space && summary != V::Summary::default();
        if has_summary {
            self.summaries.insert(name, summary);
        }
        let size = offset(size);
        let anchor = Anchor {
            start,
            size,
            has_summary,
        };
        self.anchors.insert(name, anchor);
    }
}

#[cfg(test)]
mod tests;
