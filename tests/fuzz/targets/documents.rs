//! Any bytes as a document: checked, compiled, posed and written in every way, and read back.

#![no_main]

use fuzz::documents::compile;
use fuzz::{seeds, yaml};
use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use rigy_batch::base::loader::MemoryLoader;

fuzz_target!(init: seeds::write(seeds::documents), |bytes: &[u8]| {
    compile("fuzz.rigy.yaml", bytes, MemoryLoader::default());
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    yaml::mutate(data, size, max_size, seed)
});
