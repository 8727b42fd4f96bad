//! The way in which glTF files are baked.

use super::frames::Frames;
use crate::bake::{Moment, Skinning};

/// The way in which each file is baked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BakeJob {
    /// The animation and the time.
    pub moment: Moment,
    /// The frames to bake; each replaces the time of `moment` by its own. `None` bakes one file.
    pub frames: Option<Frames>,
    /// The solver by which vertices follow their joints.
    pub skinning: Skinning,
    /// True if extensions that refer to what a bake removes stay as they are
    /// ([`Baker::keeping_extensions`](crate::bake::Baker::keeping_extensions)).
    pub keeps_extensions: bool,
    /// Extensions that files may require although they are not known.
    pub allowed_extensions: Vec<String>,
}

impl BakeJob {
    /// One output for each file, with its nodes as they are stored.
    pub fn new(skinning: Skinning) -> Self {
        Self {
            moment: Moment::default(),
            frames: None,
            skinning,
            keeps_extensions: false,
            allowed_extensions: Vec::new(),
        }
    }

    /// Sets the animation and the time.
    #[must_use]
    pub fn moment(self, moment: Moment) -> Self {
        Self { moment, ..self }
    }

    /// Sets frames: one output for each.
    #[must_use]
    pub fn frames(self, frames: Frames) -> Self {
        let frames = Some(frames);
        Self { frames, ..self }
    }

    /// Sets whether extensions that refer to what a bake removes stay as they are.
    #[must_use]
    pub fn keeping_extensions(self, yes: bool) -> Self {
        Self {
            keeps_extensions: yes,
            ..self
        }
    }

    /// Sets the extensions that files may require although they are not known.
    #[must_use]
    pub fn allowing_extensions(self, names: Vec<String>) -> Self {
        Self {
            allowed_extensions: names,
            ..self
        }
    }
}
