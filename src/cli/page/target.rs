//! The destination of a report page.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::html::FIRST;
use crate::base::loader::Stamp;
use crate::cli::Fatal;
use crate::cli::report::{check_directory, check_replaced};
use crate::io::{Destination, stamp_of};

/// The destination of a report page, which has been checked.
#[derive(Clone, Debug)]
pub struct PageTarget {
    /// The path as the user wrote it.
    pub path: PathBuf,
    /// The same path with links followed.
    pub file: PathBuf,
    /// The stamp of the page, or of the empty file, that will be replaced.
    there: Option<Stamp>,
}

/// The word for a report page in messages.
const KIND: &str = "report page";

impl PageTarget {
    /// Follows `path` to the destination. A page replaces only a page or an empty file, so that an input or an output that
    /// was named by mistake is not lost.
    ///
    /// # Errors
    /// If another file is there or the file there cannot be read; if the path leads to something other than a file, or
    /// into a directory that does not exist; if a file is in the place of the directory for data.
    pub fn check(path: &Path) -> Result<Self, Fatal> {
        let shown = path.display();
        let Destination::File(file) = Destination::of(path)? else {
            return Err(format!("cannot write the {KIND} to `{shown}`: data files may have to stand beside it; name a file").into());
        };
        check_directory(path, &file, KIND)?;
        let data = data_directory(&file);
        if data.exists() && !data.is_dir() {
            let data = data.display();
            return Err(format!("cannot write the {KIND} `{shown}`: its data goes to the directory `{data}`, and a file is there").into());
        }
        let there = check_replaced(path, &file, KIND, is_page)?;
        let path = path.to_owned();
        Ok(Self { path, file, there })
    }

    /// Checks again if the file has changed since the first check, because an output may have been written there.
    ///
    /// # Errors
    /// Those of [`check`](Self::check).
    pub fn check_again(&self) -> Result<(), Fatal> {
        match stamp_of(&self.file).ok() == self.there {
            true => Ok(()),
            false => check_replaced(&self.path, &self.file, KIND, is_page).map(drop),
        }
    }

    /// Returns the directory that the page stands in.
    pub fn directory(&self) -> &Path {
        let parent = self.file.parent();
        let parent = parent.filter(|path| !path.as_os_str().is_empty());
        parent.unwrap_or(Path::new("."))
    }

    /// Returns the name of the file.
    pub fn name(&self) -> &OsStr {
        self.file.file_name().unwrap_or(OsStr::new("report"))
    }
}

/// Returns the directory for the data of a page: the path of the page, followed by `.data`.
pub fn data_directory(page: &Path) -> PathBuf {
    let mut path = OsString::from(page);
    path.push(".data");
    path.into()
}

/// Returns true if a file is a report page or empty, so that a new page may replace it.
fn is_page(file: &mut dyn Read) -> io::Result<bool> {
    let mut beginning = Vec::new();
    file.take(FIRST.len() as u64).read_to_end(&mut beginning)?;
    Ok(beginning.is_empty() || beginning == FIRST.as_bytes())
}
