//! A weight file, parsed once for all weight maps that name it.
//!
//! The parsed file takes less memory than its text: 8 bytes for each entry, 24 for each bone of an entry, and
//! each bone id once.

use std::cell::OnceCell;

use serde_json::value::RawValue;

use super::fields::{Fields, fault};
use rigy_base::diag::{Code, MOST_FINDINGS, shortened};
use rigy_base::maps::HashMap;
use rigy_language::schema::weights as schema;

/// A fault of a file, without the path by which a document names it.
pub type Fault = (Code, String);

/// A file that is a JSON object.
pub struct WeightFile<'j> {
    text: &'j [u8],
    fields: Fields<'j>,
}

/// The position of a fault or a bone: the entry, the bone in it, and true if it comes after the bone's id.
type Position = (u32, u32, bool);

/// The list `influences` of a file.
#[derive(Default)]
pub struct Entries {
    /// Faults that do not depend on the armature, by position; at most [`MOST_FINDINGS`].
    pub faults: Vec<(Position, Code, String)>,
    /// The bone ids, in the order of their first use.
    pub bone_ids: Vec<String>,
    /// The vertex of each entry, and where its bones end in `bones`.
    entries: Vec<(u32, u32)>,
    bones: Vec<Bone>,
    /// Indices of all bones, sorted by id; computed when an armature lacks an id.
    by_id: OnceCell<Vec<u32>>,
    /// The fault that an object has a key twice, or that objects are nested too deep. The file is read no further.
    has_faulty_object: bool,
}

/// A bone of an entry.
pub struct Bone {
    /// Index of the entry, and of the bone in it.
    entry: u32,
    place: u32,
    /// Index into [`Entries::bone_ids`].
    pub id: u32,
    pub weight: f64,
}

impl<'j> WeightFile<'j> {
    /// Reads the outermost object.
    ///
    /// # Errors
    /// V20 if the bytes are no JSON object, or if the object has a key twice.
    pub fn new(bytes: &'j [u8]) -> Result<Self, Fault> {
        let fields: Fields = serde_json::from_slice(bytes)
            .map_err(|error| (Code::V20, format!("it is not a JSON object: {error}")))?;
        if fields.are_faulty(&schema::WEIGHT_FILE) {
            return Err((Code::V20, fault(bytes).unwrap_or_default()));
        }
        Ok(Self {
            text: bytes,
            fields,
        })
    }

    /// Checks that the file is for a primitive with this id and number of vertices.
    ///
    /// # Errors
    /// V22, else V21.
    pub fn is_for(&self, primitive_id: &str, vertex_count: usize) -> Result<(), Fault> {
        let shown = |value: Option<&RawValue>| match value {
            // A longer text would be cut off in the message.
            Some(value) => shortened(value.get()),
            None => "nothing".to_owned(),
        };
        let found = self.fields.get("primitive_id");
        if found.and_then(parsed::<String>).as_deref() != Some(primitive_id) {
            let found = shown(found);
            return Err((
                Code::V22,
                format!("its `primitive_id` is {found}, not \"{primitive_id}\""),
            ));
        }
        let found = self.fields.get("vertex_count");
        if found.and_then(number) != Some(vertex_count as f64) {
            let found = shown(found);
            return Err((
                Code::V21,
                format!("its `vertex_count` is {found}, not {vertex_count}"),
            ));
        }
        Ok(())
    }

    /// Reads the influences; `vertex_count` is that of the primitive the file is for.
    ///
    /// # Errors
    /// V20 if there is no proper list of them.
    pub fn entries(&self, vertex_count: usize) -> Result<Entries, Fault> {
        if self.fields.get(schema::MISNAMED).is_some() {
            let message =
                "`weights` is not a field of weight files; the list is called `influences`";
            return Err((Code::V20, message.into()));
        }
        match self.fields.get("influences").map(parsed) {
            None => Ok(Entries::default()),
            Some(Some(list)) => Ok(Entries::new(list, vertex_count, self.text)),
            Some(None) => Err((Code::V20, "`influences` is not a list".into())),
        }
    }
}

impl Entries {
    fn new(list: Vec<&RawValue>, vertex_count: usize, text: &[u8]) -> Self {
        let mut entries = Self::default();
        let mut ids: HashMap<String, u32> = HashMap::default();
        for (index, entry) in list.into_iter().enumerate() {
            entries.entry(index as u32, entry, vertex_count, &mut ids);
            if entries.has_faulty_object {
                let message = fault(text).unwrap_or_default();
                entries.fail((index as u32, u32::MAX, true), Code::V20, message);
                break;
            }
            if entries.faults.len() >= MOST_FINDINGS {
                break;
            }
        }
        entries
    }

    fn fail(&mut self, position: Position, code: Code, message: String) {
        if self.faults.len() < MOST_FINDINGS {
            self.faults.push((position, code, message));
        }
    }

    fn entry(
        &mut self,
        index: u32,
        entry: &RawValue,
        vertex_count: usize,
        ids: &mut HashMap<String, u32>,
    ) {
        let position = (index, 0, false);
        let fields: Fields = parsed(entry).unwrap_or_default();
        if fields.are_faulty(&schema::ENTRY) {
            self.has_faulty_object = true;
            return;
        }
        let bones: Option<Vec<&RawValue>> = fields.get("bones").and_then(parsed);
        let (Some(vertex), Some(bones)) = (fields.get("vertex"), bones) else {
            return self.fail(
                position,
                Code::V20,
                format!("`influences[{index}]` needs a `vertex` and a list of `bones`"),
            );
        };
        let Some(number) = number(vertex)
            .filter(|v| v.fract() == 0.0 && *v >= 0.0)
            .filter(|v| *v < vertex_count as f64)
        else {
            let last = vertex_count.saturating_sub(1);
            let vertex = shortened(vertex.get());
            return self.fail(
                position,
                Code::V19,
                format!("`influences[{index}].vertex` is {vertex}, not one of 0 to {last}"),
            );
        };
        for (place, bone) in bones.into_iter().enumerate() {
            self.bone(index, place as u32, bone, ids);
            if self.has_faulty_object {
                return;
            }
        }
        self.entries.push((number as u32, self.bones.len() as u32));
    }

    fn bone(&mut self, entry: u32, place: u32, value: &RawValue, ids: &mut HashMap<String, u32>) {
        let at = format!("influences[{entry}].bones[{place}]");
        let fields: Fields = parsed(value).unwrap_or_default();
        if fields.are_faulty(&schema::BONE) {
            self.has_faulty_object = true;
            return;
        }
        let bone_id: Option<String> = fields.get("bone_id").and_then(parsed);
        let (Some(bone_id), Some(weight)) = (bone_id, fields.get("weight")) else {
            return self.fail(
                (entry, place, false),
                Code::V20,
                format!("`{at}` needs a text `bone_id` and a `weight`"),
            );
        };
        let id = *ids.entry(bone_id).or_insert_with_key(|id| {
            self.bone_ids.push(id.clone());
            self.bone_ids.len() as u32 - 1
        });
        let in_range = number(weight).filter(|w| (0.0..=1.0).contains(w));
        if in_range.is_none() {
            let weight = shortened(weight.get());
            self.fail(
                (entry, place, true),
                Code::V18,
                format!("`{at}.weight` is {weight}, not a number from 0 to 1"),
            );
        }
        self.bones.push(Bone {
            entry,
            place,
            id,
            weight: in_range.unwrap_or(0.0),
        });
    }

    /// Positions of bones with an id, in order, at most [`MOST_FINDINGS`].
    pub fn positions_of(&self, id: u32) -> impl Iterator<Item = Position> {
        let by_id = self.by_id.get_or_init(|| {
            let mut all: Vec<u32> = (0..self.bones.len() as u32).collect();
            all.sort_by_key(|bone| (self.bones[*bone as usize].id, *bone));
            all
        });
        let id_of = |bone: &u32| self.bones[*bone as usize].id;
        let start = by_id.partition_point(|bone| id_of(bone) < id);
        by_id[start..]
            .iter()
            .take(MOST_FINDINGS)
            .take_while(move |bone| id_of(bone) == id)
            .map(|bone| {
                let bone = &self.bones[*bone as usize];
                (bone.entry, bone.place, false)
            })
    }

    /// For each vertex that an entry names, ascending, the bones of the last such entry: the earlier ones are replaced.
    pub fn last_of_vertices(&self, vertex_count: usize) -> impl Iterator<Item = (usize, &[Bone])> {
        let mut last = vec![None; vertex_count];
        let mut start = 0;
        for (vertex, end) in &self.entries {
            last[*vertex as usize] = Some(&self.bones[start as usize..*end as usize]);
            start = *end;
        }
        last.into_iter()
            .enumerate()
            .filter_map(|(vertex, bones)| Some((vertex, bones?)))
    }
}

/// Converts a value to a type, if it has that type.
fn parsed<'j, T: serde::Deserialize<'j>>(value: &'j RawValue) -> Option<T> {
    serde_json::from_str(value.get()).ok()
}

/// A JSON number as the nearest double, infinite beyond its range.
fn number(value: &RawValue) -> Option<f64> {
    let text = value.get();
    text.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        .then(|| text.parse().ok())?
}
