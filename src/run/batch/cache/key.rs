//! Keys of cache entries: everything that determines the outcome of an input apart from the bytes of files.

use std::path::PathBuf;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::io::{FileSystems, Found, Target, stamp_of};
use crate::run::batch::options::Options;
use rigy_base::hash::sha256_of;
use rigy_base::loader::digest;
use rigy_base::paths::Slashed;

/// Makes the keys of a batch.
pub struct KeyMaker {
    /// Identifies this build of the program.
    pub program: String,
    /// Describes the options and the kind of work.
    settings: String,
    /// The directory that relative paths start from.
    pub directory: PathBuf,
}

/// The key of one input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    /// The absolute path of the input.
    pub input: PathBuf,
    /// The build of the program that did the work.
    pub program: String,
    /// A digest of the options, the kind of work, and the names of the input.
    pub job: String,
}

impl KeyMaker {
    /// Describes what a batch does with each of its inputs; `work` describes the kind of work and its own options.
    pub fn new(options: &Options, work: &str) -> Self {
        // All fields are named here, so that a new option does not compile until its effect on outputs is considered.
        let Options {
            output,
            root,
            warnings,
            limits,
            force: _,      // the cache is not asked at all
            dry_run: _,    // outputs are compared, and nothing is noted
            fail_fast: _,  // decides which inputs are processed, not their outputs
            hash: _,       // an entry without hashes is not used where hashes are asked for
            map: _,        // how bytes are read; they are the same bytes
            sync: _,       // when bytes reach the disk
            isa: _,        // all instruction sets give the same bits
            memory: _,     // how many inputs are processed at the same time
            shard: _,      // decides which inputs are processed
            paths: _,      // decide which old outputs are leftovers
            keeping: _,    // decides which files stay in the way
            prune: _,      // decides whether old outputs are removed
            held_input: _, // the cache is not used
        } = options;
        let directory = std::env::current_dir().ok();
        Self {
            program: program(),
            settings: format!("{directory:?} {output:?} {root:?} {warnings:?} {limits:?} {work}"),
            directory: directory.unwrap_or_default(),
        }
    }

    /// Returns the absolute path of an input.
    pub fn input(&self, input: &Found) -> PathBuf {
        let place = std::path::absolute(self.directory.join(&input.path));
        place.unwrap_or_else(|_| input.path.clone())
    }

    /// Returns the key of an input.
    pub fn key(&self, input: &Found) -> Key {
        let (path, root) = (&input.path, &input.root);
        let job = format!("{} {} {}", self.settings, path.slashed(), root.slashed());
        Key {
            input: self.input(input),
            program: self.program.clone(),
            job: hexadecimal(&job),
        }
    }
}

impl Key {
    /// Returns the number by which the journal finds the entry. Two keys hardly ever have the same number.
    pub fn number(&self) -> u64 {
        let input = self.input.as_os_str().as_encoded_bytes();
        digest(&[input, self.program.as_bytes(), self.job.as_bytes()].concat())[0]
    }
}

/// The file that this code was loaded from, if it is not the executable file.
static LIBRARY: OnceLock<PathBuf> = OnceLock::new();

/// Says that this code was loaded from a shared library, such as an extension of an interpreter. Its stamp then takes the place of
/// that of the executable file in the cache, which tells builds apart by it. Only the first call in a process has an effect.
pub fn loaded_from(library: impl Into<PathBuf>) {
    LIBRARY.get_or_init(|| library.into());
}

/// Returns a text that differs between builds of the program, so that none takes another's outputs for its own. It is a
/// digest of the version and of the stamp of the file that this code was loaded from, and of its bytes where another build may have that
/// stamp, too.
fn program() -> String {
    let path = LIBRARY.get().cloned();
    let path = path.or_else(|| std::env::current_exe().ok());
    let build = path.and_then(|path| {
        let stamp = stamp_of(&path).ok()?;
        let may_repeat = FileSystems::default().may_repeat(&stamp, &path);
        let bytes = may_repeat.then(|| sha256_of(Target::new(&path).open().ok()?).ok());
        Some((stamp, bytes))
    });
    hexadecimal(&format!("{} {build:?}", env!("CARGO_PKG_VERSION")))
}

/// Returns a digest of a text as 32 hexadecimal digits.
fn hexadecimal(text: &str) -> String {
    let [a, b, ..] = digest(text.as_bytes());
    format!("{a:016x}{b:016x}")
}
