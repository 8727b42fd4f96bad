//! Shards: distributing inputs over independent runs.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use crate::io::Found;

/// One of several parts of all inputs. The part that an input belongs to depends only on its path below its root, so each
/// input belongs to exactly one part, whatever other files there are.
#[derive(Clone, Copy, Debug)]
pub struct Shard {
    /// Number of the part, from 0.
    index: u64,
    /// Number of parts.
    count: u64,
}

/// The reason why a shard cannot be determined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// Not `I/N` with I below N.
    #[error("`{0}` is no shard: write I/N, such as 0/4 for the first of four parts")]
    Malformed(String),
    /// `N/N` or more, as if parts were counted from 1.
    #[error("`{index}/{count}` is no shard: shards count from 0, so use 0/{count} {to} {last}/{count}",
        to = if *count == 2 { "or" } else { "to" }, last = count - 1)]
    BeyondLast {
        /// The number of the part.
        index: u64,
        /// The number of parts, 2 or more.
        count: u64,
    },
}

impl Shard {
    /// Returns `None` unless `index` is less than `count`.
    fn new(index: u64, count: u64) -> Option<Self> {
        (index < count).then_some(Self { index, count })
    }

    /// Returns true if an input belongs to this shard.
    pub fn takes(&self, input: &Found) -> bool {
        self.takes_path(input.relative())
    }

    /// Returns true if the file at a path below a root belongs to this shard: the first eight bytes of the SHA-256 of the
    /// path, as a big-endian number, modulo the number of shards, are the number of this shard.
    pub fn takes_path(&self, relative: &Path) -> bool {
        Self::owner(relative, self.count) == self.index
    }

    /// Returns the number of the shard, of `count`, that takes the file at a path below a root. There must be one shard at least.
    pub fn owner(relative: &Path, count: u64) -> u64 {
        path_number(relative) % count
    }
}

/// Returns the first eight bytes of the SHA-256 of a path below a root, whose parts are joined by `/`, as a big-endian number.
fn path_number(relative: &Path) -> u64 {
    let mut hasher = Sha256::new();
    for (index, part) in relative.components().enumerate() {
        if index > 0 {
            hasher.update(b"/");
        }
        hasher.update(part.as_os_str().as_encoded_bytes());
    }
    let hash = hasher.finalize();
    hash[..8]
        .iter()
        .fold(0, |n, byte| n << 8 | u64::from(*byte))
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// Parses `I/N`.
///
/// ```
/// use rigy_batch::run::batch::Shard;
///
/// assert_eq!("2/8".parse::<Shard>().unwrap().to_string(), "2/8");
/// assert!("8/8".parse::<Shard>().is_err());
/// ```
impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let parts = text
            .split_once('/')
            .and_then(|(index, count)| Some((number(index)?, number(count)?)));
        match parts {
            Some((index, count)) if count > 1 => {
                Self::new(index, count).ok_or(ShardError::BeyondLast { index, count })
            }
            Some((0, 1)) => Ok(Self { index: 0, count: 1 }),
            _ => Err(ShardError::Malformed(text.to_owned())),
        }
    }
}

/// Parses a number that consists of digits only.
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_parts_of_a_whole_are_shards() {
        for text in [
            "", "1", "1/", "/2", "2/2", "0/0", "-1/2", "+1/2", "1/2/3", "a/b", "auto",
        ] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        let shard = "2/3".parse::<Shard>().unwrap();
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
        // Other programs and later versions may rely on the assignment: sha256("a/b.rigy.yaml") begins with b369…
        let shard = Shard::new(EXPECTED % 1000, 1000).unwrap();
        assert!(shard.takes_path(Path::new("a/b.rigy.yaml")));
    }

    const EXPECTED: u64 = 0xb36910b5f287856a;
}
