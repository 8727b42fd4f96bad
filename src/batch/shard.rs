//! Sharing inputs out among runs that know nothing of each other.

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
    #[error(
        "`--shard auto` finds no scheduler: there is none of {}; write `--shard I/N`",
        SCHEDULERS.map(|scheduler| scheduler.index).join(", ")
    )]
    Nobody,
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

/// How a scheduler tells its tasks apart.
struct Scheduler {
    name: &'static str,
    index: &'static str,
    count: &'static str,
    /// The least index, the greatest, and the distance of two; where there are no such variables, indices begin at 0
    /// and are 1 apart.
    first: Option<&'static str>,
    last: Option<&'static str>,
    step: Option<&'static str>,
    hint: &'static str,
}

const SCHEDULERS: [Scheduler; 3] = [
    Scheduler {
        name: "Slurm",
        index: "SLURM_ARRAY_TASK_ID",
        count: "SLURM_ARRAY_TASK_COUNT",
        first: Some("SLURM_ARRAY_TASK_MIN"),
        last: Some("SLURM_ARRAY_TASK_MAX"),
        step: Some("SLURM_ARRAY_TASK_STEP"),
        hint: "; an array must be evenly spaced, like --array=0-7",
    },
    // The number of completions is not in the environment of an indexed job, unless its manifest puts it there.
    Scheduler {
        name: "Kubernetes",
        index: "JOB_COMPLETION_INDEX",
        count: "JOB_COMPLETIONS",
        first: None,
        last: None,
        step: None,
        hint: "; set JOB_COMPLETIONS to `spec.completions` in the `env` of the container",
    },
    Scheduler {
        name: "AWS Batch",
        index: "AWS_BATCH_JOB_ARRAY_INDEX",
        count: "AWS_BATCH_JOB_ARRAY_SIZE",
        first: None,
        last: None,
        step: None,
        hint: "",
    },
];

impl Shard {
    /// Reads `I/N`, or asks the environment if it says `auto`.
    ///
    /// # Errors
    /// Text of another form, or an environment that does not say which shard this is.
    ///
    /// ```
    /// use rigy_batch::batch::Shard;
    ///
    /// let slurm = |name: &str| match name {
    ///     "SLURM_ARRAY_TASK_ID" => Some("3".to_owned()),
    ///     "SLURM_ARRAY_TASK_MIN" => Some("1".to_owned()),
    ///     "SLURM_ARRAY_TASK_COUNT" => Some("8".to_owned()),
    ///     _ => None,
    /// };
    /// assert_eq!(Shard::parse("auto", slurm), Shard::parse("2/8", |_| None));
    /// assert!(Shard::parse("8/8", |_| None).is_err());
    /// ```
    pub fn parse(
        text: &str,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ShardError> {
        if text == "auto" {
            return Self::from_environment(&variable);
        }
        let parts = text.split_once('/').and_then(|(index, count)| {
            let (index, count) = (number(index)?, number(count)?);
            Self::new(index, count)
        });
        parts.ok_or_else(|| ShardError::Malformed(text.to_owned()))
    }

    fn new(index: u64, count: u64) -> Option<Self> {
        (index < count).then_some(Self { index, count })
    }

    /// What a cluster's own scheduler says.
    fn from_environment(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, ShardError> {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let mut there = SCHEDULERS
            .iter()
            .filter(|scheduler| variable(scheduler.index).is_some());
        let scheduler = there.next().ok_or(ShardError::Nobody)?;
        if let Some(other) = there.next() {
            return Err(ShardError::Several(scheduler.name, other.name));
        }
        let names = [
            Some(scheduler.index),
            Some(scheduler.count),
            scheduler.first,
            scheduler.last,
            scheduler.step,
        ];
        let [index, count, first, last, step] = names.map(|name| name.and_then(variable));
        // Without a step, tasks are one apart.
        for (name, value) in [(Some(scheduler.count), &count), (scheduler.first, &first)] {
            if let (Some(name), None) = (name, value) {
                return Err(ShardError::Half {
                    scheduler: scheduler.name,
                    index: scheduler.index,
                    count: name,
                    hint: scheduler.hint,
                });
            }
        }
        let value = |text: &Option<String>, default| match text {
            Some(text) => number(text),
            None => Some(default),
        };
        let shard = || {
            let (index, count) = (value(&index, 0)?, value(&count, 0)?);
            let (first, step) = (value(&first, 0)?, value(&step, 1)?);
            let distance = index.checked_sub(first)?;
            let even = distance.checked_rem(step)? == 0;
            // An array such as 1,3,7 fails in all of its tasks, not only in those that stand out.
            let end = first.checked_add(step.checked_mul(count.checked_sub(1)?)?)?;
            let whole = value(&last, end)? == end;
            (even && whole).then(|| Self::new(distance / step, count))?
        };
        shard().ok_or_else(|| {
            let set = |(name, value): (Option<&str>, &Option<String>)| {
                Some(format!("{}={}", name?, value.as_ref()?))
            };
            let values = names
                .into_iter()
                .zip([&index, &count, &first, &last, &step]);
            let values: Vec<String> = values.filter_map(set).collect();
            ShardError::Nonsense {
                scheduler: scheduler.name,
                values: values.join(" "),
                hint: scheduler.hint,
            }
        })
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
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn auto(set: &[(&str, &str)]) -> Result<String, ShardError> {
        let variable = |name: &str| {
            let found = set.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        Shard::parse("auto", variable).map(|shard| shard.to_string())
    }

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
    fn schedulers_are_understood_or_the_doubt_is_named() {
        let slurm = |id, step, count| {
            auto(&[
                ("SLURM_ARRAY_TASK_ID", id),
                ("SLURM_ARRAY_TASK_MIN", "10"),
                ("SLURM_ARRAY_TASK_STEP", step),
                ("SLURM_ARRAY_TASK_COUNT", count),
            ])
        };
        assert_eq!(slurm("14", "2", "3").unwrap(), "2/3");
        assert!(
            slurm("13", "2", "3")
                .unwrap_err()
                .to_string()
                .contains("evenly")
        );
        assert!(slurm("16", "2", "3").is_err());
        assert!(slurm("9", "1", "3").is_err());
        assert!(slurm("10", "0", "3").is_err());
        assert!(slurm("ten", "1", "3").is_err());
        let uneven = |id| {
            auto(&[
                ("SLURM_ARRAY_TASK_ID", id),
                ("SLURM_ARRAY_TASK_MIN", "1"),
                ("SLURM_ARRAY_TASK_MAX", "7"),
                ("SLURM_ARRAY_TASK_COUNT", "3"),
            ])
        };
        assert!(["1", "3", "7"].into_iter().all(|id| uneven(id).is_err()));
        let kubernetes = ("JOB_COMPLETION_INDEX", "4");
        assert_eq!(
            auto(&[kubernetes, ("JOB_COMPLETIONS", "5")]).unwrap(),
            "4/5"
        );
        let half = auto(&[kubernetes, ("JOB_COMPLETIONS", "")]).unwrap_err();
        assert!(half.to_string().contains("spec.completions"), "{half}");
        let aws = ("AWS_BATCH_JOB_ARRAY_INDEX", "0");
        assert_eq!(
            auto(&[aws, ("AWS_BATCH_JOB_ARRAY_SIZE", "2")]).unwrap(),
            "0/2"
        );
        assert!(matches!(auto(&[aws]), Err(ShardError::Half { .. })));
        assert!(matches!(
            auto(&[aws, kubernetes]),
            Err(ShardError::Several(..))
        ));
        assert_eq!(auto(&[]), Err(ShardError::Nobody));
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
