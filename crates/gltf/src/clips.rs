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
    let animations = &file.animations;
    let message = match name {
        Some("") => "the name of an animation is empty".to_owned(),
        Some(name) => format!("there is no animation `{name}`"),
        None => "there is no animation".to_owned(),
    };
    let problem = Problem::rule(&"animations", message).code(Code::U21);
    let names = animations
        .iter()
        .filter_map(|animation| animation.name.as_deref());
    // Blender writes the name of the armature and `|` before that of an action.
    let tails = names.clone().filter_map(|name| name.rsplit('|').next());
    let near = name.and_then(|name| nearest(name.rsplit('|').next()?, tails));
    let near = names.clone().find(|name| name.rsplit('|').next() == near);
    let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
    let place = match &file.motion {
        Some(motion) => format!("{}, which is played,", motion.file),
        None => "this file".to_owned(),
    };
    if animations.is_empty() {
        return problem.help(
            "bake it without `--animation`, `--time` and `--frames`, or name a file that has animations after `--motion`",
        );
    }
    let all = animations.iter().enumerate();
    let all = listed(all.map(|(index, animation)| match &animation.name {
        Some(name) => format!("{index} (`{name}`)"),
        None => format!("{index} (without a name)"),
    }));
    let way = match all.ends_with(" more") {
        true => "; `rigy-batch inspect` lists all",
        false => "",
    };
    problem.help(format!("{near}{place} has {all}{way}"))
}
