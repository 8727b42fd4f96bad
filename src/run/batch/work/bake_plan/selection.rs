//! The animations of a file that a job names, and those that the file lacks.

use crate::bake::find_animation;
use crate::bake::gltf::{File, Problem};
use crate::base::diag::{Code, Diagnostic};
use crate::run::batch::work::bake_job::{ALL, Clips, MissingAnimation};

/// The animations of a file that a job names.
pub(super) struct Selection {
    /// Their indices, each once, in the order in which they are named.
    pub found: Vec<usize>,
    /// For each animation of the file, true if it is in `found`.
    is_found: Vec<bool>,
    /// The names that the file does not have; `None` if it has no animation at all.
    pub missing: Vec<Option<String>>,
}

impl Selection {
    pub fn new(clips: &Clips, file: &File<'_>) -> Self {
        let mut selection = Self {
            found: Vec::new(),
            is_found: vec![false; file.animations.len()],
            missing: Vec::new(),
        };
        let all = 0..file.animations.len();
        match clips {
            Clips::First => selection.add_all(all.take(1)),
            Clips::Named(names) => {
                for name in names {
                    if let Some(index) = find_animation(file, name) {
                        selection.add_all([index]);
                    } else if name == ALL {
                        selection.add_all(all.clone());
                    } else {
                        for name in name.split(',') {
                            match find_animation(file, name.trim()) {
                                Some(index) => selection.add_all([index]),
                                None => selection.missing.push(Some(name.trim().to_owned())),
                            }
                        }
                    }
                }
            }
        }
        if selection.found.is_empty() && selection.missing.is_empty() {
            selection.missing.push(None);
        }
        selection
    }

    fn add_all(&mut self, indices: impl IntoIterator<Item = usize>) {
        for index in indices {
            if !std::mem::replace(&mut self.is_found[index], true) {
                self.found.push(index);
            }
        }
    }
}

/// Returns the warning that the file lacks an animation.
pub(super) fn missing_warning(
    problem: Problem,
    has_others: bool,
    missing: MissingAnimation,
    file: &File<'_>,
) -> Diagnostic {
    let consequence = match (has_others, missing) {
        (true, _) => "the others are baked",
        (false, MissingAnimation::Rest) => "the file is baked with its nodes as they are stored",
        (false, _) => "the file is left out",
    };
    let mut warning = problem.code(Code::W13).into_diagnostic(&file.name);
    warning.message = format!("{}; {consequence}", warning.message);
    warning
}
