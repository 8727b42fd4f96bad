//! The text of lists of numbers.

use std::io::{self, Write};

use rigy_models::glb::number::write_f32;

/// Writes numbers with a text between them.
///
/// # Errors
/// The error of the writer.
pub(super) fn write_all_f32(
    out: &mut (impl Write + ?Sized),
    values: &[f32],
    between: &str,
) -> io::Result<()> {
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            out.write_all(between.as_bytes())?;
        }
        write_f32(out, *value)?;
    }
    Ok(())
}
