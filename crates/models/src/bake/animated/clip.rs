//! What is baked into one file.

use rigy_gltf::Problem;

/// The way in which one file shows the frames of an animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Morph targets, between which the client blends.
    Morph {
        /// The largest distance, in the units of the model, between a vertex of a frame that is left out and its place in the blend of
        /// the frames that are kept. With 0 only frames are left out that the blend gives exactly.
        tolerance: f64,
    },
    /// A mesh for each frame; at any time one of them is visible.
    Step,
}

/// The frames of an animation.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// Index of the animation.
    pub animation: usize,
    /// The times of the frames in seconds, at least one, ascending. In the output the first of them is 0 s.
    pub times: Vec<f64>,
}

/// The problem that an animated file would have too much of something.
pub fn too_much(message: String) -> Problem {
    Problem::rule(&"animations", message).help(
        "take fewer frames with `--frames`, allow a distance with `--as morph --tolerance`, or bake single files with `--as frames`",
    )
}
