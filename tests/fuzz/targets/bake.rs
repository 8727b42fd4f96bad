//! Any bytes through a whole bake, as often as there are ways to bake them.

#![no_main]

use fuzz::bake::{animate, bake};
use fuzz::mutate::mutate;
use fuzz::seeds;
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_target!(init: seeds::write(seeds::gltf), |bytes: &[u8]| {
    bake(bytes);
    animate(bytes);
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate(data, size, max_size, seed)
});
