//! The contracts of imports.

use std::fmt;
use std::sync::Arc;

use super::super::files::Unusable;
use super::super::findings::{FileFindings, FileSpan};
use super::super::unit::Unit;
use super::{WHERE_FROM, Walk};
use rigy_language::base::diag::{Code, Diagnostic, MOST_FINDINGS, Spanned};
use rigy_language::base::loader::Location;
use rigy_language::model::Contract;

impl Walk<'_> {
    /// Returns a contract. The faults of a malformed contract are kept for stage D.
    pub(super) fn contract(
        &mut self,
        unit: &Arc<Unit>,
        reference: &Spanned<String>,
        location: &Location,
        may_be_missing: bool,
    ) -> Option<Arc<Contract>> {
        self.enter(reference)?;
        let fetch = || self.files.contract(location);
        let found = self.contracts.entry(location.clone()).or_insert_with(fetch);
        let found = found.clone();
        self.record(unit, reference, location, found.trace);
        self.count(location, found.expanded_len, reference.span)?;
        match found.made {
            Ok(contract) => Some(contract),
            Err(Unusable::Faulty(faults)) => {
                self.malformed(unit, faults.to_vec(), &self.chain.importers(0))
            }
            Err(Unusable::Missing) if may_be_missing => None,
            Err(Unusable::Missing) => {
                let message = format!("there is no contract `{}`", reference.value);
                let error = Diagnostic::new(Code::U06, reference.span, message);
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

/// Returns the finding about a contract that cannot be read.
fn unread(reference: &Spanned<String>, why: &dyn fmt::Display) -> Diagnostic {
    let message = format!("cannot read contract `{}`: {why}", reference.value);
    Diagnostic::new(Code::V31, reference.span, message)
}
