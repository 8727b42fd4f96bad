//! The animation and the time at which a file is baked.

use crate::bake::gltf::{Animation, File, Problem};
use crate::base::diag::nearest;

/// The animation and the time at which a file is baked. The default is neither: nodes stand as they are stored.
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

    /// The animation of a file and the time in seconds: animation 0, or time 0, where only the other is asked for;
    /// `None` without either, when nodes are as they are stored. A name goes before a number.
    ///
    /// # Errors
    /// If the file has no such animation.
    pub(super) fn in_file<'f>(
        &self,
        file: &'f File<'_>,
    ) -> Result<Option<(&'f Animation, f64)>, Problem> {
        if *self == Self::default() {
            return Ok(None);
        }
        let animations = &file.animations;
        let wanted = self.animation.as_deref();
        let named = |name: &str| {
            let mut all = animations.iter();
            all.find(|animation| animation.name.as_deref() == Some(name))
        };
        let found = match wanted {
            None => animations.first(),
            Some(wanted) => named(wanted).or_else(|| animations.get(wanted.parse::<usize>().ok()?)),
        };
        match found {
            Some(animation) => Ok(Some((animation, self.time.unwrap_or(0.0)))),
            None => Err(missing(wanted, animations)),
        }
    }
}

/// Most animations that are named in a message.
const MOST_NAMED: usize = 20;

fn missing(wanted: Option<&str>, animations: &[Animation]) -> Problem {
    let message = match wanted {
        Some(wanted) => format!("there is no animation `{wanted}`"),
        None => "there is no animation".to_owned(),
    };
    let problem = Problem::rule(&"animations", message);
    let names: Vec<&str> = animations
        .iter()
        .filter_map(|animation| animation.name.as_deref())
        .collect();
    let near = wanted.and_then(|wanted| nearest(wanted, names.iter().copied()));
    let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
    match animations.len() {
        0 => problem.help("bake it without `--animation`, `--time` and `--frames`"),
        count => {
            let listed: Vec<String> = animations
                .iter()
                .take(MOST_NAMED)
                .enumerate()
                .map(|(index, animation)| match &animation.name {
                    Some(name) => format!("{index} (`{name}`)"),
                    None => format!("{index} (without a name)"),
                })
                .collect();
            let more = if count > MOST_NAMED { ", …" } else { "" };
            problem.help(format!("{near}this file has {}{more}", listed.join(", ")))
        }
    }
}
