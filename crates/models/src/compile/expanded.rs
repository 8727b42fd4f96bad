//! The expanded document: a document after preprocessing, as text (`extensions.md` §2.12).
//!
//! In: the text of one document. Out: a text without repeats, params, expressions, macros, aliases and merge keys, with
//! rotations as they are authored. In the place of its source it compiles to the same bytes.

mod scalar;

use super::base;
use super::input::Input;
use super::unit::File;
use rigy_base::diag::{Diagnosed, Diagnostic, Lines, Span};
use rigy_base::limits::Limits;
use rigy_base::maps::HashMap;
use rigy_language::parse;
use rigy_language::preprocess::{MAX_DEPTH, Preprocessed, Rotations, preprocess};
use rigy_language::version::{Feature, Version};
use rigy_language::yaml::{Entry, Kind, NodeId, Origins, Step, Tree, too_deep};
use scalar::{MAX_KEY, scalar, string};

/// The first line of every expanded document, without its line break.
pub const EXPANDED_BY: &str =
    "# Expanded by rigy-batch: repeats, params, expressions and macros are written out.";

/// Returns the expanded document; `None` for a scene, which has nothing to expand. Its first line is [`EXPANDED_BY`].
/// Comments say which repeat or macro made a block, by its line in `input`; other comments are lost.
///
/// A document that declares a version below 0.6 is written as it is read, with aliases and merge keys written out. A
/// document that is expanded already is returned as it is.
///
/// # Errors
/// The ParseErrors and ValidationErrors of YAML, of the version and of preprocessing, with their places; U10 for nesting
/// beyond 1,024 levels. Later stages do not run, so a document with later errors is expanded.
pub fn expanded(input: Input, limits: Limits) -> Diagnosed<Option<String>> {
    if base::is_scene(&input.location) {
        return Ok(None);
    }
    let file = File::new(input.name.to_owned(), input.location, input.text, limits)?;
    let source = file.compose()?;
    if source.cut.is_some() {
        let errors = parse::parse(&source).document.err();
        return Err(file.locate_in(&source, errors.unwrap_or_default()));
    }
    let version = Version::read(&source).map_err(|error| file.locate_in(&source, vec![error]))?;
    if !version.has(Feature::Materials) {
        return text(&file, &source, &Origins::default()).map(Some);
    }
    let Preprocessed { tree, origins, .. } = preprocess(&source, version, Rotations::Authored);
    match tree {
        Ok(tree) => text(&file, &tree, &origins).map(Some),
        Err(errors) => {
            file.set_origins(origins);
            Err(file.locate_in(&source, errors))
        }
    }
}

/// The text of a tree that was made of a file.
fn text(file: &File, tree: &Tree, origins: &Origins) -> Diagnosed<String> {
    let located = |error| file.locate_in(tree, vec![error]);
    if file.text().starts_with(EXPANDED_BY) {
        let bare = write(tree, file.text(), None).map_err(located)?;
        if without_comments(file.text()) == bare {
            return Ok(file.text().to_owned());
        }
    }
    let provenance = Provenance::new(origins, file.lines());
    let body = write(tree, file.text(), Some(provenance)).map_err(located)?;
    Ok(format!("{EXPANDED_BY}\n{body}"))
}

/// A text without the lines that are comments.
fn without_comments(text: &str) -> String {
    text.split_inclusive('\n')
        .filter(|line| !line.trim_start_matches(' ').starts_with('#'))
        .collect()
}

/// Levels of nesting that are written as blocks. Everything in a document of the schema is nested less deep; the indentation
/// of deeper levels could make a text long.
const BLOCKS: usize = 12;

/// The facts in comments: the repeat or macro that made a block, and the line where it stands in the source.
struct Provenance<'f> {
    origins: &'f Origins,
    lines: Lines<'f>,
    /// Line numbers by offset.
    known: HashMap<u32, u32>,
}

impl<'f> Provenance<'f> {
    fn new(origins: &'f Origins, lines: Lines<'f>) -> Self {
        Self {
            origins,
            lines,
            known: HashMap::default(),
        }
    }

    /// The comment about a block: the steps that made it, but not the block around it.
    fn comment(&mut self, block: Span, around: Span) -> Option<String> {
        let origins = self.origins;
        let shared = origins.steps(around).count();
        let made = origins.steps(block).count().saturating_sub(shared);
        let steps: Vec<&Step> = origins.steps(block).take(made).collect();
        let said: Vec<String> = steps
            .into_iter()
            .rev()
            .filter_map(|step| self.sentence(step))
            .collect();
        (!said.is_empty()).then(|| said.join("; "))
    }

    fn sentence(&mut self, step: &Step) -> Option<String> {
        match step {
            Step::Repeat { name, index, at } => {
                let line = self.line(*at);
                Some(format!("repeat of line {line}, {name} = {index}"))
            }
            Step::Macro { at, .. } => Some(format!("macro of line {}", self.line(*at))),
            Step::Param { .. } => None,
        }
    }

    fn line(&mut self, at: Span) -> u32 {
        let lines = &self.lines;
        let find = || lines.place(at, String::new()).position;
        let known = self.known.entry(at.start);
        *known.or_insert_with(|| find().map_or(0, |(line, _)| line))
    }
}

/// The text of a tree. `source` is the text that its spans are about.
///
/// # Errors
/// U10 if collections are nested too deep.
fn write(tree: &Tree, source: &str, provenance: Option<Provenance>) -> Result<String, Diagnostic> {
    let mut writer = Writer {
        tree,
        source,
        provenance,
        out: String::new(),
    };
    match tree.entries(tree.root) {
        Some(entries) if !entries.is_empty() => writer.mapping(entries, 0)?,
        _ => writer.out += "{}\n",
    }
    Ok(writer.out)
}

struct Writer<'w, 's> {
    tree: &'w Tree<'s>,
    source: &'w str,
    provenance: Option<Provenance<'w>>,
    out: String,
}

type Written = Result<(), Diagnostic>;

impl<'w, 's> Writer<'w, 's> {
    /// Writes the entries of a mapping, each on lines of its own. The first begins where the writer stands, if that is after
    /// the dash of a list.
    fn mapping(&mut self, entries: &'w [Entry<'s>], level: usize) -> Written {
        for entry in entries {
            self.indent(level);
            let key = string(&entry.key, false);
            if key.len() > MAX_KEY {
                self.out += &format!("? {key}\n");
                self.indent(level);
            } else {
                self.out += &key;
            }
            self.out.push(':');
            self.value(entry.value, level)?;
        }
        Ok(())
    }

    /// Writes the blanks before an item or a key, unless it follows the dash of a list on the same line.
    fn indent(&mut self, level: usize) {
        if self.out.is_empty() || self.out.ends_with('\n') {
            self.out.extend(std::iter::repeat_n("  ", level));
        }
    }

    /// Writes the value of a key whose mapping stands at `level`.
    fn value(&mut self, id: NodeId, level: usize) -> Written {
        match self.block(id, level) {
            Some(Block::Mapping(entries)) => {
                self.out.push('\n');
                self.mapping(entries, level + 1)
            }
            Some(Block::List(items)) => {
                self.out.push('\n');
                self.list(id, items, level + 1)
            }
            None => {
                self.out.push(' ');
                self.inline(id, level, false)?;
                self.out.push('\n');
                Ok(())
            }
        }
    }

    /// Writes the items of a list, each after a dash.
    fn list(&mut self, id: NodeId, items: &'w [NodeId], level: usize) -> Written {
        let around = self.tree.node(id).span;
        for item in items {
            let span = self.tree.node(*item).span;
            let comment = self.provenance.as_mut();
            if let Some(comment) = comment.and_then(|p| p.comment(span, around)) {
                self.indent(level);
                self.out += &format!("# {comment}\n");
            }
            self.indent(level);
            self.out.push('-');
            match self.block(*item, level) {
                Some(Block::Mapping(entries)) => {
                    self.out.push(' ');
                    self.mapping(entries, level + 1)?;
                }
                _ => self.value(*item, level)?,
            }
        }
        Ok(())
    }

    /// The parts of a collection that is written as a block.
    fn block(&self, id: NodeId, level: usize) -> Option<Block<'w, 's>> {
        let tree: &'w Tree<'s> = self.tree;
        match &tree.node(id).kind {
            Kind::Map(entries) if level < BLOCKS && !entries.is_empty() => {
                Some(Block::Mapping(entries))
            }
            Kind::Seq(items)
                if level < BLOCKS && items.iter().any(|item| is_collection(tree, *item)) =>
            {
                Some(Block::List(items))
            }
            _ => None,
        }
    }

    /// Writes a value on one line. `in_flow` tells that it stands in brackets or braces.
    fn inline(&mut self, id: NodeId, level: usize, in_flow: bool) -> Written {
        let tree: &'w Tree<'s> = self.tree;
        let node = tree.node(id);
        if level > MAX_DEPTH {
            return Err(too_deep(MAX_DEPTH, node.span));
        }
        match &node.kind {
            Kind::Seq(items) if !items.is_empty() => {
                self.out.push('[');
                for (index, item) in items.iter().enumerate() {
                    self.out += if index > 0 { ", " } else { "" };
                    self.inline(*item, level + 1, true)?;
                }
                self.out.push(']');
            }
            Kind::Map(entries) if !entries.is_empty() => {
                self.out.push('{');
                for (index, entry) in entries.iter().enumerate() {
                    self.out += if index > 0 { ", " } else { "" };
                    let key = string(&entry.key, true);
                    self.out += &if key.len() > MAX_KEY {
                        format!("? {key} : ")
                    } else {
                        format!("{key}: ")
                    };
                    self.inline(entry.value, level + 1, true)?;
                }
                self.out.push('}');
            }
            kind => {
                let start = node.span.start as usize;
                let end = node.span.end as usize;
                let written = self.source.get(start..end).unwrap_or_default();
                self.out += &scalar(kind, written, in_flow);
            }
        }
        Ok(())
    }
}

/// A collection that is written as a block.
enum Block<'w, 's> {
    Mapping(&'w [Entry<'s>]),
    List(&'w [NodeId]),
}

fn is_collection(tree: &Tree, id: NodeId) -> bool {
    match &tree.node(id).kind {
        Kind::Map(entries) => !entries.is_empty(),
        Kind::Seq(items) => !items.is_empty(),
        _ => false,
    }
}
