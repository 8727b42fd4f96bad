//! From a skin and its moments to helper joints.

use rigy_kernel::executor::Executor;
use rigy_kernel::math::{Affine, Bounds, Vec3};

use super::equations::Equations;
use super::errors::{Worst, distances, judged};
use super::moment::Moment;
use super::skin::Skin;
use super::state::State;
use super::weights::{SLOTS, Slots, single};

/// What is asked of a fit.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// The largest distance of a vertex from its target, in units of the scene.
    pub tolerance: f64,
    /// No more helpers than this.
    pub most_helpers: usize,
}

/// A joint that is added to a skin.
#[derive(Clone, Debug, PartialEq)]
pub struct Helper {
    /// Joints whose blend it starts from, and their weights, the heaviest first. It hangs on one of these.
    pub joints: Vec<(u16, f64)>,
    /// A vertex in the midst of those that it moves, in bind space.
    pub centre: Vec3,
}

/// Helper joints of a skin with K joints, and new influences.
pub struct Fit<'s> {
    skin: &'s Skin,
    equations: Equations,
    /// Helper joints.
    pub helpers: Vec<Helper>,
    /// The influences of all vertices. Joints from K on are helpers. Unused slots are joint 0 with weight 0.
    pub influences: Vec<Slots>,
    /// The matrices of helpers at the moments of the fit, as [`at`](Self::at) has them.
    pub matrices: Vec<Vec<Affine>>,
    /// By linear blending with the four heaviest influences of each vertex.
    pub before: Worst,
    /// By linear blending with helpers.
    pub after: Worst,
}

/// The error that a number of a vertex or of its joints is not finite, or too large.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("vertex {} cannot be placed at moment {}", .0.vertex, .0.moment)]
pub struct NoFit(pub Worst);

/// Attempts, each with more moments.
const ATTEMPTS: usize = 5;
/// Shares of the tolerance: what linear blending may leave, what rounds go for, and what is enough at all moments.
const LEFT: f64 = 0.3;
const AIM: f64 = 0.8;
const ENOUGH: f64 = 0.9;
/// The distance at which an error of directions counts as much as one of positions, as a share of the bind pose.
const REACH: f64 = 0.02;
/// Joints and helpers that a file can number.
const JOINTS: usize = 1 << 16;

/// Finds helper joints. For V vertices, R of which have different weights, M moments and H helpers, it takes about 200·V + 500·R + 96·M·H +
/// 256·H² bytes, and 300·V + 3,000·R more at a moment of its work.
///
/// # Errors
/// If a number cannot be used.
///
/// # Panics
/// If a moment has fewer joints than vertices name.
pub fn fit<'s>(
    skin: &'s Skin,
    moments: &[Moment],
    goal: &Goal,
    executor: &dyn Executor,
) -> Result<Fit<'s>, NoFit> {
    let tolerance = goal.tolerance;
    let joint_count = moments
        .first()
        .map_or(JOINTS, |moment| moment.matrices.len());
    let most = goal.most_helpers.min(JOINTS.saturating_sub(joint_count));
    let slots: Vec<Slots> = skin
        .row_of
        .iter()
        .map(|row| single(&skin.rows[*row].weights))
        .collect();
    let bind_pose = Bounds::of_interleaved(skin.positions.as_flattened());
    let mut state = State {
        skin,
        executor,
        joint_count,
        reach: REACH * bind_pose.map_or(0.0, |bounds| bounds.diagonal()),
        helpers: Vec::new(),
        slots,
    };
    let mut best: Option<Fit> = None;
    let (mut chosen, mut active) = (Vec::new(), Vec::new());
    for attempt in 0..=ATTEMPTS {
        let equations = Equations::new(&state, &active);
        let (errors, matrices) = judged(skin, moments, &equations, &state.slots, executor);
        let after = errors
            .iter()
            .copied()
            .fold(Worst::default(), Worst::farther);
        let before = best.as_ref().map_or(after, |best| best.before);
        if before.distance == f64::INFINITY {
            return Err(NoFit(before));
        }
        if attempt == 0 {
            let left = if after.distance > tolerance {
                LEFT * tolerance
            } else {
                tolerance
            };
            let is_active = |vertex: &usize| {
                errors[*vertex].distance > left || skin.row(*vertex).weights.len() > SLOTS
            };
            active = (0..errors.len()).filter(is_active).collect();
        }
        let is_done = active.is_empty()
            || attempt > 0 && (after.distance <= ENOUGH * tolerance || state.helpers.len() >= most);
        add_worst(&mut chosen, &errors, if attempt == 0 { 60 } else { 12 });
        let mut columns = chosen
            .iter()
            .map(|at| {
                (
                    &moments[*at],
                    [&*moments[*at].matrices, &matrices[*at]].concat(),
                )
            })
            .collect();
        if best
            .as_ref()
            .is_none_or(|best| after.distance < best.after.distance)
        {
            let helper = |vertex: &usize| Helper {
                joints: skin.row(*vertex).weights.clone(),
                centre: skin.positions[*vertex],
            };
            let helpers = state.helpers.iter().map(helper).collect();
            best = Some(Fit {
                skin,
                equations,
                helpers,
                influences: state.slots.clone(),
                matrices,
                before,
                after,
            });
        }
        if is_done {
            break;
        }
        state.grow(&mut columns, &active, AIM * tolerance, most);
    }
    Ok(best.expect("one attempt is made"))
}

/// Adds moments at which vertices are far from their targets, the worst first, and no two of these close together.
fn add_worst(moments: &mut Vec<usize>, errors: &[Worst], count: usize) {
    let mut more: Vec<usize> = Vec::new();
    let mut falling = errors.to_vec();
    falling.sort_by(|a, b| b.distance.total_cmp(&a.distance));
    for Worst {
        distance,
        moment: at,
        ..
    } in falling
    {
        if distance > 0.0
            && more.len() < count
            && !moments.contains(&at)
            && more.iter().all(|other| at.abs_diff(*other) > 2)
        {
            more.push(at);
        }
    }
    moments.extend(more);
}

impl Fit<'_> {
    /// The matrices of the helpers at any moment, which in the place of global matrix times inverse bind matrix put vertices nearest to
    /// their targets.
    pub fn at(&self, moment: &Moment) -> Vec<Affine> {
        self.equations.at(self.skin, moment)
    }

    /// The vertex that is farthest from its target if helpers have these matrices. Its `moment` is 0.
    pub fn worst(&self, moment: &Moment, helpers: &[Affine]) -> Worst {
        let distances = distances(self.skin, moment, helpers, &self.influences)
            .into_iter()
            .enumerate();
        distances.fold(Worst::default(), |worst, (vertex, distance)| {
            worst.farther(Worst {
                distance,
                vertex,
                moment: 0,
            })
        })
    }
}
