//! Any bytes as a document or scene, with the files beside it, whose text is put into canonical layout.

#![no_main]

use fuzz::formatter::compare;
use fuzz::{fixtures, seeds, yaml};
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_target!(init: seeds::write(seeds::texts), |bytes: &[u8]| compare(bytes));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    yaml::mutate_archive(fixtures::texts(), data, size, max_size, seed)
});
