//! `--emit-expanded`: the expanded documents of a run, in files or on standard output.
//!
//! They are no outputs in the sense of reports and of the cache: an input is read again for its expanded document, whether or
//! not the cache has its outcome.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::args::Documents;
use super::render::printable;
use super::report::begins_with;
use super::status::{Result, bail, is_transient};
use crate::compile::{self, EXPANDED_BY, Input};
use crate::io::{Found, IoError, Sink, Staged, Target, bytes_of, identity, is_missing};
use crate::run::batch::{Options, Outcome, StartError, clashes, document_stem};
use rigy_base::loader::Location;
use rigy_base::maps::{HashMap, HashSet};
use rigy_base::paths::Slashed;

/// Writes the expanded documents of a run.
pub struct Expansions {
    place: ExpansionPlace,
    /// True if documents with errors are expanded, too.
    on_error: bool,
    options: Options,
}

enum ExpansionPlace {
    /// Standard output; `marked` tells that each document begins with a line that names its file.
    StandardOutput { marked: bool },
    Files {
        /// The file of each input.
        paths: HashMap<PathBuf, PathBuf>,
        /// The resolved paths of all inputs.
        inputs: HashSet<PathBuf>,
        /// `None` if nothing is to be written.
        sink: Option<Sink>,
    },
}

/// The result of writing the expanded document of one input.
#[derive(Default)]
pub struct Emitted {
    /// The text for standard output.
    pub text: Option<String>,
    /// True if a file was written, or would be in a dry run.
    pub is_written: bool,
    /// The reason why there is no expanded document although the input is good.
    pub error: Option<String>,
    /// True if that reason may pass.
    pub transient: bool,
}

impl Expansions {
    /// Prepares to write the expanded documents of these inputs, if the options ask for them.
    ///
    /// # Errors
    /// If two inputs would have one expanded document, or the directory cannot be written to.
    pub fn new(args: &Documents, found: &[Found], options: &Options) -> Result<Option<Self>> {
        let Some(to) = &args.emit_expanded else {
            return Ok(None);
        };
        let place = if to.as_os_str() == "-" {
            ExpansionPlace::StandardOutput {
                marked: found.len() > 1,
            }
        } else {
            files(to, found, options)?
        };
        Ok(Some(Self {
            place,
            on_error: args.emit_on_error,
            options: options.clone(),
        }))
    }

    /// Returns true if expanded documents go to standard output.
    pub fn take_standard_output(&self) -> bool {
        matches!(self.place, ExpansionPlace::StandardOutput { .. })
    }

    /// Writes the expanded document of an input that has been processed, unless it is a scene.
    pub fn emit(&self, outcome: &Outcome) -> Emitted {
        if outcome.has_failed() && !self.on_error {
            return Emitted::default();
        }
        let text = match self.expanded(&outcome.input) {
            Ok(Some(text)) => text,
            Ok(None) => return Emitted::default(),
            // The findings of the input say why.
            Err(_) if outcome.has_failed() => return Emitted::default(),
            Err(error) => return Emitted::failed(&*error),
        };
        match &self.place {
            ExpansionPlace::StandardOutput { marked: false } => Emitted::printed(text),
            ExpansionPlace::StandardOutput { marked: true } => {
                let name = printable(&outcome.input.shown());
                Emitted::printed(format!("---\n# {name}\n{text}"))
            }
            ExpansionPlace::Files {
                paths,
                inputs,
                sink,
            } => {
                let Some(path) = paths.get(&outcome.input) else {
                    return Emitted::default();
                };
                match self.write(&text, path, inputs, sink.as_ref()) {
                    Ok(is_written) => Emitted {
                        is_written,
                        ..Emitted::default()
                    },
                    Err(error) => Emitted::failed(&*error),
                }
            }
        }
    }

    /// Reads an input and expands it.
    fn expanded(&self, path: &Path) -> Result<Option<String>> {
        let name = path.shown();
        let first = |errors: Vec<rigy_base::diag::Diagnostic>| {
            let error = errors.into_iter().next();
            error.map_or_else(|| name.clone(), |error| format!("{name}: {error}"))
        };
        let limits = self.options.limits;
        let bytes = match &self.options.held_input {
            Some(held) => held.as_ref().to_vec(),
            None => bytes_of(path, limits.bytes)?,
        };
        let input = Input::decoded(&name, Location(path.to_owned()), &bytes).map_err(first)?;
        Ok(compile::expanded(input, limits).map_err(first)?)
    }

    /// Writes a file, unless it has the right content already. Returns true if it was written, or would be in a dry run.
    fn write(
        &self,
        text: &str,
        path: &Path,
        inputs: &HashSet<PathBuf>,
        sink: Option<&Sink>,
    ) -> Result<bool> {
        let write = |out: &mut dyn Write| out.write_all(text.as_bytes());
        let target = Target::new(path);
        if !self.options.force
            && target
                .with_content(Some(text.len() as u64), write)
                .is_some()
        {
            return Ok(false);
        }
        let is_there = !is_missing(path);
        if is_there && (inputs.contains(&identity(path)) || !is_expanded(&target)) {
            let shown = path.slashed();
            bail!(
                "`{shown}` would be replaced, which is an input or was not made by `--emit-expanded`; move it away, or name another directory"
            );
        }
        let Some(sink) = sink else {
            return Ok(true);
        };
        let staged = sink.stage(target, write)?;
        Staged::prepare([&staged])?;
        staged.commit()?;
        Ok(true)
    }

    /// Waits for the disk where that is asked for.
    ///
    /// # Errors
    /// If something cannot be forced onto the disk.
    pub fn finish(&self) -> Result<(), IoError> {
        match &self.place {
            ExpansionPlace::Files {
                sink: Some(sink), ..
            } => sink.finish(),
            _ => Ok(()),
        }
    }
}

impl Emitted {
    fn printed(text: String) -> Self {
        Self {
            text: Some(text),
            ..Self::default()
        }
    }

    fn failed(error: &(dyn Error + 'static)) -> Self {
        Self {
            error: Some(format!("no expanded document: {error}")),
            transient: is_transient(error),
            ..Self::default()
        }
    }
}

/// Determines the file of each input: below `directory`, at the place that the input has below its PATH.
fn files(directory: &Path, found: &[Found], options: &Options) -> Result<ExpansionPlace> {
    let path_of = |input: &Found| {
        let relative = input.relative();
        let mut name = document_stem(relative.file_name().unwrap_or_default());
        name.push(".expanded.yaml");
        directory.join(relative.with_file_name(name))
    };
    let outputs = found.iter().map(|input| (&*input.path, path_of(input)));
    let clashes = clashes(outputs);
    if !clashes.is_empty() {
        return Err(StartError::Clashes(clashes).into());
    }
    let sink = (!options.dry_run)
        .then(|| Sink::new(directory, options.sync))
        .transpose()?;
    let paths = found.iter().map(|f| (f.path.clone(), path_of(f)));
    Ok(ExpansionPlace::Files {
        paths: paths.collect(),
        inputs: found.iter().map(|input| identity(&input.path)).collect(),
        sink,
    })
}

/// Returns true if a file is empty or an expanded document.
fn is_expanded(file: &Target) -> bool {
    let begins = |mut file| begins_with(&mut file, EXPANDED_BY.as_bytes());
    file.open().is_ok_and(|file| begins(file).unwrap_or(false))
}
