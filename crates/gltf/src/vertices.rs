//! Reading vertices for the kernel: rest frames of any range of a primitive's vertices.
//!
//! In: a checked file, one of its primitives, a range. Out: positions and directions as f64. Vertex data are checked here
//! and in `influences`, because they are read there for the first time (`bake.md` §2 for morph targets).

use std::ops::Range;

use super::accessor::Accessor;
use super::file::File;
use super::model::Primitive;
use super::morph::{RUN, Sums, Target};
use super::problem::{Problem, Result};
use crate::number::all_finite;
use rigy_kernel::BLOCK;

/// A range of a primitive's vertices, to be read.
pub struct Vertices<'v, 'f> {
    /// The file.
    pub file: &'v File<'f>,
    /// One of its primitives.
    pub primitive: &'v Primitive,
    /// Path of the primitive in the JSON.
    pub path: &'v str,
    /// Numbers of the vertices.
    pub range: Range<usize>,
}

impl Vertices<'_, '_> {
    /// Returns the accessor of an attribute of the primitive; `None` if there is no such attribute.
    pub fn accessor(&self, name: &str) -> Option<Accessor<'_>> {
        self.file.accessor(self.primitive.attribute(name)?)
    }

    /// The problem that an attribute breaks a rule.
    pub(super) fn problem(&self, attribute: &str, message: String) -> Problem {
        Problem::rule(&format!("{}.attributes.{attribute}", self.path), message)
    }
}

/// Rest frames of some vertices after morphing: one plane (array) per component, padded to whole blocks with copies of
/// the last vertex.
#[derive(Clone, Debug, Default)]
pub struct RestFrames {
    /// Positions.
    pub positions: [Vec<f64>; 3],
    /// Normals, if they are read.
    pub normals: Option<[Vec<f64>; 3]>,
    /// Tangents without their handedness, if they are read.
    pub tangents: Option<[Vec<f64>; 3]>,
    /// Buffers that are kept from one range to the next.
    rows: Rows,
}

/// Vectors before they are transposed to planes.
#[derive(Clone, Debug, Default)]
struct Rows {
    single: Vec<[f32; 3]>,
    double: Vec<[f64; 3]>,
}

impl RestFrames {
    /// Reads rest frames, morphed by `weights`; the previous contents are replaced. Targets of weight zero are skipped. Normals and
    /// tangents are read if `has_directions`.
    ///
    /// # Errors
    /// If a number is not finite, in the file or after morphing.
    pub fn read(&mut self, from: &Vertices, weights: &[f64], has_directions: bool) -> Result<()> {
        let rows = &mut self.rows;
        rows.read(from, "POSITION", weights, &mut self.positions)?;
        for (name, planes) in [
            ("NORMAL", &mut self.normals),
            ("TANGENT", &mut self.tangents),
        ] {
            match from.primitive.attribute(name).filter(|_| has_directions) {
                Some(_) => rows.read(from, name, weights, planes.get_or_insert_default())?,
                None => *planes = None,
            }
        }
        Ok(())
    }
}

impl Rows {
    /// Reads an attribute, morphed by `weights`, into planes that are padded to whole blocks.
    ///
    /// # Errors
    /// If a number is not finite, in the file or after morphing.
    fn read(
        &mut self,
        from: &Vertices,
        name: &str,
        weights: &[f64],
        planes: &mut [Vec<f64>; 3],
    ) -> Result<()> {
        // Most attributes are finite floats that nothing morphs. These need no copy in f64.
        let base = from.accessor(name);
        if let Some(base) = base.filter(|_| !from.primitive.is_morphed(name, weights)) {
            self.single.resize(from.range.len(), [0.0; 3]);
            if base.copy_f32(from.range.start, &mut self.single)
                && all_finite(self.single.as_flattened(), |number| number)
            {
                to_planes(&self.single, f64::from, planes);
                return Ok(());
            }
        }
        morphed(from, name, weights, &mut self.double)?;
        to_planes(&self.double, |number| number, planes);
        Ok(())
    }
}

/// Transposes vectors to planes of f64, padded to whole blocks with copies of the last vector.
fn to_planes<T: Copy + Default>(
    rows: &[[T; 3]],
    wide: impl Fn(T) -> f64,
    planes: &mut [Vec<f64>; 3],
) {
    let padded = rows.len().next_multiple_of(BLOCK);
    let last = rows.last().copied().unwrap_or_default();
    for (component, plane) in planes.iter_mut().enumerate() {
        plane.resize(padded, 0.0);
        let (numbers, rest) = plane.split_at_mut(rows.len());
        for (number, row) in numbers.iter_mut().zip(rows) {
            *number = wide(row[component]);
        }
        rest.fill(wide(last[component]));
    }
}

/// Reads the first `N` components of an attribute, and adds those of the morph targets, times their weights, in order;
/// targets of weight zero are skipped. Returns `false`, and leaves `rows` unchanged, if there is no such attribute.
///
/// # Errors
/// If a number is not finite, in the file or after morphing.
pub fn morphed<const N: usize>(
    from: &Vertices,
    name: &str,
    weights: &[f64],
    rows: &mut Vec<[f64; N]>,
) -> Result<bool> {
    let Some(base) = from.accessor(name) else {
        return Ok(false);
    };
    let first = from.range.start;
    rows.resize(from.range.len(), [0.0; N]);
    base.copy(first, rows);
    let targets: Vec<Target> = weights
        .iter()
        .copied()
        .enumerate()
        .filter(|(_, weight)| *weight != 0.0)
        .filter_map(|(target, weight)| {
            let index = from.primitive.target_attribute(target, name)?;
            Some(Target {
                accessor: from.file.accessor(index)?,
                zeros: from.file.zero_runs(index)?,
                weight,
            })
        })
        .collect();
    for (place, rows) in rows.chunks_mut(RUN).enumerate() {
        let mut sums = Sums::new(rows, first + place * RUN);
        targets.iter().for_each(|target| sums.add(target));
    }
    match first_non_finite(rows) {
        None => Ok(true),
        Some((row, component)) => {
            let vertex = first + row;
            let number = rows[row][component];
            Err(from.problem(
                name,
                format!("component {component} of vertex {vertex} is {number}"),
            ))
        }
    }
}

/// Row and component of the first number that is infinite or NaN; `None` if all are finite.
fn first_non_finite<const N: usize>(rows: &[[f64; N]]) -> Option<(usize, usize)> {
    // A finite number times zero is zero, any other is NaN. The sums are the fast way to find that all are finite.
    let mut sums = [0.0; N];
    for row in rows {
        for (sum, number) in sums.iter_mut().zip(row) {
            *sum += number * 0.0;
        }
    }
    if sums == [0.0; N] {
        return None;
    }
    let found = rows
        .as_flattened()
        .iter()
        .position(|number| !number.is_finite())?;
    Some((found / N, found % N))
}
