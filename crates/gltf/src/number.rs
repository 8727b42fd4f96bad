//! Numbers of files: their text, as Python's `repr` of a double (`numerics.md` §9.1) or the fewest digits that give an f32, and whether
//! they are finite.

use std::io::{self, Write};

/// Returns what [`write_repr`] writes.
pub fn repr(value: f64) -> String {
    let mut text = Vec::new();
    write_repr(&mut text, value).expect("a vector takes every write");
    String::from_utf8_lossy(&text).into_owned()
}

/// Writes the shortest digits that read back as the same double; fixed notation from 1e-4 up to 1e16, always
/// with a fraction; otherwise an exponent with its sign and at least two digits. The standard library's
/// formatting is not used: it breaks ties between equally short candidates differently.
///
/// # Errors
/// The error of the writer.
pub fn write_repr(out: &mut (impl Write + ?Sized), value: f64) -> io::Result<()> {
    let mut buffer = ryu::Buffer::new();
    let text = buffer.format_finite(value);
    // In this range both notations are the same.
    if value == 0.0 || (1e-4..1e16).contains(&value.abs()) {
        return out.write_all(text.as_bytes());
    }
    match text.split_once('e') {
        Some((mantissa, exponent)) => {
            let (sign, exponent) = match exponent.strip_prefix('-') {
                Some(exponent) => ('-', exponent),
                None => ('+', exponent),
            };
            write!(out, "{mantissa}e{sign}{exponent:0>2}")
        }
        // From 1e-5 on it still writes a fraction: `0.0000`, then the digits.
        None => {
            let (sign, digits) = text.split_at(text.find('0').unwrap_or(0));
            let (first, rest) = digits.trim_start_matches(['0', '.']).split_at(1);
            let point = if rest.is_empty() { "" } else { "." };
            write!(out, "{sign}{first}{point}{rest}e-05")
        }
    }
}

/// Writes a finite number in the fewest digits that read back as the same f32, whole ones without a fraction.
///
/// # Errors
/// The error of the writer.
pub fn write_f32(out: &mut (impl Write + ?Sized), value: f32) -> io::Result<()> {
    let mut buffer = ryu::Buffer::new();
    let text = buffer.format_finite(value);
    out.write_all(text.strip_suffix(".0").unwrap_or(text).as_bytes())
}

/// Returns true if all numbers are finite. It sums the products with zero, which are zero only for finite numbers, so that
/// the loop has no branch and can be vectorised.
pub fn all_finite<N: Copy>(numbers: &[N], single: impl Fn(N) -> f32) -> bool {
    let mut sums = [0.0f32; 8];
    let (rows, rest) = numbers.as_chunks::<8>();
    for row in rows {
        let row = row.map(&single);
        for (sum, number) in sums.iter_mut().zip(row) {
            *sum += number * 0.0;
        }
    }
    let rest = rest.iter().all(|number| single(*number).is_finite());
    rest && sums == [0.0; 8]
}

/// Returns the index of the first number that is not finite.
pub fn first_not_finite(numbers: &[f32]) -> Option<usize> {
    if all_finite(numbers, |number| number) {
        return None;
    }
    numbers.iter().position(|number| !number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::{repr, write_f32};

    #[test]
    fn the_published_table() {
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1.25e-5, "1.25e-05"),
            (-9.9999e-5, "-9.9999e-05"),
            (1e22, "1e+22"),
            (1e16, "1e+16"),
            (1e15, "1000000000000000.0"),
            (9999999999999998.0, "9999999999999998.0"),
            (1.5e-7, "1.5e-07"),
            (5e-324, "5e-324"),
            (f64::from(0.1f32), "0.10000000149011612"),
            (f64::from(1e-8f32), "9.99999993922529e-09"),
            (f64::from(1.0f32 / 3.0), "0.3333333432674408"),
            (f64::from(1e20f32), "1.0000000200408773e+20"),
            (1.7200000000000002, "1.7200000000000002"),
            (-123.5, "-123.5"),
            (f64::MAX, "1.7976931348623157e+308"),
        ] {
            assert_eq!(repr(value), text);
        }
    }

    #[test]
    fn exact_ties_go_to_the_even_digit() {
        assert_eq!(
            repr(f64::from_bits(0x3ff3_08c8_0000_0000)),
            "1.1896438598632812"
        );
        assert_eq!(
            repr(f64::from_bits(0x3fb6_2240_0000_0000)),
            "0.08646011352539062"
        );
    }

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
