//! x
pub mod batch;
#[doc(hidden)]
pub mod cli;
pub mod compile;
pub mod conformance;
pub mod diag;
pub mod expand;
pub mod glb;
pub mod io;
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
