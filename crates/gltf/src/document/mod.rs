//! Reading nodes, meshes, skins, animations and scenes.
//!
//! In: the JSON tree and checked accessors. Out: `model`. Each file reads all objects of one kind, so that the errors
//! of all of them are reported together.

mod affine;
mod animations;
mod data;
mod extensions;
mod meshes;
mod nodes;
mod scene_checks;
mod skins;

pub use animations::{channels, read as animations};
pub use extensions::check as extensions;
pub use extensions::{Extension, extension};
pub use meshes::read as meshes;
pub use nodes::{read as nodes, scenes};
pub use scene_checks::{check as check_scene, empty_scene};

pub use data::Data;
pub use skins::read as skins;
