//! x
pub mod compile;
pub mod diag;
pub mod expand;
pub mod glb;
pub mod kernel;
pub mod loader;
pub mod math;
pub mod model;
pub mod parse;
pub mod pose;
pub mod scene;
pub mod simd;
pub mod skin;
pub mod tessellate;
pub mod validate;
pub mod yaml;
