//! Findings about several files, gathered in order and located all together.

use std::collections::HashMap;
use std::sync::Arc;

use super::unit::File;
use crate::base::diag::{Diagnostic, MOST_FINDINGS, Place, Span};

/// A stretch of a file: where something is wrong, or where another file is imported.
#[derive(Clone)]
pub(super) struct Stretch {
    pub file: Arc<File>,
    pub span: Span,
}

/// What is wrong with a document and what it imports, at most [`MOST_FINDINGS`]. Places are worked out at the
/// end, so that each file is looked through once, however much is wrong in it.
#[derive(Default)]
pub(super) struct Findings {
    list: Vec<Finding>,
}

struct Finding {
    diagnostic: Diagnostic,
    /// Where it stands, unless it knows that already.
    own: Option<Stretch>,
    /// The imports that lead there, the nearest first.
    importers: Vec<Stretch>,
}

impl Findings {
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether nothing more is taken in.
    pub fn is_full(&self) -> bool {
        self.list.len() >= MOST_FINDINGS
    }

    /// Adds findings about one file; those that have a place keep it.
    pub fn add(
        &mut self,
        file: &Arc<File>,
        diagnostics: impl IntoIterator<Item = Diagnostic>,
        importers: &[Stretch],
    ) {
        let room = MOST_FINDINGS - self.list.len();
        let finding = |mut diagnostic: Diagnostic| {
            let own = match (&diagnostic.place, diagnostic.span) {
                (None, Some(span)) => Some(Stretch {
                    file: file.clone(),
                    span,
                }),
                (None, None) => {
                    diagnostic = diagnostic.about_file(&file.name);
                    None
                }
                (Some(_), _) => None,
            };
            Finding {
                diagnostic,
                own,
                importers: importers.to_vec(),
            }
        };
        self.list
            .extend(diagnostics.into_iter().take(room).map(finding));
    }

    /// Adds what was gathered elsewhere.
    pub fn append(&mut self, mut other: Self) {
        other.list.truncate(MOST_FINDINGS - self.list.len());
        self.list.append(&mut other.list);
    }

    /// Nothing, if nothing was found.
    ///
    /// # Errors
    /// All findings with their places.
    pub fn none(self) -> Result<(), Vec<Diagnostic>> {
        if self.is_empty() {
            Ok(())
        } else {
            Err(self.located())
        }
    }

    /// All findings with their places.
    pub fn located(self) -> Vec<Diagnostic> {
        let stretches = self
            .list
            .iter()
            .flat_map(|f| f.own.iter().chain(&f.importers));
        let mut places = places(stretches.collect()).into_iter();
        let mut next = || places.next().expect("one place for each stretch");
        let locate = |finding: Finding| {
            let mut diagnostic = finding.diagnostic;
            if finding.own.is_some() {
                diagnostic.place = Some(Box::new(next()));
                diagnostic = diagnostic.told_of_copy();
            }
            let importers = finding.importers.iter().map(|_| next());
            diagnostic.importers.extend(importers);
            diagnostic
        };
        self.list.into_iter().map(locate).collect()
    }
}

/// The place of each stretch, in order.
fn places(stretches: Vec<&Stretch>) -> Vec<Place> {
    let mut by_file: HashMap<*const File, Vec<usize>> = HashMap::new();
    for (index, stretch) in stretches.iter().enumerate() {
        by_file
            .entry(Arc::as_ptr(&stretch.file))
            .or_default()
            .push(index);
    }
    let mut places: Vec<Option<Place>> = vec![None; stretches.len()];
    for indices in by_file.into_values() {
        let spans = indices.iter().map(|index| stretches[*index].span);
        let found = stretches[indices[0]].file.places(spans.collect());
        for (index, place) in indices.into_iter().zip(found) {
            places[index] = Some(place);
        }
    }
    places.into_iter().flatten().collect()
}
