//! The characters of file names.

use std::ffi::OsString;

use sha2::{Digest, Sha256};

use super::names::encoded;

/// The treatment of characters other than `A–Z a–z 0–9 . _ -` in the names of outputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Naming {
    /// The beginning of a name, which the input gives, is kept; ids of poses and names of animations are percent-encoded.
    #[default]
    Percent,
    /// Each of these characters becomes `_`, and where there was one, eight hexadecimal digits of the SHA-256 of the original
    /// follow, so that names that differ still do. Web links to such files need no escaping.
    Portable,
}

/// True for characters that names keep in any case.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-')
}

/// Returns a name followed by a part of the hash of the original.
fn hashed(name: &str, original: &[u8]) -> String {
    let hash = Sha256::digest(original);
    let digits: String = hash[..4].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{name}-{digits}")
}

impl Naming {
    /// Returns the beginning of the names of an input's outputs, which comes from the input's own name.
    pub(crate) fn stem(self, stem: OsString) -> OsString {
        let is_kept = |text: &str| self == Self::Percent || text.chars().all(is_plain);
        match stem.to_str() {
            Some(text) if is_kept(text) => stem,
            None if self == Self::Percent => stem,
            _ => portable(&stem.to_string_lossy(), stem.as_encoded_bytes()).into(),
        }
    }

    /// Returns the id of a pose or the name of an animation, as file names have it, cut to `longest` bytes if it is longer. Returns
    /// true with it if it was cut and nothing tells it from others that were.
    pub(crate) fn part(self, name: &str, longest: usize) -> (String, bool) {
        match self {
            Self::Percent => {
                let name = encoded(name);
                let short = name.get(..longest).unwrap_or(&name);
                (short.to_owned(), short.len() < name.len())
            }
            Self::Portable if !name.is_empty() && name.chars().all(is_plain) => {
                let is_short = name.len() <= longest;
                let cut = || hashed(&name[..longest], name.as_bytes());
                (if is_short { name.to_owned() } else { cut() }, false)
            }
            Self::Portable => {
                let short: String = name.chars().take(longest).collect();
                (portable(&short, name.as_bytes()), false)
            }
        }
    }

    /// Returns a name that differs from that of every other animation of a file, for one whose own name does not.
    pub(super) fn numbered(self, name: &str, number: usize) -> String {
        match self {
            Self::Percent => format!("{name}~{number}"), // no encoded name contains this character
            Self::Portable => hashed(name, format!("{name}\0{number}").as_bytes()),
        }
    }
}

/// Returns a text with `_` for other characters, and a part of the hash of `original`.
fn portable(text: &str, original: &[u8]) -> String {
    let plain = |c: char| if is_plain(c) { c } else { '_' };
    let name: String = text.chars().map(plain).collect();
    hashed(if name.is_empty() { "_" } else { &name }, original)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    #[test]
    fn portable_names_have_few_characters_and_differ() {
        let part = |name: &str| Naming::Portable.part(name, 20).0;
        assert_eq!(part("run-1_b.c"), "run-1_b.c");
        assert_eq!(part("bow/deep"), "bow_deep-fbe025a8");
        assert_eq!(part(""), "_-e3b0c442");
        let names = [
            "bow/deep",
            "bow deep",
            "bow_deep",
            "böw deep",
            "",
            "_",
            "bow:deep",
        ];
        let mut parts: Vec<String> = names.map(part).into();
        parts.sort();
        parts.dedup();
        assert_eq!(parts.len(), names.len());
        let plain = parts.iter().flat_map(|part| part.chars()).all(is_plain);
        assert!(plain, "{parts:?}");
        assert_eq!(part(&"é".repeat(500)).len(), 20 + 9);
        assert_ne!(part(&"x".repeat(500)), part(&"x".repeat(501)));
        let stem = |stem: &str| Naming::Portable.stem(stem.into());
        assert_eq!((stem("a.b"), stem("")), ("a.b".into(), "".into()));
        assert_eq!(stem("a b").to_str().unwrap().len(), 3 + 9);
        assert_eq!(Naming::Percent.stem("a b".into()), OsStr::new("a b"));
    }
}
