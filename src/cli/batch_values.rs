//! Values of the arguments of commands that write outputs: how they are read, and what they stand for.

use crate::base::diag::Code;
use crate::base::limits::Limits;

/// Reads a number of bytes: digits, and K, M, G or T for powers of 1024.
pub fn size(text: &str) -> Result<u64, String> {
    let end = text.trim_end_matches(|c: char| !c.is_ascii_digit()).len();
    let (digits, unit) = text.split_at(end);
    let unit = unit.to_ascii_uppercase();
    let shift = match unit.strip_suffix("IB").unwrap_or(&unit) {
        "" | "B" => Some(0),
        "K" => Some(10),
        "M" => Some(20),
        "G" => Some(30),
        "T" => Some(40),
        _ => None,
    };
    let number: Option<u64> = digits.parse().ok();
    let bytes = number
        .zip(shift)
        .and_then(|(number, shift)| number.checked_mul(1 << shift));
    bytes
        .filter(|bytes| *bytes > 0)
        .ok_or_else(|| "not a size; write a number of bytes, or 512M, or 2G".into())
}

/// Reads a number of bytes as [`size`] does, or 0.
pub fn size_or_none(text: &str) -> Result<u64, String> {
    match text {
        "0" => Ok(0),
        text => size(text),
    }
}

/// Checks one item of `--limit` and returns it as it is.
pub fn limit(text: &str) -> Result<String, String> {
    let mut limits = Limits::DEFAULT;
    limits.set(text, size).map(|()| text.to_owned())
}

/// Returns the limits that the values of `--limit` set.
///
/// # Errors
/// As [`limit`].
pub fn limits_of(texts: &[String]) -> Result<Limits, String> {
    let mut limits = Limits::DEFAULT;
    for text in texts {
        limits.set(text, size)?;
    }
    Ok(limits)
}

/// An item of `--warn-as-error` or `--allow-warnings`.
#[derive(Clone, Copy, Debug)]
pub enum Warnings {
    All,
    One(Code),
}

/// Reads the code of a warning.
pub fn warnings(name: &str) -> Result<Warnings, String> {
    if name == "all" {
        return Ok(Warnings::All);
    }
    let code = Code::named(name).filter(|code| code.is_warning());
    code.map(Warnings::One).ok_or_else(|| {
        let names: Vec<&str> = Code::warnings().map(Code::name).collect();
        format!("there is no such warning; there are {}", names.join(", "))
    })
}

impl Warnings {
    /// Returns the codes of a list.
    pub fn codes(list: &[Self]) -> Vec<Code> {
        let codes = list.iter().flat_map(|one| -> Vec<Code> {
            match one {
                Self::All => Code::warnings().collect(),
                Self::One(code) => vec![*code],
            }
        });
        codes.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_bytes_or_powers_of_1024() {
        for (text, bytes) in [
            ("1", 1),
            ("512M", 512 << 20),
            ("2g", 2 << 30),
            ("3KiB", 3072),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "0", "G", "-1", "1.5G", "2X", "99999999T", "2 G"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
