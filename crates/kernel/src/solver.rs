//! The algorithms by which joints move vertices.

/// The two skinning algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Solver {
    /// Linear blend skinning.
    Lbs,
    /// Dual quaternion skinning.
    Dqs,
}

impl Solver {
    /// Returns its name in documents, options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lbs => "lbs",
            Self::Dqs => "dqs",
        }
    }
}
