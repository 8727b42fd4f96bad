//! The Python module `rigy_batch`, over the crate `rigy_batch`.
//!
//! `python/rigy_batch` has the types that are plain data, and the stubs; this extension has the functions, and the types that
//! hold memory of Rust. Every function releases the interpreter's lock while it works ([`errors::working`]) and turns findings
//! into the exception `RigyError`. Single files are worked on by the calling thread, so that a process may fork; a run starts
//! threads of its own and ends them before it returns.

mod arrays;
mod bake;
mod compile;
mod diff;
mod errors;
mod fields;
mod files;
mod frames;
mod inspect;
mod loader;
mod options;
mod program;
mod results;
mod run;
mod verify;

use pyo3::prelude::*;

/// The extension behind `rigy_batch`; its names are to be taken from there.
#[pymodule]
mod _rigy_batch {
    #[pymodule_export]
    use super::arrays::{Instance, Mesh};
    #[pymodule_export]
    use super::bake::bake;
    #[pymodule_export]
    use super::compile::{Compiled, compile};
    #[pymodule_export]
    use super::diff::diff;
    #[pymodule_export]
    use super::frames::frames;
    #[pymodule_export]
    use super::inspect::inspect;
    #[pymodule_export]
    use super::program::main;
    #[pymodule_export]
    use super::run::run;
    #[pymodule_export]
    use super::verify::verify;

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
