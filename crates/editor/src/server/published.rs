//! The findings that the client shows: for each file those of all open documents that read it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ls_types::notification::{Notification as _, PublishDiagnostics};
use ls_types::{Diagnostic, PublishDiagnosticsParams, Uri};
use lsp_server::{Message, Notification};

use super::document::Document;
use super::findings::ByUri;
use rigy_base::maps::{HashMap, HashSet};

/// The open documents by their URIs.
pub type Documents = HashMap<String, Document>;

/// The result of judging a document: its findings, and the files to which it refers.
#[derive(Default)]
pub struct Report {
    /// Its findings, by the URIs of the files that they are about.
    pub findings: ByUri,
    /// The identities of the files to which it refers.
    pub files: HashSet<PathBuf>,
}

/// The last report of each open document.
#[derive(Default)]
pub struct Published {
    reports: HashMap<String, Report>,
}

impl Published {
    /// Replaces the report of a document. Returns a message for each file whose findings this concerns, and for the document.
    pub fn update(&mut self, uri: &Uri, report: Report, open: &Documents) -> Vec<Message> {
        let old = self.reports.remove(uri.as_str()).unwrap_or_default();
        // Keyed by text, because a `Uri` counts as a value that may change.
        let concerned: BTreeMap<&str, &Uri> = std::iter::once(uri)
            .chain(uris(&old))
            .chain(uris(&report))
            .map(|uri| (uri.as_str(), uri))
            .collect();
        let concerned: Vec<Uri> = concerned.into_values().cloned().collect();
        self.reports.insert(uri.as_str().to_owned(), report);
        concerned
            .iter()
            .map(|uri| self.message(uri, open))
            .collect()
    }

    /// Removes the report of a document that has been closed.
    pub fn remove(&mut self, uri: &Uri, open: &Documents) -> Vec<Message> {
        let messages = self.update(uri, Report::default(), open);
        self.reports.remove(uri.as_str());
        messages
    }

    /// Returns the URIs of the documents that refer to a file, in order.
    pub fn importers(&self, identity: &Path) -> Vec<String> {
        let mut uris: Vec<String> = self
            .reports
            .iter()
            .filter(|(_, report)| report.files.contains(identity))
            .map(|(uri, _)| uri.clone())
            .collect();
        uris.sort_unstable();
        uris
    }

    /// Returns the message that tells the client all findings of a file.
    fn message(&self, uri: &Uri, open: &Documents) -> Message {
        let params = PublishDiagnosticsParams {
            uri: uri.clone(),
            diagnostics: self.findings(uri),
            version: open.get(uri.as_str()).map(|document| document.version),
        };
        Notification::new(PublishDiagnostics::METHOD.to_owned(), params).into()
    }

    /// Returns the findings about a file: first those of its own report, then those of its importers in the order of their
    /// URIs, without those that are known.
    pub fn findings(&self, uri: &Uri) -> Vec<Diagnostic> {
        let mut reports: Vec<_> = self.reports.iter().collect();
        reports.sort_by_key(|(of, _)| (of.as_str() != uri.as_str(), *of));
        let mut all: Vec<Diagnostic> = Vec::new();
        for (_, report) in reports {
            let Some((_, found)) = report.findings.get(uri.as_str()) else {
                continue;
            };
            let known = all.len();
            for finding in found {
                match all[..known]
                    .iter_mut()
                    .find(|other| is_same(other, finding))
                {
                    Some(other) => add_importers(other, finding),
                    None => all.push(finding.clone()),
                }
            }
        }
        all
    }
}

fn uris(report: &Report) -> impl Iterator<Item = &Uri> {
    report.findings.values().map(|(uri, _)| uri)
}

/// Returns true for two findings of one fault, which several documents have reported.
fn is_same(one: &Diagnostic, other: &Diagnostic) -> bool {
    (one.range, &one.code, &one.message) == (other.range, &other.code, &other.message)
}

/// Adds the places where a file is imported to a finding of the same fault.
fn add_importers(finding: &mut Diagnostic, other: &Diagnostic) {
    let Some(importers) = &other.related_information else {
        return;
    };
    let known = finding.related_information.get_or_insert_default();
    for importer in importers {
        if !known.contains(importer) {
            known.push(importer.clone());
        }
    }
}
