//! Files of other tools: each format is read back by a reader of this folder, written from the format's description, and
//! has every number of the scene bit for bit.

mod baked;
mod listed;
mod made;
mod materials;
pub mod models;
mod obj;
mod ply;
mod sequence;
mod stl;
mod usda;
mod usda_reader;
mod vat;
mod vat_files;
mod vat_reader;
