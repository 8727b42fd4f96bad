//! Affine matrices.

use crate::cursor::Cursor;
use crate::problem::{Findings, Result};
use rigy_kernel::math::Affine;

/// Largest difference of the last row of a matrix from 0 0 0 1 that is regarded as rounding.
const ROUNDING: f64 = 1e-5;

/// The upper three rows of a matrix given column by column. Its last row must be 0 0 0 1; exporters that invert
/// matrices in single precision have small differences, which clients ignore. `which` returns the name of the matrix
/// for messages.
pub fn affine(
    at: &Cursor,
    which: &dyn Fn() -> String,
    m: [f64; 16],
    findings: &mut Findings,
) -> Result<Affine> {
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
