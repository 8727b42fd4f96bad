//! The circumstances of a run, which its page states: when, where, by which command line.

use std::ffi::OsString;
use std::time::{Duration, SystemTime};

use super::batch_args::Batch;
use super::page::Circumstances;
use super::printer::plural;
use rigy_base::paths::Slashed;
use rigy_kernel::simd::Isa;

/// Returns the circumstances of a run that has taken `took` so far.
pub fn of_run(args: &Batch, words: &[OsString], took: Duration, threads: usize) -> Circumstances {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let directory = std::env::current_dir().unwrap_or_default();
    let isa = args.common.isa.or_best().map(Isa::name);
    Circumstances {
        began: now.unwrap_or_default().saturating_sub(took).as_secs(),
        seconds: took.as_secs_f64(),
        command: command(words),
        directory: directory.shown(),
        options: args.source.in_force.clone(),
        machine: format!(
            "{}, {}, {}, {}",
            std::env::consts::OS,
            std::env::consts::ARCH,
            isa.unwrap_or("unknown instructions"),
            plural(threads, "thread")
        ),
    }
}

/// Returns a command line as a shell takes it, with the name of the program in the place of its path.
fn command(words: &[OsString]) -> String {
    let words = words
        .iter()
        .skip(1)
        .map(|word| self::word(&word.to_string_lossy()));
    std::iter::once("rigy-batch".to_owned())
        .chain(words)
        .collect::<Vec<String>>()
        .join(" ")
}

/// Returns a word as a shell takes it.
pub fn word(word: &str) -> String {
    if !word.is_empty()
        && word
            .chars()
            .all(|c| c.is_alphanumeric() || "-_./:=@%+,".contains(c) || cfg!(windows) && c == '\\')
    {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_those_of_a_shell() {
        let words = ["/usr/bin/rigy-batch", "a b", "-o=x/y", "it's", "", "$HOME"];
        let words = words.map(OsString::from);
        assert_eq!(
            command(&words),
            r"rigy-batch 'a b' -o=x/y 'it'\''s' '' '$HOME'"
        );
    }
}
