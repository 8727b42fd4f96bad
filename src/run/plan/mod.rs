//! Plans: how much work a run is, into how many shards it is best divided, and what that costs.
//!
//! [`Strata`] group inputs by length and choose a sample of each group, [`measure`] does the work on the sample without
//! writing, [`Measurements`] scale what was measured to all inputs, [`Division`] says what each task of a number of shards has
//! to do, and [`Prices`] turn that into money.

mod division;
mod estimate;
mod measure;
mod prices;
mod sample;

pub use division::{Division, TaskShape, TooShort, Wanted};
pub use estimate::{Estimate, Measured, Measurements};
pub use measure::{MeasureError, measure};
pub use prices::{Cost, Prices, UnknownPrice};
pub use sample::{Chosen, Strata};
