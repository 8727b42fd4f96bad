//! Staging of outputs that go into packs. Small ones wait in memory, large ones in temporary files.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::content::{Content, IN_MEMORY};
use super::staging::{Made, Staging};
use crate::base::diag::Diagnostic;
use crate::io::Target;
use crate::io::pack::EntryData;
use crate::run::batch::outcome::{OutputRecord, Status};

/// The outputs of one input that go into a pack. All of them together hold no more than [`IN_MEMORY`] bytes in memory.
#[derive(Debug, Default)]
pub(crate) struct Packed {
    in_memory: AtomicU64,
    /// Numbers of records, with the bytes of each.
    list: Mutex<Vec<(usize, EntryData)>>,
}

impl Packed {
    /// Adds the output that the record of this number is about.
    pub fn put(&self, record: usize, data: EntryData) {
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        list.push((record, data));
    }

    /// Returns the outputs, in the order in which they go into the pack.
    pub fn into_list(self) -> Vec<(usize, EntryData)> {
        let list = self.list.into_inner();
        list.unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes memory for an output of `len` bytes, if there is enough left.
    fn take(&self, len: u64) -> bool {
        let fits = |taken: u64| taken.checked_add(len).filter(|sum| *sum <= IN_MEMORY);
        let taken = self.in_memory.fetch_update(Relaxed, Relaxed, fits);
        taken.is_ok()
    }
}

impl Staging<'_> {
    /// Keeps an output for a pack. Records its length and its hash.
    ///
    /// # Errors
    /// If it fits neither into memory nor on the disk.
    pub fn stage_for_pack(
        &self,
        content: &Content<'_>,
        record: &mut OutputRecord,
    ) -> Result<Made, Vec<Diagnostic>> {
        let len = content.len();
        record.bytes = Some(len);
        let Some(sink) = self.job.sink else {
            record.sha256 = self.job.options.hash.then(|| content.sha256());
            return Ok(Made::Nowhere(Status::Written));
        };
        record.sha256 = Some(content.sha256());
        if self.job.packed.take(len) {
            let mut bytes = Vec::new();
            self.reserve(&mut bytes, len)?;
            content
                .write(&mut bytes)
                .expect("a vector takes every write");
            return Ok(Made::Packed(EntryData::Memory(bytes)));
        }
        let path = record.path.clone().unwrap_or_default();
        let staged = sink.stage(Target::new(&path), |out| content.write(out));
        let staged = staged.map_err(|error| self.failed(error))?;
        Ok(Made::Packed(EntryData::File(Box::new(staged))))
    }
}
