//! Stage A6: everything that a document imports, directly or through others.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::files::{Files, Unusable};
use super::findings::{Findings, Stretch};
use super::unit::{File, Unit};
use crate::diag::{Category, Code, Diagnostic, Span, Spanned};
use crate::loader::{Location, Trace};
use crate::model::{Contract, Import};

/// Longest chain of imports.
pub const MAX_DEPTH: usize = 16;
/// Most files one document may import, directly or not, contracts included.
pub const MAX_FILES: usize = 1024;
/// Most text that the imports of one document may come to, in bytes with all aliases written out.
pub const MAX_WEIGHT: u64 = 32 << 20;

/// What to know about a path that leads nowhere.
const WHERE_FROM: &str = "paths start from the directory of the file that names them";

/// What a document imports.
#[derive(Default)]
pub(super) struct Imports {
    /// The direct imports, in document order.
    pub direct: Vec<Imported>,
    /// Files that were looked into, contracts included.
    pub read: Vec<FileRead>,
    /// Contracts that are malformed, each with the number of the direct import it was met under.
    pub malformed: Vec<(usize, Findings)>,
}

/// A direct import.
pub(super) struct Imported {
    pub import: Import,
    pub unit: Arc<Unit>,
    /// Its contract, unless it has none or a malformed one.
    pub contract: Option<Arc<Contract>>,
}

/// Loads all imports of a document, depth first, in document order.
///
/// # Errors
/// ParseErrors, located: U14, U05, U06, U10 for limits, and the faults of every imported file.
pub(super) fn load(root: &Arc<Unit>, files: &Files) -> Result<Imports, Vec<Diagnostic>> {
    let mut walk = Walk {
        files,
        chain: Vec::new(),
        heights: HashMap::new(),
        seen: HashSet::new(),
        weight: 0,
        imports: Imports::default(),
        errors: Findings::default(),
    };
    walk.document(root);
    walk.errors.none()?;
    Ok(walk.imports)
}

/// A file that something was made of.
#[derive(Clone, Debug)]
pub struct FileRead {
    /// Where it is.
    pub location: Location,
    /// By which path, links and all, it was reached.
    pub route: PathBuf,
    /// What it was, if its loader says so.
    pub trace: Option<Trace>,
}

/// The path that a reference names, links and all.
pub(super) fn route(from: &Location, reference: &str) -> PathBuf {
    from.0.parent().unwrap_or(Path::new("")).join(reference)
}

struct Walk<'p> {
    files: &'p Files,
    /// The documents that are being loaded, the root first, each with the reference it is looking into.
    chain: Vec<Link>,
    /// Files that are done, and how many levels of imports each has below it.
    heights: HashMap<Location, usize>,
    /// Files that have been counted, contracts included, and what they come to.
    seen: HashSet<Location>,
    weight: u64,
    imports: Imports,
    errors: Findings,
}

struct Link {
    unit: Arc<Unit>,
    identity: PathBuf,
    reference: Span,
}

impl Walk<'_> {
    /// One document's references and imports; returns its height.
    fn document(&mut self, unit: &Arc<Unit>) -> usize {
        self.report_below(&unit.file, unit.escapes.clone());
        if unit.imports.is_empty() {
            return 0;
        }
        self.chain.push(Link {
            unit: unit.clone(),
            identity: self.files.identity(&unit.file.location),
            reference: Span::default(),
        });
        let heights = unit.imports.iter().map(|import| self.import(unit, import));
        let height = 1 + heights.max().unwrap_or(0);
        self.chain.pop();
        height
    }

    /// One import with its contract; returns its height.
    fn import(&mut self, unit: &Arc<Unit>, import: &Import) -> usize {
        if self.errors.is_full() {
            return 0;
        }
        let direct = self.chain.len() == 1;
        let imported = self.source(unit, &import.source);
        let height = imported.as_ref().map_or(0, |(height, _)| *height);
        let contract = import
            .contract
            .as_ref()
            .and_then(|reference| self.contract(unit, reference));
        if let (true, Some((_, unit))) = (direct, imported) {
            let import = import.clone();
            self.imports.direct.push(Imported {
                import,
                unit,
                contract,
            });
        }
        height
    }

    /// The height of the imported document, and the document itself, unless it is broken.
    fn source(
        &mut self,
        unit: &Arc<Unit>,
        reference: &Spanned<String>,
    ) -> Option<(usize, Arc<Unit>)> {
        let location = self.resolve(unit, reference)?;
        let identity = self.files.identity(&location);
        if let Some(start) = self.chain.iter().position(|link| link.identity == identity) {
            self.circular(start, reference);
            return None;
        }
        let known = self.heights.get(&location).copied();
        if self.chain.len() + known.unwrap_or(0) > MAX_DEPTH {
            let message = format!("imports are nested more than {MAX_DEPTH} deep");
            return self.fail(Code::U10, reference.span, message);
        }
        let found = self.files.unit(&location);
        self.read(unit, reference, &location, found.trace);
        self.count(&location, found.weight, reference.span)?;
        match found.made {
            Ok(found) => {
                let height = known.unwrap_or_else(|| self.document(&found));
                self.heights.insert(location, height);
                Some((height, found))
            }
            Err(_) if known.is_some() => None, // reported before
            Err(unusable) => {
                self.heights.insert(location, 0);
                self.unusable(reference, unusable)
            }
        }
    }

    /// Reports why an import cannot be used.
    fn unusable<T>(&mut self, reference: &Spanned<String>, why: Unusable) -> Option<T> {
        let message = |what: &str| format!("cannot import `{}`: {what}", reference.value);
        let missing =
            |what: &str| Diagnostic::new(Code::U06, reference.span, message(what)).help(WHERE_FROM);
        match why {
            Unusable::Missing => self.report_here(missing("there is no such file")),
            Unusable::NoFile(what) => self.report_here(missing(&what)),
            Unusable::Unreadable(what) => {
                let mut error = Diagnostic::without_code(Category::ParseError, message(&what));
                error.span = Some(reference.span);
                self.report_here(error)
            }
            Unusable::Faulty(faults) => {
                let unit = self.chain.last()?.unit.clone();
                self.report_below(&unit.file, faults.to_vec());
                None
            }
        }
    }

    /// A contract that can be read; malformed ones are kept for when their turn comes.
    fn contract(&mut self, unit: &Arc<Unit>, reference: &Spanned<String>) -> Option<Arc<Contract>> {
        let location = self.resolve(unit, reference)?;
        let found = self.files.contract(&location);
        self.read(unit, reference, &location, found.trace);
        self.count(&location, found.weight, reference.span)?;
        match found.made {
            Ok(contract) => Some(contract),
            Err(Unusable::Faulty(faults)) => {
                self.malformed(unit, faults.to_vec(), &self.importers(0))
            }
            Err(Unusable::Missing) => {
                let message = format!("there is no contract `{}`", reference.value);
                let error = Diagnostic::new(Code::U06, reference.span, message);
                self.report_here(error.help(WHERE_FROM))
            }
            Err(Unusable::NoFile(what) | Unusable::Unreadable(what)) => {
                let message = format!("cannot read contract `{}`: {what}", reference.value);
                let fault = Diagnostic::new(Code::V31, reference.span, message);
                self.malformed(unit, vec![fault], &self.importers(1))
            }
        }
    }

    /// Keeps the faults of a contract under the direct import that is being loaded: the one it belongs to, or is
    /// nested in.
    fn malformed<T>(
        &mut self,
        unit: &Unit,
        faults: Vec<Diagnostic>,
        importers: &[Stretch],
    ) -> Option<T> {
        let mut findings = Findings::default();
        findings.add(&unit.file, faults, importers);
        let index = self.imports.direct.len();
        self.imports.malformed.push((index, findings));
        None
    }

    /// Looks into a reference of the document at the end of the chain: where it leads, unless that is outside the
    /// root, which has been reported (U14), or a limit has been passed.
    fn resolve(&mut self, unit: &Unit, reference: &Spanned<String>) -> Option<Location> {
        if let Some(link) = self.chain.last_mut() {
            link.reference = reference.span;
        }
        let loader = self.files.loader();
        let location = loader.resolve(&unit.file.location, &reference.value);
        location.ok().filter(|_| !self.is_enough())
    }

    /// A file has been read, now or for another document.
    fn read(
        &mut self,
        unit: &Unit,
        reference: &Spanned<String>,
        location: &Location,
        trace: Option<Trace>,
    ) {
        self.imports.read.push(FileRead {
            route: route(&unit.file.location, &reference.value),
            location: location.clone(),
            trace,
        });
    }

    /// Whether a limit has been passed, which has been said.
    fn is_enough(&self) -> bool {
        self.seen.len() > MAX_FILES || self.weight > MAX_WEIGHT
    }

    /// Counts a file, unless it has been; `None` if it is one too many, or the text too long.
    fn count(&mut self, location: &Location, weight: u64, reference: Span) -> Option<()> {
        if self.seen.contains(location) {
            return Some(());
        }
        self.seen.insert(location.clone());
        self.weight += weight;
        if self.seen.len() > MAX_FILES {
            let message = format!("a document may import at most {MAX_FILES} files");
            self.fail(Code::U10, reference, message)
        } else if self.weight > MAX_WEIGHT {
            let message = format!("a document may import at most {MAX_WEIGHT} bytes of text");
            self.fail(Code::U10, reference, message)
        } else {
            Some(())
        }
    }

    /// U05, with the way round.
    fn circular(&mut self, start: usize, reference: &Spanned<String>) {
        let names = self.chain[start..].iter().map(|link| &*link.unit.file.name);
        let way: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        let message = match &*way {
            [_] => "a document cannot import itself".to_owned(),
            _ => format!(
                "these files import each other: {}, {}",
                way.join(", "),
                way[0]
            ),
        };
        let _: Option<()> = self.fail(Code::U05, reference.span, message);
    }

    fn fail<T>(&mut self, code: Code, reference: Span, message: String) -> Option<T> {
        self.report_here(Diagnostic::new(code, reference, message))
    }

    /// Reports a finding about the document at the end of the chain.
    fn report_here<T>(&mut self, finding: Diagnostic) -> Option<T> {
        let file = self.chain.last()?.unit.file.clone();
        let importers = self.importers(1);
        self.errors.add(&file, [finding], &importers);
        None
    }

    /// Reports findings about a file that is not part of the chain, but imported by its end.
    fn report_below(&mut self, file: &Arc<File>, findings: Vec<Diagnostic>) {
        let importers = self.importers(0);
        self.errors.add(file, findings, &importers);
    }

    /// Where the documents of the chain refer to the next, the nearest first, without the last `but`.
    fn importers(&self, but: usize) -> Vec<Stretch> {
        let links = self.chain.iter().rev().skip(but);
        links
            .map(|link| Stretch {
                file: link.unit.file.clone(),
                span: link.reference,
            })
            .collect()
    }
}
