//! Outputs of one input on their way: all are made before the first is put in its place.

use super::content::Content;
use super::outcome::{OutputRecord, Status, export_error};
use super::work::Place;
use crate::diag::Diagnostic;
use crate::io::{IoError, Staged, Target};

/// Where outputs are made.
pub(super) struct Staging<'a> {
    pub place: &'a Place<'a>,
}

/// An output that is made, and not yet in its place if it has to go there.
pub(super) struct Made {
    pub status: Status,
    pub staged: Option<Staged>,
}

impl Made {
    /// Nothing is to be put anywhere.
    pub fn without_file(status: Status) -> Self {
        let staged = None;
        Self { status, staged }
    }
}

impl Staging<'_> {
    /// Compares one output with what is there, and writes it to a temporary file if it is new.
    pub fn stage(
        &self,
        content: &Content<'_>,
        record: &mut OutputRecord,
    ) -> Result<Made, Vec<Diagnostic>> {
        let Some(path) = &record.path else {
            return Ok(Made::without_file(Status::Failed));
        };
        let options = self.place.options;
        record.bytes = Some(content.len());
        if options.hash {
            record.sha256 = Some(content.sha256());
        }
        let target = Target::new(path);
        if !options.force && target.has_content(content.len(), |out| content.write(out)) {
            return Ok(Made::without_file(Status::Unchanged));
        }
        let Some(sink) = self.place.sink else {
            return Ok(Made::without_file(Status::Written));
        };
        let staged = sink.stage(target, |out| content.write(out));
        Ok(Made {
            status: Status::Written,
            staged: Some(staged.map_err(|error| self.failed(error))?),
        })
    }

    /// Puts all outputs in their places; `made` has one for each record.
    pub fn put_in_place(
        &self,
        made: Vec<Made>,
        records: &mut [OutputRecord],
    ) -> Result<(), Vec<Diagnostic>> {
        // Nobody looks at maps any more; what was made from one that has changed since goes nowhere.
        let reading = self.place.reading.check();
        reading.map_err(|error| self.failed(error))?;
        // Whatever can be known to fail fails before the first file is in its place.
        for staged in made.iter().filter_map(|made| made.staged.as_ref()) {
            staged.prepare().map_err(|error| self.failed(error))?;
        }
        for (record, made) in records.iter_mut().zip(made) {
            if let Some(staged) = made.staged {
                staged.commit().map_err(|error| self.failed(error))?;
            }
            record.status = made.status;
        }
        Ok(())
    }

    /// A failed operation on a file, as a finding about the input.
    pub fn failed(&self, error: IoError) -> Vec<Diagnostic> {
        vec![export_error(self.place.name, error.to_string())]
    }
}
