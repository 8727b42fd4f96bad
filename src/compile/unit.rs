//! One file of a document: read, parsed, expanded and judged on its own.

use std::collections::HashMap;
use std::sync::Arc;

use super::allowance;
use super::forecast::Refusal;
use crate::base::diag::{Code, Diagnostic, Lines, MOST_FINDINGS, Place, Source, Span, Warned};
use crate::base::limits::Limits;
use crate::base::loader::{Loader, Location};
use crate::language::model::{Document, Import};
use crate::language::validate::{self, Checked};
use crate::language::yaml::{self, Paths, Tree};
use crate::language::{expand, parse};

/// A text with its name, so that findings can be shown where they stand.
#[derive(Debug)]
pub(super) struct File {
    pub location: Location,
    pub name: String,
    text: String,
    limits: Limits,
}

/// A file that is a document, at the end of stages A2 to A5, B and C of `language.md` §2.2. Nothing in it
/// depends on who asks, so one unit serves every document that imports it.
#[derive(Debug)]
pub(super) struct Unit {
    pub file: Arc<File>,
    /// What A6 has to look at.
    pub imports: Vec<Import>,
    /// References that lead outside the root (U14), part of A6.
    pub escapes: Vec<Diagnostic>,
    /// The expanded document, or the errors of stage C.
    document: Result<Arc<Checked<Document>>, Vec<Diagnostic>>,
    /// The warnings of stage C.
    pub warnings: Vec<Diagnostic>,
}

/// A document without faults of its own.
#[derive(Clone, Debug)]
pub(super) struct Valid {
    pub file: Arc<File>,
    pub document: Arc<Checked<Document>>,
}

impl File {
    /// A file's text, without the byte order mark, unless a `look` at it says that it is beyond a limit.
    ///
    /// # Errors
    /// U10 beyond the limit on its bytes; what the look comes to.
    pub fn new(
        name: String,
        location: Location,
        text: &str,
        limits: Limits,
        look: impl Fn(&str, &Limits) -> Result<(), Box<Refusal>>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let text = body(text);
        if text.len() as u64 > limits.bytes {
            let (len, limit) = (text.len(), limits.bytes);
            let message = format!("the document has {len} bytes; the limit is {limit}");
            return Err(vec![about_file(&name, message)]);
        }
        let looked = look(text, &limits);
        let text = text.to_owned();
        let file = Self {
            location,
            name,
            text,
            limits,
        };
        match looked.map_err(|refusal| *refusal) {
            Ok(()) => Ok(file),
            Err((error, _)) if error.span.is_none() => Err(vec![error.about_file(&file.name)]),
            Err((error, path)) => Err(file.located(vec![error], |_| path.clone())),
        }
    }

    /// The tree of the text, together with a way to locate findings in it.
    ///
    /// # Errors
    /// What is wrong with its YAML, located.
    pub fn compose(&self) -> Result<Tree<'_>, Vec<Diagnostic>> {
        self.compose_from(&self.text)
    }

    /// The same, from the text that this one is a copy of, so that the tree may outlive the file.
    pub fn compose_from<'t>(&self, text: &'t str) -> Result<Tree<'t>, Vec<Diagnostic>> {
        let tree = yaml::compose_fields(body(text), &self.limits, parse::NAMED);
        tree.map_err(|yaml::Malformed { errors, tree }| match &tree {
            Some(tree) => self.locate_in(tree, errors),
            None => self.located(errors, |_| String::new()),
        })
    }

    /// Findings with their places in the tree.
    pub fn locate_in(&self, tree: &Tree<'_>, findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let paths = Paths::new(tree);
        self.located(findings, |span| paths.of(span))
    }

    fn located(
        &self,
        findings: Vec<Diagnostic>,
        path_of: impl Fn(Span) -> String,
    ) -> Vec<Diagnostic> {
        if findings.is_empty() {
            return findings;
        }
        let (name, text) = (&*self.name, &*self.text);
        let lines = Lines::new(Source { name, text }, yaml::content_len);
        let one = |finding: Diagnostic| finding.located(&lines, &path_of);
        findings.into_iter().take(MOST_FINDINGS).map(one).collect()
    }

    /// The places of spans. The tree is made again, which happens only to documents that have something to
    /// complain about.
    pub fn places(&self, spans: Vec<Span>) -> Vec<Place> {
        let (name, text) = (&*self.name, &*self.text);
        let lines = Lines::new(Source { name, text }, yaml::content_len);
        let tree = yaml::compose_fields(text, &self.limits, parse::NAMED).ok();
        let paths = tree.as_ref().map(Paths::new);
        let path_of = |span| paths.as_ref().map_or_else(String::new, |p| p.of(span));
        let place = |span| lines.place(span, path_of(span));
        spans.into_iter().map(place).collect()
    }
}

impl Unit {
    /// Takes a file, whose tree is at hand, through its own stages.
    ///
    /// # Errors
    /// ParseErrors of version and schema (A4, A5), located.
    pub fn new(
        file: Arc<File>,
        tree: &Tree<'_>,
        loader: &dyn Loader,
    ) -> Result<Self, Vec<Diagnostic>> {
        let document = parse::parse(tree).map_err(|errors| file.locate_in(tree, errors))?;
        allowance::refer(&document).map_err(|error| file.locate_in(tree, vec![error]))?;
        let escapes = file.locate_in(tree, escapes(&document, &file.location, loader));
        let imports = document.imports.clone();
        let (document, warnings) = match validate::validate(expand::expand(document)) {
            Ok(Warned { value, warnings }) => (Ok(Arc::new(value)), warnings),
            Err(errors) => (Err(file.locate_in(tree, errors)), Vec::new()),
        };
        let warnings = file.locate_in(tree, warnings);
        Ok(Self {
            file,
            imports,
            escapes,
            document,
            warnings,
        })
    }

    /// The verdict of stage C.
    pub fn verdict(&self) -> Result<Valid, &[Diagnostic]> {
        let document = self.document.as_ref().map_err(Vec::as_slice)?.clone();
        let file = self.file.clone();
        Ok(Valid { file, document })
    }
}

/// A text without its byte order mark.
fn body(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// A fault (U10) of a document as a whole.
pub(super) fn about_file(name: &str, message: String) -> Diagnostic {
    Diagnostic::new(Code::U10, Span::default(), message).about_file(name)
}

/// U14: weight files, imports and contracts that lie outside the root, in document order.
fn escapes(document: &Document, location: &Location, loader: &dyn Loader) -> Vec<Diagnostic> {
    let imports = document.imports.iter().flat_map(Import::references);
    let mut known: HashMap<&str, bool> = HashMap::new();
    let outside = document.weight_sources().chain(imports).filter(|path| {
        let resolve = || loader.resolve(location, &path.value).is_err();
        *known.entry(&*path.value).or_insert_with(resolve)
    });
    let mut errors: Vec<Diagnostic> = outside
        .map(|path| {
            let message = format!("`{}` leads outside the root", path.value);
            Diagnostic::new(Code::U14, path.span, message)
                .help("name a directory above both with `--root`")
        })
        .collect();
    errors.sort_by_key(|error| error.span.map(|span| span.start));
    errors
}
