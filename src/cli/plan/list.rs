//! Writing the list of inputs, whole or not at all.

use std::io::{self, BufReader, BufWriter, Read};
use std::path::PathBuf;

use super::args::Plan;
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
    /// The directories of the run.
    roots: Vec<PathBuf>,
}

impl ListTarget {
    /// Returns the file for the list of the inputs of a run over `roots`, if there is to be one. Checks that the list replaces only a list or
    /// an empty file.
    ///
    /// # Errors
    /// If it would replace another file, or a root is no directory.
    pub fn of(args: &Plan, roots: &[PathBuf]) -> Result<Option<Self>, Fatal> {
        let Some(path) = &args.inputs_to else {
            return Ok(None);
        };
        if let Some(file) = roots.iter().find(|root| root.is_file()) {
            let file = file.display();
            return Err(format!("`--inputs-to` takes directories, and `{file}` is a file; name its directory, or leave the option out").into());
        }
        let Destination::File(file) = Destination::of(path)? else {
            return Err("`--inputs-to` writes a file; name one".into());
        };
        check_directory(path, &file, KIND)?;
        check_replaced(path, &file, KIND, is_list)?;
        let (path, roots) = (path.clone(), roots.to_vec());
        Ok(Some(Self { path, file, roots }))
    }

    /// Writes the list of these inputs, which are sorted by path and have the lengths `lens`.
    ///
    /// # Errors
    /// If it cannot be written. The file that was there stays as it was.
    pub fn write(&self, kind: ListedKind, inputs: &[Found], lens: &[u64]) -> Result<(), Fatal> {
        let mut draft = Draft::beside(&self.file, Durability::None)?;
        let out = BufWriter::with_capacity(256 << 10, &mut draft);
        let name = self.path.display().to_string();
        let mut list = InputListWriter::begin(name, out, kind, &self.roots)?;
        for (number, root) in self.roots.iter().enumerate() {
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
