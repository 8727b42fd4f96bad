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

pub(super) use animations::{channels, read as animations};
pub(crate) use extensions::check as extensions;
pub use extensions::{Extension, extension};
pub(super) use meshes::read as meshes;
pub(super) use nodes::{read as nodes, scenes};
pub(super) use scene_checks::{check as check_scene, empty_scene};

pub(super) use data::Data;
pub(super) use skins::read as skins;
