//! The geometry of a checked document: from primitives, bindings and poses to what is written and evaluated.
//!
//! [`tessellate`] makes vertices and triangles of primitives, [`skin`] makes joints and influences of bindings,
//! [`pose`] makes one transform for each joint of a pose, and [`scene`] is where all of it meets.

pub mod pose;
pub mod scene;
pub mod skin;
pub mod tessellate;
