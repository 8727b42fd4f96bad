//! Outputs of one input on their way: all are made before the first is put in its place.

use std::path::Path;

use super::content::Content;
use super::outcome::{OutputRecord, Status, export_error};
use super::work::{Place, Standing, Work};
use crate::base::diag::Diagnostic;
use crate::base::loader::Stamp;
use crate::io::{IoError, Staged, Target, is_missing};

/// Where outputs are made.
pub(super) struct Staging<'a> {
    pub place: &'a Place<'a>,
    pub work: &'a dyn Work,
}

/// An output that is made.
pub(super) enum Made {
    /// It has to go to its place.
    New(Staged),
    /// It is there, and this is what it was before it was compared.
    There(Stamp),
    /// It is not to be put anywhere.
    Nowhere(Status),
}

impl Staging<'_> {
    /// Compares one output with what is there, and writes it to a temporary file if it is new.
    pub fn stage(
        &self,
        content: &Content<'_>,
        record: &mut OutputRecord,
    ) -> Result<Made, Vec<Diagnostic>> {
        let Some(path) = &record.path else {
            return Ok(Made::Nowhere(Status::Failed));
        };
        let options = self.place.options;
        record.bytes = Some(content.len());
        if options.hash {
            record.sha256 = Some(content.sha256());
        }
        let target = Target::new(path);
        if !options.force
            && let Some(there) = target.with_content(content.len(), |out| content.write(out))
        {
            return Ok(Made::There(there));
        }
        self.check_replaced(path)?;
        let Some(sink) = self.place.sink else {
            return Ok(Made::Nowhere(Status::Written));
        };
        let staged = sink.stage(target, |out| content.write(out));
        staged.map(Made::New).map_err(|error| self.failed(error))
    }

    /// Makes sure that nothing of the user's is lost when the file at `path`, if there is one, is replaced. That it is
    /// no input has been made sure of before.
    ///
    /// # Errors
    /// An ExportError if the file was left out of the search for inputs, or if an input refers to it.
    pub fn check_replaced(&self, path: &Path) -> Result<(), Vec<Diagnostic>> {
        if is_missing(path) || self.place.cache.has_made(self.place.key, path) {
            return Ok(());
        }
        let shown = path.display();
        let message = match self.work.standing_of(path) {
            Standing::Output => return Ok(()),
            Standing::LeftOut => format!(
                "`{shown}` would be replaced, which rigy-batch has not made, and which was not read because outputs go to its directory"
            ),
            Standing::Other => match self.place.sources.reference_at(path) {
                Ok(None) => return Ok(()),
                Err(error) => format!(
                    "`{shown}` is there, and an input may refer to it by another path: {error}"
                ),
                Ok(Some(file)) => format!(
                    "`{shown}` would replace `{}`, which an input of this run refers to",
                    file.display()
                ),
            },
        };
        let error = export_error(self.place.name, message);
        Err(vec![
            error.help("move that file away, or write elsewhere with `-o`"),
        ])
    }

    /// Puts all outputs in their places; `made` has one for each record.
    pub fn put_in_place(
        &self,
        made: Vec<Made>,
        records: &mut [OutputRecord],
    ) -> Result<(), Vec<Diagnostic>> {
        // Nobody looks at maps any more; what was made from one that has changed since goes nowhere.
        let unchanged = self.place.mapped.check();
        unchanged.map_err(|error| self.failed(error))?;
        // Whatever can be known to fail fails before the first file is in its place.
        for made in &made {
            if let Made::New(staged) = made {
                staged.prepare().map_err(|error| self.failed(error))?;
            }
        }
        for (record, made) in records.iter_mut().zip(made) {
            (record.status, record.stamp) = match made {
                Made::New(staged) => {
                    let stamp = staged.commit().map_err(|error| self.failed(error))?;
                    (Status::Written, Some(stamp))
                }
                Made::There(stamp) => (Status::Unchanged, Some(stamp)),
                Made::Nowhere(status) => (status, None),
            };
        }
        Ok(())
    }

    /// A failed operation on a file, as a finding about the input.
    pub fn failed(&self, error: IoError) -> Vec<Diagnostic> {
        vec![export_error(self.place.name, error.to_string())]
    }
}
