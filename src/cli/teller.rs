//! Telling people and machines how a batch goes.

use std::ffi::OsStr;
use std::iter::Peekable;
use std::path::PathBuf;
use std::time::Instant;
use std::vec::IntoIter;

use super::batch_args::{Batch, Format};
use super::interrupt::INTERRUPTED;
use super::report::{Report, ReportPlace};
use super::summary::{duration, sentence, table};
use super::told::Told;
use super::wanted::Wanted;
use super::watch::Rounds;
use super::{FAILED, Fatal, Output, SUCCESS, complain, complain_of, progress};
use crate::base::diag::{Category, Diagnostic};
use crate::io::IoError;
use crate::run::batch::{Ended, LastLine, Outcome, Shard, Summary, Timings, Work};

/// Tells people and machines about outcomes as they come.
struct Teller<'a> {
    args: &'a Batch,
    /// What an input is called.
    input: &'static str,
    bar: indicatif::ProgressBar,
    out: Output,
    report: Option<Report>,
    /// How many inputs there are, and how many have been told of.
    count: usize,
    told: usize,
    shard: Option<Shard>,
    /// Everything, and what is said of it: in later rounds of a watch, only what is new.
    summary: Summary,
    news: Summary,
    start: Instant,
    timings: Timings,
    /// Directories that cannot be listed, in order, and not told of yet.
    unreadable: Peekable<IntoIter<Told>>,
    wanted: Wanted<'a>,
    rounds: &'a mut Rounds,
}

/// What inputs are.
pub struct Kind {
    /// What one is called.
    pub input: &'static str,
    /// What is to be said of there being none, if that is so.
    pub none_found: Option<String>,
    /// What to do with a file that another command is for, told by its name.
    pub advice: fn(&OsStr) -> Option<&'static str>,
}

impl Kind {
    /// Says of an input that cannot be read at all which command it may be for.
    fn advise(&self, outcome: &mut Outcome) {
        let advice = outcome.input.file_name().and_then(self.advice);
        if let (Some(advice), Some(error)) = (advice, outcome.errors.first_mut())
            && error.category == Category::ParseError
        {
            error.help = Some(advice.into());
        }
    }
}

/// Runs a batch and tells of it. `paths` are the arguments, `unreadable` the directories below them that cannot be
/// listed.
pub fn tell_all(
    args: &Batch,
    batch: &crate::run::batch::Batch<impl Work>,
    kind: Kind,
    paths: &[PathBuf],
    unreadable: &[IoError],
    wanted: Wanted<'_>,
    rounds: &mut Rounds,
) -> Result<u8, Fatal> {
    let pool = rounds.pool.clone();
    let is_first = rounds.is_first();
    let mut teller = Teller::new(args, kind.input, batch, paths, unreadable, wanted, rounds)?;
    if let Some(none_found) = &kind.none_found
        && unreadable.is_empty()
        && is_first
    {
        complain_of(none_found);
    }
    let prepare = |mut outcome| {
        kind.advise(&mut outcome);
        Told::new(outcome, args)
    };
    let errors = batch.run(&pool, prepare, |told| teller.tell(told));
    teller.finish(&errors)
}

impl<'a> Teller<'a> {
    /// Begins to tell of a batch whose inputs are called `input`. Directories whose inputs cannot even be listed count
    /// as failed inputs.
    fn new(
        args: &'a Batch,
        input: &'static str,
        batch: &crate::run::batch::Batch<impl Work>,
        paths: &[PathBuf],
        unreadable: &[IoError],
        wanted: Wanted<'a>,
        rounds: &'a mut Rounds,
    ) -> Result<Self, Fatal> {
        let (count, shard) = (batch.len(), batch.options().shard);
        let durability = args.durability.into();
        let report = rounds.report().cloned();
        let report = report.map(|place| Report::begin(place, durability));
        let report = report.transpose()?;
        let told = |error: &IoError| {
            let finding = Diagnostic::without_code(Category::ParseError, error.to_string());
            let name = error.path.display().to_string();
            let finding = finding.about_file(&name);
            Told::new(Outcome::failed(&error.path, vec![finding]), args).0
        };
        // Each is told of by one shard, like inputs.
        let falls_here = |error: &&IoError| {
            let root = paths.iter().find(|root| error.path.starts_with(root));
            let below = root.and_then(|root| error.path.strip_prefix(root).ok());
            shard.is_none_or(|shard| shard.takes_path(below.unwrap_or(&error.path)))
        };
        let mut unreadable: Vec<Told> = unreadable.iter().filter(falls_here).map(told).collect();
        unreadable.sort_by(|a, b| a.input.cmp(&b.input));
        Ok(Self {
            args,
            input,
            bar: progress(count, args.common.quiet),
            out: Output::new(),
            report,
            count,
            told: 0,
            shard,
            summary: Summary::default(),
            news: Summary::default(),
            start: Instant::now(),
            timings: Timings::default(),
            unreadable: unreadable.into_iter().peekable(),
            wanted,
            rounds,
        })
    }

    /// One input is done.
    fn tell(&mut self, told: Told) {
        while let Some(first) = self.unreadable.next_if(|first| first.input < told.input) {
            self.tell_one(first);
        }
        if self.args.timings {
            let input = told.input.display().to_string();
            self.timings.add(&input, &told.times);
        }
        self.tell_one(told);
        self.told += 1;
        self.bar.inc(1);
    }

    fn tell_one(&mut self, told: Told) {
        let is_news = self.rounds.is_news(&told);
        self.summary.merge(&told.counts);
        if is_news {
            self.news.merge(&told.counts);
        }
        self.wanted.see(told.names);
        if is_news && !told.findings.is_empty() {
            self.bar.suspend(|| complain(&told.findings));
        }
        for line in &told.lines {
            if is_news && self.args.common.format == Format::Json {
                self.bar.suspend(|| self.out.line(line));
            }
            if let Some(report) = &mut self.report {
                report.line(line);
            }
        }
    }

    /// The run is over; `errors` are those of no input. Names that were wanted and are in none of the inputs are an
    /// error, if all inputs have been seen.
    fn finish(mut self, errors: &[IoError]) -> Result<u8, Fatal> {
        while let Some(told) = self.unreadable.next() {
            self.tell_one(told);
        }
        self.bar.finish_and_clear();
        for error in errors {
            complain_of(error);
        }
        // Whoever was interrupted in the end has lost nothing. A failure that ends a run early leaves inputs out, too.
        let partial = self.told < self.count;
        let mut interrupted = partial && self.rounds.interrupt.has_come();
        let saw_all = self.shard.is_none() && !partial;
        let says = self.rounds.is_first() || self.news.inputs > 0;
        let mut failed = (says && saw_all && self.wanted.complain()) || self.summary.failed > 0;
        failed |= self.args.check && self.summary.written > 0;
        failed |= partial || !errors.is_empty();
        let last = LastLine {
            summary: Ended {
                counts: self.summary,
                timings: self.args.timings.then(|| self.timings.report()),
                seconds: None,
            },
            shard: self.shard.map(|shard| shard.to_string()),
            interrupted: partial,
        };
        if says {
            self.say(last.clone(), interrupted);
        }
        if let Some(Err(error)) = self.report.map(|report| report.end(&last)) {
            complain_of(&format!("the report could not be written: {error}"));
            failed = true;
        }
        failed |= self.out.failed;
        // The report may be whole, but standard output is not.
        interrupted |= self.out.unread;
        Ok(match (interrupted, failed) {
            (true, _) => INTERRUPTED,
            (false, true) => FAILED,
            (false, false) => SUCCESS,
        })
    }

    /// Says how the run, or the round, has gone.
    fn say(&mut self, mut last: LastLine, interrupted: bool) {
        last.summary.counts = self.news;
        let took = self.start.elapsed().as_secs_f64();
        last.summary.seconds = self.args.watch.then_some(took);
        match self.args.common.format {
            Format::Json => self.out.line(&last.to_json()),
            Format::Human if !self.args.common.quiet => {
                let mut sentence = sentence(&last, self.input, self.args.writes_nothing());
                if last.interrupted {
                    let (told, count) = (self.told, self.count);
                    let what = if interrupted {
                        "interrupted"
                    } else {
                        "stopped"
                    };
                    sentence = format!("{what} after {told} of {count}: {sentence}");
                }
                if self.args.watch {
                    sentence = format!("{sentence}, in {}", duration(took));
                }
                self.say_to_people(&sentence);
                if let Some(timings) = &last.summary.timings {
                    self.say_to_people(&table(timings));
                }
            }
            Format::Human => {}
        }
    }

    /// Prints the summary on standard output, or on standard error if the report goes there.
    fn say_to_people(&mut self, text: &str) {
        let is_taken = self
            .rounds
            .report()
            .is_some_and(ReportPlace::is_standard_output);
        match is_taken {
            true => complain(&format!("{text}\n")),
            false => self.out.line(text),
        }
    }
}
