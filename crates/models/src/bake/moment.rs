//! The animation and the time at which a file is baked, and its nodes at that moment.

use rigy_base::diag::{Code, Diagnosed, Diagnostic, Warned};
use rigy_gltf::{Channel, File, Pose, Problem, Skeleton, find_animation, missing_animation};

/// The animation and the time at which a file is baked. The default names neither: nodes keep the transforms and the
/// morph weights that are stored in them.
///
/// ```
/// use rigy_models::bake::Moment;
///
/// let moment = Moment::default().animation("Run").time(0.25);
/// assert_eq!(moment.time, Some(0.25));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment {
    /// Name or number of an animation.
    pub animation: Option<String>,
    /// Time in seconds from the beginning of the animation.
    pub time: Option<f64>,
}

impl Moment {
    /// Sets the animation, by its name or its number.
    #[must_use]
    pub fn animation(self, name: impl Into<String>) -> Self {
        Self {
            animation: Some(name.into()),
            ..self
        }
    }

    /// Sets the time in seconds.
    #[must_use]
    pub fn time(self, seconds: f64) -> Self {
        Self {
            time: Some(seconds),
            ..self
        }
    }

    /// Finds the moment in a file. If only one of animation and time is given, the other is animation 0 or time 0; `None` if
    /// neither is given. A time outside the keys of the animation is a warning (W10).
    ///
    /// # Errors
    /// If the file has no such animation, or its keys cannot be used.
    pub(super) fn in_file(&self, file: &File) -> Diagnosed<Warned<Option<ClipTime>>> {
        let mut warnings = Vec::new();
        if *self == Self::default() {
            return Ok(Warned {
                value: None,
                warnings,
            });
        }
        let animation = match &self.animation {
            Some(name) => find_animation(file, name),
            None => Some(0).filter(|_| !file.animations.is_empty()),
        };
        let error =
            || missing_animation(file, self.animation.as_deref()).into_diagnostic(&file.name);
        let animation = animation.ok_or_else(|| vec![error()])?;
        let time = self.time.unwrap_or(0.0);
        if self.time.is_some()
            && let Some(span) = file.span(animation)?
            && let Some(side) = Outside::of(time, span)
        {
            let subject = format!("{time} s is");
            warnings.push(outside_warning(file, animation, (side, span), &subject));
        }
        Ok(Warned {
            value: Some(ClipTime { animation, time }),
            warnings,
        })
    }
}

/// A moment of a certain file.
#[derive(Clone, Copy, Debug)]
pub struct ClipTime {
    /// Index of the animation.
    pub animation: usize,
    /// Time in seconds.
    pub time: f64,
}

/// The side on which a time is outside an animation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// Before its first key frame.
    Before,
    /// After its last key frame.
    After,
}

/// Returns the difference up to which a time is taken for that of a key, which the file has rounded to f32.
pub fn time_margin(key: f64) -> f64 {
    1e-6 * key.abs().max(1.0)
}

impl Outside {
    /// Returns the side on which `time` lies outside the times of the first and the last key; `None` if it lies inside.
    pub fn of(time: f64, [start, end]: [f64; 2]) -> Option<Self> {
        if time < start - time_margin(start) {
            Some(Self::Before)
        } else if time > end + time_margin(end) {
            Some(Self::After)
        } else {
            None
        }
    }
}

/// Returns the warning (W10) that times lie on a side outside an animation whose first and last key are at the times of `span`;
/// `subject` says which, such as "7 s is".
pub fn outside_warning(
    file: &File,
    animation: usize,
    (side, span): (Outside, [f64; 2]),
    subject: &str,
) -> Diagnostic {
    let (side, time, keys) = match side {
        Outside::Before => ("before the start", span[0], "first"),
        Outside::After => ("after the end", span[1], "last"),
    };
    // Six decimals show where the frames of a clip are; further ones are the rounding of f32.
    let time = (time * 1e6).round() / 1e6;
    let label = animation_label(file, animation);
    Problem::rule(
        &format!("animations[{animation}]"),
        format!("{subject} {side} of {label} at {time} s; the values of its {keys} keys are used"),
    )
    .code(Code::W10)
    .into_diagnostic(&file.name)
}

/// Returns the number of an animation, with its name if it has one.
pub fn animation_label(file: &File, index: usize) -> String {
    let found = file.animations.get(index);
    match found.and_then(|found| found.name.as_deref()) {
        Some(name) => format!("animation {index} (`{name}`)"),
        None => format!("animation {index}"),
    }
}

/// All nodes of a file at a moment.
pub struct Posed<'f> {
    /// The channels of the animation; none if the moment has no animation.
    pub channels: &'f [Channel],
    /// The nodes.
    pub pose: Pose,
    /// Their matrices.
    pub skeleton: Skeleton<'f>,
    /// Those about the keys of the animation, and one for each matrix that the animation replaces.
    pub warnings: Vec<Diagnostic>,
}

/// Poses all nodes of a file, as they are stored if `at` is `None`.
///
/// # Errors
/// If the keys of the animation cannot be used; every property of a node that is not finite.
pub fn posed<'f>(file: &'f File, at: Option<ClipTime>) -> Diagnosed<Posed<'f>> {
    let diagnostic = |problem: Problem| problem.into_diagnostic(&file.name);
    let mut channels = &[][..];
    let mut warnings = Vec::new();
    let mut time = 0.0;
    if let Some(at) = at {
        let decoded = file.channels(at.animation)?;
        (channels, warnings, time) = (decoded.value, decoded.warnings, at.time);
    }
    let pose = rigy_gltf::pose(&file.nodes, channels, time).map_err(|errors| {
        errors
            .into_iter()
            .map(|error| diagnostic(Problem::rule(&"nodes", error.to_string()).code(Code::V32)))
            .collect::<Vec<_>>()
    })?;
    warnings.extend(pose.replaced_matrices.iter().map(|node| {
        let problem = Problem::rule(
            &format!("nodes[{node}].matrix"),
            "the matrix gives way to an animation of the node",
        );
        diagnostic(problem.code(Code::W07))
    }));
    Ok(Posed {
        channels,
        skeleton: Skeleton::new(&file.nodes, &pose),
        pose,
        warnings,
    })
}
