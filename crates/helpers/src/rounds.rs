//! Rounds in which the vertex that is farthest from its target becomes a helper, and weights and matrices follow.

use std::ops::ControlFlow;

use rigy_kernel::math::{Affine, length, moved};

use super::equations::Equations;
use super::moment::{Moment, add};
use super::skin::Row;
use super::state::State;
use super::weights::{Slots, least, single, wide};

/// The moments of a fit, with the matrices of joints and helpers.
pub type Columns<'m> = Vec<(&'m Moment, Vec<Affine>)>;

/// Vertices of a task, and those that rounds look at.
const TASK: usize = 128;
const SAMPLE: usize = 6_000;
/// Joints that a vertex may keep, and helpers that it may get.
const OWN: usize = 8;
const NEAR: usize = 7;
/// How often weights and matrices follow each other in a round. With 1 in the place of 3, fits had a quarter more helpers.
const REFINED: usize = 3;

impl State<'_> {
    /// Adds helpers until vertices are within `aim`, or there are too many, or `made` returns `Break`.
    pub fn grow(
        &mut self,
        columns: &mut Columns,
        active: &[usize],
        aim: f64,
        most: usize,
        made: &dyn Fn() -> ControlFlow<()>,
    ) {
        let sample: Vec<usize> = active
            .iter()
            .copied()
            .step_by(active.len().div_ceil(SAMPLE))
            .collect();
        let mut errors = self.weigh(columns, &sample);
        while let Some(worst) = worst(&sample, &errors, aim)
            && self.helpers.len() < most
            && made().is_continue()
        {
            for (moment, columns) in columns.iter_mut() {
                columns.push(moment.targets()(self.skin.row(worst)));
            }
            self.helpers.push(worst);
            for _ in 0..REFINED {
                self.weigh(columns, &sample);
                let equations = Equations::new(self, &sample);
                let solved = self
                    .executor
                    .results(columns.len(), |at| equations.at(self.skin, columns[at].0));
                for ((_, columns), helpers) in columns.iter_mut().zip(solved) {
                    columns.truncate(self.joint_count);
                    columns.extend(helpers);
                }
            }
            errors = self.weigh(columns, &sample);
        }
        self.weigh(columns, active);
    }

    /// Finds the weights of vertices, and returns their largest distances.
    fn weigh(&mut self, columns: &Columns, vertices: &[usize]) -> Vec<f64> {
        let parts: Vec<&[usize]> = vertices.chunks(TASK).collect();
        let found = self.executor.results(parts.len(), |part| {
            let targets = columns.iter().map(|(moment, of)| (moment.targets(), of));
            let targets: Vec<_> = targets.collect();
            let vertices = parts[part].iter();
            let found = vertices.map(|vertex| self.best(*vertex, &targets));
            found.collect::<Vec<_>>()
        });
        let (errors, slots): (Vec<f64>, Vec<Slots>) = found.into_iter().flatten().unzip();
        for (vertex, slots) in vertices.iter().zip(slots) {
            self.slots[*vertex] = slots;
        }
        errors
    }

    /// The best weights of a vertex, which may be its own, with its largest distance.
    fn best(
        &self,
        vertex: usize,
        moments: &[(impl Fn(&Row) -> Affine, &Vec<Affine>)],
    ) -> (f64, Slots) {
        let row = self.skin.row(vertex);
        let candidates = self.candidates(row);
        let mut offs: Vec<Vec<[f64; 12]>> =
            vec![Vec::with_capacity(moments.len()); candidates.len()];
        for (target, columns) in moments {
            let target = target(row);
            for (offs, column) in offs.iter_mut().zip(&candidates) {
                let mut off = columns[usize::from(*column)];
                add(&mut off, -1.0, &target);
                let moved = moved(&off, self.skin.positions[vertex]);
                offs.push(std::array::from_fn(|at| match at % 4 {
                    0 => moved[at / 4],
                    axis => self.reach * off[at / 4][axis - 1],
                }));
            }
        }
        let error = |slots: &Slots| {
            let axis = |moment: usize, axis: usize| {
                wide(slots)
                    .map(|(place, weight)| weight * offs[usize::from(place)][moment][4 * axis])
                    .sum()
            };
            let at = |moment| length([0, 1, 2].map(|of| axis(moment, of)));
            (0..moments.len()).map(at).fold(
                0.0,
                |largest, error| if error <= largest { largest } else { error },
            )
        };
        let own = (0..).zip(&row.weights);
        let own: Vec<_> = own.map(|(place, (_, weight))| (place, *weight)).collect();
        let [own, found] = [single(&own), least(&offs)].map(|slots| (error(&slots), slots));
        let (error, slots) = if found.0 < own.0 { found } else { own };
        (
            error,
            slots.map(|(place, weight)| {
                if weight > 0.0 {
                    (candidates[usize::from(place)], weight)
                } else {
                    (0, 0.0)
                }
            }),
        )
    }

    /// The columns that a vertex may have: its heaviest joints, and helpers that came from vertices with similar weights.
    fn candidates(&self, row: &Row) -> Vec<u16> {
        let distances = self
            .helpers
            .iter()
            .map(|helper| row.squared_distance(self.skin.row(*helper)));
        let mut near: Vec<(f64, u16)> = distances
            .zip(self.joint_count as u16..)
            .filter(|(distance, _)| *distance < 1.2)
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        let own = row.weights.iter().take(OWN).map(|(joint, _)| *joint);
        own.chain(near.iter().take(NEAR).map(|(_, column)| *column))
            .collect()
    }
}

/// The vertex with the largest error above a bound.
fn worst(vertices: &[usize], errors: &[f64], mut bound: f64) -> Option<usize> {
    let mut worst = None;
    for (vertex, error) in vertices.iter().zip(errors) {
        if *error > bound {
            (bound, worst) = (*error, Some(*vertex));
        }
    }
    worst
}
