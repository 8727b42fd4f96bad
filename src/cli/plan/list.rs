//! Writing the list of inputs, whole or not at all.

use std::io::{self, BufReader, BufWriter, Read};
use std::path::{Path, PathBuf};

use crate::cli::Fatal;
use crate::cli::report::{check_directory, check_replaced};
use crate::io::{
    Destination, Draft, Durability, Found, InputList, InputListFault, InputListWriter, IoError,
    ListedKind,
};

/// The word for a list in messages.
const KIND: &str = "input list";

/// The file that a list goes to, which has been checked.
pub struct ListTarget {
    /// The path as the user wrote it.
    path: PathBuf,
    file: PathBuf,
}

impl ListTarget {
    /// Checks that a list of the inputs below `roots` may be written to `path`: it replaces only a list or an empty file.
    ///
    /// # Errors
    /// If it may not, or a root is no directory.
    pub fn check(path: &Path, roots: &[PathBuf]) -> Result<Self, Fatal> {
        if let Some(file) = roots.iter().find(|root| root.is_file()) {
            let file = file.display();
            return Err(format!("`--inputs-to` takes directories, and `{file}` is a file; name its directory, or leave the option out").into());
        }
        let Destination::File(file) = Destination::of(path)? else {
            return Err("`--inputs-to` writes a file; name one".into());
        };
        check_directory(path, &file, KIND)?;
        check_replaced(path, &file, KIND, is_list)?;
        let path = path.to_owned();
        Ok(Self { path, file })
    }

    /// Writes the list of these inputs, which are sorted by path and have the lengths `lens`.
    ///
    /// # Errors
    /// If it cannot be written. The file that was there stays as it was.
    pub fn write(
        &self,
        kind: ListedKind,
        roots: &[PathBuf],
        inputs: &[Found],
        lens: &[u64],
    ) -> Result<(), Fatal> {
        let mut draft = Draft::beside(&self.file, Durability::None)?;
        let out = BufWriter::with_capacity(256 << 10, &mut draft);
        let name = self.path.display().to_string();
        let mut list = InputListWriter::begin(name, out, kind, roots)?;
        for (number, root) in roots.iter().enumerate() {
            let pairs = inputs.iter().zip(lens);
            for (input, len) in pairs.filter(|(input, _)| *input.root == **root) {
                list.add(number, input.relative(), *len)?;
            }
        }
        list.end()?
            .into_inner()
            .map_err(|error| IoError::new("write", &self.path, error.into_error()))?;
        Ok(draft.commit()?)
    }
}

/// Returns true if a file begins as a list does, or is empty.
fn is_list(file: &mut dyn Read) -> io::Result<bool> {
    let mut file = BufReader::new(file);
    if io::BufRead::fill_buf(&mut file)?.is_empty() {
        return Ok(true);
    }
    match InputList::new(String::new(), file).map_err(|error| error.fault) {
        Err(InputListFault::Read(error)) => Err(error),
        Err(InputListFault::Newer(_)) | Ok(_) => Ok(true),
        Err(_) => Ok(false),
    }
}
