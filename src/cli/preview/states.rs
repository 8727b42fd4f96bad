//! The states in which a file is shown, and their labels.

use std::path::Path;

use super::pictures::Options;
use crate::bake::Moment;
use crate::mesh::State;
use crate::run::batch::{PoseFilter, document_stem, gltf_stem};

/// Returns the states in which a file is shown; `poses` are the ids of all its poses; `None` for a glTF file.
pub fn states(options: &Options, poses: Option<&[String]>) -> Vec<State> {
    let Options {
        animation, times, ..
    } = options;
    match poses {
        Some(poses) => {
            let wanted = poses.iter().filter(|id| options.poses.includes(id));
            let wanted = wanted.cloned().map(State::Pose);
            match &options.poses {
                PoseFilter::Ids(_) => wanted.collect(),
                _ => std::iter::once(State::Stored).chain(wanted).collect(),
            }
        }
        None if times.is_empty() && animation.is_none() => vec![State::Stored],
        None => {
            let times = if times.is_empty() { &[0.0][..] } else { times };
            let at = |time: &f64| {
                let moment = Moment::default().time(*time);
                State::Moment(match animation {
                    Some(name) => moment.animation(name.clone()),
                    None => moment,
                })
            };
            times.iter().map(at).collect()
        }
    }
}

/// Returns the label of a picture: the stem of the file, and the state in words. `count` is the number of the file's states;
/// with several, the stem is left out if the file is alone on its sheet.
pub fn label(path: &Path, state: &State, count: usize, is_alone: bool) -> String {
    let name = path.file_name().unwrap_or_default();
    let stem = match gltf_stem(name) {
        stem if stem != name => stem,
        _ => document_stem(name),
    };
    let stem = stem.to_string_lossy();
    let state = match state {
        State::Stored if count > 1 => "rest".to_owned(),
        State::Stored => return stem.into_owned(),
        State::Pose(id) => id.clone(),
        State::Moment(moment) => format!("{} s", moment.time.unwrap_or(0.0)),
    };
    match is_alone {
        true => state,
        false => format!("{stem} {state}"),
    }
}
