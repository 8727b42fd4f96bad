//! The algorithms by which joints move vertices.

/// The two skinning algorithms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Solver {
    /// Linear blend skinning.
    #[default]
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
