//! The text of numbers: the shortest that reads back as the same f32.

use std::io::{self, Write};

/// Writes a finite number in its shortest form, whole ones without a fraction.
///
/// # Errors
/// The error of the writer.
pub(super) fn write_f32(out: &mut (impl Write + ?Sized), value: f32) -> io::Result<()> {
    let mut buffer = ryu::Buffer::new();
    let text = buffer.format_finite(value);
    out.write_all(text.strip_suffix(".0").unwrap_or(text).as_bytes())
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_short_and_read_back_bit_for_bit() {
        let texts = [
            (1.0, "1"),
            (-0.0, "-0"),
            (0.1, "0.1"),
            (1.0 / 3.0, "0.33333334"),
            (1e-10, "1e-10"),
            (f32::MAX, "3.4028235e38"),
            (f32::from_bits(1), "1e-45"),
            (16_777_216.0, "16777216"),
        ];
        for (value, wanted) in texts {
            let mut text = Vec::new();
            write_f32(&mut text, value).unwrap();
            let text = String::from_utf8(text).unwrap();
            assert_eq!(text, wanted);
            assert_eq!(text.parse::<f32>().unwrap().to_bits(), value.to_bits());
        }
    }
}
