//! Names of packs, of their files and of entries.

use super::PackFormat;
use crate::io::PRIVATE;

/// The longest path of an entry, in bytes.
pub(super) const LONGEST_PATH: usize = 4096;

/// The end of the name of an index.
const INDEX: &str = ".index.jsonl";

/// The end of the name of a list of packs.
pub(super) const LIST: &str = ".packs.json";

/// The name of the packs of a run, or of one shard of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackName {
    name: String,
    shard: Option<(u64, u64)>,
}

/// The error of a name that packs cannot have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no name for packs; use letters, digits, `_`, `.` and `-`, and begin with a letter or a digit"
)]
pub struct NameError(String);

impl PackName {
    /// Makes the name of packs. `shard` is the number of the shard, from 0, and the number of shards.
    ///
    /// # Errors
    /// If the name has other characters than letters, digits, `_`, `.` and `-`, or begins with one of the last three.
    ///
    /// ```
    /// use rigy_batch::io::pack::{PackFormat, PackName};
    ///
    /// let name = PackName::new("documents", Some((3, 16)))?;
    /// assert_eq!(name.pack(7, PackFormat::Tar), "documents-03-of-16-00007.tar");
    /// assert_eq!(name.list(), "documents-03-of-16.packs.json");
    /// assert!(PackName::new("../documents", None).is_err());
    /// # Ok::<(), rigy_batch::io::pack::NameError>(())
    /// ```
    pub fn new(name: &str, shard: Option<(u64, u64)>) -> Result<Self, NameError> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        let begins_well = name.starts_with(|c: char| c.is_ascii_alphanumeric());
        let is_short = name.len() <= 100;
        match begins_well && is_short && name.chars().all(is_plain) {
            true => Ok(Self {
                name: name.to_owned(),
                shard,
            }),
            false => Err(NameError(name.to_owned())),
        }
    }

    /// Returns the name without the shard.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of the shard, from 0, and the number of shards.
    pub fn shard(&self) -> Option<(u64, u64)> {
        self.shard
    }

    /// Returns the beginning of the names of all files. All shards of a run have numbers of equal length.
    fn stem(&self) -> String {
        let name = &self.name;
        match self.shard {
            None => name.clone(),
            Some((index, count)) => {
                let width = count.to_string().len();
                format!("{name}-{index:0width$}-of-{count}")
            }
        }
    }

    /// Returns the name of the file of a pack; packs are counted from 0.
    pub fn pack(&self, number: u64, format: PackFormat) -> String {
        format!("{}-{number:05}.{}", self.stem(), format.name())
    }

    /// Returns the name of the index of a pack.
    pub fn index(&self, number: u64) -> String {
        format!("{}-{number:05}{INDEX}", self.stem())
    }

    /// Returns the name of the list of packs.
    pub fn list(&self) -> String {
        format!("{}{LIST}", self.stem())
    }

    /// Returns the number of the pack to which a file belongs that has the name of a pack or of an index; `None` for other names.
    pub(super) fn number_of(&self, file_name: &str) -> Option<u64> {
        let rest = file_name.strip_prefix(&self.stem())?.strip_prefix('-')?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, end) = rest.split_at(digits);
        let format = end.strip_prefix('.');
        let is_ours = end == INDEX || PackFormat::ALL.iter().any(|one| format == Some(one.name()));
        let number = digits.parse().ok()?;
        (is_ours && format!("{number:05}") == digits).then_some(number)
    }
}

/// Returns the name of the index that belongs to a pack with this file name.
pub(super) fn index_of(pack: &str) -> Option<String> {
    let (stem, _) = pack.rsplit_once('.')?;
    Some(format!("{stem}{INDEX}"))
}

/// Returns the stem that a pack and its index share, if a file name is that of an index.
pub(super) fn stem_of_index(file_name: &str) -> Option<&str> {
    file_name.strip_suffix(INDEX)
}

/// Checks the path of an entry: relative, in UTF-8, with `/` between its parts, none of which is empty, `.` or `..`.
///
/// # Errors
/// The reason why an entry cannot have this path.
///
/// ```
/// use rigy_batch::io::pack::check_entry_path;
///
/// assert!(check_entry_path("robot/arm.glb").is_ok());
/// assert!(check_entry_path("../arm.glb").is_err() && check_entry_path("/arm.glb").is_err());
/// assert!(check_entry_path("robot/.rigy-batch/cache").is_err());
/// assert!(check_entry_path(".Rigy-Batch-1000/cache").is_err());
/// ```
pub fn check_entry_path(path: &str) -> Result<(), &'static str> {
    let is_odd = |c: char| c == '\0' || cfg!(windows) && r#"\:*?"<>|"#.contains(c);
    let mut parts = path.split('/');
    // Caches, which a run trusts, lie in such directories. Some have the number of a user after the name; Windows ignores dots and spaces at
    // the end.
    let is_private = |part: &str| {
        let start = part.get(..PRIVATE.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(PRIVATE))
    };
    match path {
        "" => Err("its path is empty"),
        _ if path.len() > LONGEST_PATH => Err("its path is longer than 4096 bytes"),
        _ if path.starts_with('/') => Err("its path is absolute"),
        _ if path.contains(is_odd) => Err("its path has a character that files cannot have here"),
        _ if parts.any(|part| matches!(part, "" | "." | "..")) => {
            Err("its path has an empty part, `.` or `..`")
        }
        _ if path.split('/').any(is_private) => {
            Err("its path leads into a directory that rigy-batch keeps for itself")
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_which_files_belong_to_the_packs_of_a_run() {
        let name = PackName::new("documents", None).unwrap();
        let shard = PackName::new("documents", Some((3, 16))).unwrap();
        for format in PackFormat::ALL {
            assert_eq!(name.number_of(&name.pack(12, format)), Some(12));
            assert_eq!(shard.number_of(&shard.pack(123_456, format)), Some(123_456));
            assert_eq!(name.number_of(&shard.pack(1, format)), None);
            assert_eq!(shard.number_of(&name.pack(1, format)), None);
        }
        assert_eq!(name.number_of(&name.index(4)), Some(4));
        for other in [
            "documents.packs.json",
            "documents-1.tar",
            "documents-00001.ta",
            "documents-00001.",
            "documents-00001",
            "documents-00001é",
        ] {
            assert_eq!(name.number_of(other), None, "{other}");
        }
        assert_eq!(
            index_of("a-00000.tar").as_deref(),
            Some("a-00000.index.jsonl")
        );
    }
}
