//! Weight files: influences of single vertices in JSON (`language.md` §5.2).
//!
//! All weight maps of a document and its parts are gathered first. Then each file that they name is read and parsed
//! once, converted to the influences that its weight maps need, and dropped before the next one is read. So only one file
//! at a time is in memory. At most five influences stay for each vertex that a file names and each armature that it is
//! used with.

use std::io::ErrorKind;

use super::weight_file::{Entries, Fault, WeightFile};
use super::{Influence, JointTable};
use rigy_base::diag::{Code, MOST_FINDINGS, Suggestions};
use rigy_base::loader::{Loader, Location, absence, git_lfs_pointer};
use rigy_base::maps::HashMap;
use rigy_base::transient::is_transient;
use rigy_kernel::SLOTS;
use rigy_language::expand::rename;
use rigy_language::model::{Armature, WeightSource};

/// Largest weight file in bytes.
pub const MAX_BYTES: u64 = 1 << 30;

/// A weight map that names a file, with the primitive and the armature that the file must fit.
#[derive(Clone, Copy)]
pub struct WeightUse<'a> {
    /// Location of the document that names the file.
    pub document: &'a Location,
    /// The reference to the file.
    pub source: &'a WeightSource,
    /// Number of vertices of the primitive.
    pub vertex_count: usize,
    /// The armature whose bones the file names.
    pub armature: &'a Armature,
}

/// The influences from all weight files of a document and its parts.
pub struct WeightFiles<'a> {
    of_uses: HashMap<Key<'a>, Result<Influences, Faulty>>,
}

/// The influences that a file gives, by vertex of the primitive.
type Influences = Vec<(usize, Vec<Influence>)>;

/// A file that gives no influences.
#[derive(Clone)]
pub struct Faulty {
    pub faults: Vec<Fault>,
    /// True if it could not be read for a reason that may pass.
    pub is_transient: bool,
}

impl From<Vec<Fault>> for Faulty {
    fn from(faults: Vec<Fault>) -> Self {
        Self {
            faults,
            is_transient: false,
        }
    }
}

/// Everything on which the influences of one use depend.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key<'a> {
    document: &'a Location,
    path: &'a str,
    primitive_id: &'a str,
    mirror: Option<(&'a str, &'a str)>,
    vertex_count: usize,
    armature: *const Armature,
}

impl<'a> WeightUse<'a> {
    fn key(&self) -> Key<'a> {
        let WeightSource {
            path,
            primitive_id,
            mirror,
        } = self.source;
        Key {
            document: self.document,
            path: &path.value,
            primitive_id,
            mirror: mirror
                .as_ref()
                .map(|m| (&*m.prefix_from.value, &*m.prefix_to)),
            vertex_count: self.vertex_count,
            armature: self.armature,
        }
    }
}

impl<'a> WeightFiles<'a> {
    /// Reads the files that are used, each once, in the order of their first use. Faults are kept for the weight maps
    /// that name them.
    pub fn read(uses: impl Iterator<Item = WeightUse<'a>>, loader: &dyn Loader) -> Self {
        let mut of_uses: HashMap<Key<'a>, Result<Influences, Faulty>> = HashMap::default();
        let mut locations: HashMap<(&Location, &str), Option<usize>> = HashMap::default();
        let mut numbers: HashMap<Location, usize> = HashMap::default();
        let mut files: Vec<(Location, Vec<WeightUse<'a>>)> = Vec::new();
        for one in uses {
            let key = one.key();
            if of_uses.contains_key(&key) {
                continue;
            }
            let number = locations
                .entry((key.document, key.path))
                .or_insert_with(|| {
                    let location = loader.resolve(key.document, key.path).ok()?;
                    Some(*numbers.entry(location).or_insert_with_key(|location| {
                        files.push((location.clone(), Vec::new()));
                        files.len() - 1
                    }))
                });
            match number {
                Some(number) => {
                    files[*number].1.push(one);
                    of_uses.insert(key, Ok(Vec::new()));
                }
                None => {
                    let fault: Fault = (Code::U14, "it lies outside the root".into());
                    of_uses.insert(key, Err(vec![fault].into()));
                }
            }
        }
        let mut resolver = Resolver::default();
        for (location, uses) in files {
            resolver.file(&location, &uses, loader, &mut of_uses);
        }
        Self { of_uses }
    }

    /// The influences of a use; empty for a use that was not passed to [`WeightFiles::read`].
    pub(super) fn of(&self, one: &WeightUse<'a>) -> Option<&Result<Influences, Faulty>> {
        self.of_uses.get(&one.key())
    }
}

/// Data that all files of a document share.
#[derive(Default)]
struct Resolver<'a> {
    joints: HashMap<*const Armature, JointTable<'a>>,
    suggestions: Suggestions,
}

impl<'a> Resolver<'a> {
    /// Reads one file for all its uses.
    fn file(
        &mut self,
        location: &Location,
        uses: &[WeightUse<'a>],
        loader: &dyn Loader,
        of_uses: &mut HashMap<Key<'a>, Result<Influences, Faulty>>,
    ) {
        let mut fault_of_all = |fault: Fault, is_transient: bool| {
            let faults = vec![fault];
            let faulty = Faulty {
                faults,
                is_transient,
            };
            of_uses.extend(uses.iter().map(|one| (one.key(), Err(faulty.clone()))));
        };
        let bytes = match loader.read(location, MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(error) => {
                return fault_of_all((Code::V20, unreadable(&error)), is_transient(&error));
            }
        };
        if let Some(message) = git_lfs_pointer(bytes.as_ref()) {
            return fault_of_all((Code::V20, message.to_owned()), false);
        }
        let file = match WeightFile::new(bytes.as_ref()) {
            Ok(file) => file,
            Err(fault) => return fault_of_all(fault, false),
        };
        let mut entries: Option<Result<Entries, Fault>> = None;
        for one in uses {
            // After this check, all uses have the number of vertices that the file states.
            let fits = file.is_for(&one.source.primitive_id, one.vertex_count);
            let influences = fits.map_err(|fault| vec![fault]).and_then(|()| {
                let entries = entries.get_or_insert_with(|| file.entries(one.vertex_count));
                match entries {
                    Ok(entries) => self.influences(entries, one),
                    Err(fault) => Err(vec![fault.clone()]),
                }
            });
            of_uses.insert(one.key(), influences.map_err(Faulty::from));
        }
    }

    /// The influences that the entries of a file give with the bones of an armature.
    fn influences(
        &mut self,
        entries: &Entries,
        one: &WeightUse<'a>,
    ) -> Result<Influences, Vec<Fault>> {
        let joints = self
            .joints
            .entry(one.armature)
            .or_insert_with(|| JointTable::new(one.armature));
        let mirror = one.source.mirror.as_ref();
        let mut joint_of = Vec::new();
        let mut unknown = Vec::new();
        for (id, bone_id) in entries.bone_ids.iter().enumerate() {
            let renamed = mirror.map(|mirror| rename(mirror, bone_id));
            let bone_id = renamed.as_deref().unwrap_or(bone_id);
            match joints.find(bone_id) {
                Some(joint) => joint_of.push(joint),
                None => unknown.push((id as u32, bone_id.to_owned())),
            }
            if unknown.len() >= MOST_FINDINGS {
                break;
            }
        }
        if !unknown.is_empty() || !entries.faults.is_empty() {
            return Err(self.faults(entries, &unknown, one.armature));
        }
        let last = entries.last_of_vertices(one.vertex_count);
        Ok(last
            .map(|(vertex, bones)| {
                let mut list: Vec<Influence> = bones
                    .iter()
                    .map(|bone| (joint_of[bone.id as usize], bone.weight))
                    .collect();
                // One more influence than there are slots is kept, to show that there were too many.
                if list.len() > SLOTS + 1 {
                    joints.sort(&mut list);
                    list.truncate(SLOTS + 1);
                    list.shrink_to_fit();
                }
                (vertex, list)
            })
            .collect())
    }

    /// The faults of a file and of bones that an armature lacks (V16), in the order of the file.
    fn faults(
        &self,
        entries: &Entries,
        unknown: &[(u32, String)],
        armature: &Armature,
    ) -> Vec<Fault> {
        let of_entries = entries
            .faults
            .iter()
            .map(|(position, code, text)| (*position, Err((*code, text))));
        let of_bones = unknown.iter().flat_map(|(id, bone_id)| {
            entries
                .positions_of(*id)
                .map(move |position| (position, Ok(bone_id)))
        });
        let mut faults: Vec<_> = of_entries.chain(of_bones).collect();
        faults.sort_by_key(|(position, _)| *position);
        faults.truncate(MOST_FINDINGS);
        faults
            .into_iter()
            .map(|((entry, place, _), found)| match found {
                Err((code, text)) => (code, text.clone()),
                Ok(bone_id) => (
                    Code::V16,
                    self.unknown_bone(entry, place, bone_id, armature),
                ),
            })
            .collect()
    }

    fn unknown_bone(&self, entry: u32, place: u32, bone_id: &str, armature: &Armature) -> String {
        let known = armature.bones.iter().map(|bone| &*bone.id.value);
        let hint = match self.suggestions.nearest(bone_id, known) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => String::new(),
        };
        let armature = &armature.id.value;
        format!(
            "`influences[{entry}].bones[{place}]`: armature `{armature}` has no bone `{bone_id}`{hint}"
        )
    }
}

fn unreadable(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => format!(
            "{}; the path starts from the directory of the document that names it",
            absence(error)
        ),
        _ => format!("it cannot be read: {error}"),
    }
}
