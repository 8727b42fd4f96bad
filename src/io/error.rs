//! A failed operation on a file, and what to do about it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rigy_base::diag::{Category, Diagnostic};
use rigy_base::limits::LONGER_TEXTS;
use rigy_base::paths::Slashed;

/// A failed operation on a file.
#[derive(Debug, thiserror::Error)]
#[error("cannot {operation} `{}`: {source}", path.slashed())]
pub struct IoError {
    /// The operation, as a verb.
    pub operation: &'static str,
    /// The file or directory that the operation was for.
    pub path: PathBuf,
    /// The error that the system has reported.
    pub source: std::io::Error,
}

impl IoError {
    /// Adds the operation and the file to an error of the system.
    pub fn new(operation: &'static str, path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self {
            operation,
            path: path.into(),
            source,
        }
    }

    /// Returns what adds the operation and the file to an error of the system.
    pub fn at<'p>(
        operation: &'static str,
        path: &'p Path,
    ) -> impl Fn(std::io::Error) -> Self + Copy + use<'p> {
        move |source| Self::new(operation, path, source)
    }

    /// Returns the error as a finding (FileError) about an input or a directory, with what to do about it.
    pub fn finding(&self) -> Diagnostic {
        let kind = match self.operation {
            "list" => "directory",
            _ => "file",
        };
        let message = format!("cannot {} the {kind}: {}", self.operation, self.source);
        let finding = Diagnostic::without_code(Category::FileError, message);
        let finding = match advice(self.source.kind()) {
            Some(advice) => finding.help(advice),
            None => finding,
        };
        let finding = finding.caused_by(&self.source);
        finding.about_file(&self.path.shown())
    }
}

/// Returns what to do about an input that cannot be read.
fn advice(kind: ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::PermissionDenied => {
            "let the user who runs this program read it, or name the other inputs one by one"
        }
        ErrorKind::NotFound => {
            "check its name; if it has been removed or renamed in a run, start that again"
        }
        ErrorKind::FileTooLarge => LONGER_TEXTS,
        ErrorKind::StaleNetworkFileHandle => "the file system has lost it; start the run again",
        _ => return None,
    })
}
