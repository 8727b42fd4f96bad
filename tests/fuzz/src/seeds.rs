//! The files that fuzzing begins with, made on the spot.

use std::path::PathBuf;

use rigy_batch::gltf::read;
use rigy_batch::loader::Location;

use crate::exercise::loader;
use crate::framing::Parts;
use crate::{made, rich};

/// Writes them into the directory that `FUZZ_SEEDS` names, if it names one. libFuzzer comes here before it looks at
/// any directory, so that may be one of those it is given.
///
/// # Panics
/// If that cannot be done, or a seed is refused: then it is none.
pub fn write() {
    let Some(directory) = std::env::var_os("FUZZ_SEEDS").map(PathBuf::from) else {
        return;
    };
    for (name, bytes) in all() {
        if let Err(errors) = read(&bytes, &Location("m.glb".into()), &loader()) {
            panic!("{name} is refused: {}", errors[0].message);
        }
        std::fs::write(directory.join(&name), bytes).expect(&name);
    }
}

fn all() -> Vec<(String, Vec<u8>)> {
    let glbs = rich::all()
        .into_iter()
        .chain([("skinned", made::skinned())]);
    let mut all: Vec<(String, Vec<u8>)> = glbs
        .map(|(name, made)| (format!("{name}.glb"), made.glb()))
        .collect();
    let parts = Parts::of(&rich::plain().glb()).expect("it has just been made");
    all.push(("referring.gltf".to_owned(), rich::referring(&parts)));
    all
}
