//! Canonical layout of a document's text (`extensions.md` §11.3, `fmt`).
//!
//! In: a text. Out: the same document with its keys in their usual order, two blanks for each level of nesting, one blank
//! between tokens and at most one blank line in succession. Comments, anchors, quotes, block scalars, flow collections and
//! the spelling of numbers stay: pieces of the text move, and nothing is written from its value. What comes out has the
//! same tree up to the order of keys ([`check`]), and formatting it again changes nothing.
//!
//! The nodes come from `rigy_yaml`; [`source`] reads what stands between them. [`block`] and [`flow`] write collections, [`scalar`]
//! their leaves, and entries whose layout has no canonical form; [`order`] knows the order of keys, [`arrange`] moves entries into it.

mod arrange;
mod block;
mod check;
mod flow;
mod order;
mod scalar;
mod source;

use crate::yaml;
use block::Level;
use order::Place;
use rigy_base::diag::{Category, Diagnosed, Diagnostic, Span};
use rigy_base::limits::{LONGER_TEXTS, Limits};
use rigy_base::maps::HashSet;
use rigy_yaml::{Kind, Tree};
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
/// Those of [`yaml::compose`], and U10 for a text that is longer than the limit, or of which the reader of structure finds a fault
/// that `compose` passes over. An error without a code says that the formatted text would be another document, or beyond a limit,
/// because indentation makes it longer.
pub fn format(text: &str, limits: &Limits) -> Diagnosed<String> {
    let content = yaml::body(text);
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
    let most = rigy_yaml::Limits {
        depth: Limits::MOST.depth as u32,
        ..rigy_yaml::Limits::default()
    };
    let tree = rigy_yaml::parse(content, most);
    let formatted = Formatter::new(&tree).document().ok();
    let is_same = |formatted: &String| {
        let after = yaml::compose(formatted, &options);
        formatted.len() as u64 <= limits.bytes
            && after.is_ok_and(|after| check::is_same(&before, &after))
    };
    let Some(formatted) = formatted.filter(is_same) else {
        let message = "the text stays as it is: formatted, it would not be the same document";
        // `compose` takes some texts that are no YAML, such as one with a line of a flow collection that is not indented.
        let error = match tree.faults.first() {
            Some(fault) => {
                let span = Span::new(fault.span.start as u32, fault.span.end as u32);
                yaml::malformed(span, fault.problem.message())
            }
            None => Diagnostic::without_code(Category::ParseError, message),
        };
        return Err(vec![error]);
    };
    Ok(if content.len() < text.len() {
        format!("\u{feff}{formatted}")
    } else {
        formatted
    })
}

/// Writes one text. What it reads and what it has written advance together.
struct Formatter<'t, 's> {
    tree: &'t Tree<'s>,
    source: Source<'s>,
    out: String,
    line_end: &'static str,
    /// The entry that is being written has no canonical form.
    is_odd: bool,
    /// The end of the last block scalar in the source.
    block_scalar_end: usize,
    /// Names of anchors so far.
    anchor_names: HashSet<&'s str>,
    /// Two anchors so far have one name.
    is_anchor_repeated: bool,
    /// One past the last node in the nodes with an anchor so far: a later node before it is in one of these.
    anchored_up_to: u32,
}

impl<'t, 's> Formatter<'t, 's> {
    fn new(tree: &'t Tree<'s>) -> Self {
        let text = tree.source();
        let is_windows = text
            .find(['\n', '\r'])
            .is_some_and(|at| text[at..].starts_with("\r\n"));
        Self {
            tree,
            source: Source::new(text),
            out: String::with_capacity(text.len() + text.len() / 8),
            line_end: if is_windows { "\r\n" } else { "\n" },
            is_odd: false,
            block_scalar_end: usize::MAX,
            anchor_names: HashSet::default(),
            is_anchor_repeated: false,
            anchored_up_to: 0,
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
        let before = std::mem::take(&mut self.source.pending);
        let properties = self.properties(0)?;
        self.source.trivia();
        if !properties.is_empty() {
            self.own_lines(&before);
            self.start_line(false);
            self.out.push_str(&properties);
            self.comment_at_end();
        } else {
            self.source.pending.splice(0..0, before);
        }
        if self.tree.node(0).kind == Kind::FlowMap {
            return self.flow_root();
        }
        self.header();
        let level = Level {
            indent: 0,
            limit: -1,
            place: Place::DOCUMENT,
            after_dash: false,
        };
        self.block(0, level)
    }

    fn flow_root(&mut self) -> Result<()> {
        let comments = std::mem::take(&mut self.source.pending);
        self.own_lines(&comments);
        self.start_line(self.source.has_blank_line());
        let (from, written) = (self.source.pos, self.out.len());
        self.flow(0, 2, Place::DOCUMENT)?;
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
        let len = if self.source.has_blank_line() {
            comments.len()
        } else {
            comments
                .iter()
                .rposition(|comment| comment.after_blank)
                .unwrap_or(0)
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

    /// Writes an indicator, which must stand here.
    fn indicator(&mut self, indicator: char) -> Result<()> {
        self.out.push(indicator);
        self.source.expect(indicator)
    }

    /// True for a value that is not written.
    fn is_nothing(&self, id: u32) -> bool {
        self.tree.node(id).kind == Kind::Empty && self.tree.properties(id).is_none()
    }

    /// Reads the anchor and the tag of a node, and returns them as they are written, with a blank between them.
    fn properties(&mut self, id: u32) -> Result<String> {
        let Some(all) = self.tree.properties(id) else {
            return Ok(String::new());
        };
        let mut spans = [&all.anchor, &all.tag];
        spans.sort_by_key(|span| span.start);
        let mut written = Vec::new();
        for span in spans.into_iter().filter(|span| !span.is_empty()) {
            self.source.trivia();
            if self.source.pos != span.start {
                return Err(Unknown);
            }
            self.source.consume(span.end);
            written.push(&self.source.text[span.clone()]);
        }
        if let Some(name) = written.iter().find(|text| text.starts_with('&')) {
            self.is_anchor_repeated |= !self.anchor_names.insert(name);
            self.anchored_up_to = self.anchored_up_to.max(self.tree.past(id));
        }
        Ok(written.join(" "))
    }
}

/// The entries of a collection: of a mapping the keys and values, of a list each item twice.
fn entries(tree: &Tree, id: u32) -> impl Iterator<Item = (u32, u32)> {
    let is_map = tree.node(id).kind.is_map();
    let mut children = tree.children(id);
    std::iter::from_fn(move || {
        let key = children.next()?;
        Some((key, if is_map { children.next()? } else { key }))
    })
}

#[cfg(test)]
mod tests;
