//! A quick look at a long text before anything is kept of it: how deep it is, and what it comes to with its aliases
//! written out. It takes a tenth of the time of composing, and memory for nothing but the levels it is in and the
//! anchors it has met.
//!
//! It understands all YAML that documents are made of, but reports nothing but limits: what it does not understand it
//! leaves to [`compose`](super::compose()). Of a valid document it never sees more than there is, so what it refuses
//! would be refused in any case.

mod cursor;
mod levels;
mod nodes;

use std::collections::HashMap;

use crate::base::diag::{Diagnostic, Span};
use crate::base::limits::Limits;
use cursor::{Cursor, is_blank, is_flow};

/// Most anchors that are remembered; what further ones stand for counts as nothing.
const MOST_ANCHORS: usize = (1 << 19) / 8 * 7;

/// Something that looks on.
pub trait Watch<'s> {
    /// What it wants to know about a node when an alias repeats it.
    type Note: Copy + Default + PartialEq;
    /// A mapping or a sequence begins.
    fn open(&mut self, is_map: bool);
    /// The scalar before was the key of a mapping with one entry.
    fn pair(&mut self);
    /// A key; its text if it is written just so.
    fn key(&mut self, text: Option<&'s str>);
    /// A scalar that is no key, which begins at a byte.
    fn scalar(&mut self, text: Option<&'s str>, at: Span);
    /// Another node again.
    fn alias(&mut self, note: Self::Note);
    /// The innermost collection ends.
    fn close(&mut self) -> Self::Note;
}

/// Somebody who is interested in nothing but the limits.
struct Nobody;

impl Watch<'_> for Nobody {
    type Note = ();
    fn open(&mut self, _: bool) {}
    fn pair(&mut self) {}
    fn key(&mut self, _: Option<&str>) {}
    fn scalar(&mut self, _: Option<&str>, _: Span) {}
    fn alias(&mut self, (): ()) {}
    fn close(&mut self) {}
}

/// Looks through a text; whether it was understood to its end.
///
/// # Errors
/// Nesting and aliases beyond their limits (U10), as [`compose`](super::compose()) reports them.
pub fn skim<'s>(
    text: &'s str,
    limits: &Limits,
    watch: &mut impl Watch<'s>,
) -> Result<bool, Diagnostic> {
    match Skimmer::new(text, limits, watch).run() {
        Ok(()) => Ok(true),
        Err(Stop::Lost) => Ok(false),
        Err(Stop::Refused(error)) => Err(*error),
    }
}

/// What a text comes to with its aliases written out, as far as it is seen; nothing if it is not understood. Tests
/// compare it with what composing it comes to.
#[doc(hidden)]
pub fn expanded_at_sight(text: &str) -> Option<usize> {
    let mut nobody = Nobody;
    let mut skimmer = Skimmer::new(text, &Limits::DEFAULT, &mut nobody);
    match skimmer.run() {
        Ok(()) => Some(skimmer.expanded),
        Err(Stop::Lost) => None,
        Err(Stop::Refused(_)) => Some(usize::MAX),
    }
}

/// Why looking ends early.
enum Stop {
    /// A limit is exceeded.
    Refused(Box<Diagnostic>),
    /// This is no YAML, or none that documents are made of.
    Lost,
}

type Seen<T = ()> = Result<T, Stop>;

#[derive(Clone, Copy, PartialEq)]
enum Shape {
    /// A block mapping or sequence that is indented by so much.
    BlockMap(usize),
    BlockSeq(usize),
    FlowMap,
    FlowSeq,
    /// A mapping that is one entry of a flow sequence, without braces.
    Pair,
}

struct Frame<'s> {
    shape: Shape,
    anchor: Option<&'s str>,
    /// Where it begins.
    start: u32,
    /// Whether a key or a dash has come, and what belongs to it has not.
    awaits: bool,
    /// Where the last item of a flow sequence begins, if it is a scalar.
    item: Option<usize>,
    size: usize,
}

#[derive(Clone, Copy)]
struct Anchor {
    /// Where its node begins.
    start: u32,
    /// Of its node.
    size: u32,
    /// Whether there is a note about it.
    noted: bool,
}

struct Skimmer<'s, 'w, W: Watch<'s>> {
    cursor: Cursor<'s>,
    frames: Vec<Frame<'s>>,
    /// An anchor at the end of a line, which belongs to the node after it.
    held: Option<&'s str>,
    /// What is known of each anchor.
    anchors: HashMap<&'s str, Anchor>,
    notes: HashMap<&'s str, W::Note>,
    /// Where a `:` is an indicator whatever follows it: after quotes and brackets.
    adjacent: usize,
    started: bool,
    ended: bool,
    depth: usize,
    allowance: usize,
    expanded: usize,
    watch: &'w mut W,
}

impl<'s, 'w, W: Watch<'s>> Skimmer<'s, 'w, W> {
    fn new(text: &'s str, limits: &Limits, watch: &'w mut W) -> Self {
        Self {
            cursor: Cursor::new(text),
            frames: Vec::new(),
            held: None,
            anchors: HashMap::new(),
            notes: HashMap::new(),
            adjacent: usize::MAX,
            started: false,
            ended: false,
            depth: limits.depth as usize,
            allowance: limits.expansion_of(text.len()),
            expanded: 0,
            watch,
        }
    }

    fn run(&mut self) -> Seen {
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

    #[inline]
    fn top(&self) -> Option<Shape> {
        self.frames.last().map(|frame| frame.shape)
    }

    #[inline]
    fn awaits(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.awaits)
    }

    fn set_awaits(&mut self, awaits: bool) {
        if let Some(frame) = self.frames.last_mut() {
            frame.awaits = awaits;
        }
    }

    /// The beginning of something in a block collection.
    fn block(&mut self) -> Seen {
        if self.ended {
            return Err(Stop::Lost);
        }
        if self.mark() {
            return Ok(());
        }
        self.started = true;
        let column = self.cursor.column();
        let indicator = is_blank(self.cursor.peek(1));
        let is_entry = self.cursor.peek(0) == b'-' && indicator;
        self.unroll(column, is_entry)?;
        match self.cursor.peek(0) {
            b'-' if indicator => self.line_up(Shape::BlockSeq(column))?,
            b'?' if indicator => {
                self.line_up(Shape::BlockMap(column))?;
                self.set_awaits(false);
            }
            b':' if indicator => {
                let awaits_value = self.top() == Some(Shape::BlockMap(column)) && self.awaits();
                if !awaits_value {
                    return Err(Stop::Lost);
                }
            }
            _ => return self.node(Some(column)),
        }
        self.cursor.at += 1;
        Ok(())
    }

    /// Passes over directives and the lines that begin and end a document.
    fn mark(&mut self) -> bool {
        let directive = self.cursor.column() == 0 && self.cursor.peek(0) == b'%';
        if !self.started && directive {
            self.cursor.rest_of_line();
        } else if !self.started && self.cursor.is_mark("---") {
            self.cursor.at += 3;
            self.started = true;
        } else if self.cursor.is_mark("...") || self.cursor.is_mark("---") {
            self.cursor.at += 3;
            self.ended = true;
        } else {
            return false;
        }
        true
    }

    /// Ends block collections that are indented more than what comes next.
    fn unroll(&mut self, column: usize, is_entry: bool) -> Seen {
        while let Some(Shape::BlockMap(indent) | Shape::BlockSeq(indent)) = self.top() {
            let is_list = self.top() == Some(Shape::BlockSeq(indent));
            if indent > column || (indent == column && is_list && !is_entry) {
                self.close()?;
            } else {
                break;
            }
        }
        Ok(())
    }

    /// Makes sure that the next key or item has its block collection, and what was before it an end.
    fn line_up(&mut self, shape: Shape) -> Seen {
        if self.top() == Some(shape) {
            self.empty();
            if self.held.is_some() {
                return Err(Stop::Lost);
            }
        } else {
            let anchor = self.held.take();
            self.open(shape, anchor, 0)?;
        }
        self.set_awaits(true);
        Ok(())
    }

    /// The beginning of something in a flow collection.
    fn flow(&mut self) -> Seen {
        if self.cursor.is_at_end() {
            return Err(Stop::Lost);
        }
        let next = self.cursor.peek(1);
        let indicator = is_blank(next) || is_flow(next) || self.cursor.at == self.adjacent;
        match self.cursor.peek(0) {
            b',' => {
                self.end_entry()?;
                self.cursor.at += 1;
            }
            b']' | b'}' => {
                self.end_entry()?;
                self.close()?;
                self.cursor.at += 1;
                self.cursor.spaces();
                self.adjacent = self.cursor.at;
            }
            b':' if indicator => {
                self.value()?;
                self.cursor.at += 1;
            }
            b'?' if is_blank(next) => {
                if self.top() == Some(Shape::FlowSeq) {
                    self.open(Shape::Pair, None, 0)?;
                }
                self.cursor.at += 1;
            }
            b'-' if is_blank(next) || is_flow(next) => return Err(Stop::Lost),
            _ => self.node(None)?,
        }
        Ok(())
    }

    /// Ends one entry of a flow collection.
    fn end_entry(&mut self) -> Seen {
        self.empty();
        if self.held.is_some() {
            return Err(Stop::Lost);
        }
        if self.top() == Some(Shape::Pair) {
            self.close()?;
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.item = None;
        }
        Ok(())
    }

    /// A `:` in a flow collection: in a sequence the item before it turns out to be a key.
    fn value(&mut self) -> Seen {
        let frame = self.frames.last_mut().ok_or(Stop::Lost)?;
        match (frame.shape, frame.item.take()) {
            (Shape::FlowMap | Shape::Pair, _) if frame.awaits => Ok(()),
            // What it has been counted for is not to be counted.
            (Shape::FlowSeq, Some(start)) if self.cursor.since(start).contains("<<") => {
                Err(Stop::Lost)
            }
            (Shape::FlowSeq, Some(start)) => {
                self.watch.pair();
                self.enter(Shape::Pair, None, Span::new(offset(start), offset(start)))?;
                self.set_awaits(true);
                Ok(())
            }
            _ => Err(Stop::Lost),
        }
    }
}

/// Lengths fit 32 bits because documents are far smaller than 4 GiB.
fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
