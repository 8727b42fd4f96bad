//! Stage A6: everything that a document imports, directly or through others.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::files::{Files, Unusable};
use super::unit::Unit;
use crate::diag::{Category, Code, Diagnostic, Place, Span, Spanned};
use crate::model::{Contract, Import};

/// Longest chain of imports.
pub const MAX_DEPTH: usize = 16;
/// Most files one document may import, directly or not, contracts included.
pub const MAX_FILES: usize = 1024;

/// What a document imports.
#[derive(Default)]
pub(super) struct Imports {
    /// The direct imports, in document order.
    pub direct: Vec<Imported>,
    /// Contracts that are malformed, each with the number of the direct import it was met under.
    pub malformed: Vec<(usize, Vec<Diagnostic>)>,
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
/// ParseErrors, located: U14, U05, U06, limits, and the faults of every imported file.
pub(super) fn load(root: &Arc<Unit>, files: &Files) -> Result<Imports, Vec<Diagnostic>> {
    let mut walk = Walk {
        files,
        chain: Vec::new(),
        heights: HashMap::new(),
        count: 0,
        imports: Imports::default(),
        errors: Vec::new(),
    };
    walk.document(root);
    if walk.errors.is_empty() {
        Ok(walk.imports)
    } else {
        Err(walk.errors)
    }
}

struct Walk<'p> {
    files: &'p Files,
    /// The documents that are being loaded, the root first, each with the reference it is looking into.
    chain: Vec<Link>,
    /// Files that are done, and how many levels of imports each has below it.
    heights: HashMap<PathBuf, usize>,
    count: usize,
    imports: Imports,
    errors: Vec<Diagnostic>,
}

struct Link {
    unit: Arc<Unit>,
    identity: PathBuf,
    reference: Span,
}

impl Walk<'_> {
    /// One document's references and imports; returns its height.
    fn document(&mut self, unit: &Arc<Unit>) -> usize {
        self.report_below(unit.escapes.clone());
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
        self.look_into(reference.span);
        let location = self
            .files
            .loader()
            .resolve(&unit.file.location, &reference.value);
        let location = location.ok()?; // reported as U14
        let identity = self.files.identity(&location);
        if let Some(start) = self.chain.iter().position(|link| link.identity == identity) {
            self.circular(start, reference);
            return None;
        }
        let known = self.heights.get(&identity).copied();
        if self.chain.len() + known.unwrap_or(0) > MAX_DEPTH {
            let message = format!("imports are nested more than {MAX_DEPTH} deep");
            return self.fail(Code::U10, reference.span, message);
        }
        if known.is_none() {
            self.count(reference.span)?;
        }
        match self.files.unit(&location) {
            Ok(found) => {
                let height = known.unwrap_or_else(|| self.document(&found));
                self.heights.insert(identity, height);
                Some((height, found))
            }
            Err(_) if known.is_some() => None, // reported before
            Err(unusable) => {
                self.heights.insert(identity, 0);
                self.unusable(reference, unusable)
            }
        }
    }

    /// Reports why an import cannot be used.
    fn unusable<T>(&mut self, reference: &Spanned<String>, why: Unusable) -> Option<T> {
        let help = "paths start from the directory of the file that names them";
        let message = |what: &str| format!("cannot import `{}`: {what}", reference.value);
        let missing =
            |what: &str| Diagnostic::new(Code::U06, reference.span, message(what)).help(help);
        match why {
            Unusable::Missing => self.report_here(missing("there is no such file")),
            Unusable::NoFile(what) => self.report_here(missing(&what)),
            Unusable::Unreadable(what) => {
                let mut error = Diagnostic::without_code(Category::ParseError, message(&what));
                error.span = Some(reference.span);
                self.report_here(error)
            }
            Unusable::Faulty(faults) => {
                self.report_below(faults.to_vec());
                None
            }
        }
    }

    /// A contract that can be read; malformed ones are kept for when their turn comes.
    fn contract(&mut self, unit: &Arc<Unit>, reference: &Spanned<String>) -> Option<Arc<Contract>> {
        self.look_into(reference.span);
        let location = self
            .files
            .loader()
            .resolve(&unit.file.location, &reference.value);
        let location = location.ok()?; // reported as U14
        self.count(reference.span)?;
        match self.files.contract(&location) {
            Ok(contract) => Some(contract),
            Err(Unusable::Faulty(faults)) => {
                let faults = self.with_importers(faults.to_vec(), self.chain.len());
                // The import it belongs to, or is nested in, is the one being loaded.
                self.imports
                    .malformed
                    .push((self.imports.direct.len(), faults));
                None
            }
            Err(Unusable::Missing) => self.unusable(reference, Unusable::Missing),
            Err(Unusable::NoFile(what) | Unusable::Unreadable(what)) => {
                let message = format!("cannot read contract `{}`: {what}", reference.value);
                let fault = Diagnostic::new(Code::V31, reference.span, message);
                let located = unit.file.locate(vec![fault]);
                let faults = self.with_importers(located, self.chain.len() - 1);
                self.imports
                    .malformed
                    .push((self.imports.direct.len(), faults));
                None
            }
        }
    }

    fn look_into(&mut self, reference: Span) {
        if let Some(link) = self.chain.last_mut() {
            link.reference = reference;
        }
    }

    /// Counts one more file.
    fn count(&mut self, reference: Span) -> Option<()> {
        self.count += 1;
        match self.count.cmp(&(MAX_FILES + 1)) {
            std::cmp::Ordering::Less => Some(()),
            std::cmp::Ordering::Equal => {
                let message = format!("a document may import at most {MAX_FILES} files");
                self.fail(Code::U10, reference, message)
            }
            std::cmp::Ordering::Greater => None,
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
        if let Some(link) = self.chain.last() {
            let located = link.unit.file.locate(vec![finding]);
            let own = self.chain.len() - 1;
            self.errors.extend(self.with_importers(located, own));
        }
        None
    }

    /// Reports located findings about a document that is not yet part of the chain.
    fn report_below(&mut self, findings: Vec<Diagnostic>) {
        let findings = self.with_importers(findings, self.chain.len());
        self.errors.extend(findings);
    }

    /// Adds where the first `count` documents of the chain refer to the next.
    fn with_importers(&self, findings: Vec<Diagnostic>, count: usize) -> Vec<Diagnostic> {
        if findings.is_empty() {
            return findings;
        }
        let links = self.chain[..count].iter().rev();
        let places: Vec<Place> = links
            .map(|link| link.unit.file.place(link.reference))
            .collect();
        let add = |finding: Diagnostic| places.iter().fold(finding, Diagnostic::imported_from);
        findings.into_iter().map(add).collect()
    }
}
