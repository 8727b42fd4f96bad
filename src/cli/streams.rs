//! Standard streams in the place of files: `-` as PATH is standard input, and `-o -` is standard output.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use super::batch_args::Batch;
use super::output::Output;
use super::status::{Result, bail};
use crate::io::{Destination, Discovery, Found, StreamInput, is_dir};
use crate::run::batch::{HeldInput, HeldOutput, Options, OutputPlace};
use rigy_base::limits::LONGER_TEXTS;
use rigy_base::paths::Slashed;

/// The streams of a run, if it has any, and the place of its outputs.
pub struct Streams {
    /// The input, with the name by which findings show it.
    input: Option<(Found, HeldInput)>,
    pub output: OutputPlace,
}

/// Returns true if the path after `-o` is standard output.
pub fn is_standard_output(path: &Path) -> bool {
    matches!(Destination::of(path), Ok(Destination::StandardOutput))
}

impl Streams {
    /// Checks that a run can use the streams that it has, and reads the input to its end, if it is a stream. `ending` is that of a
    /// file which `-o` may name, `is_text` tells that a terminal can show the output, and `limit` is the most bytes of the input.
    ///
    /// This comes before signals are handled: Ctrl-C ends the program while it waits for input.
    ///
    /// # Errors
    /// If the options do not go with streams, or the input cannot be read.
    pub fn open(
        args: &Batch,
        paths: &[PathBuf],
        output: OutputPlace,
        (ending, is_text): (Option<&str>, bool),
        limit: u64,
    ) -> Result<Self> {
        if output.held().is_some() {
            check_output(args, paths, is_text)?;
        }
        let input = match stream_of(paths)? {
            None => None,
            Some(stream) => {
                check_input(args, &output, ending)?;
                Some(read(&stream, args.root.as_deref(), limit)?)
            }
        };
        Ok(Self { input, output })
    }

    /// Returns the input, if it is a stream, as the result of a search for inputs.
    pub fn found(&self) -> Option<Discovery> {
        let (found, _) = self.input.as_ref()?;
        Some(Discovery {
            found: vec![found.clone()],
            ..Discovery::default()
        })
    }

    /// Returns the options of a run with these streams.
    pub fn options(&self, args: &Batch, paths: &[PathBuf]) -> Result<Options> {
        let held_input = self.input.as_ref().map(|(_, input)| input.clone());
        Ok(Options {
            held_input,
            ..args.options(paths, self.output.clone())?
        })
    }

    /// Writes the output to standard output, if it goes there and has been made. Returns the exit status of a run that had
    /// this `status`.
    pub fn finish(&self, status: u8) -> u8 {
        let Some(bytes) = self.output.held().and_then(HeldOutput::take) else {
            return status;
        };
        let mut out = Output::in_place_of_a_file();
        out.bytes(&bytes);
        out.status(status)
    }
}

/// Returns the stream that the only path leads to.
///
/// # Errors
/// If standard input is one of several paths.
pub fn stream_of(paths: &[PathBuf]) -> Result<Option<StreamInput>> {
    match paths {
        [path] => Ok(StreamInput::at(path)),
        paths if paths.iter().any(|path| path == Path::new("-")) => bail!(
            "`-`, standard input, is one document or file and stands alone; leave the other paths out, or name a file `-` as `./-`"
        ),
        _ => Ok(None),
    }
}

/// Reads a stream. What it refers to is relative to the root, or else to the current directory.
fn read(stream: &StreamInput, root: Option<&Path>, limit: u64) -> Result<(Found, HeldInput)> {
    let name = stream.name();
    let bytes = stream.read(limit).map_err(|error| {
        let help = match error.kind() {
            std::io::ErrorKind::FileTooLarge => format!("; {LONGER_TEXTS}"),
            _ => String::new(),
        };
        format!("cannot read {}: {error}{help}", name.slashed())
    })?;
    let root = root.unwrap_or(Path::new(""));
    let found = Found {
        path: root.join(name),
        root: root.into(),
    };
    Ok((found, HeldInput::new(bytes)))
}

/// Checks the options of a run whose input is a stream.
fn check_input(args: &Batch, output: &OutputPlace, ending: Option<&str>) -> Result<()> {
    let others = [
        (args.prune, "--prune"),
        (args.html.is_some(), "--html"),
        (args.depfile.is_some(), "--depfile"),
    ];
    refuse(&others, "an input that is a stream")?;
    let named = match ending {
        Some(ending) => format!("`-o FILE.{ending}`"),
        None => bail!(
            "several files are made of the input, and they are named after it; give it in a file, not in a stream"
        ),
    };
    match output {
        OutputPlace::File(_) | OutputPlace::Memory(_) => Ok(()),
        OutputPlace::Beside => bail!(
            "there is no place beside an input that is a stream; name the output with {named}, or `-o -` for standard output"
        ),
        OutputPlace::Below(directory) => bail!(
            "`{}` is taken for a directory, and an input that is a stream has no name for an output there; name a file with {named}, or `-o -` for standard output",
            directory.slashed()
        ),
    }
}

/// Checks the options of a run whose output goes to standard output.
fn check_output(args: &Batch, paths: &[PathBuf], is_text: bool) -> Result<()> {
    if !matches!(paths, [path] if !is_dir(path) || path == Path::new("-")) {
        bail!(
            "`-o -` writes one output to standard output; name one file as PATH, or a directory after `-o`"
        );
    }
    let others = [
        (args.prune, "--prune"),
        (args.check, "--check"),
        (args.html.is_some(), "--html"),
        (args.depfile.is_some(), "--depfile"),
    ];
    refuse(&others, "`-o -`")?;
    if !is_text && !args.writes_nothing() && std::io::stdout().is_terminal() {
        bail!(
            "the output is not text, and standard output is a terminal; redirect it, as in `-o - > out.glb`, or name a file after `-o`"
        );
    }
    Ok(())
}

/// Refuses the options that are given.
fn refuse(options: &[(bool, &str)], what: &str) -> Result<()> {
    match options.iter().find(|(is_given, _)| *is_given) {
        Some((_, name)) => bail!("`{name}` does not go with {what}; leave it out"),
        None => Ok(()),
    }
}
