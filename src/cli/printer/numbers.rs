//! Numbers with the digits and units with which people read them.

use std::time::Duration;

/// A number with a noun in the singular or the plural.
pub fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// A number with a noun, whose plural ends in `s`.
pub fn plural(count: usize, one: &str) -> String {
    counted(count, one, &format!("{one}s"))
}

/// A number with six digits that count, as `%g` of C writes it.
pub fn significant(number: f64) -> String {
    if !number.is_finite() {
        return number.to_string();
    }
    let scientific = format!("{number:.5e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    match usize::try_from(5 - exponent) {
        Ok(decimals) if exponent >= -4 => without_zeros(&format!("{number:.decimals$}")).to_owned(),
        _ => format!("{}e{exponent:+03}", without_zeros(digits)),
    }
}

fn without_zeros(digits: &str) -> &str {
    if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    }
}

/// A number of seconds with a unit, in about three digits.
pub fn duration(seconds: f64) -> String {
    let whole = seconds as u64;
    match seconds {
        s if s >= 3600.0 => format!("{} h {} min", whole / 3600, whole / 60 % 60),
        s if s >= 100.0 => format!("{} min {} s", whole / 60, whole % 60),
        s if s >= 10.0 => format!("{s:.1} s"),
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 0.01 => format!("{:.1} ms", s * 1e3),
        s if s >= 0.001 => format!("{:.2} ms", s * 1e3),
        s => format!("{:.1} µs", s * 1e6),
    }
}

/// A time in whole seconds, and from 100 seconds on as [`duration`] writes it.
pub fn whole_seconds(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..100 => format!("{seconds} s"),
        seconds => duration(seconds as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_percent_g_writes_them() {
        for (number, expected) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-0.5, "-0.5"),
            (0.1 + 0.2, "0.3"),
            (123456.0, "123456"),
            (1234567.0, "1.23457e+06"),
            (999999.5, "1e+06"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1.0 / 3.0, "0.333333"),
            (200.0 / 3.0, "66.6667"),
            (1e300, "1e+300"),
            (-2.5e-9, "-2.5e-09"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(significant(number), expected, "{number:e}");
        }
    }

    #[test]
    fn times_have_about_three_digits() {
        for (seconds, expected) in [
            (0.000_012_34, "12.3 µs"),
            (0.001_234, "1.23 ms"),
            (0.0145, "14.5 ms"),
            (1.234, "1.23 s"),
            (12.34, "12.3 s"),
            (125.9, "2 min 5 s"),
            (3725.0, "1 h 2 min"),
        ] {
            assert_eq!(duration(seconds), expected);
        }
        assert_eq!(whole_seconds(Duration::from_millis(12_999)), "12 s");
        assert_eq!(whole_seconds(Duration::from_secs(125)), "2 min 5 s");
    }
}
