//! `verify` for packs: whole, and equal to a directory or to other packs.

mod files;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::{LastLine, Summary};
use crate::base::loader::{Digest, digest};
use crate::cli::args::Verify;
use crate::cli::formats::{Annotation, Case, End, Group, OutcomeFormat, Rule, print_groups};
use crate::cli::packed::Contents;
use crate::cli::render::printable;
use crate::cli::{
    FAILED, Fatal, Output, SUCCESS, TRY_AGAIN, is_transient, print_message, progress,
};
use crate::io::pack::{Entry, Pack, PackError, PackSet};
use crate::run::batch::JSON_VERSION;
use crate::run::conformance::Verdict;
use files::{Checked, Expected, Files, Source, checked, expect, hash_of_file, of_directory};

/// Returns true if `verify` is about packs: the first or the second path leads to some.
pub fn are_meant(args: &Verify) -> bool {
    let others =
        || matches!(&*args.manifests, [first, second] if first.is_dir() && PackSet::is_at(second));
    args.manifests
        .first()
        .is_some_and(|path| PackSet::is_at(path))
        || others()
}

/// The word in place of a category of tests.
const CATEGORY: &str = "entry";

pub fn run(args: &Verify) -> Result<u8, Fatal> {
    let mut paths: Vec<&Path> = args.manifests.iter().map(PathBuf::as_path).collect();
    paths.extend(args.against.as_deref());
    if !args.only.is_empty() || args.tolerance.is_some() {
        return Err("`--only` and `--tolerance` are for manifests; unpack packs first, or use `diff` for two files in them".into());
    }
    // The golden side may be named first or second; what is read from packs is checked on both.
    let (packs, other) =
        match *paths {
            [packs] => (packs, None),
            [a, b] if PackSet::is_at(a) => (a, Some(b)),
            [a, b] => (b, Some(a)),
            _ => return Err(
                "`verify` compares packs with one directory or with other packs; name two paths"
                    .into(),
            ),
        };
    let pool = args.common.threads.pool()?;
    let set = PackSet::open(packs)?;
    let mut verifying = Verifying::new(args);
    let expected = match other {
        Some(other) if PackSet::is_at(other) => {
            Some(verifying.of_packs(&PackSet::open(other)?, &pool))
        }
        Some(other) => Some(of_directory(other)?),
        None => None,
    };
    let mut expected = expected.map(|files| files.into_iter().collect::<HashMap<_, _>>());
    let bar = progress(set.packs().len(), args.common.quiet);
    for place in set.packs() {
        match pool.install(|| checked(place)) {
            Err(error) => verifying.fail(&error),
            Ok(Checked {
                pack,
                whole,
                hashes,
            }) => {
                if pack.entries().iter().any(|entry| entry.sha256.is_none()) {
                    print_message(&format!(
                        "`{}` has no index, so its bytes are compared with nothing but the other side",
                        pack.path().display()
                    ));
                }
                for (entry, hash) in pack.entries().iter().zip(hashes) {
                    verifying.entry(&pack, entry, hash, expected.as_mut());
                }
                if let Err(error) = whole {
                    verifying.fail(&error);
                }
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let mut missing: Vec<Expected> = expected
        .into_iter()
        .flatten()
        .map(|(_, file)| file)
        .collect();
    missing.sort_by(|a, b| a.path.cmp(&b.path));
    for file in missing.into_iter().filter(|file| !file.is_seen) {
        verifying.verdict(file.path, Err("no pack has it".into()));
    }
    Ok(verifying.finish())
}

/// Returns the fault of an entry whose path is that of an earlier one with other bytes.
fn twice(pack: &Pack) -> String {
    let pack = pack.path().display();
    format!(
        "an earlier pack has an entry with this path, and `{pack}` another one with other bytes"
    )
}

/// The results so far.
struct Verifying<'a> {
    args: &'a Verify,
    out: Output,
    cases: Vec<Case>,
    total: usize,
    passed: usize,
    transient: bool,
    /// The entries of the packs that are verified.
    contents: Contents,
}

impl<'a> Verifying<'a> {
    fn new(args: &'a Verify) -> Self {
        Self {
            args,
            out: Output::new(),
            cases: Vec::new(),
            total: 0,
            passed: 0,
            transient: false,
            contents: Contents::default(),
        }
    }

    /// Returns the files of packs, which are checked. Those of packs that are damaged are missing, and that is reported.
    fn of_packs(&mut self, set: &PackSet, pool: &rayon::ThreadPool) -> Files {
        let (mut files, mut contents) = (Files::new(), Contents::default());
        for place in set.packs() {
            match pool.install(|| checked(place)) {
                Err(error) => self.fail(&error),
                Ok(checked) => {
                    if let Err(error) = checked.whole {
                        self.fail(&error);
                    }
                    for (entry, hash) in checked.pack.entries().iter().zip(checked.hashes) {
                        match hash {
                            Ok(hash) if contents.differ(&entry.path, Some(&hash)) => {
                                self.verdict(entry.path.clone(), Err(twice(&checked.pack)));
                            }
                            Ok(hash) => {
                                contents.add(&entry.path, Some(&hash));
                                files.push(expect(entry.path.clone(), Source::Hash(hash)));
                            }
                            Err(error) => self.fail(&error),
                        }
                    }
                }
            }
        }
        files
    }

    /// Judges an entry whose hash has been computed.
    fn entry(
        &mut self,
        pack: &Pack,
        entry: &Entry,
        hash: Result<String, PackError>,
        expected: Option<&mut HashMap<Digest, Expected>>,
    ) {
        let hash = match hash {
            Ok(hash) => hash,
            Err(error) => return self.fail(&error),
        };
        if self.contents.differ(&entry.path, Some(&hash)) {
            return self.verdict(entry.path.clone(), Err(twice(pack)));
        }
        self.contents.add(&entry.path, Some(&hash));
        let mut transient = false;
        let judge = || {
            let Some(expected) = expected else {
                return Ok("whole".to_owned());
            };
            let file = expected.get_mut(&digest(entry.path.as_bytes()));
            let file = file.ok_or("there is no such file on the other side")?;
            file.is_seen = true;
            let found = match &file.source {
                Source::Hash(hash) => hash.clone(),
                Source::File(path) => hash_of_file(path).map_err(|error| {
                    transient = is_transient(&error);
                    error.to_string()
                })?,
            };
            match found == hash {
                true => Ok(format!("{} bytes equal", entry.bytes)),
                false => Err(format!("SHA-256 is {hash}, that of the other side {found}")),
            }
        };
        let judged = judge();
        self.transient |= transient;
        self.verdict(entry.path.clone(), judged);
    }

    /// Reports a pack or an entry that is damaged.
    fn fail(&mut self, error: &PackError) {
        self.transient |= is_transient(error);
        let id = match error {
            PackError::Io(error) => &error.path,
            PackError::Faulty { path, .. } | PackError::Incomplete { path, .. } => path,
        };
        let id = id.display().to_string();
        self.verdict(id, Err(error.to_string()));
    }

    fn verdict(&mut self, id: String, judged: Result<String, String>) {
        self.total += 1;
        self.passed += usize::from(judged.is_ok());
        let passed = judged.is_ok();
        let detail = judged.unwrap_or_else(|fault| fault);
        match self.args.common.format {
            OutcomeFormat::Json => self.out.json(&Verdict {
                id,
                category: CATEGORY.into(),
                passed,
                detail,
            }),
            OutcomeFormat::Human if !passed => {
                let line = format!("  FAIL  {}  {}", printable(&id), printable(&detail));
                self.out.line(&line);
            }
            OutcomeFormat::Human => {}
            _ => {
                let error = || Annotation::error(Rule::Conformance, &id, format!("{id}: {detail}"));
                let errors = if passed { vec![] } else { vec![error()] };
                self.cases.push(Case::of_annotations(id, errors));
            }
        }
    }

    fn finish(mut self) -> u8 {
        let (passed, total) = (self.passed, self.total);
        let quiet = self.args.common.quiet;
        let sentence = format!("{passed} of {total} entries passed");
        match (self.args.common.format, self.args.common.format.annotated()) {
            (OutcomeFormat::Json, _) => self.out.json(&LastLine {
                summary: Summary {
                    tests: total,
                    passed,
                    failed: total - passed,
                },
                version: JSON_VERSION,
            }),
            (_, Some(format)) => {
                let name = self.args.manifests[0].display().to_string();
                let groups = [Group::of_cases(name, self.cases)];
                print_groups(
                    &mut self.out,
                    format,
                    &groups,
                    &End::of_sentence(&sentence, quiet),
                );
            }
            (_, None) if quiet => {}
            (_, None) => self.out.line(&sentence),
        }
        match passed == total && !self.out.failed {
            true => SUCCESS,
            false if self.transient => TRY_AGAIN,
            false => FAILED,
        }
    }
}
