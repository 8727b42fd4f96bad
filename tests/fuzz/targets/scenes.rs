//! Any bytes as a scene with the documents that it places.

#![no_main]

use fuzz::archive::compile_scene;
use fuzz::{fixtures, seeds, yaml};
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_target!(init: seeds::write(seeds::scenes), |bytes: &[u8]| compile_scene(bytes));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    yaml::mutate_archive(fixtures::scenes(), data, size, max_size, seed)
});
