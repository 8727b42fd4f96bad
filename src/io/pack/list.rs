//! Lists of packs: the file that appears when all packs of a run are in their places.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::names::PackName;
use super::{PACK_VERSION, PackError, PackFormat};
use crate::io::{IoError, read_file};

/// The word by which a list is known.
const KIND: &str = "rigy-batch packs";

/// The longest list that is read, in bytes; a pack takes about 300.
const LONGEST: u64 = 256 << 20;

/// The list of the packs of a run, or of one shard of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackList {
    kind: String,
    version: u32,
    /// The name of the packs, without the shard.
    pub name: String,
    /// The format of the packs.
    pub format: PackFormat,
    /// The shard as `I/N`, counted from 0; `None` for all inputs.
    pub shard: Option<String>,
    /// The number of inputs of the run, or of its shard.
    pub inputs: u64,
    /// The number of these that have failed and have no entries.
    pub failed: u64,
    /// The number of entries of all packs.
    pub entries: u64,
    /// The packs, in order.
    pub packs: Vec<ListedPack>,
}

/// A pack, as its list has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedPack {
    /// The name of the file of the pack.
    pub pack: String,
    /// The number of its entries.
    pub entries: u64,
    /// The length of the pack in bytes.
    pub bytes: u64,
    /// The SHA-256 of the pack in hexadecimal.
    pub sha256: String,
    /// The name of the file of its index.
    pub index: String,
    /// The SHA-256 of the index.
    pub index_sha256: String,
}

impl PackList {
    /// Makes a list.
    pub(super) fn new(
        name: &PackName,
        format: PackFormat,
        packs: Vec<ListedPack>,
        (inputs, failed): (u64, u64),
    ) -> Self {
        Self {
            kind: KIND.to_owned(),
            version: PACK_VERSION,
            name: name.name().to_owned(),
            format,
            shard: name
                .shard()
                .map(|(index, count)| format!("{index}/{count}")),
            inputs,
            failed,
            entries: packs.iter().map(|pack| pack.entries).sum(),
            packs,
        }
    }

    /// Returns the text of the list: one object, with a line for each pack.
    pub(super) fn to_json(&self) -> serde_json::Result<String> {
        let head = Self {
            packs: Vec::new(),
            ..self.clone()
        };
        let head = serde_json::to_string(&head)?;
        let head = head.strip_suffix("]}").unwrap_or(&head);
        let lines: Result<Vec<String>, _> = self.packs.iter().map(serde_json::to_string).collect();
        Ok(format!("{head}\n{}\n]}}\n", lines?.join(",\n")))
    }

    /// Reads a list.
    ///
    /// # Errors
    /// If the file cannot be read, is no list, or one of a newer version; if its packs are not those of its name.
    pub fn read(path: &Path) -> Result<Self, PackError> {
        let mut bytes = Vec::new();
        let read = read_file(path, LONGEST, &mut bytes);
        read.map_err(|error| IoError::new("read", path, error))?;
        Self::parse(&bytes, path).map_err(|fault| PackError::faulty(path, fault))
    }

    fn parse(bytes: &[u8], path: &Path) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Head {
            kind: String,
            version: u32,
        }
        let head: Result<Head, _> = serde_json::from_slice(bytes);
        match head {
            Ok(head) if head.kind == KIND && head.version > PACK_VERSION => {
                let version = head.version;
                return Err(format!(
                    "it has version {version}, and this program reads {PACK_VERSION}; use a newer program"
                ));
            }
            Ok(head) if head.kind == KIND => {}
            _ => return Err("it is no list of packs".into()),
        }
        let list: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let name = list.pack_name()?;
        if path.file_name().and_then(|name| name.to_str()) != Some(&*name.list()) {
            return Err(format!(
                "it is the list `{}`, under another name",
                name.list()
            ));
        }
        let is_named = |(number, pack): (usize, &ListedPack)| {
            let number = number as u64;
            pack.pack == name.pack(number, list.format) && pack.index == name.index(number)
        };
        if !list.packs.iter().enumerate().all(is_named) {
            return Err("its packs are not numbered one after another".into());
        }
        let entries = list
            .packs
            .iter()
            .try_fold(0_u64, |sum, pack| sum.checked_add(pack.entries));
        match entries == Some(list.entries) {
            true => Ok(list),
            false => Err("its packs have another number of entries than it says".into()),
        }
    }

    /// Returns the name of the packs.
    ///
    /// # Errors
    /// If the list has a name or a shard that packs cannot have.
    pub(super) fn pack_name(&self) -> Result<PackName, String> {
        let parts = |text: &String| {
            let (index, count) = text.split_once('/')?;
            let (index, count) = (index.parse().ok()?, count.parse().ok()?);
            (index < count).then_some((index, count))
        };
        let shard = match &self.shard {
            None => None,
            Some(text) => Some(parts(text).ok_or_else(|| format!("`{text}` is no shard"))?),
        };
        PackName::new(&self.name, shard).map_err(|error| error.to_string())
    }
}
