//! From a skin and its moments to helper joints.

use std::ops::ControlFlow;

use rigy_kernel::executor::Executor;
use rigy_kernel::math::{Affine, Bounds, dot, length, transformed, trig};

use super::equations::Equations;
use super::errors::{Worst, distances, judged};
use super::moment::{Moment, blended, of_normals};
use super::skin::Skin;
use super::state::State;
use super::weights::{SLOTS, Slots, single, wide};

/// What is asked of a fit.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// The largest distance of a vertex from its target, in units of the scene.
    pub tolerance: f64,
    /// No more helpers than this.
    pub most_helpers: usize,
}

/// Helper joints of a skin with K joints, and new influences.
pub struct Fit<'s> {
    /// What is fitted.
    pub skin: &'s Skin,
    equations: Equations,
    /// Helper joints, each as the vertex that it starts from: it hangs on one of the joints of that.
    pub helpers: Vec<usize>,
    /// The influences of all vertices. Joints from K on are helpers. Unused slots are joint 0 with weight 0.
    pub influences: Vec<Slots>,
    /// The matrices of helpers at the moments of the fit, as [`at`](Self::at) has them.
    pub matrices: Vec<Vec<Affine>>,
    /// By linear blending with the four heaviest influences of each vertex.
    pub before: Worst,
    /// By linear blending with helpers.
    pub after: Worst,
}

/// Attempts, each with more moments.
const ATTEMPTS: usize = 5;
/// Shares of the tolerance: what linear blending may leave, what rounds go for, and what is enough at all moments.
const LEFT: f64 = 0.3;
const AIM: f64 = 0.8;
const ENOUGH: f64 = 0.9;
/// The distance at which an error of directions counts as much as one of positions, as a share of the bind pose.
const REACH: f64 = 0.03;
/// Joints and helpers that a file can number.
const JOINTS: usize = 1 << 16;

/// Finds helper joints. For V vertices, R of which have different weights, M moments and H helpers, it takes about 200·V + 500·R + 96·M·H +
/// 256·H² bytes, and 300·V + 3,000·R more at a moment of its work. Calls `made` for each helper; once it returns `Break`, no helper is added.
///
/// # Errors
/// A vertex if one of its numbers, or of its joints, is not finite, or too large.
///
/// # Panics
/// If a moment has fewer joints than vertices name.
pub fn fit<'s>(
    skin: &'s Skin,
    moments: &[Moment],
    goal: &Goal,
    executor: &dyn Executor,
    made: &dyn Fn() -> ControlFlow<()>,
) -> Result<Fit<'s>, Worst> {
    let tolerance = goal.tolerance;
    let joint_count = moments
        .first()
        .map_or(JOINTS, |moment| moment.matrices.len());
    let most = goal.most_helpers.min(JOINTS.saturating_sub(joint_count));
    let rows = skin.row_of.iter().map(|row| &skin.rows[*row]);
    let bind_pose = Bounds::of_interleaved(skin.positions.as_flattened());
    let mut state = State {
        skin,
        executor,
        joint_count,
        reach: REACH * bind_pose.map_or(0.0, |bounds| bounds.diagonal()),
        helpers: Vec::new(),
        slots: rows.map(|row| single(&row.weights)).collect(),
    };
    let mut best: Option<Fit> = None;
    let (mut chosen, mut active) = (Vec::new(), Vec::new());
    for attempt in 0..=ATTEMPTS {
        let equations = Equations::new(&state, &active);
        let (errors, matrices) = judged(skin, moments, &equations, &state.slots, executor);
        let all = errors.iter().copied();
        let after = all.fold(Worst::default(), Worst::farther);
        let before = best.as_ref().map_or(after, |best| best.before);
        if before.distance == f64::INFINITY {
            return Err(before);
        }
        if attempt == 0 {
            let is_over = after.distance > tolerance;
            let left = if is_over { LEFT * tolerance } else { tolerance };
            let is_active = |vertex: &usize| {
                errors[*vertex].distance > left || skin.row(*vertex).weights.len() > SLOTS
            };
            active = (0..errors.len()).filter(is_active).collect();
        }
        let is_done = active.is_empty()
            || attempt > 0 && (after.distance <= ENOUGH * tolerance || state.helpers.len() >= most);
        add_worst(&mut chosen, errors, if attempt == 0 { 60 } else { 12 });
        let columns = |at: &usize| [&*moments[*at].matrices, &matrices[*at]].concat();
        let columns = chosen.iter().map(|at| (&moments[*at], columns(at)));
        let mut columns = columns.collect();
        let worse = best
            .as_ref()
            .map_or(f64::INFINITY, |best| best.after.distance);
        if after.distance < worse {
            best = Some(Fit {
                skin,
                equations,
                helpers: state.helpers.clone(),
                influences: state.slots.clone(),
                matrices,
                before,
                after,
            });
        }
        if is_done {
            break;
        }
        state.grow(&mut columns, &active, AIM * tolerance, most, made);
    }
    Ok(best.expect("one attempt is made"))
}

/// Adds moments at which vertices are far from their targets, the worst first, and no two of these close together.
fn add_worst(moments: &mut Vec<usize>, mut errors: Vec<Worst>, count: usize) {
    let known = moments.len();
    errors.sort_by(|a, b| b.distance.total_cmp(&a.distance));
    for worst in errors.iter().filter(|worst| worst.distance > 0.0) {
        let at = worst.moment;
        let (known, more) = moments.split_at(known);
        let is_far = |other: &usize| at.abs_diff(*other) > 2;
        if more.len() < count && !known.contains(&at) && more.iter().all(is_far) {
            moments.push(at);
        }
    }
}

impl Fit<'_> {
    /// The matrices of the helpers at any moment, which in the place of global matrix times inverse bind matrix put vertices nearest to
    /// their targets.
    pub fn at(&self, moment: &Moment) -> Vec<Affine> {
        self.equations.at(self.skin, moment)
    }

    /// The vertex that is farthest from its target if helpers have these matrices. Its `moment` is 0.
    pub fn worst(&self, moment: &Moment, helpers: &[Affine]) -> Worst {
        let distances = distances(self.skin, moment, helpers, &self.influences);
        let at = |(vertex, distance)| Worst {
            distance,
            vertex,
            moment: 0,
        };
        let all = (0..).zip(distances).map(at);
        all.fold(Worst::default(), Worst::farther)
    }

    /// The angles in degrees from their targets that 99 % of the normals do not exceed: by linear blending with the four heaviest influences,
    /// and if helpers have these matrices. `None` without normals.
    pub fn angles(&self, moment: &Moment, helpers: &[Affine]) -> Option<[f64; 2]> {
        let columns = [&moment.matrices, helpers].concat();
        let targets: Vec<_> = self.skin.rows.iter().map(moment.normals()).collect();
        let angle = |slots: &dyn Fn(usize) -> Slots| {
            let mut cosines = Vec::new();
            for (vertex, normal) in self.skin.normals.iter().enumerate() {
                let turned = of_normals(&blended(wide(&slots(vertex)), &columns));
                let wanted = &targets[self.skin.row_of[vertex]];
                let [a, b] = [&turned, wanted].map(|matrix| transformed(matrix, *normal));
                cosines.push(dot(a, b) / (length(a) * length(b)));
            }
            cosines.retain(|cosine| cosine.is_finite());
            cosines.sort_by(f64::total_cmp);
            let cosine = cosines.get(cosines.len() / 100)?.clamp(-1.0, 1.0);
            Some(trig::degrees(trig::acos(cosine)))
        };
        let own = |vertex| single(&self.skin.row(vertex).weights);
        Some([angle(&own)?, angle(&|vertex| self.influences[vertex])?])
    }
}
