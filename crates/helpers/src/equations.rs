//! Matrices of helpers by least squares, with the weights of vertices as they are. A matrix T has the error tr((T − M)·N·(T − M)ᵀ) at a
//! vertex, where M is its target and N is h·hᵀ for its position h, and a little more on the diagonal, so that directions are met as well. The
//! equations do not depend on the moment, only their right sides do.

use std::collections::BTreeMap;

use rigy_kernel::math::{Affine, dot};

use super::cholesky::Cholesky;
use super::moment::{Moment, add};
use super::skin::Skin;
use super::state::State;
use super::weights::wide;

type Square = [[f64; 4]; 4];

pub struct Equations {
    factor: Cholesky,
    /// By what each source is multiplied for the right side of a helper. Joints are sources, and from `ROWS` on the targets of rows.
    terms: BTreeMap<(usize, usize), Square>,
}

const ROWS: usize = 1 << 17;

/// The share of its own equations by which a helper is drawn to the target of the vertex that it came from.
const PULL: f64 = 1e-4;

impl Equations {
    /// The equations of some vertices.
    pub fn new(of: &State, vertices: &[usize]) -> Self {
        let first = of.joint_count;
        let mut terms: BTreeMap<(usize, usize), Square> = BTreeMap::new();
        let mut put = |source, helper, factor, metric: &Square| {
            let square = terms.entry((source, helper)).or_default();
            add(square, factor, metric);
            *square
        };
        for vertex in vertices {
            let metric = metric(of, *vertex);
            for (column, weight) in wide(&of.slots[*vertex]) {
                let Some(helper) = usize::from(column).checked_sub(first) else {
                    continue;
                };
                put(ROWS + of.skin.row_of[*vertex], helper, weight, &metric);
                for (other, share) in wide(&of.slots[*vertex]) {
                    let is_joint = usize::from(other) < first;
                    let weight = if is_joint { -weight } else { weight };
                    put(other.into(), helper, weight * share, &metric);
                }
            }
        }
        for (helper, vertex) in of.helpers.iter().enumerate() {
            let metric = metric(of, *vertex);
            let mut own = put(first + helper, helper, 0.0, &metric);
            add(&mut own, 1e-3, &metric);
            put(first + helper, helper, PULL, &own);
            put(ROWS + of.skin.row_of[*vertex], helper, PULL, &own);
        }
        let size = 4 * of.helpers.len();
        let mut matrix = vec![0.0; size * size];
        for ((source, helper), square) in terms.extract_if((first, 0)..(ROWS, 0), |_, _| true) {
            for (row, square) in square.iter().enumerate() {
                let start = (4 * helper + row) * size + 4 * (source - first);
                matrix[start..][..4].copy_from_slice(square);
            }
        }
        Self {
            factor: Cholesky::new(matrix, size),
            terms,
        }
    }

    /// The matrices of helpers at a moment.
    pub fn at(&self, skin: &Skin, moment: &Moment) -> Vec<Affine> {
        let target = moment.targets();
        let mut sides = vec![[0.0; 3]; self.factor.0.len()];
        let mut last = (usize::MAX, [[0.0; 4]; 3]);
        for ((source, helper), square) in &self.terms {
            if last.0 != *source {
                let matrix = match source.checked_sub(ROWS) {
                    None => moment.matrices[*source],
                    Some(row) => target(&skin.rows[row]),
                };
                last = (*source, matrix);
            }
            for (side, column) in sides[4 * helper..].iter_mut().zip(square) {
                (0..3).for_each(|row| side[row] += dot(last.1[row], *column));
            }
        }
        self.factor.solve(&mut sides);
        let helpers = sides.as_chunks::<4>().0.iter();
        helpers
            .map(|columns| [0, 1, 2].map(|row| columns.map(|column| column[row])))
            .collect()
    }
}

/// N of the head of this file, for a vertex.
fn metric(of: &State, vertex: usize) -> Square {
    let [x, y, z] = of.skin.positions[vertex];
    let place = [x, y, z, 1.0];
    let mut metric = place.map(|a| place.map(|b| a * b));
    (0..3).for_each(|axis| metric[axis][axis] += of.reach * of.reach);
    metric
}
