//! Any bytes before both readers of YAML.

#![no_main]

use fuzz::{reader, seeds, yaml};
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_target!(init: seeds::write(seeds::documents), |bytes: &[u8]| {
    reader::compare(bytes);
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    yaml::mutate(data, size, max_size, seed)
});
