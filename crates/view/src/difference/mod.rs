//! Comparison of two glTF files: the same bytes, the first field that differs, and what differs in words and numbers.
//!
//! In: two [`Side`]s, of which `a` has what is expected and `b` what was found. Out: a [`Difference`]. Distances are in
//! model units, after the transforms of nodes. Skins, morph targets and animations are not applied; their data are
//! compared as they are stored.
//!
//! ```text
//! first       equal bytes, else the first byte and field that differ
//! matching    which elements of both files are compared
//! structure   counts, names, indices and the numbers that are not positions or normals, in words
//! vertices    distances of positions and angles of normals, for each mesh and primitive
//! ```

mod first;
mod matching;
mod structure;
mod vertices;

use std::fmt::Display;

use rigy_base::diag::{Diagnosed, Diagnostic, shortened};
use rigy_base::loader::{Loader, Location};
use rigy_gltf::{File, read};
use rigy_models::mesh::Shown;
use serde::Serialize;

pub use first::{first_difference, first_other};
#[cfg(feature = "viewer")]
pub(super) use matching::primitives;
#[cfg(feature = "viewer")]
pub(super) use vertices::distance;
pub use vertices::{Deviation, MeshDifference};

/// One of the two files of a comparison.
#[derive(Clone, Copy)]
pub struct Side<'s> {
    /// The bytes of the file.
    pub bytes: &'s [u8],
    /// The location of the file, to which its references are relative.
    pub location: &'s Location,
    /// The loader of the files that it refers to.
    pub loader: &'s dyn Loader,
}

/// The result of a comparison. Its JSON has the fields that are not marked otherwise.
#[derive(Debug, Default, Serialize)]
pub struct Difference {
    /// True if both files, and the buffers that they refer to, have the same bytes.
    pub equal: bool,
    /// The first byte that differs, and the field it belongs to, with the value in `b` and then that in `a`; `None` if
    /// the files are equal.
    pub first_difference: Option<String>,
    /// Differences that are not distances of vertices, in words; at most [`MOST_FINDINGS`] and a line that counts the
    /// others. Text of the files in it is not escaped.
    pub structure: Vec<String>,
    /// The primitives of all nodes whose vertices could be compared; empty if the files are equal.
    pub meshes: Vec<MeshDifference>,
    /// The largest distance between two vertices, in model units; `None` if no vertices could be compared.
    pub max_distance: Option<f64>,
    /// The largest difference of a number that `structure` counts: 0 if there is none, infinite for a difference that is not
    /// one of numbers. It is not part of the JSON.
    #[serde(skip)]
    pub other: f64,
    /// True if one of the files has skins, morph targets or animations, which are not applied. It is not part of the JSON.
    #[serde(skip)]
    pub moves: bool,
}

/// Most lines of [`Difference::structure`] that describe a difference each.
pub const MOST_FINDINGS: usize = 100;

impl Difference {
    /// Returns the result for two files that have the same bytes.
    pub fn none() -> Self {
        Self {
            equal: true,
            max_distance: Some(0.0),
            ..Self::default()
        }
    }

    /// Returns the result for two files that cannot be compared; `reason` takes the place of the first difference.
    pub fn incomparable(reason: String) -> Self {
        Self {
            first_difference: Some(reason),
            other: f64::INFINITY,
            ..Self::default()
        }
    }

    /// Returns true if the files are equal, or if there is a tolerance and they are within it.
    pub fn passes(&self, tolerance: Option<f64>) -> bool {
        self.equal || tolerance.is_some_and(|tolerance| self.is_within(tolerance))
    }

    /// Returns true if the files are equal, or have the same structure and differ in no number by more than `tolerance`:
    /// distances of vertices in model units, all other numbers (components of unit normals, texture coordinates, weights,
    /// matrices and so on) as they are.
    pub fn is_within(&self, tolerance: f64) -> bool {
        let distances = self
            .meshes
            .iter()
            .map(|mesh| mesh.normal_distance)
            .chain(self.max_distance)
            .chain([self.other]);
        let comparable = self.max_distance.is_some();
        self.equal || comparable && distances.fold(0.0, f64::max) <= tolerance
    }
}

/// Compares two files.
pub fn compare(a: &Side, b: &Side) -> Difference {
    let first = first_difference(b.bytes, a.bytes);
    if first.is_none() && !may_refer_to_files(a.bytes) {
        return Difference::none();
    }
    let read_a = a.read();
    let read_b = b.read();
    let (file_a, file_b) = match (&read_a, &read_b) {
        (Ok(a), Ok(b)) => (a, b),
        // The same bytes are the same file, even if it is not glTF.
        (Err(_), Err(_)) if first.is_none() => return Difference::none(),
        (a, b) => return unreadable(first, a.as_ref().err(), b.as_ref().err()),
    };
    let first = first.or_else(|| first_of_views(file_a, file_b));
    if first.is_none() {
        return Difference::none();
    }
    let mut findings = Findings::default();
    structure::compare(file_a, file_b, &mut findings);
    let shown = (Shown::new(file_a), Shown::new(file_b));
    let meshes = match &shown {
        (Ok(a), Ok(b)) => vertices::compare((file_a, a), (file_b, b), &mut findings),
        (a, b) => {
            for (side, shown) in [("a", a), ("b", b)] {
                if let Err(problem) = shown {
                    findings.add(format!("`{side}` has no vertices to compare: {problem}"));
                }
            }
            Vec::new()
        }
    };
    let is_empty = |shown: &Result<Shown, _>| {
        let count = shown.as_ref().map(Shown::primitive_count);
        count.is_ok_and(|count| count == 0)
    };
    let none = (is_empty(&shown.0) && is_empty(&shown.1)).then_some(0.0);
    let distances = meshes.iter().map(|mesh| mesh.position.max);
    let (structure, other) = findings.finish();
    Difference {
        equal: false,
        first_difference: first,
        structure,
        max_distance: distances.reduce(f64::max).or(none),
        meshes,
        other,
        moves: moves(file_a) || moves(file_b),
    }
}

/// True if a file moves vertices by skins, morph targets or animations, which a comparison leaves out.
pub(super) fn moves(file: &File) -> bool {
    let mut primitives = file.primitives();
    !file.skins.is_empty()
        || !file.animations.is_empty()
        || primitives.any(|primitive| !primitive.targets.is_empty())
}

impl<'s> Side<'s> {
    fn read(&self) -> Diagnosed<File<'s>> {
        let file = read(self.bytes, self.location, self.loader)?.value;
        file.check_animations()?;
        Ok(file)
    }
}

/// False if a GLB has all its data in itself, for certain: its JSON has no member `uri`, not even one spelled with
/// escapes.
fn may_refer_to_files(bytes: &[u8]) -> bool {
    let json = bytes.get(12..16).and_then(|len| {
        let len = u32::from_le_bytes(len.try_into().ok()?) as usize;
        bytes.get(20..)?.get(..len)
    });
    !bytes.starts_with(b"glTF")
        || json.is_none_or(|json| {
            json.contains(&b'\\') || json.windows(5).any(|five| five == b"\"uri\"")
        })
}

/// The result for files one or both of which cannot be read.
fn unreadable(
    first: Option<String>,
    a: Option<&Vec<Diagnostic>>,
    b: Option<&Vec<Diagnostic>>,
) -> Difference {
    let mut findings = Findings::default();
    for (side, errors) in [("a", a), ("b", b)] {
        if let Some(error) = errors.and_then(|errors| errors.first()) {
            findings.add(format!(
                "`{side}` cannot be read: {}",
                error.message_with_path()
            ));
        }
    }
    Difference {
        structure: findings.finish().0,
        ..Difference::incomparable(first.unwrap_or_else(|| "their buffers differ".to_owned()))
    }
}

/// A message about the first byte in which two files of equal JSON differ: in the buffers that they refer to.
fn first_of_views(a: &File, b: &File) -> Option<String> {
    (0..a.view_count()).find_map(|view| {
        let a = a.view(view)?;
        let b = b.view(view)?;
        let byte = a.iter().zip(b).position(|(a, b)| a != b)?;
        let a = a[byte];
        let b = b[byte];
        Some(format!(
            "first difference at byte {byte} of buffer view {view}: {b:#04x} instead of {a:#04x}"
        ))
    })
}

/// Differences in words, and the largest number among them.
#[derive(Default)]
pub(super) struct Findings {
    texts: Vec<String>,
    left_out: usize,
    worst: f64,
}

impl Findings {
    /// Adds a difference that is not one of numbers.
    pub fn add(&mut self, text: String) {
        self.add_amount(text, f64::INFINITY);
    }

    /// Adds what `b` has instead of what `a` has, between the words about it, if they differ.
    pub fn compare<T: PartialEq + Display>(&mut self, before: String, [a, b]: [T; 2], after: &str) {
        if a != b {
            self.add(format!("{before}{b}{after} instead of {a}"));
        }
    }

    /// Adds a difference of numbers, the largest of which is `amount`.
    pub fn add_amount(&mut self, text: String, amount: f64) {
        self.worst = self.worst.max(amount);
        if self.texts.len() < MOST_FINDINGS {
            self.texts.push(shortened(text));
        } else {
            self.left_out += 1;
        }
    }

    /// Returns the texts, with a last one that counts those left out, and the largest amount.
    fn finish(mut self) -> (Vec<String>, f64) {
        if self.left_out > 0 {
            let more = self.left_out;
            self.texts
                .push(format!("{more} more differences are not listed"));
        }
        (self.texts, self.worst)
    }
}
