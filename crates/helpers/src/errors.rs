//! How far vertices are from their targets.

use rigy_kernel::executor::Executor;
use rigy_kernel::math::{Affine, length, moved};

use super::equations::Equations;
use super::moment::{Moment, add, blended};
use super::skin::Skin;
use super::weights::{Slots, wide};

/// Where a vertex is farthest from its target.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worst {
    /// The distance, in units of the scene; infinite if it is no number.
    pub distance: f64,
    /// The vertex, in the order of [`Skin::push`].
    pub vertex: usize,
    /// The number of the moment.
    pub moment: usize,
}

impl Worst {
    /// The farther one, of equal ones the first.
    pub fn farther(self, other: Self) -> Self {
        if other.distance > self.distance {
            other
        } else {
            self
        }
    }
}

/// The distances of all vertices at a moment.
pub fn distances(skin: &Skin, moment: &Moment, helpers: &[Affine], slots: &[Slots]) -> Vec<f64> {
    let target = moment.targets();
    let columns = [&moment.matrices, helpers].concat();
    let targets: Vec<Affine> = skin.rows.iter().map(target).collect();
    let distance = |vertex: usize| {
        let mut off = blended(wide(&slots[vertex]), &columns);
        add(&mut off, -1.0, &targets[skin.row_of[vertex]]);
        let distance = length(moved(&off, skin.positions[vertex]));
        if distance.is_finite() {
            distance
        } else {
            f64::INFINITY
        }
    };
    (0..slots.len()).map(distance).collect()
}

/// The worst of each vertex, and the matrices of helpers at all moments.
pub fn judged(
    skin: &Skin,
    moments: &[Moment],
    equations: &Equations,
    slots: &[Slots],
    executor: &dyn Executor,
) -> (Vec<Worst>, Vec<Vec<Affine>>) {
    let mut errors = vec![Worst::default(); slots.len()];
    let mut matrices = Vec::new();
    for part in moments.chunks(32) {
        let found = executor.results(part.len(), |at| {
            let helpers = equations.at(skin, &part[at]);
            (distances(skin, &part[at], &helpers, slots), helpers)
        });
        for (distances, helpers) in found {
            let moment = matrices.len();
            for (vertex, distance) in distances.into_iter().enumerate() {
                let worst = Worst {
                    distance,
                    vertex,
                    moment,
                };
                errors[vertex] = errors[vertex].farther(worst);
            }
            matrices.push(helpers);
        }
    }
    (errors, matrices)
}
