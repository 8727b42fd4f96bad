//! The animation and the time at which a file is baked, and its nodes at that moment.

use crate::bake::gltf::{self, Animation, Channel, File, Pose, Problem};
use crate::base::diag::{Code, Diagnostic, nearest};

/// The animation and the time at which a file is baked. The default names neither: nodes keep the transforms and the
/// morph weights that are stored in them.
///
/// ```
/// use rigy_batch::bake::Moment;
///
/// let moment = Moment::default().animation("Run").time(0.25);
/// assert_eq!(moment.time, Some(0.25));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
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
        let animation = Some(name.into());
        Self { animation, ..self }
    }

    /// Sets the time in seconds.
    #[must_use]
    pub fn time(self, seconds: f64) -> Self {
        let time = Some(seconds);
        Self { time, ..self }
    }

    /// Returns the index of the animation in `file` and the time in seconds. If only one of the two is given, the other is animation
    /// 0 or time 0; `None` if neither is given. An animation of that name takes precedence over one of that number.
    ///
    /// # Errors
    /// If the file has no such animation.
    pub(super) fn in_file(&self, file: &File<'_>) -> Result<Option<(usize, f64)>, Problem> {
        if *self == Self::default() {
            return Ok(None);
        }
        let animations = &file.animations;
        let by_name = |name: &str| {
            let mut all = animations.iter();
            all.position(|animation| animation.name.as_deref() == Some(name))
        };
        let name = self.animation.as_deref();
        let found = match name {
            None => Some(0),
            Some(name) => by_name(name).or_else(|| name.parse().ok()),
        };
        match found.filter(|index| *index < animations.len()) {
            Some(animation) => Ok(Some((animation, self.time.unwrap_or(0.0)))),
            None => Err(missing(name, animations)),
        }
    }
}

/// Most animations that are listed in a message.
const MOST_LISTED: usize = 20;

/// Returns the problem that the file has no animation `name`, or none at all, with the animations that it has.
fn missing(name: Option<&str>, animations: &[Animation]) -> Problem {
    let message = match name {
        Some(name) => format!("there is no animation `{name}`"),
        None => "there is no animation".to_owned(),
    };
    let problem = Problem::rule(&"animations", message);
    let names: Vec<&str> = animations
        .iter()
        .filter_map(|animation| animation.name.as_deref())
        .collect();
    let near = name.and_then(|name| nearest(name, names.iter().copied()));
    let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
    match animations.len() {
        0 => problem.help("bake it without `--animation`, `--time` and `--frames`"),
        count => {
            let listed: Vec<String> = animations
                .iter()
                .take(MOST_LISTED)
                .enumerate()
                .map(|(index, animation)| match &animation.name {
                    Some(name) => format!("{index} (`{name}`)"),
                    None => format!("{index} (without a name)"),
                })
                .collect();
            let more = if count > MOST_LISTED { ", …" } else { "" };
            problem.help(format!("{near}this file has {}{more}", listed.join(", ")))
        }
    }
}

/// All nodes of a file at a moment.
pub(super) struct Posed<'f> {
    /// The channels of the animation; none if the moment has no animation.
    pub channels: &'f [Channel],
    /// The nodes.
    pub pose: Pose,
    /// Those about the keys of the animation, and one for each matrix that the animation replaces.
    pub warnings: Vec<Diagnostic>,
}

/// Poses all nodes of a file.
///
/// # Errors
/// If the file has no such animation, or its keys cannot be used; every property of a node that is not finite.
pub(super) fn posed<'f>(file: &'f File<'_>, moment: &Moment) -> Result<Posed<'f>, Vec<Diagnostic>> {
    let diagnostic = |problem: Problem| problem.into_diagnostic(&file.name);
    let (mut channels, mut warnings, mut time) = (&[][..], Vec::new(), 0.0);
    let found = moment.in_file(file);
    if let Some((animation, at)) = found.map_err(|problem| vec![diagnostic(problem)])? {
        let decoded = file.channels(animation)?;
        (channels, warnings, time) = (decoded.value, decoded.warnings, at);
    }
    let not_finite = |error: gltf::NotFinite| {
        let problem = Problem::rule(&"nodes", error.to_string()).code(Code::V32);
        diagnostic(problem)
    };
    let pose = gltf::pose(&file.nodes, channels, time)
        .map_err(|errors| errors.into_iter().map(not_finite).collect::<Vec<_>>())?;
    let replaced = |node: &usize| {
        let message = "the matrix gives way to an animation of the node";
        let problem = Problem::rule(&format!("nodes[{node}].matrix"), message);
        diagnostic(problem.code(Code::W07))
    };
    warnings.extend(pose.replaced_matrices.iter().map(replaced));
    Ok(Posed {
        channels,
        pose,
        warnings,
    })
}
