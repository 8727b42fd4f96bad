//! Triangles joined where their corners are at equal positions, and whether they close a body.

use rigy_base::maps::HashMap;
use serde::Serialize;

/// Triangles whose corners are one vertex where their positions are equal. Triangles with two corners at one position are left out.
#[derive(Default)]
pub struct Welded {
    /// The positions of the vertices, each once, in the order of the triangles.
    pub positions: Vec<[f32; 3]>,
    /// The vertices of each triangle, which differ.
    pub triangles: Vec<[u32; 3]>,
    vertices: HashMap<[u32; 3], u32>,
}

/// How the triangles of a body join: it is closed if every edge is one of two triangles that run through it in opposite directions.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Seams {
    /// Edges of one triangle.
    pub open_edges: usize,
    /// Edges of more than two triangles.
    pub crowded_edges: usize,
    /// Edges of two triangles that face different sides.
    pub turned_edges: usize,
    /// Parts between which no edge is shared.
    pub parts: usize,
}

impl Seams {
    /// Returns true if no edge is open, crowded or turned.
    pub fn is_closed(&self) -> bool {
        self.open_edges + self.crowded_edges + self.turned_edges == 0
    }
}

impl Welded {
    /// Adds triangles, whose corners are indices of positions.
    pub fn add(&mut self, positions: &[[f32; 3]], triangles: impl IntoIterator<Item = [u32; 3]>) {
        let mut known = vec![None; positions.len()];
        for corners in triangles {
            let corners = corners.map(|corner| {
                *known[corner as usize].get_or_insert_with(|| {
                    // The sum makes −0 to 0.
                    let position = positions[corner as usize].map(|number| number + 0.0);
                    let key = position.map(f32::to_bits);
                    *self.vertices.entry(key).or_insert_with(|| {
                        self.positions.push(position);
                        self.positions.len() as u32 - 1
                    })
                })
            });
            let [a, b, c] = corners;
            if a != b && b != c && c != a {
                self.triangles.push(corners);
            }
        }
    }

    /// Looks at all edges.
    pub fn seams(&self) -> Seams {
        let mut edges = Vec::new();
        for (index, &[a, b, c]) in self.triangles.iter().enumerate() {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                edges.push(([from.min(to), from.max(to)], from < to, index));
            }
        }
        edges.sort_unstable();
        let parts = self.triangles.len();
        let mut seams = Seams {
            parts,
            ..Seams::default()
        };
        let mut roots: Vec<usize> = (0..parts).collect();
        for edge in edges.chunk_by(|a, b| a.0 == b.0) {
            match edge {
                [_] => seams.open_edges += 1,
                [a, b] => seams.turned_edges += usize::from(a.1 == b.1),
                _ => seams.crowded_edges += 1,
            }
            let first = root(&mut roots, edge[0].2);
            for (.., triangle) in edge {
                let other = root(&mut roots, *triangle);
                seams.parts -= usize::from(other != first);
                roots[other] = first;
            }
        }
        seams
    }
}

/// The first triangle of a part, to which the way becomes shorter.
fn root(roots: &mut [usize], mut triangle: usize) -> usize {
    while roots[triangle] != triangle {
        roots[triangle] = roots[roots[triangle]];
        triangle = roots[triangle];
    }
    triangle
}

#[cfg(test)]
mod tests {
    use super::*;

    type Part = (Vec<[f32; 3]>, Vec<[u32; 3]>);

    /// The corners of a cube from a place on, and its triangles, seen from outside.
    fn cube(at: f32) -> Part {
        let corner = |index: u32| [0, 1, 2].map(|axis| at + (index >> axis & 1) as f32);
        let sides = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        let triangles = sides.map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
        // Each triangle has corners of its own, as files have them.
        let triangles = triangles.as_flattened();
        let positions = triangles.as_flattened().iter().map(|index| corner(*index));
        let numbers = (0..36).collect::<Vec<u32>>();
        (positions.collect(), numbers.as_chunks().0.to_vec())
    }

    fn of(parts: &[Part]) -> ([usize; 4], usize) {
        let mut welded = Welded::default();
        for (positions, triangles) in parts {
            welded.add(positions, triangles.clone());
        }
        let seams = welded.seams();
        let faults = [
            seams.open_edges,
            seams.crowded_edges,
            seams.turned_edges,
            seams.parts,
        ];
        (faults, welded.positions.len())
    }

    #[test]
    fn cubes_is_closed_until_a_triangle_goes_or_turns() {
        let mut made = cube(0.0);
        assert_eq!(of(&[made.clone()]), ([0, 0, 0, 1], 8));
        made.1[3].swap(0, 1);
        assert_eq!(of(&[made.clone()]), ([0, 0, 3, 1], 8));
        made.1.remove(3);
        assert_eq!(of(&[made.clone()]), ([3, 0, 0, 1], 8));
        made.1.push([0, 0, 1]);
        assert_eq!(of(&[made]), ([3, 0, 0, 1], 8));
    }

    #[test]
    fn cubes_beside_each_other_are_two_parts_also_at_one_corner() {
        assert_eq!(of(&[cube(0.0), cube(5.0)]), ([0, 0, 0, 2], 16));
        assert_eq!(of(&[cube(0.0), cube(1.0)]), ([0, 0, 0, 2], 15));
        assert_eq!(of(&[cube(0.0), cube(-0.0)]), ([0, 18, 0, 1], 8));
        assert_eq!(of(&[]), ([0; 4], 0));
    }

    #[test]
    fn a_band_with_a_half_turn_has_one_edge_that_is_turned() {
        let positions: Vec<_> = (0..6).map(|index| [index as f32, 0.0, 1.0]).collect();
        let ring = |index: u32| [2 * index, 2 * index + 1];
        let mut triangles = Vec::new();
        for index in 0..3 {
            let [a, b] = ring(index);
            let [c, d] = if index < 2 { ring(index + 1) } else { [1, 0] };
            triangles.extend([[a, b, c], [c, b, d]]);
        }
        assert_eq!(of(&[(positions, triangles)]), ([6, 0, 1, 1], 6));
    }

    #[test]
    fn a_million_edges_take_a_moment() {
        let positions: Vec<_> = (0..400_000).map(|index| [index as f32, 0.0, 0.0]).collect();
        let fan = (0..399_998).rev().map(|index| [399_999, index, index + 1]);
        let found = of(&[(positions, fan.collect())]);
        assert_eq!(found.0[3], 1);
    }
}
