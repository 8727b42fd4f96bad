//! Any bytes as a document that is checked for limits before it is composed.

#![no_main]

use fuzz::{limits, seeds, yaml};
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_target!(init: seeds::write(seeds::documents), |bytes: &[u8]| {
    limits::compare(bytes);
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    yaml::mutate(data, size, max_size, seed)
});
