//! Sets of packs: those of a list, of a directory, or a single one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::list::{ListedPack, PackList};
use super::names::{LIST, stem_of_index};
use super::reader::Pack;
use super::{PackError, PackFormat};
use crate::base::hash::sha256_of;
use crate::io::{IoError, system};

/// Packs that belong together.
#[derive(Debug)]
pub struct PackSet {
    packs: Vec<PackPlace>,
    inputs: u64,
    failed: u64,
}

/// A pack of a set, which is not open.
#[derive(Clone, Debug)]
pub struct PackPlace {
    /// The path of the pack.
    pub path: PathBuf,
    /// What its list says of it; `None` if it was named by itself.
    pub listed: Option<ListedPack>,
}

impl PackSet {
    /// Finds the packs of a list, of all lists in a directory, or the one pack at a path.
    ///
    /// # Errors
    /// If a list cannot be read; if a directory has no list, packs that are in none, or not all shards of a run.
    pub fn open(path: &Path) -> Result<Self, PackError> {
        let is_list = path.to_str().is_some_and(|name| name.ends_with(LIST));
        if system::is_dir(path) {
            return Self::of_directory(path);
        }
        if is_list {
            let parent = path.parent().unwrap_or(Path::new(""));
            return Ok(Self::of_lists(parent, &[PackList::read(path)?]));
        }
        let packs = vec![PackPlace {
            path: path.to_owned(),
            listed: None,
        }];
        Ok(Self {
            packs,
            inputs: 0,
            failed: 0,
        })
    }

    /// Returns true if a path is one that [`open`](Self::open) reads: a pack or a list by its name, or a directory with one of these.
    pub fn is_at(path: &Path) -> bool {
        let is_named = |path: &Path| {
            PackFormat::of(path).is_some() || path.to_str().is_some_and(|name| name.ends_with(LIST))
        };
        let has_one = || {
            let names = system::names(path).into_iter().flatten();
            names.map(PathBuf::from).any(|name| is_named(&name))
        };
        is_named(path) || system::is_dir(path) && has_one()
    }

    /// Returns true if a path is a directory with a list of packs.
    pub fn has_list(path: &Path) -> bool {
        let has_one = || {
            let mut names = system::names(path).into_iter().flatten();
            names.any(|name| name.to_str().is_some_and(|name| name.ends_with(LIST)))
        };
        system::is_dir(path) && has_one()
    }

    /// The packs, in the order of their lists and numbers.
    pub fn packs(&self) -> &[PackPlace] {
        &self.packs
    }

    /// Returns how many inputs the runs had that made these packs, and how many of them have failed; zeros if there is no list.
    pub fn inputs_and_failed(&self) -> (u64, u64) {
        (self.inputs, self.failed)
    }

    fn of_directory(path: &Path) -> Result<Self, PackError> {
        let names = names_in(path)?;
        let incomplete = |fault: String| PackError::Incomplete {
            path: path.to_owned(),
            fault,
        };
        let lists = names.iter().filter(|name| name.ends_with(LIST));
        let lists: Vec<PackList> = lists
            .map(|name| PackList::read(&path.join(name)))
            .collect::<Result<_, _>>()?;
        let listed: BTreeSet<&str> = lists
            .iter()
            .flat_map(|list| &list.packs)
            .flat_map(|pack| [&*pack.pack, &*pack.index])
            .collect();
        // A pack of ours has an index; other archives may lie beside packs.
        let stems: BTreeSet<&str> = names
            .iter()
            .filter_map(|name| stem_of_index(name))
            .collect();
        let is_ours = |name: &str| {
            let stem = name.rsplit_once('.').map(|(stem, _)| stem);
            let is_pack = PackFormat::of(Path::new(name)).is_some();
            is_pack && stem.is_some_and(|stem| stems.contains(stem))
                || stem_of_index(name).is_some()
        };
        let unlisted = names
            .iter()
            .find(|name| is_ours(name) && !listed.contains(&***name));
        let shards = missing_shards(&lists).map_err(incomplete)?;
        match (unlisted, shards) {
            (None, None) if lists.is_empty() => Err(incomplete(
                "there is no list of packs (`*.packs.json`)".into(),
            )),
            (None, None) => Ok(Self::of_lists(path, &lists)),
            (None, Some(shards)) => Err(incomplete(shards)),
            (Some(name), shards) => {
                let shards = shards.map(|text| format!("; {text}")).unwrap_or_default();
                Err(incomplete(format!(
                    "`{name}` is in no list, so the run that made it has not ended; start it again{shards}"
                )))
            }
        }
    }

    fn of_lists(directory: &Path, lists: &[PackList]) -> Self {
        let packs = lists.iter().flat_map(|list| &list.packs);
        let place = |pack: &ListedPack| PackPlace {
            path: directory.join(&pack.pack),
            listed: Some(pack.clone()),
        };
        Self {
            packs: packs.map(place).collect(),
            inputs: lists
                .iter()
                .map(|list| list.inputs)
                .fold(0, u64::saturating_add),
            failed: lists
                .iter()
                .map(|list| list.failed)
                .fold(0, u64::saturating_add),
        }
    }
}

impl PackPlace {
    /// Opens the pack. If it is listed, its length and its index are those of the list.
    ///
    /// # Errors
    /// As [`Pack::open`]; if the pack or its index is not that of the list.
    pub fn open(&self) -> Result<Pack, PackError> {
        let pack = Pack::open(&self.path)?;
        let Some(listed) = &self.listed else {
            return Ok(pack);
        };
        let index = self.path.with_file_name(&listed.index);
        let failed = |error| IoError::new("read", &index, error);
        let found = system::open(&index).and_then(sha256_of).map_err(failed)?;
        let is_listed = found == listed.index_sha256
            && pack.len() == listed.bytes
            && pack.entries().len() as u64 == listed.entries;
        match is_listed {
            true => Ok(pack),
            false => Err(PackError::faulty(
                &self.path,
                "it or its index is not what the list says: it is damaged, or of another run",
            )),
        }
    }
}

/// Returns the names of the files in a directory, sorted.
fn names_in(path: &Path) -> Result<BTreeSet<String>, PackError> {
    let failed = |error| IoError::new("list", path, error);
    let names = system::names(path).map_err(failed)?;
    let names = names.iter().filter_map(|name| name.to_str());
    Ok(names.map(str::to_owned).collect())
}

/// Returns which shards have no list, in words; `None` if all are there.
///
/// # Errors
/// If lists of one name are those of different divisions into shards.
fn missing_shards(lists: &[PackList]) -> Result<Option<String>, String> {
    let mut by_name: BTreeMap<&str, BTreeMap<u64, BTreeSet<u64>>> = BTreeMap::new();
    for list in lists {
        let (index, count) = list.pack_name()?.shard().unwrap_or((0, 1));
        let shards = by_name.entry(&list.name).or_default();
        shards.entry(count).or_default().insert(index);
    }
    let mut missing = Vec::new();
    for (name, by_count) in &by_name {
        let counts: Vec<String> = by_count.keys().map(u64::to_string).collect();
        if counts.len() > 1 {
            return Err(format!(
                "packs `{name}` are there in {} shards; remove those of the earlier run, or name one list",
                counts.join(" and in ")
            ));
        }
        for (count, there) in by_count {
            let absent = (0..*count).filter(|index| !there.contains(index));
            let first: Vec<String> = absent
                .take(20)
                .map(|index| format!("{index}/{count}"))
                .collect();
            let number = count - there.len() as u64;
            match number {
                0 => {}
                1 => missing.push(format!(
                    "the shard {} of `{name}` has no list",
                    first.join(", ")
                )),
                _ => {
                    let more = if number > 20 { ", …" } else { "" };
                    missing.push(format!(
                        "{number} shards of `{name}` have no list: {}{more}",
                        first.join(", ")
                    ));
                }
            }
        }
    }
    Ok((!missing.is_empty()).then(|| missing.join("; ")))
}
