#![doc = include_str!("../README.md")]

mod cholesky;
mod equations;
mod errors;
mod fit;
mod moment;
mod nodes;
mod rounds;
mod skin;
mod state;
#[cfg(test)]
mod tests;
mod weights;

pub use errors::Worst;
pub use fit::{Fit, Goal, fit};
pub use moment::Moment;
pub use nodes::{Nodes, bind, joined, rotation, split};
pub use skin::{Row, Skin};
pub use weights::{SLOTS, Slots};
