//! Comparing two glTF files.

use rigy_batch::Location;
use rigy_batch::view::difference::{Side, compare};
use serde::Deserialize;
use serde_json::json;

use crate::answer::Answer;
use crate::host::HostLoader;

/// The arguments of `diff`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Diff {
    tolerance: Option<f64>,
}

impl Diff {
    /// Answers the object that `diff --format json` prints, and the result of the tolerance as `passes`.
    pub fn answer(&self, a: &[u8], b: &[u8]) -> Answer {
        let locations = ["a.glb", "b.glb"].map(|name| Location(name.into()));
        let side = |bytes, location| Side {
            bytes,
            location,
            loader: &HostLoader,
        };
        let difference = compare(&side(a, &locations[0]), &side(b, &locations[1]));
        let passes = difference.passes(self.tolerance);
        Answer::new(json!({ "difference": difference, "passes": passes }))
    }
}
