//! A scanner for long YAML texts, which builds no tree. It takes a tenth of the time of composing, and memory only for the
//! levels that are open and the anchors that it has met.
//!
//! It reads all YAML that documents are made of, but reports only broken limits. Where it does not understand a text, it
//! stops, and [`compose`](rigy_language::yaml::compose()) finds the error. It never counts more than a valid document
//! has, so composing would refuse every text that it refuses.

mod block;
mod cursor;
mod flow;
mod levels;
mod nodes;

use std::collections::HashMap;

use cursor::Cursor;
use rigy_language::base::diag::{Diagnostic, Span};
use rigy_language::base::limits::Limits;

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

    /// Returns the shape of the innermost collection.
    #[inline]
    fn top(&self) -> Option<Shape> {
        self.frames.last().map(|frame| frame.shape)
    }

    /// Returns true if a value must follow in the innermost collection.
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

#[cfg(test)]
mod tests;
