//! The first inputs of each target: files that are made on the spot, and the project's own fixtures.

use std::path::PathBuf;

use rigy_batch::bake::gltf::read;
use rigy_batch::base::loader::Location;

use crate::exercise::loader;
use crate::fixtures::Named as Seeds;
use crate::framing::Parts;
use crate::{draco, fixtures, made, rich};

/// Writes them into the directory that `FUZZ_SEEDS` names, if it names one. libFuzzer comes here before it looks at
/// any directory, so that may be one of those it is given.
///
/// # Panics
/// If that cannot be done.
pub fn write(seeds: fn() -> Seeds) {
    let Some(directory) = std::env::var_os("FUZZ_SEEDS").map(PathBuf::from) else {
        return;
    };
    for (name, bytes) in seeds() {
        let name = name.replace('/', "_");
        std::fs::write(directory.join(&name), bytes).expect(&name);
    }
}

pub fn gltf() -> Seeds {
    let glbs = rich::all()
        .into_iter()
        .chain([("skinned", made::skinned()), ("draco", draco::skinned())]);
    let mut all: Seeds = glbs
        .map(|(name, made)| (format!("{name}.glb"), made.glb()))
        .collect();
    let parts = Parts::of(&rich::plain().glb()).expect("it has just been made");
    all.push(("referring.gltf".to_owned(), rich::referring(&parts)));
    for (name, bytes) in &all {
        if let Err(errors) = read(bytes, &Location("m.glb".into()), &loader()) {
            panic!("{name} is refused: {}", errors[0].message);
        }
    }
    all
}

pub fn documents() -> Seeds {
    fixtures::documents().clone()
}

pub fn archives() -> Seeds {
    fixtures::archives().clone()
}

pub fn scenes() -> Seeds {
    fixtures::scenes().clone()
}

pub fn texts() -> Seeds {
    fixtures::texts().clone()
}
