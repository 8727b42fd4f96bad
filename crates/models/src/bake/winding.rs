//! Triangles of instances that a mirroring node turned over (`bake.md` §6).
//!
//! Clients take a triangle's front from the determinant of its node's global matrix. A baked mesh stands at the root of the
//! scene, so where that determinant was negative the triangles are written as lists whose last two corners are exchanged.

use std::ops::Range;

use super::meshes::BakedMeshes;
use rigy_base::maps::HashMap;
use rigy_gltf::{ComponentType, File, Primitive};

/// The vertices at the corners of a primitive's triangles: those in the accessor of this index (`Ok`), or so many vertices
/// in their order (`Err`).
type Corners = Result<usize, usize>;

/// The triangles of one or more primitives, to be written as a list with their corners in the opposite order.
#[derive(Clone, Copy)]
pub struct Triangles {
    corners: Corners,
    arrangement: Arrangement,
    /// Number of triangles.
    pub count: usize,
    /// Type of the indices in the output.
    pub component: ComponentType,
}

/// The arrangement of corners as triangles.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Arrangement {
    /// Three corners for each triangle.
    List,
    /// Each corner after the second makes a triangle with the two before it.
    Strip,
    /// Each corner after the second makes a triangle with the one before it and the first.
    Fan,
}

impl Arrangement {
    /// The arrangement of a primitive's mode; `None` for points and lines.
    fn of(mode: u8) -> Option<Self> {
        Some(match mode {
            4 => Self::List,
            5 => Self::Strip,
            6 => Self::Fan,
            _ => return None,
        })
    }

    /// How many triangles some corners make.
    fn triangles(self, corners: usize) -> usize {
        match self {
            Self::List => corners / 3,
            Self::Strip | Self::Fan => corners.saturating_sub(2),
        }
    }

    /// The corners of a triangle with the last two exchanged (glTF 2.0 §3.7.2.1).
    fn reversed(self, triangle: usize) -> [usize; 3] {
        match self {
            Self::List => [3 * triangle, 3 * triangle + 2, 3 * triangle + 1],
            Self::Strip => {
                let odd = triangle % 2;
                [triangle, triangle + 2 - odd, triangle + 1 + odd]
            }
            Self::Fan => [triangle + 1, 0, triangle + 2],
        }
    }
}

/// The triangles that are turned over.
#[derive(Default)]
pub struct Winding {
    /// Each distinct list of triangles.
    pub list: Vec<Triangles>,
    /// For each mesh of the output and each of its primitives, the index in `list` of its triangles; `None` where they
    /// stay as they are.
    pub of_primitives: Vec<Vec<Option<usize>>>,
}

impl Winding {
    /// Finds the triangles that are turned over in the meshes of the output.
    pub fn new(file: &File, meshes: &BakedMeshes) -> Self {
        let mut found = Self::default();
        // Primitives whose corners and arrangement agree share one list.
        let mut known: HashMap<(Corners, Arrangement), usize> = HashMap::default();
        for mesh in &meshes.list {
            let primitives = file.meshes[mesh.source].primitives.iter();
            let indices = primitives.map(|primitive| {
                let arrangement = Arrangement::of(primitive.mode).filter(|_| mesh.is_mirrored)?;
                let triangles = Triangles::of(file, primitive, arrangement)?;
                let key = (triangles.corners, arrangement);
                Some(*known.entry(key).or_insert_with(|| {
                    found.list.push(triangles);
                    found.list.len() - 1
                }))
            });
            let indices = indices.collect();
            found.of_primitives.push(indices);
        }
        found
    }
}

impl Triangles {
    /// The triangles of a primitive; `None` if it has none.
    fn of(file: &File, primitive: &Primitive, arrangement: Arrangement) -> Option<Self> {
        let indices = primitive.indices.and_then(|index| file.accessor(index));
        let vertex_count = primitive.vertex_count;
        let corner_count = indices.map_or(vertex_count, |indices| indices.count());
        let count = arrangement.triangles(corner_count);
        // The largest value of a type is no index: clients may take it for the end of a strip.
        let is_short = vertex_count <= usize::from(u16::MAX);
        let made = if is_short {
            ComponentType::U16
        } else {
            ComponentType::U32
        };
        (count > 0).then_some(Self {
            corners: primitive.indices.ok_or(vertex_count),
            arrangement,
            count,
            component: indices.map_or(made, |indices| indices.component_type()),
        })
    }

    /// Returns the bytes in `range` of the indices of the output.
    pub fn bytes(&self, file: &File, range: Range<usize>) -> Vec<u8> {
        let size = self.component.size();
        let accessor = self.corners.ok().and_then(|index| file.accessor(index));
        let numbers = range.start / size..range.end.div_ceil(size);
        let mut bytes = Vec::with_capacity(numbers.len() * size);
        for number in numbers.clone() {
            let corner = self.arrangement.reversed(number / 3)[number % 3];
            let index = match &accessor {
                Some(accessor) => accessor.integer(corner, 0).unwrap_or(0),
                None => corner as u32,
            };
            bytes.extend_from_slice(&index.to_le_bytes()[..size]);
        }
        let before = range.start - numbers.start * size;
        bytes.drain(..before);
        bytes.truncate(range.len());
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_of_the_specification_with_their_last_corners_exchanged() {
        let of = |arrangement: Arrangement, count| {
            (0..count)
                .map(|triangle| arrangement.reversed(triangle))
                .collect::<Vec<_>>()
        };
        assert_eq!(of(Arrangement::List, 2), [[0, 2, 1], [3, 5, 4]]);
        assert_eq!(of(Arrangement::Strip, 3), [[0, 2, 1], [1, 2, 3], [2, 4, 3]]);
        assert_eq!(of(Arrangement::Fan, 2), [[1, 0, 2], [2, 0, 3]]);
    }
}
