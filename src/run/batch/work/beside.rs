//! Files that belong beside outputs, which refer to them by name: textures, for example. They are outputs with records of their
//! own, and several outputs and inputs may share one.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::content::{Content, OutputFormat};
use super::job::JobContext;
use super::outlet::OutputBytes;
use super::outputs::{check_absent, check_overwritten};
use super::staging::Made;
use crate::io::{IoError, Staged, Target, stamp_of};
use crate::run::batch::outcome::{OutputRecord, Status, export_error};
use rigy_base::diag::Diagnosed;
use rigy_base::loader::{FileRecord, Stamp};
use rigy_base::maps::HashMap;
use rigy_base::sync::Mutex;
use rigy_export::Beside;

/// Returns files without those that have the name and the bytes of an earlier one. They belong beside the outputs of `input`.
///
/// # Errors
/// If two of them have one name and different bytes.
pub fn each_once<'b>(files: Vec<Beside<'b>>, input: &str) -> Diagnosed<Vec<Beside<'b>>> {
    let mut known: BTreeMap<String, Cow<'_, [u8]>> = BTreeMap::new();
    for Beside { name, bytes } in files {
        match known.get(&name) {
            Some(there) if *there == bytes => {}
            Some(_) => {
                let message = format!("two files beside its outputs would be `{name}`");
                return Err(vec![export_error(input, message)]);
            }
            None => {
                known.insert(name, bytes);
            }
        }
    }
    let file = |(name, bytes)| Beside { name, bytes };
    Ok(known.into_iter().map(file).collect())
}

/// A file beside outputs that has been made.
pub struct MadeBeside {
    /// The temporary file that is to be renamed; else the stamp of the existing file, which has the right bytes.
    pub place: Result<Staged, Stamp>,
    path: PathBuf,
    hash: String,
}

/// The files beside outputs that a batch has put in their places: the hash of each by its path.
#[derive(Default)]
pub struct Placed(Mutex<HashMap<PathBuf, String>>);

impl Placed {
    /// Puts a file in its place, unless another input has done so. Returns its status and its stamp. The status does not depend on
    /// which input was first: the file is written for all of them, or for none.
    ///
    /// # Errors
    /// If it cannot be renamed, or if another input has put other bytes there.
    pub fn put(&self, made: MadeBeside) -> Result<(Status, Stamp), IoError> {
        let MadeBeside { place, path, hash } = made;
        let mut placed = self.0.lock();
        let failed = IoError::at("replace", &path);
        if let Some(there) = placed.get(&path) {
            if *there != hash {
                let other = "another input of this run has written other bytes there";
                return Err(failed(io::Error::other(other)));
            }
            let stamp = stamp_of(&path).map_err(failed)?;
            return Ok((Status::Written, stamp));
        }
        match place {
            Err(stamp) => Ok((Status::Unchanged, stamp)),
            Ok(staged) => {
                let stamp = staged.commit()?;
                placed.insert(path, hash);
                Ok((Status::Written, stamp))
            }
        }
    }
}

/// Stages files beside the outputs of an input, which was made from the files of `read`. Returns a record for each. A file that is there
/// already is not replaced, even by force, if it is one that the run reads.
pub fn stage_beside(
    files: &[Beside],
    job: &JobContext,
    read: &FileRecord,
) -> Diagnosed<Vec<(OutputRecord, Made)>> {
    if let (Some(file), Some(_)) = (files.first(), job.options.output.held()) {
        let name = &file.name;
        let message =
            format!("`{name}` belongs beside its output, and standard output takes one file");
        let help = "name a file or a directory after `-o`";
        return Err(vec![export_error(job.name, message).help(help)]);
    }
    let one = |file: &Beside| {
        let path = job.directory.join(&file.name);
        let mut record = OutputRecord::new(None, OutputFormat::Glb, Some(path.clone()));
        record.is_beside = true;
        let made = stage_one(&file.bytes, &path, &mut record, job, read)?;
        Ok((record, made))
    };
    files.iter().map(one).collect()
}

/// Stages one file.
fn stage_one(
    bytes: &[u8],
    path: &Path,
    record: &mut OutputRecord,
    job: &JobContext,
    read: &FileRecord,
) -> Diagnosed<Made> {
    let content = Content::Memory(bytes);
    let hash = content.sha256();
    record.bytes = Some(content.len());
    record.sha256 = job.needs_hashes().then(|| hash.clone());
    let target = job.outlet.target(record);
    let there = target.with_content(Some(content.len()), |out| content.write(out));
    let may_replace = match there {
        Some(_) if !job.options.force => false,
        // The cache notes files that were there already, too, so it is not asked whether this is one of ours.
        Some(_) => {
            check_replaced(record, &target, job, read).is_ok()
                && matches!(job.sources.reference_at(path), Ok(None))
        }
        None => check_replaced(record, &target, job, read).map(|()| true)?,
    };
    let place = match there {
        Some(stamp) if !may_replace => Err(stamp),
        _ => match job.outlet.take(target, OutputBytes::Known(&content), job)? {
            Made::New(staged) => Ok(staged),
            nowhere => return Ok(nowhere),
        },
    };
    let path = path.to_owned();
    Ok(Made::Beside(MadeBeside { place, path, hash }))
}

/// Checks that a file may take the place of the existing one.
fn check_replaced(
    record: &OutputRecord,
    target: &Target,
    job: &JobContext,
    read: &FileRecord,
) -> Diagnosed<()> {
    let records = std::slice::from_ref(record);
    let made_from = read.locations().iter();
    let made_from = made_from.map(|location| &*location.0);
    check_overwritten(records, made_from, job.sources, job.name)?;
    let absent = read.absent().map(|location| &*location.0);
    check_absent(records, absent, job.name)?;
    job.check_replaced(target)
}
