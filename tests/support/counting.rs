//! Files in memory that count how often they are read.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

use rigy_batch::base::loader::{Bytes, Loader, Location, MemoryLoader, OutsideRoot};
use rigy_batch::base::paths::Slashed;

/// Numbers of reads by names of files.
pub type Reads = Arc<Mutex<BTreeMap<String, usize>>>;

pub struct Counting {
    pub files: MemoryLoader,
    pub reads: Reads,
}

impl Loader for Counting {
    fn resolve(&self, from: &Location, reference: &str) -> Result<Location, OutsideRoot> {
        self.files.resolve(from, reference)
    }

    fn read(&self, location: &Location, limit: u64) -> io::Result<Bytes> {
        let name = location.0.slashed().to_string();
        *self.reads.lock().unwrap().entry(name).or_default() += 1;
        self.files.read(location, limit)
    }

    fn len(&self, location: &Location) -> u64 {
        self.files.len(location)
    }
}
