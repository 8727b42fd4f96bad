//! One file of a document: read, parsed, expanded and validated on its own.

use std::sync::{Arc, OnceLock};

use super::allowance;
use super::findings::Locator;
use rigy_base::diag::{Code, Diagnosed, Diagnostic, Lines, Source, Warned};
use rigy_base::limits::{LONGER_TEXTS, Limits};
use rigy_base::loader::{Loader, Location};
use rigy_base::maps::HashMap;
use rigy_language::expand;
use rigy_language::model::{Armature, Binding, Document, Import, Mesh};
use rigy_language::parse::{self, Parsed};
use rigy_language::validate::{self, Checked};
use rigy_language::version::Version;
use rigy_language::yaml::{self, Origins, Tree};

/// The role of a text.
pub enum Role {
    /// It is the document itself.
    Document,
    /// It is imported.
    Imported,
}

/// The text of a file, with its name and its location.
pub struct File {
    pub location: Location,
    pub name: String,
    text: String,
    limits: Limits,
    /// Where the nodes come from that preprocessing has made, once the text has been parsed.
    origins: OnceLock<Origins>,
}

/// A file that is a document, after stages A2 to A5, B and C of `language.md` §2.2. It does not depend on which documents
/// import it, so all of them share one unit.
pub struct Unit {
    pub file: Arc<File>,
    /// Its imports, for stage A6.
    pub imports: Vec<Import>,
    /// Errors of references that lead outside the root (U14), which belong to stage A6.
    pub escapes: Vec<Diagnostic>,
    /// The expanded document, or the errors of stage C.
    document: Diagnosed<Arc<Checked<Document>>>,
    /// The warnings of stage C. Imported documents have none.
    pub warnings: Vec<Diagnostic>,
}

/// A document without faults of its own.
pub struct Valid {
    pub file: Arc<File>,
    pub document: Arc<Checked<Document>>,
}

impl Valid {
    /// Returns the meshes of the document, each with its binding and armature if it is bound.
    pub fn bound_meshes(&self) -> impl Iterator<Item = (&Mesh, Option<(&Binding, &Armature)>)> {
        let document = &**self.document;
        let bindings: HashMap<&str, &Binding> = document
            .bindings
            .iter()
            .map(|b| (&*b.mesh_id.value, b))
            .collect();
        let armatures: HashMap<&str, &Armature> = document
            .armatures
            .iter()
            .map(|a| (&*a.id.value, a))
            .collect();
        document.meshes.iter().map(move |mesh| {
            let bound = bindings
                .get(&*mesh.id.value)
                .copied()
                .and_then(|b| Some((b, *armatures.get(&*b.armature_id.value)?)));
            (mesh, bound)
        })
    }
}

impl File {
    /// Returns a file with its text, without the byte order mark.
    ///
    /// # Errors
    /// U10 beyond the limit on bytes.
    pub fn new(name: String, location: Location, text: &str, limits: Limits) -> Diagnosed<Self> {
        let text = yaml::body(text);
        if text.len() as u64 > limits.bytes {
            let len = text.len();
            let limit = limits.bytes;
            return Err(vec![
                about_file(
                    &name,
                    format!("the document has {len} bytes; the limit is {limit}"),
                )
                .help(LONGER_TEXTS),
            ]);
        }
        Ok(Self {
            location,
            name,
            text: text.to_owned(),
            limits,
            origins: OnceLock::new(),
        })
    }

    /// Returns the tree of the text.
    ///
    /// # Errors
    /// The faults of its YAML, with their places.
    pub fn compose(&self) -> Diagnosed<Tree<'_>> {
        self.compose_from(&self.text)
    }

    /// Returns the tree of the text that this file was made from, so that the tree may outlive the file.
    ///
    /// # Errors
    /// As [`File::compose`].
    pub fn compose_from<'t>(&self, text: &'t str) -> Diagnosed<Tree<'t>> {
        let tree = yaml::compose(yaml::body(text), &self.options());
        tree.map_err(|yaml::Malformed { errors, tree }| {
            let errors = duplicates(errors, tree.as_ref());
            Locator::new(self.lines(), tree.as_ref(), None).locate_all(errors)
        })
    }

    fn options(&self) -> yaml::Options<'static> {
        yaml::Options {
            limits: self.limits,
            named: Some(parse::NAMED),
        }
    }

    /// Returns the text.
    #[cfg(feature = "cli")]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Sets where the nodes come from that preprocessing has made, for the places of findings.
    pub fn set_origins(&self, origins: Origins) {
        self.origins.get_or_init(|| origins);
    }

    /// Returns the tree again, to locate findings; `None` if the text has none.
    pub fn compose_again(&self) -> Option<Tree<'_>> {
        yaml::compose(&self.text, &self.options()).ok()
    }

    /// Returns findings with their places in the tree of this file.
    pub fn locate_in(&self, tree: &Tree, findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
        if findings.is_empty() {
            findings
        } else {
            self.locator(Some(tree)).locate_all(findings)
        }
    }

    /// Returns a locator for findings about this file, whose tree is given if there is one.
    pub fn locator<'f>(&'f self, tree: Option<&'f Tree>) -> Locator<'f> {
        Locator::new(self.lines(), tree, self.origins.get())
    }

    /// Returns the lines of the text.
    pub fn lines(&self) -> Lines<'_> {
        let name = &*self.name;
        let text = &*self.text;
        Lines::new(Source { name, text }, yaml::content_len)
    }
}

impl Unit {
    /// Parses, expands and validates a file, whose tree is given.
    ///
    /// # Errors
    /// ParseErrors of version and schema (A4, A5), with their places.
    pub fn new(file: Arc<File>, tree: &Tree, loader: &dyn Loader, role: Role) -> Diagnosed<Self> {
        let Parsed { document, origins } = parse::parse(tree);
        file.set_origins(origins);
        let document = document.map_err(|errors| file.locate_in(tree, errors))?;
        Self::of_document(file, document, tree, loader, role)
    }

    /// Expands and validates a document that has been parsed.
    ///
    /// # Errors
    /// U10 for references that are too long, with its place.
    pub fn of_document(
        file: Arc<File>,
        document: Document,
        tree: &Tree,
        loader: &dyn Loader,
        role: Role,
    ) -> Diagnosed<Self> {
        allowance::check_references(&document)
            .map_err(|error| file.locate_in(tree, vec![error]))?;
        let escapes = file.locate_in(tree, escapes(&document, &file.location, loader));
        let imports = document.imports.clone();
        let expanded = expand::expand(document);
        let validated = match role {
            Role::Document => validate::validate(expanded),
            Role::Imported => validate::validate_part(expanded).map(|value| Warned {
                value,
                warnings: Vec::new(),
            }),
        };
        let (document, warnings) = match validated {
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

    /// Returns the document if it has passed stage C.
    ///
    /// # Errors
    /// The errors of stage C, with their places.
    pub fn valid(&self) -> Result<Valid, &[Diagnostic]> {
        let document = self.document.as_ref().map_err(Vec::as_slice)?.clone();
        Ok(Valid {
            file: self.file.clone(),
            document,
        })
    }
}

/// Gives the errors of keys that a mapping has twice the code that they have in the version of the document.
fn duplicates(mut errors: Vec<Diagnostic>, tree: Option<&Tree>) -> Vec<Diagnostic> {
    let version = tree.and_then(|tree| {
        if tree.has_key("rigs_version") {
            Some(Version::NEWEST)
        } else {
            Version::read(tree).ok()
        }
    });
    if let Some(version) = version {
        let code = version.duplicate_key();
        errors.iter_mut().for_each(|error| error.code = Some(code));
    }
    errors
}

/// Returns an error (U10) about a file as a whole.
pub fn about_file(name: &str, message: String) -> Diagnostic {
    Diagnostic::whole(Code::U10, message).about_file(name)
}

/// Returns an error (U14) for each weight file, import and contract outside the root, in document order.
fn escapes(document: &Document, location: &Location, loader: &dyn Loader) -> Vec<Diagnostic> {
    let imports = document.imports.iter().flat_map(Import::references);
    let mut known: HashMap<&str, bool> = HashMap::default();
    let outside = document.weight_sources().chain(imports).filter(|path| {
        *known
            .entry(&*path.value)
            .or_insert_with(|| loader.resolve(location, &path.value).is_err())
    });
    let mut errors: Vec<Diagnostic> = outside
        .map(|path| {
            Diagnostic::new(
                Code::U14,
                path.span,
                format!("`{}` leads outside the root", path.value),
            )
            .help("name a directory above both with `--root`")
        })
        .collect();
    errors.sort_by_key(|error| error.span.map(|span| span.start));
    errors
}

/// Returns the text of the document `name` in canonical layout, as [`rigy_language::format::format`] makes it. What it compiles
/// to stays the same.
///
/// # Errors
/// The text is no mapping in YAML (U10), is longer than `limits.bytes` or nested deeper than `limits.depth`, or would not be
/// the same document (an error without a code). Errors have their places.
pub fn format(name: &str, text: &str, limits: &Limits) -> Diagnosed<String> {
    rigy_language::format::format(text, limits).map_err(|errors| {
        let text = yaml::body(text);
        let is_long = text.len() as u64 > limits.bytes;
        let options = yaml::Options {
            limits: *limits,
            named: None,
        };
        let malformed = if is_long {
            None
        } else {
            yaml::compose(text, &options).err()
        };
        let tree = malformed.and_then(|malformed| malformed.tree);
        let lines = Lines::new(Source { name, text }, yaml::content_len);
        Locator::new(lines, tree.as_ref(), None).locate_all(errors)
    })
}
