//! The text of numbers in JSON: Python's `repr` of a double (`numerics.md` §9.1).

/// Shortest digits that read back as the same double; fixed notation from 1e-4 up to 1e16, always with a
/// fraction; otherwise an exponent with its sign and at least two digits. The standard library's formatting
/// is not used: it breaks ties between equally short candidates differently.
pub fn repr(value: f64) -> String {
    let mut buffer = ryu::Buffer::new();
    let text = buffer.format_finite(value);
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text),
    };
    let (mantissa, exponent) = match text.split_once('e') {
        Some((mantissa, exponent)) => (mantissa, exponent.parse().unwrap_or(0)),
        None => (text, 0i32),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let leading = digits.len() - digits.trim_start_matches('0').len();
    let significant = digits.trim_matches('0');
    if significant.is_empty() {
        return format!("{sign}0.0");
    }
    // The decimal point stands after this many significant digits.
    let point = whole.len() as i32 - leading as i32 + exponent;
    let count = significant.len() as i32;
    let text = if !(-3..=16).contains(&point) {
        let (first, rest) = significant.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        let exponent = point - 1;
        let exponent_sign = if exponent < 0 { '-' } else { '+' };
        format!(
            "{first}{dot}{rest}e{exponent_sign}{:02}",
            exponent.unsigned_abs()
        )
    } else if point <= 0 {
        format!(
            "0.{}{significant}",
            "0".repeat(point.unsigned_abs() as usize)
        )
    } else if point >= count {
        format!("{significant}{}.0", "0".repeat((point - count) as usize))
    } else {
        let (whole, fraction) = significant.split_at(point as usize);
        format!("{whole}.{fraction}")
    };
    format!("{sign}{text}")
}

#[cfg(test)]
mod tests {
    use super::repr;

    #[test]
    fn the_published_table() {
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
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
}
