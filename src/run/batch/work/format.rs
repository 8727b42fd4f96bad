//! The formats in which a pose is written.

use serde::{Deserialize, Serialize};

use crate::base::diag::Diagnostic;
use crate::base::output::OutputFile;
use crate::compile::PosedScene;

/// The format of an output file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OutputFormat {
    /// A binary glTF.
    Glb,
    /// The vertices of a baked pose as JSON.
    Positions,
}

impl OutputFormat {
    /// All formats.
    pub const ALL: [Self; 2] = [Self::Glb, Self::Positions];

    /// Returns the suffix of file names, with its dot.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Glb => ".glb",
            Self::Positions => ".positions.json",
        }
    }

    /// Returns the last part of the suffix, with its dot: `.glb` or `.json`.
    pub(crate) fn extension(self) -> &'static str {
        let suffix = self.suffix();
        suffix.rfind('.').map_or(suffix, |start| &suffix[start..])
    }

    /// Plans the file of a pose in this format and passes it to `write`.
    ///
    /// # Errors
    /// If the pose cannot be written in this format, or `write` fails.
    pub(crate) fn write_pose<T>(
        self,
        posed: &PosedScene<'_>,
        mut write: impl FnMut(&dyn OutputFile) -> Result<T, Vec<Diagnostic>>,
    ) -> Result<T, Vec<Diagnostic>> {
        match self {
            Self::Glb => write(&posed.bake()?),
            Self::Positions => write(&posed.positions()?),
        }
    }
}
