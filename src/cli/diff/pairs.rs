//! The pairs of files that `diff` compares.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::cli::status::{Result, bail};
use crate::io::{DirectoryLoader, IoError, MappedFiles, Skips, TextLen, discover, exists};
use crate::run::batch::gltf_stem;
use crate::run::conformance::{Manifest, Others, Suite, against, with_files};
use rigy_base::limits::Limits;
use rigy_base::loader::Location;
use rigy_base::paths::{Slashed, parent_of};
use rigy_gltf::{MAX_RESOURCE_LEN, text_len};
use rigy_kernel::simd::Isa;
use rigy_view::difference::{Difference, Side, compare};

/// The result for one pair, as it is printed.
#[derive(Serialize)]
pub struct Pair {
    /// Path of the file that is expected; `None` if there is none.
    pub a: Option<String>,
    /// Path of the file that was found; `None` if there is none.
    pub b: Option<String>,
    #[serde(flatten)]
    pub difference: Difference,
}

/// All pairs, in the order in which they are printed.
pub enum Pairs {
    /// Files of two places; `None` where one of them has no such file.
    Files {
        list: Vec<[Option<PathBuf>; 2]>,
        loaders: [DirectoryLoader; 2],
    },
    /// The tests of a manifest, and the directory with what is compared.
    Manifest {
        manifest: Manifest,
        suite: Box<Suite>,
        others: Others,
    },
}

impl Pairs {
    /// Finds the pairs of two paths.
    ///
    /// # Errors
    /// If a path does not exist or cannot be read; if there is nothing to compare; if one path is a directory and the other
    /// is neither that nor a manifest.
    pub fn new(a: &Path, b: &Path, limits: Limits) -> Result<Self> {
        match (a.is_dir(), b.is_dir()) {
            (false, false) => of_files(a, b),
            (true, true) => of_directories(a, b),
            (false, true) if a.extension() == Some(OsStr::new("json")) => Ok(Self::Manifest {
                manifest: Manifest::read(a)?,
                suite: Box::new(Suite::of(a, limits, Isa::best())?),
                others: Others::new(b)?,
            }),
            _ if !exists(a) || !exists(b) => {
                let missing = if exists(a) { b } else { a };
                bail!("cannot find `{}`", missing.slashed())
            }
            _ => bail!("compare two files, two directories, or a manifest and a directory"),
        }
    }

    /// Returns the number of pairs.
    pub fn len(&self) -> usize {
        match self {
            Self::Files { list, .. } => list.len(),
            Self::Manifest { manifest, .. } => manifest.tests.len(),
        }
    }

    /// Compares the pair of this index.
    pub fn compare(&self, index: usize) -> Pair {
        match self {
            Self::Files { list, .. } => {
                let compared = self.with_files(index, compare);
                let [a, b] = list[index]
                    .each_ref()
                    .map(|path| path.as_deref().map(Slashed::shown));
                Pair {
                    a,
                    b,
                    difference: compared.unwrap_or_else(Difference::incomparable),
                }
            }
            Self::Manifest {
                manifest,
                suite,
                others,
            } => {
                let compared = against(&manifest.tests[index], suite, others);
                Pair {
                    a: Some(compared.expected.shown()),
                    b: compared.found.as_deref().map(Slashed::shown),
                    difference: compared.difference,
                }
            }
        }
    }

    /// Calls `act` with both files of the pair of this index.
    ///
    /// # Errors
    /// If one of them is absent or cannot be read.
    pub fn with_files<T>(
        &self,
        index: usize,
        act: impl FnOnce(&Side, &Side) -> T,
    ) -> Result<T, String> {
        match self {
            Self::Files { list, loaders } => with_sides(&list[index], loaders, act),
            Self::Manifest {
                manifest,
                suite,
                others,
            } => with_files(&manifest.tests[index], suite, others, act),
        }
    }
}

/// The one pair of two files. `/dev/null` is no file: git has it in place of a file that was added or deleted.
pub fn of_files(a: &Path, b: &Path) -> Result<Pairs> {
    let null = Path::new("/dev/null");
    if a == null && b == null {
        bail!("`/dev/null` stands for no file, so there is nothing to compare");
    }
    let there = |path: &Path| (path != null).then(|| path.to_owned());
    // A path that does not exist is an error, as for other commands.
    let named: Vec<PathBuf> = [a, b].into_iter().filter_map(there).collect();
    discover(&named, &|_| true, &Skips::default())?;
    let loaders = [
        DirectoryLoader::new(parent_of(a))?,
        DirectoryLoader::new(parent_of(b))?,
    ];
    Ok(Pairs::Files {
        list: vec![[there(a), there(b)]],
        loaders,
    })
}

/// The files of two directories, by their paths below them.
fn of_directories(a: &Path, b: &Path) -> Result<Pairs> {
    let mut by_path: BTreeMap<PathBuf, [Option<PathBuf>; 2]> = BTreeMap::new();
    let is_gltf = |name: &OsStr| gltf_stem(name) != name;
    for (side, directory) in [a, b].into_iter().enumerate() {
        let found = discover(&[directory.to_owned()], &is_gltf, &Skips::default())?;
        if let Some(error) = found.unreadable.into_iter().next() {
            return Err(error.into());
        }
        for file in found.found {
            let pair = by_path.entry(file.relative().to_owned()).or_default();
            pair[side] = Some(file.path);
        }
    }
    if by_path.is_empty() {
        bail!("neither directory has a *.glb, *.gltf or *.vrm, so there is nothing to compare");
    }
    Ok(Pairs::Files {
        list: by_path.into_values().collect(),
        loaders: [DirectoryLoader::new(a)?, DirectoryLoader::new(b)?],
    })
}

/// Calls `act` with two files.
fn with_sides<T>(
    pair: &[Option<PathBuf>; 2],
    loaders: &[DirectoryLoader; 2],
    act: impl FnOnce(&Side, &Side) -> T,
) -> Result<T, String> {
    let [Some(a), Some(b)] = pair else {
        let side = if pair[0].is_some() { "a" } else { "b" };
        return Err(format!("there is a file in `{side}` only"));
    };
    let mapped = MappedFiles::default();
    let read = |path: &Path| {
        let map: Option<TextLen> = Some(text_len);
        mapped
            .read_or_map(path, MAX_RESOURCE_LEN, map, None)
            .map_err(|error| IoError::at("read", path)(error).to_string())
    };
    let (bytes_a, bytes_b) = (read(a)?, read(b)?);
    let a = Side {
        bytes: bytes_a.as_ref(),
        location: &Location(a.to_owned()),
        loader: &loaders[0],
    };
    let b = Side {
        bytes: bytes_b.as_ref(),
        location: &Location(b.to_owned()),
        loader: &loaders[1],
    };
    let result = act(&a, &b);
    mapped.check().map_err(|error| error.to_string())?;
    Ok(result)
}
