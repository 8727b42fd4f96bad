//! Any bytes as a document with the files that it refers to: imports, contracts, weight files.

#![no_main]

use fuzz::archive::compile;
use fuzz::{fixtures, seeds, yaml};
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_target!(init: seeds::write(seeds::archives), |bytes: &[u8]| compile(bytes));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    yaml::mutate_archive(fixtures::archives(), data, size, max_size, seed)
});
