//! The `unpack` command: the entries of packs as files.

mod args;

use std::path::Path;

use rayon::prelude::*;
use serde::Serialize;

use super::common_args::Format;
use super::packed::Contents;
use super::render::printable;
use super::{FAILED, Fatal, Output, SUCCESS, TRY_AGAIN, is_transient, print_message, progress};
use crate::io::pack::{Entry, Pack, PackError, PackSet};
use crate::io::{Globs, IoError, Sink, Staged, Target, identity};
use crate::run::batch::{JSON_VERSION, Status};
pub use args::Unpack;

/// The JSON line of an entry.
#[derive(Serialize)]
struct Line<'e> {
    /// The path of the pack.
    pack: String,
    /// The path of the entry.
    path: &'e str,
    /// The file; null with `--list`.
    output: Option<String>,
    /// `written`, `unchanged` or `failed`; null with `--list`.
    status: Option<Status>,
    bytes: u64,
    sha256: Option<&'e str>,
    error: Option<String>,
}

/// Returns true if a file lies beside a pack and has a name like that of a pack, of an index or of a list.
fn is_beside(file: &Path, pack: &Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str());
    let name = name.unwrap_or_default().to_ascii_lowercase();
    let is_ours = [".tar", ".zip", ".index.jsonl", ".packs.json"];
    file.parent() == pack.parent() && is_ours.iter().any(|end| name.ends_with(end))
}

#[derive(Default, Serialize)]
struct Summary {
    packs: u64,
    entries: u64,
    written: u64,
    unchanged: u64,
    failed: u64,
    failed_packs: u64,
}

#[derive(Serialize)]
struct LastLine<'s> {
    summary: &'s Summary,
    version: u32,
}

/// Entries that are written at the same time, and printed then.
const AT_A_TIME: usize = 4096;

pub fn run(args: &Unpack) -> Result<u8, Fatal> {
    let globs = Globs::new(&args.globs)?;
    let set = PackSet::open(&args.packs)?;
    let pool = args.threads.pool()?;
    let sink = args
        .output
        .as_deref()
        .map(|root| Sink::new(root, args.durability.into()));
    let mut unpacking = Unpacking {
        args,
        globs,
        root: args.output.as_deref(),
        sink: sink.transpose()?,
        pool,
        out: Output::new(),
        contents: Contents::default(),
        summary: Summary::default(),
        transient: false,
    };
    let bar = progress(set.packs().len(), args.quiet || args.list);
    for place in set.packs() {
        unpacking.summary.packs += 1;
        let unpacked = place.open().and_then(|pack| {
            pack.check_archive()?;
            unpacking.pack(&pack)
        });
        if let Err(error) = unpacked {
            unpacking.summary.failed_packs += 1;
            unpacking.fail(&error);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if unpacking.summary.entries == 0
        && unpacking.summary.failed_packs == 0
        && !args.globs.is_empty()
    {
        let globs = args.globs.join("`, `");
        return Err(format!(
            "no entry matches `{}`; `--list` prints all",
            printable(&globs)
        )
        .into());
    }
    unpacking.finish(set.inputs_and_failed())
}

struct Unpacking<'a> {
    args: &'a Unpack,
    globs: Globs,
    root: Option<&'a Path>,
    sink: Option<Sink>,
    pool: rayon::ThreadPool,
    out: Output,
    /// Those of the packs that were not refused.
    contents: Contents,
    summary: Summary,
    transient: bool,
}

impl Unpacking<'_> {
    fn fail(&mut self, error: &PackError) {
        self.transient |= is_transient(error);
        print_message(error);
    }

    /// Writes or lists the entries of a pack.
    ///
    /// # Errors
    /// If an entry has the path of one in an earlier pack, and not its bytes. Nothing of this pack is written then.
    fn pack(&mut self, pack: &Pack) -> Result<(), PackError> {
        let chosen = pack
            .entries()
            .iter()
            .filter(|entry| self.globs.choose(&entry.path));
        let chosen: Vec<&Entry> = chosen.collect();
        let own = self.root.map(|root| (root, identity(pack.path())));
        for entry in &chosen {
            if let Some((root, own)) = &own
                && is_beside(&identity(&root.join(&entry.path)), own)
            {
                return Err(PackError::Faulty {
                    path: pack.path().to_owned(),
                    fault: format!(
                        "its entry `{}` would replace a pack, an index or a list beside it; unpack it to another directory",
                        entry.path
                    ),
                });
            }
            if self.contents.differ(&entry.path, entry.sha256.as_deref()) {
                return Err(PackError::Faulty {
                    path: pack.path().to_owned(),
                    fault: format!(
                        "its entry `{}` is in an earlier pack, too, with other bytes",
                        entry.path
                    ),
                });
            }
        }
        for entry in &chosen {
            self.contents.add(&entry.path, entry.sha256.as_deref());
        }
        if chosen.iter().any(|entry| entry.sha256.is_none()) && !self.args.quiet {
            let pack = pack.path().display();
            print_message(&format!(
                "`{pack}` has no index, so its bytes cannot be checked"
            ));
        }
        for some in chosen.chunks(AT_A_TIME) {
            let unpack = |entry: &&Entry| self.entry(pack, entry);
            let results: Vec<_> = self.pool.install(|| some.par_iter().map(unpack).collect());
            for (entry, result) in some.iter().zip(results) {
                self.report(pack, entry, result);
            }
        }
        Ok(())
    }

    /// Writes an entry, unless it is only listed or its file is there.
    fn entry(&self, pack: &Pack, entry: &Entry) -> Result<Option<Status>, PackError> {
        let (Some(root), Some(sink)) = (self.root, &self.sink) else {
            return Ok(None);
        };
        let target = Target::new(&root.join(&entry.path));
        let copy = |out: &mut dyn std::io::Write| Ok(pack.copy(entry, out)?);
        if target.with_content(entry.bytes, copy).is_some() {
            return Ok(Some(Status::Unchanged));
        }
        let staged = sink.stage(target, copy)?;
        Staged::prepare([&staged])?;
        staged.commit()?;
        Ok(Some(Status::Written))
    }

    fn report(&mut self, pack: &Pack, entry: &Entry, result: Result<Option<Status>, PackError>) {
        let output = self
            .root
            .map(|root| root.join(&entry.path).display().to_string());
        self.summary.entries += 1;
        let (status, error) = match result {
            Ok(status) => (status, None),
            Err(error) => {
                self.fail(&error);
                (Some(Status::Failed), Some(error.to_string()))
            }
        };
        match status {
            Some(Status::Written) => self.summary.written += 1,
            Some(Status::Unchanged) => self.summary.unchanged += 1,
            Some(_) => self.summary.failed += 1,
            None => {}
        }
        match self.args.format {
            Format::Json => self.out.json(&Line {
                pack: pack.path().display().to_string(),
                path: &entry.path,
                output,
                status,
                bytes: entry.bytes,
                sha256: entry.sha256.as_deref(),
                error,
            }),
            Format::Human if self.args.list => {
                let line = format!("{:>12}  {}", entry.bytes, printable(&entry.path));
                self.out.line(&line);
            }
            Format::Human => {}
        }
    }

    /// Ends the command; of the inputs of the run that made the packs, some may have failed. Returns the exit status.
    fn finish(mut self, (inputs, inputs_failed): (u64, u64)) -> Result<u8, Fatal> {
        if let Some(Err(error)) = self.sink.as_ref().map(Sink::finish) {
            let error: IoError = error;
            self.fail(&error.into());
        }
        let Summary {
            packs,
            entries,
            written,
            unchanged,
            failed,
            failed_packs,
        } = self.summary;
        match self.args.format {
            Format::Json => self.out.json(&LastLine {
                summary: &self.summary,
                version: JSON_VERSION,
            }),
            Format::Human if self.args.quiet || self.args.list => {}
            Format::Human => {
                let faulty = match failed_packs {
                    0 => String::new(),
                    1 => ", 1 pack refused".into(),
                    _ => format!(", {failed_packs} packs refused"),
                };
                let entries = if entries == 1 {
                    "1 entry".into()
                } else {
                    format!("{entries} entries")
                };
                let packs = if packs == 1 {
                    "1 pack".into()
                } else {
                    format!("{packs} packs")
                };
                self.out.line(&format!(
                    "{entries} of {packs}: {written} written, {unchanged} unchanged, {failed} failed{faulty}"
                ));
            }
        }
        if inputs_failed > 0 && !self.args.quiet {
            print_message(&format!(
                "{inputs_failed} of the {inputs} inputs of the run that made these packs had failed"
            ));
        }
        let good = failed == 0 && failed_packs == 0 && !self.transient && !self.out.failed;
        Ok(match good {
            true => SUCCESS,
            false if self.transient => TRY_AGAIN,
            false => FAILED,
        })
    }
}
