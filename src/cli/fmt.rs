//! The `fmt` command: documents in canonical layout.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use similar::algorithms::{Capture, Replace, myers};
use similar::udiff::UnifiedHunkHeader;

use super::common_args::{LimitArgs, Threads};
use super::each::each;
use super::formats::{Annotation, End, Group, OutcomeFormat, Rule, print_groups};
use super::messages::{print_findings, print_message};
use super::output::Output;
use super::printer::plural;
use super::render::printable;
use super::status::{FAILED, Result, SUCCESS, TRY_AGAIN, bail, is_transient};

use crate::compile::{decode, format};
use crate::io::{Destination, Draft, Found, IoError, Skips, discover, read_traced, stamp_of};
use crate::run::batch::is_document;
use rigy_base::diag::Diagnosed;
use rigy_base::limits::Limits;
use rigy_base::loader::Stamp;
use rigy_base::paths::Slashed;

/// Put the text of documents into canonical layout
///
/// Keys get their usual order, each level of nesting two blanks, and boxes x, y and z for width, height and depth. Comments,
/// anchors, quotes and the spelling of numbers stay, and a document compiles to the same bytes as before. A file that is no
/// YAML is reported and stays as it is.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  rigy-batch fmt models/             rewrite documents whose layout is another\n  \
rigy-batch fmt --check models/     only name them",
    after_long_help = "Examples:\n  rigy-batch fmt models/                 rewrite documents whose layout is another\n  \
rigy-batch fmt --check models/         only name them, and exit with 1 if there are any\n  \
rigy-batch fmt --diff lamp.rigy.yaml   show what would change\n  \
rigy-batch fmt - < in.yaml > out.yaml  as a filter, for editors\n\n\
Exit status: 0 all good, 1 some input failed (with --check: or would change), 2 could not start, 75 failed for a reason that may pass (disk full, no memory, a network file system)."
)]
pub struct Fmt {
    /// Documents, directories to search for *.rigy.yaml, *.rigy.yml, *.rigs.yaml and *.rigs.yml, or - for standard input
    ///
    /// Hidden directories are skipped and links are not followed. A file that is named here may have any name; if it is a
    /// link, the file that it leads to is rewritten. `-` stands alone: the result goes to standard output.
    #[arg(required = true, value_name = "FILE|DIR|-")]
    pub files: Vec<PathBuf>,

    /// Write nothing; name the files that would change, and exit with 1 if there are any
    #[arg(long)]
    pub check: bool,

    /// Write nothing; print what would change as a unified diff
    ///
    /// The exit status is 0 unless a file fails; `--check --diff` exits with 1 if anything would change.
    #[arg(long)]
    pub diff: bool,

    #[command(flatten)]
    pub threads: Threads,

    #[command(flatten)]
    pub limit: LimitArgs,

    /// Standard output: human, github, sarif or junit
    ///
    /// With the last three, documents that `--check` would change are errors. They do not go with --diff and with standard input.
    #[arg(long, value_enum, default_value_t = OutcomeFormat::Human)]
    pub format: OutcomeFormat,

    /// Print no progress bar and no summary; names, differences and errors remain
    #[arg(short, long)]
    pub quiet: bool,
}

impl Fmt {
    /// Refuses a format that the other options leave no place for.
    fn check_format(&self) -> Result<()> {
        let name = self.format.name();
        match self.format {
            OutcomeFormat::Human => Ok(()),
            OutcomeFormat::Json => {
                bail!("`fmt` has no `--format json`; use human, github, sarif or junit")
            }
            _ if self.diff => bail!(
                "`--format {name}` and `--diff` would both go to standard output; leave one of them out"
            ),
            _ if self.files.iter().any(|path| path.as_os_str() == "-") => {
                bail!("`--format {name}` is for files; standard input goes to standard output")
            }
            _ => Ok(()),
        }
    }
}

/// Time after which a diff need not be the shortest.
const DIFF_TIME: std::time::Duration = std::time::Duration::from_secs(2);

/// The result of formatting a file.
enum Done {
    Same,
    /// Its layout is another, or was. With the diff, if that is asked for.
    Changed(Option<String>),
}

pub fn run(args: &Fmt) -> Result<u8> {
    args.check_format()?;
    let limits = args.limit.limits()?;
    if args.files.iter().any(|path| path.as_os_str() == "-") {
        return match args.files.len() {
            1 => filter(args, &limits),
            _ => {
                bail!("`-` stands alone: what is read from standard input goes to standard output")
            }
        };
    }
    let found = discover(&args.files, &is_document, &Skips::default())?;
    let (found, unreadable) = (found.found, found.unreadable);
    unreadable.iter().for_each(|error| print_message(error));
    if found.is_empty() && unreadable.is_empty() {
        let message = "no *.rigy.yaml, *.rigy.yml, *.rigs.yaml or *.rigs.yml found; name another directory, or files";
        return Err(message.into());
    }
    let results = each(&found, &args.threads, args.quiet, |found| {
        file(args, &limits, &found.path)
    })?;
    Ok(finish(args, &found, results, &unreadable))
}

/// Formats standard input.
fn filter(args: &Fmt, limits: &Limits) -> Result<u8> {
    const NAME: &str = "standard input";
    let mut bytes = Vec::new();
    std::io::stdin()
        .lock()
        .take(limits.bytes + 1)
        .read_to_end(&mut bytes)
        .map_err(IoError::at("read", Path::new(NAME)))?;
    let formatted = decode(NAME, &bytes).and_then(|text| Ok((text, format(NAME, text, limits)?)));
    let (text, formatted) = match formatted {
        Ok(texts) => texts,
        Err(errors) => {
            print_findings(&errors);
            return Ok(FAILED);
        }
    };
    let mut out = Output::new();
    match (args.diff, args.check) {
        (true, _) => out.bytes(unified(NAME, text, &formatted).as_bytes()),
        (false, true) => {}
        (false, false) => out.bytes(formatted.as_bytes()),
    }
    let would_change = args.check && text != formatted;
    Ok(out.status(status(would_change, false)))
}

/// Formats one file.
fn file(args: &Fmt, limits: &Limits, path: &Path) -> Diagnosed<Done> {
    let mut bytes = Vec::new();
    let read = read_traced(path, limits.bytes, &mut bytes)
        .map_err(|error| vec![IoError::new("read", path, error).finding()])?;
    let name = path.shown();
    let text = decode(&name, &bytes)?;
    let formatted = format(&name, text, limits)?;
    if text == formatted {
        return Ok(Done::Same);
    }
    if args.diff {
        return Ok(Done::Changed(Some(unified(&name, text, &formatted))));
    }
    if !args.check {
        replace(path, &formatted, &read.stamp).map_err(|error| vec![error.finding()])?;
    }
    Ok(Done::Changed(None))
}

/// Replaces the file that a path leads to, unless it has changed since it was read.
fn replace(path: &Path, text: &str, read: &Stamp) -> Result<(), IoError> {
    let failed = IoError::at("replace", path);
    let target = match Destination::of(path)? {
        Destination::File(target) => target,
        _ => return Err(failed(std::io::Error::other("it is not a regular file"))),
    };
    let mut draft = Draft::beside(&target, false)?;
    draft.write_all(text.as_bytes()).map_err(failed)?;
    if stamp_of(&target).map_err(failed)? != *read {
        return Err(failed(std::io::Error::other("it has changed meanwhile")));
    }
    draft.commit()
}

/// Prints errors, names and differences in the order of the files, and then a summary.
fn finish(
    args: &Fmt,
    found: &[Found],
    results: Vec<Diagnosed<Done>>,
    unreadable: &[IoError],
) -> u8 {
    let mut out = Output::new();
    let annotated = args.format.of_groups();
    let is_for_people = annotated.is_none_or(|format| !format.has_findings());
    let mut groups: Vec<Group> = Vec::new();
    let (mut same, mut changed, mut refused) = (0, 0, 0);
    let mut transient = unreadable.iter().any(|error| is_transient(error));
    for (found, result) in found.iter().zip(results) {
        if annotated.is_some() {
            groups.push(group(args, found, &result));
        }
        match result {
            Ok(Done::Same) => same += 1,
            Ok(Done::Changed(difference)) => {
                changed += 1;
                match difference {
                    _ if annotated.is_some() => {}
                    Some(difference) => out.bytes(difference.as_bytes()),
                    None => out.line(&printable(&found.path.shown())),
                }
            }
            Err(errors) => {
                refused += 1;
                transient |= errors.iter().any(|error| error.transient);
                if is_for_people {
                    print_findings(&errors);
                }
            }
        }
    }
    let summary = summary(args.check, same, changed, refused);
    if let Some(format) = annotated {
        let failures: Vec<String> = unreadable.iter().map(ToString::to_string).collect();
        let end = End {
            failures: &failures,
            ..End::of_sentence(&summary, args.quiet)
        };
        print_groups(&mut out, format, &groups, &end);
    } else if !args.quiet && !args.diff {
        out.line(&summary);
    }
    let is_failed = refused > 0 || !unreadable.is_empty() || args.check && changed > 0;
    out.status(status(is_failed, transient))
}

/// Returns the exit status of a run that has `failed`, perhaps for a reason that may pass.
fn status(failed: bool, transient: bool) -> u8 {
    match failed {
        true if transient => TRY_AGAIN,
        true => FAILED,
        false => SUCCESS,
    }
}

/// Returns the result for a file in the form that formats for programs share.
fn group(args: &Fmt, found: &Found, result: &Diagnosed<Done>) -> Group {
    let name = found.path.shown();
    let annotations = match result {
        Ok(Done::Changed(_)) if args.check => {
            let message =
                "the layout is not canonical; `rigy-batch fmt` without `--check` changes it";
            vec![Annotation::error(Rule::Layout, &found.path, message.into())]
        }
        Ok(_) => Vec::new(),
        Err(errors) => Annotation::of_diagnostics(errors),
    };
    Group::of_file(name, annotations)
}

fn summary(is_check: bool, same: usize, changed: usize, refused: usize) -> String {
    let files = plural(same + changed + refused, "file");
    let verb = if is_check { "would change" } else { "changed" };
    let refused = match refused {
        0 => String::new(),
        refused => format!(", {refused} failed"),
    };
    format!("{files}: {changed} {verb}, {same} unchanged{refused}")
}

/// Returns the lines that differ, with three around them. Characters that would act on a terminal are escaped.
fn unified(name: &str, before: &str, after: &str) -> String {
    let [old, new] = [before, after].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let mut found = Replace::new(Capture::new());
    let deadline = Some(Instant::now() + DIFF_TIME);
    let Ok(()) = myers::diff_deadline(&mut found, &old, 0..old.len(), &new, 0..new.len(), deadline);
    let name = printable(name);
    let mut text = format!("--- {name}\n+++ {name}\n");
    for hunk in found.into_inner().into_grouped_ops(3) {
        text += &format!("{}\n", UnifiedHunkHeader::new(&hunk));
        for change in hunk.iter().flat_map(|op| op.iter_changes(&old, &new)) {
            let line = change.value();
            text += &format!("{}{}", change.tag(), shown(line));
            if !line.ends_with('\n') {
                text += "\n\\ No newline at end of file\n";
            }
        }
    }
    text
}

/// Escapes a line, but not its end and its tabs.
fn shown(line: &str) -> String {
    let content = line.trim_end_matches(['\n', '\r']);
    content
        .split('\t')
        .map(printable)
        .collect::<Vec<String>>()
        .join("\t")
        + &line[content.len()..]
}
