//! From checked accessors to nodes, meshes, skins and animations.
//!
//! In: the JSON tree and accessors that can be read. Out: `model`. One file per kind of thing; each reads all of its
//! kind, so that one look shows all that is wrong.

mod animations;
mod extensions;
mod meshes;
mod nodes;
mod skins;

use super::accessor_checks::CheckedAccessor;
use super::buffers::Buffers;
use super::cursor::Cursor;
use super::problem::{Findings, Problem};
use crate::kernel::math::Affine;

pub(super) use animations::read as animations;
pub(super) use extensions::check as extensions;
pub(super) use meshes::read as meshes;
pub(super) use nodes::{read as nodes, scenes};
pub(super) use skins::read as skins;

/// What accessors are read from.
#[derive(Clone, Copy)]
pub(super) struct Data<'d> {
    pub accessors: &'d [CheckedAccessor],
    pub buffers: &'d Buffers<'d>,
    /// Whether the file says that it uses `KHR_mesh_quantization`.
    pub quantization: bool,
}

/// Largest departure of the last row of a matrix from 0 0 0 1 that is put down to rounding.
const ROUNDING: f64 = 1e-5;

/// The upper three rows of a matrix given column by column. Its last row must be 0 0 0 1; exporters that invert
/// matrices in single precision miss that by little, which clients ignore. `which` names the matrix.
fn affine(
    at: &Cursor<'_>,
    which: &dyn Fn() -> String,
    m: [f64; 16],
    findings: &mut Findings<'_>,
) -> Result<Affine, Problem> {
    let last = [m[3], m[7], m[11], m[15]];
    let off = [m[3], m[7], m[11], m[15] - 1.0].map(f64::abs);
    if off != [0.0; 4] {
        let which = which();
        let problem = at.rule(format!("the last row of {which} is {last:?}, not 0 0 0 1"));
        if !off.iter().all(|off| *off <= ROUNDING) {
            return Err(problem.help("only affine matrices are read: export the model again"));
        }
        findings.warn(problem);
    }
    Ok(std::array::from_fn(|row| {
        [m[row], m[row + 4], m[row + 8], m[row + 12]]
    }))
}
