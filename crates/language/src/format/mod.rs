//! Canonical layout of a document's text (`extensions.md` §11.3, `fmt`).
//!
//! In: a text. Out: the same document with its keys in their usual order, two blanks for each level of nesting, one blank
//! between tokens and at most one blank line in succession. Comments, anchors, quotes, block scalars, flow collections and
//! the spelling of numbers stay: pieces of the text move, and nothing is written from its value. What comes out has the
//! same tree up to the order of keys ([`check`]), and formatting it again changes nothing.
//!
//! [`source`] reads tokens, led by the events of the YAML reader; [`block`] and [`flow`] write collections, [`scalar`] their
//! leaves, and entries whose layout has no canonical form; [`order`] knows the order of keys, [`arrange`] moves entries into it.

mod arrange;
mod block;
mod check;
mod flow;
mod order;
mod scalar;
mod source;

use crate::yaml;
use arrange::Rename;
use block::{Level, Start};
use order::Place;
use rigy_base::diag::{Category, Diagnostic, Span};
use rigy_base::limits::{LONGER_TEXTS, Limits};
use rigy_base::maps::HashSet;
use source::{Comment, Source};

/// A layout that the formatter does not know.
struct Unknown;

type Result<T> = std::result::Result<T, Unknown>;

/// Returns a text in canonical layout. A byte order mark at the beginning, and line ends of Windows, stay.
///
/// The text need not be a valid document: any mapping is formatted, and the keys of Rigy are ordered where a document has
/// them. The keys of a scene (`rigs_version`) and of other mappings keep their order.
///
/// # Errors
/// Those of [`yaml::compose`], and U10 for a text that is longer than the limit. An error without a code says that
/// the formatted text would be another document, or beyond a limit, because indentation makes it longer.
pub fn format(text: &str, limits: &Limits) -> std::result::Result<String, Vec<Diagnostic>> {
    let content = text.strip_prefix('\u{feff}').unwrap_or(text);
    if content.len() as u64 > limits.bytes.min(Limits::MOST.bytes) {
        let message = format!("the text is longer than {} bytes", limits.bytes);
        return Err(vec![
            yaml::malformed(Span::default(), message).help(LONGER_TEXTS),
        ]);
    }
    let options = yaml::Options {
        limits: *limits,
        named: None,
    };
    let before = yaml::compose(content, &options).map_err(|malformed| malformed.errors)?;
    let events = yaml::read_events(content, &options).map_err(|error| vec![error])?;
    let formatted = Formatter::new(content, events).document().ok();
    let is_same = |formatted: &String| {
        let after = yaml::compose(formatted, &options);
        formatted.len() as u64 <= limits.bytes
            && after.is_ok_and(|after| check::is_same(&before, &after))
    };
    let Some(formatted) = formatted.filter(is_same) else {
        let message = "the text stays as it is: formatted, it would not be the same document";
        return Err(vec![Diagnostic::without_code(
            Category::ParseError,
            message,
        )]);
    };
    Ok(match content.len() < text.len() {
        true => format!("\u{feff}{formatted}"),
        false => formatted,
    })
}

/// Writes one text. What it reads and what it has written advance together.
struct Formatter<'s> {
    source: Source<'s>,
    out: String,
    line_end: &'static str,
    /// The entry that is being written has no canonical form.
    is_odd: bool,
    /// Block scalars so far whose blank lines at the end belong to them.
    kept_ends: usize,
    /// The end of the last block scalar in the source.
    block_scalar_end: usize,
    /// The parser's numbers of the aliases in the entry that is being written: the least and the greatest.
    aliases: (usize, usize),
    /// Names of anchors so far.
    anchor_names: HashSet<&'s str>,
    /// Two anchors so far have one name.
    is_anchor_repeated: bool,
    /// Collections around the next token that have an anchor.
    anchored: usize,
    /// Keys of dimensions that may get their short names.
    renames: Vec<Rename>,
    /// The dimensions that are being written share keys with other mappings.
    is_shared: bool,
    /// The root has the key `rigs_version`.
    is_scene: bool,
}

impl<'s> Formatter<'s> {
    fn new(text: &'s str, events: Vec<(yaml::Event<'s>, Span)>) -> Self {
        let first_break = text.find(['\n', '\r']);
        let is_windows = first_break.is_some_and(|at| text[at..].starts_with("\r\n"));
        Self {
            source: Source::new(text, events),
            out: String::with_capacity(text.len() + text.len() / 8),
            line_end: if is_windows { "\r\n" } else { "\n" },
            is_odd: false,
            kept_ends: 0,
            block_scalar_end: usize::MAX,
            aliases: arrange::NO_ALIASES,
            anchor_names: HashSet::default(),
            is_anchor_repeated: false,
            anchored: 0,
            renames: Vec::new(),
            is_shared: false,
            is_scene: false,
        }
    }

    fn document(mut self) -> Result<String> {
        self.prologue()?;
        self.root()?;
        self.epilogue()?;
        self.out.push_str(self.line_end);
        Ok(self.out)
    }

    /// Writes directives, `---`, and the comments before them. Comments after them are pending.
    fn prologue(&mut self) -> Result<()> {
        self.source.trivia();
        loop {
            let rest = self.source.rest();
            let (len, ends) = match rest {
                _ if rest.starts_with('%') => {
                    (rest.find(['\n', '\r']).unwrap_or(rest.len()), false)
                }
                _ if self.source.at_marker("...") => (3, false),
                _ if self.source.at_marker("---") => (3, true),
                _ => return Ok(()),
            };
            let comments = std::mem::take(&mut self.source.pending);
            self.own_lines(&comments);
            self.start_line(self.source.has_blank_line());
            self.out.push_str(rest[..len].trim_end());
            self.source.consume(self.source.pos + len);
            self.source.trivia();
            self.comment_at_end();
            if ends {
                return Ok(());
            }
        }
    }

    /// Writes comments of the first column, each on a line of its own.
    fn own_lines(&mut self, comments: &[Comment<'s>]) {
        for comment in comments {
            self.start_line(comment.after_blank);
            self.out.push_str(comment.text);
        }
    }

    /// Begins a line in the first column, after a blank one if there is something before it.
    fn start_line(&mut self, after_blank: bool) {
        if !self.out.is_empty() {
            self.line(after_blank, 0);
        }
    }

    fn root(&mut self) -> Result<()> {
        let event = self.source.next()?;
        let before = std::mem::take(&mut self.source.pending);
        let properties = self.properties(event.properties)?;
        self.source.trivia();
        self.anchored += usize::from(event.anchor != 0);
        if !properties.is_empty() {
            self.own_lines(&before);
            self.start_line(false);
            self.out.push_str(&properties);
            self.comment_at_end();
        } else {
            self.source.pending.splice(0..0, before);
        }
        if self.source.rest().starts_with('{') {
            return self.flow_root();
        }
        self.header();
        let start = match self.out.is_empty() {
            true => Start::Here,
            false => Start::Line,
        };
        self.block(Level {
            indent: 0,
            limit: -1,
            place: Place::DOCUMENT,
            start,
        })
    }

    fn flow_root(&mut self) -> Result<()> {
        let comments = std::mem::take(&mut self.source.pending);
        self.own_lines(&comments);
        self.start_line(self.source.has_blank_line());
        let (from, written) = (self.source.pos, self.out.len());
        self.flow(0, 1, Place::DOCUMENT)?;
        if std::mem::take(&mut self.is_odd) {
            self.out.truncate(written);
            self.verbatim(from, 0);
        }
        self.source.trivia();
        self.comment_at_end();
        let comments = std::mem::take(&mut self.source.pending);
        self.own_lines(&comments);
        Ok(())
    }

    /// Writes the comments before the first key that a blank line sets apart: they are about the whole file.
    fn header(&mut self) {
        let comments = &self.source.pending;
        let len = match self.source.has_blank_line() {
            true => comments.len(),
            false => comments
                .iter()
                .rposition(|comment| comment.after_blank)
                .unwrap_or(0),
        };
        if len > 0 {
            let header: Vec<Comment<'s>> = self.source.pending.drain(..len).collect();
            self.own_lines(&header);
            self.out.push_str(self.line_end);
        }
    }

    /// Writes `...` and the comments around it.
    fn epilogue(&mut self) -> Result<()> {
        loop {
            self.source.trivia();
            let comments = std::mem::take(&mut self.source.pending);
            self.own_lines(&comments);
            if self.source.rest().is_empty() {
                return Ok(());
            }
            if !self.source.at_marker("...") {
                return Err(Unknown);
            }
            self.start_line(self.source.has_blank_line());
            self.out.push_str("...");
            self.source.consume(self.source.pos + 3);
            self.source.trivia();
            self.comment_at_end();
        }
    }

    /// Ends the line and begins the next one, after a blank one if `after_blank`.
    fn line(&mut self, after_blank: bool, indent: usize) {
        if after_blank {
            self.out.push_str(self.line_end);
        }
        self.out.push_str(self.line_end);
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    /// Writes the comment that stands on the line of the token before it, if there is one.
    fn comment_at_end(&mut self) {
        if self
            .source
            .pending
            .first()
            .is_some_and(|comment| !comment.own_line)
        {
            let comment = self.source.pending.remove(0);
            self.write_comment_at_end(comment);
        }
    }

    fn write_comment_at_end(&mut self, comment: Comment<'s>) {
        self.out
            .extend(std::iter::repeat_n(' ', comment.gap.max(1)));
        self.out.push_str(comment.text);
        self.source.comment_is_written(comment);
    }

    /// Reads so many anchors and tags, and returns them as they are written, with a blank between them.
    fn properties(&mut self, count: usize) -> Result<String> {
        let mut all = String::new();
        for _ in 0..count {
            self.source.trivia();
            let property = self.source.property()?;
            if let Some(name) = property.strip_prefix('&') {
                self.is_anchor_repeated |= !self.anchor_names.insert(name);
            }
            if !all.is_empty() {
                all.push(' ');
            }
            all.push_str(property);
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests;
