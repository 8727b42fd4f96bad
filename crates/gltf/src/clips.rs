//! Animations by their names or numbers.

use super::file::File;
use super::problem::Problem;
use rigy_base::diag::{Code, nearest};

/// Returns the index of an animation in `file`, given its name or its number. An animation of that name takes precedence over
/// one of that number; of several with one name, the first is meant.
pub fn find_animation(file: &File, name: &str) -> Option<usize> {
    let animations = &file.animations;
    animations
        .iter()
        .position(|animation| animation.name.as_deref() == Some(name))
        .or_else(|| name.parse().ok().filter(|index| *index < animations.len()))
}

/// Most animations that are listed in a message.
const MOST_LISTED: usize = 20;

/// Returns the problem (U21) that the file has no animation `name`, or none at all, with the animations that it has.
pub fn missing_animation(file: &File, name: Option<&str>) -> Problem {
    let animations = &file.animations;
    let message = match name {
        Some(name) => format!("there is no animation `{name}`"),
        None => "there is no animation".to_owned(),
    };
    let problem = Problem::rule(&"animations", message).code(Code::U21);
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
            let more = if count > MOST_LISTED {
                format!(", …; `rigy-batch inspect` lists all {count}")
            } else {
                String::new()
            };
            problem.help(format!("{near}this file has {}{more}", listed.join(", ")))
        }
    }
}
