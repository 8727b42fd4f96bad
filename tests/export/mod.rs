//! Files of other tools: each format is read back by a reader of this folder, written from the format's description, and
//! has every number of the scene bit for bit.

mod arrays;
mod baked;
#[path = "../fuzz/src/exports.rs"]
mod fuzzed;
mod listed;
mod made;
mod materials;
pub mod models;
mod obj;
mod ply;
mod sequence;
mod stl;
mod threemf;
mod usda;
mod usda_reader;
mod vat;
mod vat_files;
mod vat_reader;

#[test]
fn files_are_as_fuzz_targets_want_them() {
    fuzzed::export(&models::textured_file());
}
