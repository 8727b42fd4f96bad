//! Pruning: which outputs of earlier runs are leftovers, which nothing makes any more.
//!
//! The notes of the cache say which outputs each input has had. A note either *keeps* its outputs or offers them as leftovers:
//!
//! * If its input is gone, and lay below a directory that this run has searched, the note offers all of them.
//! * If this run has processed its input with the same options, or if the note is no longer valid, the note offers all of them.
//! * Every other note keeps its outputs: its input has failed, was not processed, or the outputs are those of other options and up
//!   to date. What an earlier run with those options has left is offered.
//!
//! A file beside other outputs, such as an image, stays as long as one of these does.
//!
//! A leftover is removed unless a note keeps it, this run has made or reads it, it has changed since it was noted, or it does not
//! lie in the output root ([`places`]).

pub mod places;

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

use super::cache::Cache;
use super::cache::notes::{Note, NotedOutput};
use super::outcome::{Outcome, Status};
use super::shard::Shard;
use crate::io::is_missing;

/// The facts about an input of this run that pruning needs.
pub(super) struct Processed {
    /// The path of the input as reports show it.
    pub shown: PathBuf,
    /// The job of its key in the cache.
    job: String,
    failed: bool,
    /// The absolute paths of its outputs, and true for those that are written or would be.
    outputs: Vec<(PathBuf, bool)>,
    /// As in the outcome.
    names: Vec<String>,
    /// The absolute paths of frames that continue those of this run.
    frames: Vec<PathBuf>,
}

/// The inputs that a run has processed, by absolute path.
pub(super) type Inputs = HashMap<PathBuf, Processed>;

impl Processed {
    /// Takes the facts from an outcome; `directory` is the one that relative paths start from.
    pub fn new(outcome: &Outcome, job: &str, directory: &Path) -> Self {
        let absolute = |path: &PathBuf| {
            let path = directory.join(path);
            std::path::absolute(&path).unwrap_or(path)
        };
        let output = |record: &super::outcome::OutputRecord| {
            let is_written = record.status == Status::Written;
            Some((absolute(record.path.as_ref()?), is_written))
        };
        Self {
            shown: outcome.input.clone(),
            job: job.to_owned(),
            failed: outcome.has_failed(),
            outputs: outcome.records.iter().filter_map(output).collect(),
            names: outcome.names.clone(),
            frames: outcome.frames_left.iter().map(absolute).collect(),
        }
    }

    /// Returns the absolute paths of the outputs.
    pub fn outputs(&self) -> impl Iterator<Item = &PathBuf> {
        self.outputs.iter().map(|(path, _)| path)
    }
}

/// A function like [`Work::judges`](super::work::Work::judges).
pub(super) type Judges<'a> = dyn Fn(Option<&str>, Option<&str>, &[String]) -> bool + 'a;

/// The facts, besides the notes, by which it is decided which notes go.
pub(super) struct Judge<'a> {
    pub cache: &'a Cache,
    pub inputs: &'a Inputs,
    /// The directories that were searched for inputs: their absolute paths, and the paths as the user gave them.
    pub searched: &'a [(PathBuf, PathBuf)],
    pub shard: Option<Shard>,
    /// Returns true if an output with this pose and this animation is made by work of this kind, or can no longer be made. The third
    /// argument has the names of the outcome.
    pub judges: &'a Judges<'a>,
}

/// A leftover, with the path of its input as reports show it.
pub(super) struct Leftover<'n> {
    pub input: PathBuf,
    pub output: &'n NotedOutput,
}

/// The leftovers of all notes, and what must stay.
#[derive(Default)]
pub(super) struct Judged<'n> {
    /// Candidates for removal.
    pub leftovers: Vec<Leftover<'n>>,
    /// The paths of outputs that notes keep.
    pub kept: HashSet<&'n Path>,
    /// The notes that have offered something.
    pub offering: Vec<&'n Note>,
}

/// Returns true if an output of a note stays that may refer to the files beside it: one that is kept, or one that has changed since
/// it was noted. Those that this run has `made` do not count, because the run has noted what they refer to.
fn keeps_main_output(
    offered: &[&NotedOutput],
    kept: &[&NotedOutput],
    made: &HashSet<&Path>,
) -> bool {
    let is_main = |one: &&&NotedOutput| !one.is_beside && !made.contains(&*one.path);
    let is_kept = kept
        .iter()
        .filter(is_main)
        .any(|one| !is_missing(&one.path));
    let has_changed = |one: &&NotedOutput| !one.is_there() && !is_missing(&one.path);
    is_kept || offered.iter().filter(is_main).any(has_changed)
}

impl Judge<'_> {
    /// Judges all notes of an output root.
    pub fn judge<'n>(&self, notes: &'n [Note]) -> Judged<'n> {
        let written: HashSet<&Path> = (self.inputs.values())
            .flat_map(|input| &input.outputs)
            .filter_map(|(path, is_written)| is_written.then_some(&**path))
            .collect();
        let made: HashSet<&Path> = (self.inputs.values())
            .flat_map(|input| input.outputs().map(|path| &**path))
            .collect();
        let mut judged = Judged::default();
        for note in notes {
            let (shown, mut offered, mut kept) = self.judge_one(note, &written);
            if keeps_main_output(&offered, &kept, &made) {
                let (beside, others) = offered.into_iter().partition(|one| one.is_beside);
                offered = others;
                kept.extend::<Vec<_>>(beside);
            }
            judged.kept.extend(kept.iter().map(|output| &*output.path));
            if offered.is_empty() {
                continue;
            }
            judged.offering.push(note);
            let leftover = |output| Leftover {
                input: shown.clone(),
                output,
            };
            judged.leftovers.extend(offered.into_iter().map(leftover));
        }
        if self.shard.is_some() {
            // Another shard may have begun to use a shared file.
            judged.leftovers.retain(|one| !one.output.is_beside);
        }
        judged
    }

    /// Returns the path of a note's input for reports, the outputs that the note offers, and those that it keeps.
    fn judge_one<'n>(
        &self,
        note: &'n Note,
        written: &HashSet<&Path>,
    ) -> (PathBuf, Vec<&'n NotedOutput>, Vec<&'n NotedOutput>) {
        let Some(input) = self.inputs.get(&note.input) else {
            return match self.gone(note) {
                Some(shown) => (shown, note.all().collect(), Vec::new()),
                None => (PathBuf::new(), Vec::new(), note.all().collect()),
            };
        };
        let shown = input.shown.clone();
        if input.failed {
            return (shown, Vec::new(), note.all().collect());
        }
        if input.job == note.job {
            return (shown, note.all().collect(), Vec::new());
        }
        let is_replaced = |output: &NotedOutput| written.contains(&*output.path);
        let is_valid = !note.outputs.iter().any(is_replaced) && self.cache.is_valid(note);
        let made = |output: &NotedOutput| {
            let moment = output.moment.as_ref();
            let animation = moment.and_then(|moment| moment.animation.as_deref());
            (self.judges)(output.pose.as_deref(), animation, &input.names)
        };
        let (former, mut kept): (Vec<_>, Vec<_>) = note.former.iter().partition(|one| made(one));
        let (mut offered, outputs): (Vec<_>, Vec<_>) =
            (note.outputs.iter()).partition(|one| !is_valid && made(one));
        offered.extend(former);
        kept.extend(outputs);
        (shown, offered, kept)
    }

    /// Returns the path of a note's input for reports if the input is gone and would have been one of this run; else `None`.
    fn gone(&self, note: &Note) -> Option<PathBuf> {
        let below = |(directory, shown): &(PathBuf, PathBuf)| {
            let below = note.input.strip_prefix(directory).ok()?;
            Some((below.to_owned(), shown.join(below)))
        };
        let (below, shown) = self.searched.iter().find_map(below)?;
        let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        let is_ours = self.shard.is_none_or(|shard| shard.takes_path(&below));
        let is_gone = below.components().all(is_plain) && is_missing(&note.input);
        (is_gone && is_ours).then_some(shown)
    }

    /// Returns the frames that continue those of this run, as far as the cache knows that an earlier run has made them of the same
    /// input. No note of that input keeps them.
    pub fn frames<'n>(&self, notes: &'n [Note]) -> Vec<Leftover<'n>> {
        let has_succeeded =
            |note: &&Note| self.inputs.get(&note.input).is_some_and(|one| !one.failed);
        // Outputs of inputs that have failed or were not processed stay.
        let of_others: HashSet<&Path> = (notes.iter().filter(|note| !has_succeeded(note)))
            .flat_map(|note| note.all().map(|output| &*output.path))
            .collect();
        let mut leftovers = Vec::new();
        for note in notes {
            let Some(input) = self.inputs.get(&note.input).filter(|one| !one.failed) else {
                continue;
            };
            let frames: HashSet<&Path> = input.frames.iter().map(|path| &**path).collect();
            let own = note.all().filter(|one| frames.contains(&*one.path));
            let own = own.filter(|one| !of_others.contains(&*one.path));
            leftovers.extend(own.map(|output| Leftover {
                input: input.shown.clone(),
                output,
            }));
        }
        leftovers
    }
}
