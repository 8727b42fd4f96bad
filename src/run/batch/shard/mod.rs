//! Sharing inputs out among runs that know nothing of each other.

mod cluster;

use std::fmt;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::io::Found;

/// One of several parts of all inputs. Which part an input falls to depends on its path below its root alone, so parts
/// never overlap, are everything together, and stay as they are when other files come or go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Number of the part, from 0.
    index: u64,
    /// Number of parts.
    count: u64,
}

/// Why there is no telling which shard this is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// Not `I/N` with I below N.
    #[error("`{0}` is no shard: write I/N with I from 0 to N-1, or auto")]
    Malformed(String),
    /// `auto`, but the environment says nothing.
    #[error("`--shard auto` finds no scheduler: there is none of {0}; write `--shard I/N`")]
    Nobody(String),
    /// `auto`, but more than one scheduler has something to say.
    #[error("`--shard auto` finds both {0} and {1}; write `--shard I/N`")]
    Several(&'static str, &'static str),
    /// The number of this part is there, but not how many there are.
    #[error("`--shard auto`: {scheduler} sets {index}, but {count} is missing{hint}")]
    Half {
        /// Who has set something.
        scheduler: &'static str,
        /// The variable that is there.
        index: &'static str,
        /// The one that is not.
        count: &'static str,
        /// What to do about it.
        hint: &'static str,
    },
    /// Variables that do not go together.
    #[error("`--shard auto`: {scheduler} sets {values}, which is no part of a whole{hint}")]
    Nonsense {
        /// Who has set them.
        scheduler: &'static str,
        /// What they are set to.
        values: String,
        /// What to do about it.
        hint: &'static str,
    },
}

impl Shard {
    pub(crate) fn new(index: u64, count: u64) -> Option<Self> {
        (index < count).then_some(Self { index, count })
    }

    /// Whether an input falls to this shard.
    pub fn takes(&self, input: &Found) -> bool {
        self.takes_path(input.relative())
    }

    /// Whether what is at a path below a root falls to this shard: the first eight bytes of the path's SHA-256, as a
    /// big-endian number, leave this shard's number when divided by the number of shards.
    pub fn takes_path(&self, relative: &Path) -> bool {
        let mut hasher = Sha256::new();
        for (index, part) in relative.components().enumerate() {
            if index > 0 {
                hasher.update(b"/");
            }
            hasher.update(part.as_os_str().as_encoded_bytes());
        }
        let hash = hasher.finalize();
        let hash = hash[..8]
            .iter()
            .fold(0, |n, byte| n << 8 | u64::from(*byte));
        hash % self.count == self.index
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// A number in plain digits.
pub(crate) fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_parts_of_a_whole_are_shards() {
        for text in [
            "", "1", "1/", "/2", "2/2", "0/0", "-1/2", "+1/2", "1/2/3", "a/b", "Auto",
        ] {
            assert!(Shard::parse(text, |_| None).is_err(), "{text}");
        }
        let shard = Shard::parse("2/3", |_| None).unwrap();
        assert_eq!(shard.to_string(), "2/3");
    }

    #[test]
    fn shards_are_disjoint_and_everything_together() {
        let paths: Vec<String> = (0..1000)
            .map(|n| format!("d{}/f{n}.rigy.yaml", n % 7))
            .collect();
        for count in [1, 3, 7] {
            let shards: Vec<Shard> = (0..count).map(|i| Shard::new(i, count).unwrap()).collect();
            let mut taken = vec![0; shards.len()];
            for path in &paths {
                let takes = |shard: &&Shard| shard.takes_path(Path::new(path));
                assert_eq!(shards.iter().filter(takes).count(), 1);
                taken[shards.iter().position(|s| takes(&s)).unwrap()] += 1;
            }
            let even = 1000 / count as usize;
            assert!(taken.iter().all(|n| n * 10 > even * 8), "{taken:?}");
        }
        // What a scheduler elsewhere, or a later version, may rely on: sha256("a/b.rigy.yaml") begins b369…
        let shard = Shard::new(EXPECTED % 1000, 1000).unwrap();
        assert!(shard.takes_path(Path::new("a/b.rigy.yaml")));
    }

    const EXPECTED: u64 = 0xb36910b5f287856a;
}
