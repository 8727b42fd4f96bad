//! Any bytes through the glTF reader, and from there through poses, palettes and the kernel on every instruction set.

#![no_main]

use fuzz::exercise::exercise;
use fuzz::mutate::mutate;
use fuzz::seeds;
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_target!(init: seeds::write(seeds::gltf), |bytes: &[u8]| exercise(bytes));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate(data, size, max_size, seed)
});
