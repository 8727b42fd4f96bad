//! The states in which files are shown, and files spread over threads within a limit on memory.

use std::path::Path;

use rayon::prelude::*;

use super::pictures::Options;
use crate::bake::{Moment, find_animation};
use crate::io::Found;
use crate::mesh::{State, Subject};
use crate::run::batch::{
    Budget, Grant, PoseFilter, Postponed, Unfinished, document_stem, gltf_stem,
};
use rigy_base::diag::{Category, Diagnosed, Diagnostic};
use rigy_base::paths::Slashed;
use rigy_view::picture::check_sheet;

/// Returns the error of a file whose pictures cannot be drawn or written.
pub fn cannot(found: &Found, error: &dyn std::fmt::Display) -> Vec<Diagnostic> {
    let error = Diagnostic::without_code(Category::ExportError, error.to_string());
    vec![error.about_file(&found.path.shown())]
}

/// Does a task for each item on the threads of the present pool, and returns the results in the order of the items. A task
/// raises its grant before it takes memory; those that are postponed by it are done one after the other in the end.
///
/// No task waits for memory, because its thread may have begun another task that holds it.
pub fn each<I: Sync, T: Send>(
    items: &[I],
    budget: &Budget,
    task: impl Fn(&I, &Grant) -> Result<T, Unfinished> + Sync,
) -> Vec<Diagnosed<T>> {
    let once = |item: &I| {
        let grant = budget.admit(0).ok_or(Postponed::STOPPED)?;
        task(item, &grant)
    };
    let results: Vec<Result<T, Unfinished>> = items.par_iter().map(once).collect();
    results
        .into_iter()
        .zip(items)
        .map(|(result, item)| {
            let result = match result {
                Err(Unfinished::Postponed(_)) => once(item),
                result => result,
            };
            result.map_err(|unfinished| match unfinished {
                Unfinished::Failed(errors) => errors,
                Unfinished::Postponed(_) => unreachable!("a task that is alone gets its memory"),
            })
        })
        .collect()
}

/// Returns the states in which a file is shown; `poses` are the ids of all its poses; `None` for a glTF file.
pub fn states(options: &Options, poses: Option<&[String]>) -> Vec<State> {
    let Options {
        animation, times, ..
    } = options;
    match poses {
        Some(poses) => {
            let wanted = poses
                .iter()
                .filter(|id| options.poses.includes(id))
                .cloned()
                .map(State::Pose);
            match &options.poses {
                PoseFilter::Ids(_) => wanted.collect(),
                _ => std::iter::once(State::Stored).chain(wanted).collect(),
            }
        }
        None if times.is_empty() && animation.is_none() && options.frames.is_none() => {
            vec![State::Stored]
        }
        None => {
            let times = if times.is_empty() { &[0.0][..] } else { times };
            times
                .iter()
                .map(|time| {
                    let moment = Moment::default().time(*time);
                    State::Moment(match animation {
                        Some(name) => moment.animation(name.clone()),
                        None => moment,
                    })
                })
                .collect()
        }
    }
}

/// Returns the states in which a file that has been read is shown, with all frames of its animation if they are asked for.
///
/// # Errors
/// If there are too many pictures.
pub fn states_of(found: &Found, options: &Options, subject: &Subject) -> Diagnosed<Vec<State>> {
    let cannot = |error: &dyn std::fmt::Display| cannot(found, error);
    let mut states = states(options, subject.pose_ids().as_deref());
    if let (Some(frames), [State::Moment(moment)]) = (&options.frames, &states[..])
        && let Some(span) = subject.span_of(moment)
    {
        let numbers = frames.numbers(span).map_err(|error| cannot(&error))?;
        let at = |number| State::Moment(moment.clone().time(frames.time(number)));
        states = numbers.map(at).collect();
    }
    let count = states.len().saturating_mul(options.turns.into());
    check_sheet(count, options.size).map_err(|error| cannot(&error))?;
    Ok(states)
}

/// Returns a state with the name of its animation, if that has one, in the place of its number; else with the number in words.
pub fn named(subject: &Subject, state: &State) -> State {
    let (Subject::Gltf(source, _), State::Moment(moment)) = (subject, state) else {
        return state.clone();
    };
    let asked = moment.animation.as_deref();
    let index = asked.map_or(Some(0), |asked| find_animation(&source.file, asked));
    let animation = index
        .and_then(|index| source.file.animations.get(index)?.name.clone())
        .or_else(|| asked.map(|number| format!("animation {number},")));
    State::Moment(Moment {
        animation,
        ..moment.clone()
    })
}

/// Returns the label of a picture: the stem of the file, and the state in words, with the animation if it is named. `count` is the number of the file's states;
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
        State::Moment(Moment { animation, time }) => {
            let clip = animation
                .as_ref()
                .map_or_else(String::new, |name| format!("{name} "));
            let time = (time.unwrap_or(0.0) * 1e4).round() / 1e4;
            format!("{clip}{time} s")
        }
    };
    if is_alone {
        state
    } else {
        format!("{stem} {state}")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn what_does_not_fit_beside_others_is_done_alone_and_keeps_its_place() {
        let budget = Budget::new(100);
        let (inside, most) = (AtomicU64::new(0), AtomicU64::new(0));
        let sizes: Vec<u64> = (0..64)
            .map(|number| if number % 7 == 3 { 500 } else { number })
            .collect();
        let task = |size: &u64, grant: &Grant| {
            grant.grow_to(*size)?;
            let now = inside.fetch_add(*size, Ordering::SeqCst) + size;
            if now > 500 || (now > 100 && now != 500) {
                most.fetch_max(now, Ordering::SeqCst);
            }
            // Nested work lets threads begin other tasks inside of this one.
            (0..8)
                .into_par_iter()
                .for_each(|_| std::thread::yield_now());
            inside.fetch_sub(*size, Ordering::SeqCst);
            match size {
                13 => Err(Unfinished::Failed(Vec::new())),
                size => Ok(*size),
            }
        };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(4)
            .build()
            .unwrap();
        let results = pool.install(|| each(&sizes, &budget, task));
        let expected: Vec<Option<u64>> = sizes
            .iter()
            .map(|size| (*size != 13).then_some(*size))
            .collect();
        assert_eq!(
            results.into_iter().map(Result::ok).collect::<Vec<_>>(),
            expected
        );
        assert_eq!(most.into_inner(), 0, "more than the budget was in use");
    }
}
