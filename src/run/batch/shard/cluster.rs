//! Determining the shard of a run, from the command line or from the variables that schedulers of clusters set.

use super::{Shard, ShardError, number};

/// The environment variables by which a scheduler numbers its tasks.
struct Scheduler {
    name: &'static str,
    pub index: &'static str,
    count: &'static str,
    /// The variables with the smallest index, the largest, and the distance between two. A scheduler without them numbers
    /// its tasks 0, 1, 2 and so on.
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
    /// Parses `I/N`, or reads the variables of a scheduler if `text` is `auto`. `variable` returns the value of an
    /// environment variable.
    ///
    /// # Errors
    /// If the text has another form, or the environment does not determine a shard.
    ///
    /// ```
    /// use rigy_batch::run::batch::Shard;
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
            return from_environment(&variable);
        }
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

fn no_scheduler() -> ShardError {
    let names = SCHEDULERS.map(|scheduler| scheduler.index);
    ShardError::NoScheduler(names.join(", "))
}

/// Returns the shard that the scheduler of a cluster has set for this task.
fn from_environment(variable: &dyn Fn(&str) -> Option<String>) -> Result<Shard, ShardError> {
    let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
    let mut there = SCHEDULERS
        .iter()
        .filter(|scheduler| variable(scheduler.index).is_some());
    let scheduler = there.next().ok_or_else(no_scheduler)?;
    if let Some(other) = there.next() {
        return Err(ShardError::SeveralSchedulers(scheduler.name, other.name));
    }
    let names = [
        Some(scheduler.index),
        Some(scheduler.count),
        scheduler.first,
        scheduler.last,
        scheduler.step,
    ];
    let [index, count, first, last, step] = names.map(|name| name.and_then(variable));
    // The step may be missing: it is 1 then.
    for (name, value) in [(Some(scheduler.count), &count), (scheduler.first, &first)] {
        if let (Some(name), None) = (name, value) {
            return Err(ShardError::CountMissing {
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
        // An array such as 1,3,7 is refused in all of its tasks, not only in the one that is out of step.
        let end = first.checked_add(step.checked_mul(count.checked_sub(1)?)?)?;
        let whole = value(&last, end)? == end;
        (even && whole).then(|| Shard::new(distance / step, count))?
    };
    shard().ok_or_else(|| {
        let set = |(name, value): (Option<&str>, &Option<String>)| {
            Some(format!("{}={}", name?, value.as_ref()?))
        };
        let values = names
            .into_iter()
            .zip([&index, &count, &first, &last, &step]);
        let values: Vec<String> = values.filter_map(set).collect();
        ShardError::Contradiction {
            scheduler: scheduler.name,
            values: values.join(" "),
            hint: scheduler.hint,
        }
    })
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
        assert!(matches!(auto(&[aws]), Err(ShardError::CountMissing { .. })));
        assert!(matches!(
            auto(&[aws, kubernetes]),
            Err(ShardError::SeveralSchedulers(..))
        ));
        assert_eq!(auto(&[]), Err(no_scheduler()));
    }
}
