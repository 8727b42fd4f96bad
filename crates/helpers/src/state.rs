//! What rounds change, and equations read.

use rigy_kernel::executor::Executor;

use super::skin::Skin;
use super::weights::Slots;

/// The state of a fit.
pub struct State<'a> {
    pub skin: &'a Skin,
    pub executor: &'a dyn Executor,
    pub joint_count: usize,
    /// The distance in bind space at which an error of directions counts as much as one of positions.
    pub reach: f64,
    /// The vertices from which helpers are made.
    pub helpers: Vec<usize>,
    /// Of all vertices.
    pub slots: Vec<Slots>,
}
