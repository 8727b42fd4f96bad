//! Animations by their names or numbers.

use super::file::File;
use super::problem::{Problem, listed};
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

/// Returns the problem (U21) that the file, or the motion that it plays, has no animation `name`, or none at all, with those that there are.
pub fn missing_animation(file: &File, name: Option<&str>) -> Problem {
    /// The name without what `|` ends, which Blender writes before those of armatures' actions.
    fn tail(name: &str) -> &str {
        name.rsplit('|').next().unwrap_or(name)
    }
    let animations = &file.animations;
    let motion = file.motion.as_ref().map(|motion| &*motion.file);
    let place = motion.map_or(String::new(), |name| format!(" in {name}, which is played"));
    let message = match name {
        Some("") => "the name of an animation is empty".to_owned(),
        Some(name) => format!("there is no animation `{name}`{place}"),
        None => "there is no animation".to_owned(),
    };
    let problem = Problem::rule(&"animations", message).code(Code::U21);
    let names = animations
        .iter()
        .filter_map(|animation| animation.name.as_deref());
    let near = name.and_then(|name| nearest(tail(name), names.clone().map(tail)));
    let near = names.clone().find(|name| Some(tail(name)) == near);
    let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
    match animations.len() {
        0 => problem.help("bake it without `--animation`, `--time` and `--frames`"),
        _ => {
            let all = animations.iter().enumerate();
            let all = listed(all.map(|(index, animation)| match &animation.name {
                Some(name) => format!("{index} (`{name}`)"),
                None => format!("{index} (without a name)"),
            }));
            let way = match all.ends_with(" more") {
                true => "; `rigy-batch inspect` lists all",
                false => "",
            };
            let file = motion.unwrap_or("this file");
            problem.help(format!("{near}{file} has {all}{way}"))
        }
    }
}
