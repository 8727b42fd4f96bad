//! Files that are looked at, documents and glTF files: found, and read into memory.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::compile::{self, Files, Input};
use crate::io::{
    DirectoryLoader, Discovery, Found, IoError, Skips, StreamInput, bytes_of, discover,
};
use crate::mesh::{MAX_POSED, POSED_LIMITS, Subject};
use crate::run::batch::is_document;
use rigy_base::diag::{Code, Diagnosed, Warned};
use rigy_base::limits::Limits;
use rigy_base::loader::{Location, Motion, too_large};
use rigy_base::paths::{Slashed, parent_of};
use rigy_export::Format;
use rigy_gltf::MAX_RESOURCE_LEN;

use super::inputs::has_gltf_name;
use super::messages::{print_findings, print_message};
use super::status::{Result, bail};

/// Finds the documents, scenes and glTF files that paths name, and prints which of them cannot be read. The second value is
/// true if all can be.
///
/// # Errors
/// If there is no file at a path, or if nothing was found.
pub fn discover_models(paths: &[PathBuf]) -> Result<(Vec<Found>, bool)> {
    let is_input = |name: &OsStr| is_document(name) || has_gltf_name(name.as_ref());
    let Discovery {
        found, unreadable, ..
    } = if paths.iter().any(|path| path == Path::new("-")) {
        standard_input(paths)?
    } else {
        discover(paths, &is_input, &Skips::default())?
    };
    unreadable.iter().for_each(|error| print_message(error));
    if found.is_empty() && unreadable.is_empty() {
        let message = "no *.rigy.yaml, *.rigs.yaml, *.glb, *.gltf or *.vrm found; name another directory, or files";
        return Err(message.into());
    }
    Ok((found, unreadable.is_empty()))
}

/// Returns standard input as the only input.
fn standard_input(paths: &[PathBuf]) -> Result<Discovery> {
    if paths.len() > 1 {
        bail!(
            "`-`, standard input, stands alone; leave the other files out, or name a file `-` as `./-`"
        );
    }
    let found = Found {
        path: PathBuf::from("-"),
        root: Path::new("").into(),
    };
    Ok(Discovery {
        found: vec![found],
        ..Discovery::default()
    })
}

/// Returns the bytes of standard input, which is read once.
fn read_standard_input(limit: u64) -> std::io::Result<Vec<u8>> {
    static BYTES: OnceLock<std::io::Result<Vec<u8>>> = OnceLock::new();
    let read = BYTES.get_or_init(|| StreamInput::StandardInput.read(MAX_RESOURCE_LEN));
    match read {
        Ok(bytes) if bytes.len() as u64 > limit => Err(too_large(bytes.len() as u64, limit)),
        Ok(bytes) => Ok(bytes.clone()),
        Err(error) => Err(std::io::Error::new(error.kind(), error.to_string())),
    }
}

/// Returns true if bytes without a name are a glTF file: a GLB, or JSON with the key that every glTF file has.
fn looks_like_gltf(bytes: &[u8]) -> bool {
    let key = b"\"asset\"";
    bytes.starts_with(b"glTF")
        || bytes.trim_ascii_start().starts_with(b"{")
            && bytes.windows(key.len()).any(|window| window == key)
}

/// The bytes of a file, and the loader for the files that it refers to.
pub struct Opened {
    pub bytes: Vec<u8>,
    pub location: Location,
    /// The path as the user gave it.
    pub name: String,
    pub loader: DirectoryLoader,
    pub is_gltf: bool,
    limits: Limits,
}

impl Opened {
    /// Reads an input. A document is read within limits, and a glTF file plays a motion.
    ///
    /// # Errors
    /// If it cannot be read or has the name of an exported file, or its root cannot be resolved.
    pub fn new(found: &Found, limits: Limits, motion: &Option<Motion>) -> Result<Self, IoError> {
        let path = &found.path;
        let loader = DirectoryLoader::new(&found.root)?.playing(motion)?;
        if path == Path::new("-") {
            return Self::standard_input(loader, limits);
        }
        let is_output = |format: &Format| {
            path.extension()
                .is_some_and(|ending| ending.eq_ignore_ascii_case(format.name()))
        };
        if Format::ALL.iter().any(is_output) {
            let message = "files for other tools are written and not read; documents, .glb, .gltf and .vrm are read";
            return Err(IoError::new("read", path, std::io::Error::other(message)));
        }
        let is_named = has_gltf_name(path);
        let limit = if is_named {
            MAX_RESOURCE_LEN
        } else {
            limits.bytes
        };
        let bytes = bytes_of(path, limit)?;
        Ok(Self {
            is_gltf: is_named || bytes.starts_with(b"glTF"),
            bytes,
            location: Location(path.clone()),
            name: path.shown(),
            loader,
            limits,
        })
    }

    /// Reads standard input, whose references stay in the current directory.
    fn standard_input(loader: DirectoryLoader, limits: Limits) -> Result<Self, IoError> {
        let name = StreamInput::StandardInput.name();
        let failed = IoError::at("read", &name);
        let bytes = read_standard_input(MAX_RESOURCE_LEN).map_err(failed)?;
        let is_gltf = looks_like_gltf(&bytes);
        if !is_gltf {
            read_standard_input(limits.bytes).map_err(failed)?;
        }
        let shown = name.shown();
        Ok(Self {
            is_gltf,
            bytes,
            name: shown,
            location: Location(name),
            loader,
            limits,
        })
    }

    /// Reads a file that is no input, whose references stay in its directory.
    ///
    /// # Errors
    /// As [`Opened::new`].
    pub fn file(path: &Path, limits: Limits) -> Result<Self, IoError> {
        let root = parent_of(path).into();
        let path = path.to_owned();
        Self::new(&Found { path, root }, limits, &None)
    }

    /// Returns the ids of the poses of a document, which is checked and not built: `Some(None)` for a glTF file, `None` for a
    /// document with errors.
    pub fn checked_pose_ids(&self) -> Option<Option<Vec<String>>> {
        if self.is_gltf {
            return Some(None);
        }
        let files = self.files();
        let checked = compile::check(self.input().ok()?, &files).ok()?.value;
        let ids = checked.pose_ids().map(str::to_owned);
        Some(Some(ids.collect()))
    }

    /// Returns the text of a document.
    ///
    /// # Errors
    /// If it is not UTF-8.
    pub fn input(&self) -> Diagnosed<Input<'_>> {
        Input::decoded(&self.name, self.location.clone(), &self.bytes)
    }

    /// Returns the files that a document may refer to.
    pub fn files(&self) -> Files {
        let most = Limits::DEFAULT.vertices(MAX_POSED);
        Files::new(self.loader.clone()).within(self.limits.at_most(most))
    }

    /// Returns the file, checked and ready to be posed.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn subject(&self) -> Diagnosed<Subject<'_>> {
        let Self { name, location, .. } = self;
        if self.is_gltf {
            let Warned {
                value,
                mut warnings,
            } = Subject::gltf(&self.bytes, location, &self.loader, &self.limits)?;
            warnings.retain(|warning| warning.code == Some(Code::W25));
            print_findings(&warnings);
            return Ok(value);
        }
        let files = self.files().within(self.limits.at_most(POSED_LIMITS));
        let compiled = compile::compile(self.input()?, &files)?.value;
        Ok(Subject::Document(Box::new(compiled), name.clone()))
    }
}
