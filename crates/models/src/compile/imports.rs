//! Stage A6: the files that a document imports, directly or through others.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::allowance::{Allowance, Reserve};
use super::files::{Fetched, Files, Unusable};
use super::findings::{Chain, FileFindings, FileSpan};
use super::unit::Unit;
use rigy_base::diag::{Category, Code, Diagnosed, Diagnostic, MOST_FINDINGS, Span, Text};
use rigy_base::loader::{FileRecord, Loader, Location, Trace};
use rigy_base::maps::HashMap;
use rigy_language::model::{Contract, Import};

/// Longest chain of imports.
pub const MAX_DEPTH: usize = 16;

/// Advice about a path that leads to no file.
const WHERE_FROM: &str = "paths start from the directory of the file that names them";

/// The imports of a document.
#[derive(Default)]
pub struct Imports {
    /// The direct imports, in document order.
    pub direct: Vec<Imported>,
    /// The files that were read, contracts included.
    pub record: FileRecord,
    /// The faults of malformed contracts, each with the index of the direct import below which it was found.
    pub malformed: Vec<(usize, FileFindings)>,
}

/// A direct import.
pub struct Imported {
    pub import: Import,
    pub unit: Arc<Unit>,
    /// Its contract, unless it has none or a malformed one.
    pub contract: Option<Arc<Contract>>,
}

/// Loads all imports of a document, depth first, in document order. `loader` resolves them. Memory for them is reserved before
/// they are read.
///
/// # Errors
/// ParseErrors with their places: U14, U05, U06, U10 for limits, and the faults of every imported file. If memory could not be
/// reserved, the errors so far, perhaps none.
pub fn load(
    root: &Arc<Unit>,
    files: &Files,
    loader: &dyn Loader,
    reserve: &mut Reserve,
) -> Diagnosed<Imports> {
    let mut walk = Walk {
        files,
        loader,
        chain: Chain::default(),
        heights: HashMap::default(),
        units: HashMap::default(),
        contracts: HashMap::default(),
        identities: HashMap::default(),
        malformed: 0,
        allowance: Allowance::new(reserve),
        imports: Imports::default(),
    };
    walk.document(root);
    if walk.allowance.is_refused {
        Err(walk.chain.errors.located())
    } else {
        walk.chain.errors.check_none().map(|()| walk.imports)
    }
}

struct Walk<'p> {
    files: &'p Files,
    /// Resolves references.
    loader: &'p dyn Loader,
    /// The documents that are being loaded, and their errors.
    chain: Chain,
    /// Documents that have been loaded, and the number of levels of imports below each (its height).
    heights: HashMap<Location, usize>,
    /// The documents fetched so far: each is fetched once, however often it is imported.
    units: HashMap<Location, Fetched<Unit>>,
    contracts: HashMap<Location, Fetched<Contract>>,
    identities: HashMap<Location, PathBuf>,
    /// Number of findings about contracts so far.
    malformed: usize,
    allowance: Allowance<'p>,
    imports: Imports,
}

impl Walk<'_> {
    /// Loads the imports of a document; returns its height.
    fn document(&mut self, unit: &Arc<Unit>) -> usize {
        self.chain.report_below(&unit.file, unit.escapes.clone());
        if unit.imports.is_empty() {
            return 0;
        }
        let identity = self.identity(&unit.file.location);
        self.chain.push(unit.clone(), identity);
        let height = self.imports(unit).unwrap_or(0);
        self.chain.pop();
        height
    }

    /// Loads the imports of the last document of the chain; returns its height, or `None` if they exceed a limit.
    fn imports(&mut self, unit: &Arc<Unit>) -> Option<usize> {
        let files = self.locations(unit)?;
        let heights = unit
            .imports
            .iter()
            .zip(files)
            .map(|(import, files)| self.import(unit, import, files));
        Some(1 + heights.max().unwrap_or(0))
    }

    /// The locations of the imports of a document and of their contracts; `None` stands for one that is missing or
    /// outside the root. Their lengths are counted and memory is reserved for them before any is read; returns `None` if
    /// a limit is exceeded or memory cannot be reserved.
    fn locations(&mut self, unit: &Unit) -> Option<Vec<[Option<Location>; 2]>> {
        let imports = unit.imports.iter();
        let mut known: HashMap<&str, Option<Location>> = HashMap::default();
        let files = imports.map(|import| {
            let mut files = [None, None];
            for (file, reference) in files.iter_mut().zip(import.references()) {
                if let Some(known) = known.get(&*reference.value) {
                    *file = known.clone();
                    continue;
                }
                let found = self.loader.resolve(&unit.file.location, &reference.value);
                *file = found.ok(); // that it is outside the root has been reported (U14)
                known.insert(&reference.value, file.clone());
                if let Some(location) = file {
                    let len = self.files.admitted(self.loader.len(location));
                    self.count(location, len, reference.span)?;
                }
            }
            Some(files)
        });
        let files = files.collect::<Option<_>>()?;
        self.allowance.reserve()?;
        Some(files)
    }

    /// Loads one import with its contract; returns its height.
    fn import(
        &mut self,
        unit: &Arc<Unit>,
        import: &Import,
        [source, contract]: [Option<Location>; 2],
    ) -> usize {
        if self.chain.errors.is_full() {
            return 0;
        }
        let direct = self.chain.len() == 1;
        let imported = source.and_then(|location| self.source(unit, &import.source, location));
        let height = imported.as_ref().map_or(0, |(height, _)| *height);
        let contract = import.contract.as_ref().zip(contract);
        let may_be_missing = import.contract_may_be_missing;
        let contract = contract.and_then(|(reference, location)| {
            self.contract(unit, reference, &location, may_be_missing)
        });
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

    /// Loads an imported document; returns its height and the document, or `None` if it has errors.
    fn source(
        &mut self,
        unit: &Arc<Unit>,
        reference: &Text,
        location: Location,
    ) -> Option<(usize, Arc<Unit>)> {
        self.enter(reference)?;
        let identity = self.identity(&location);
        if let Some(start) = self.chain.position(&identity) {
            return self.chain.circular(start, reference.span);
        }
        let known = self.heights.get(&location).copied();
        if self.chain.len() + known.unwrap_or(0) > MAX_DEPTH {
            let message = format!("imports are nested more than {MAX_DEPTH} deep");
            return self.chain.fail(Code::U10, reference.span, message);
        }
        let found = self
            .units
            .entry(location.clone())
            .or_insert_with(|| self.files.unit(&location))
            .clone();
        self.record(unit, reference, &location, found.trace);
        self.count(&location, found.expanded_len, reference.span)?;
        match found.made {
            Ok(found) => {
                let height = known.unwrap_or_else(|| self.document(&found));
                self.heights.insert(location, height);
                Some((height, found))
            }
            Err(_) if known.is_some() => None, // reported before
            Err(unusable) => {
                self.heights.insert(location, 0);
                self.unusable(unit, reference, unusable)
            }
        }
    }

    /// Reports the reason why an import cannot be used.
    fn unusable<T>(&mut self, unit: &Unit, reference: &Text, why: Unusable) -> Option<T> {
        let message = |what: &str| format!("cannot import `{}`: {what}", reference.value);
        let missing =
            |what: &str| Diagnostic::new(Code::U06, reference.span, message(what)).help(WHERE_FROM);
        match why {
            Unusable::Missing(what) | Unusable::NoFile(what) => {
                self.chain.report_here(missing(&what))
            }
            Unusable::Unreadable(cause) => {
                let message = message(&cause.to_string());
                let mut error = Diagnostic::without_code(Category::ParseError, message);
                error.span = Some(reference.span);
                self.chain.report_here(error.caused_by(&cause))
            }
            Unusable::Faulty(faults) => {
                self.chain.report_below(&unit.file, faults.to_vec());
                None
            }
        }
    }

    /// Makes a reference the one that the last document of the chain is loading; returns `None` if no further file may be
    /// read.
    fn enter(&mut self, reference: &Text) -> Option<()> {
        self.chain.set_reference(reference.span);
        (!self.allowance.is_exceeded()).then_some(())
    }

    /// The identity of a file, which is the same for all its locations.
    fn identity(&mut self, location: &Location) -> PathBuf {
        self.identities
            .entry(location.clone())
            .or_insert_with(|| self.files.loader().identity(location))
            .clone()
    }

    /// Records a file that has been read, for this document or for an earlier one.
    fn record(&mut self, unit: &Unit, reference: &Text, location: &Location, trace: Option<Trace>) {
        let route = unit.file.location.route(&reference.value);
        self.imports.record.add_route(location, route);
        self.imports.record.add_read(location, trace);
    }

    /// Counts a file; reports an error and returns `None` if a limit is exceeded.
    fn count(&mut self, location: &Location, expanded_len: u64, reference: Span) -> Option<()> {
        match self.allowance.count(location, expanded_len, reference) {
            Ok(()) => Some(()),
            Err(error) => self.chain.report_here(error),
        }
    }
}

impl Walk<'_> {
    /// A contract. The faults of a malformed contract are kept for stage D.
    fn contract(
        &mut self,
        unit: &Arc<Unit>,
        reference: &Text,
        location: &Location,
        may_be_missing: bool,
    ) -> Option<Arc<Contract>> {
        self.enter(reference)?;
        let found = self
            .contracts
            .entry(location.clone())
            .or_insert_with(|| self.files.contract(location))
            .clone();
        self.record(unit, reference, location, found.trace);
        self.count(location, found.expanded_len, reference.span)?;
        match found.made {
            Ok(contract) => Some(contract),
            Err(Unusable::Faulty(faults)) => {
                self.malformed(unit, faults.to_vec(), &self.chain.importers(0))
            }
            Err(Unusable::Missing(_)) if may_be_missing => None,
            Err(Unusable::Missing(what)) => {
                let error = Diagnostic::new(
                    Code::U06,
                    reference.span,
                    format!("cannot find contract `{}`: {what}", reference.value),
                );
                self.chain.report_here(error.help(WHERE_FROM))
            }
            Err(Unusable::NoFile(what)) => {
                let fault = unread(reference, &what);
                self.malformed(unit, vec![fault], &self.chain.importers(1))
            }
            Err(Unusable::Unreadable(cause)) => {
                let fault = unread(reference, &cause).caused_by(&cause);
                self.malformed(unit, vec![fault], &self.chain.importers(1))
            }
        }
    }

    /// Keeps the faults of a contract with the index of the direct import that is being loaded.
    fn malformed<T>(
        &mut self,
        unit: &Unit,
        faults: Vec<Diagnostic>,
        importers: &[FileSpan],
    ) -> Option<T> {
        if self.malformed >= MOST_FINDINGS {
            return None; // the faults would be dropped
        }
        self.malformed += faults.len();
        let mut findings = FileFindings::default();
        findings.add(&unit.file, faults, importers);
        let index = self.imports.direct.len();
        self.imports.malformed.push((index, findings));
        None
    }
}

/// The finding about a contract that cannot be read.
fn unread(reference: &Text, why: &dyn fmt::Display) -> Diagnostic {
    Diagnostic::new(
        Code::V31,
        reference.span,
        format!("cannot read contract `{}`: {why}", reference.value),
    )
}
