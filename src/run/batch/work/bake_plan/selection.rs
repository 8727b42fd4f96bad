//! The animations of a file: those that a job names, those that the file lacks, and their labels in names of outputs.

use crate::bake::find_animation;
use crate::run::batch::conflicts::folded;
use crate::run::batch::work::bake_job::{ALL, Clips, MissingAnimation};
use crate::run::batch::work::names::encoded;
use rigy_base::diag::{Code, Diagnostic};
use rigy_base::maps::{HashMap, HashSet};
use rigy_gltf::{File, Problem};

/// The animations of a file that a job names.
pub struct Selection {
    /// Their indices, each once, in the order in which they are named.
    pub found: Vec<usize>,
    /// For each animation of the file, true if it is in `found`.
    is_found: Vec<bool>,
    /// The names that the file does not have; `None` if it has no animation at all.
    pub missing: Vec<Option<String>>,
}

impl Selection {
    pub fn new(clips: &Clips, file: &File) -> Self {
        let mut selection = Self {
            found: Vec::new(),
            is_found: vec![false; file.animations.len()],
            missing: Vec::new(),
        };
        let all = 0..file.animations.len();
        match clips {
            Clips::First => selection.add_all(all.take(1)),
            Clips::One(name) => selection.add(file, name),
            Clips::Named(names) => {
                for name in names {
                    if let Some(index) = find_animation(file, name) {
                        selection.add_all([index]);
                    } else if name == ALL {
                        selection.add_all(all.clone());
                    } else {
                        let names = name.split(',').map(str::trim);
                        names.for_each(|name| selection.add(file, name));
                    }
                }
            }
        }
        if selection.found.is_empty() && selection.missing.is_empty() {
            selection.missing.push(None);
        }
        selection
    }

    fn add(&mut self, file: &File, name: &str) {
        match find_animation(file, name) {
            Some(index) => self.add_all([index]),
            None => self.missing.push(Some(name.to_owned())),
        }
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
pub fn missing_warning(
    problem: Problem,
    has_others: bool,
    missing: MissingAnimation,
    file: &File,
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

/// The longest name of an animation in file names, in bytes: names of files may have 255 on most systems.
const MAX_LABEL: usize = 120;

/// The names of a file's animations, for reports and file names.
pub struct Labels {
    /// For each animation, its name, or its number if it has none.
    names: Vec<String>,
    /// For each animation, its label in file names.
    labels: Vec<String>,
}

impl Labels {
    pub fn new(file: &File) -> Self {
        let animations = file.animations.iter().enumerate();
        let names: Vec<String> = animations
            .map(|(index, animation)| match animation.name.as_deref() {
                None | Some("") => index.to_string(),
                Some(name) => name.to_owned(),
            })
            .collect();
        let labels = labels(&names);
        Self { names, labels }
    }

    /// Returns the name of an animation for reports.
    pub fn name(&self, animation: usize) -> String {
        self.names[animation].clone()
    }

    /// Returns the label of an animation in file names: its name, percent-encoded, with its number in it if another
    /// animation of the file would have the same name, case aside, or if the name is too long and is cut.
    pub fn label(&self, animation: usize) -> String {
        self.labels[animation].clone()
    }
}

/// Returns the labels of animations with these names. No two are alike, case aside.
fn labels(names: &[String]) -> Vec<String> {
    let whole: Vec<String> = names.iter().map(|name| encoded(name)).collect();
    let mut uses: HashMap<String, usize> = HashMap::default();
    for name in &whole {
        *uses.entry(folded(name.as_ref())).or_insert(0) += 1;
    }
    let mut given = HashSet::default();
    let label = |(index, name): (usize, &String)| {
        let mut len = 0;
        let mut label: String = names[index]
            .chars()
            .map(|c| encoded(c.encode_utf8(&mut [0; 4])))
            .take_while(|c| {
                len += c.len();
                len <= MAX_LABEL
            })
            .collect();
        let number = format!("~{index}"); // no encoded name contains this character
        if uses[&folded(name.as_ref())] > 1 || label.len() < name.len() {
            label += &number;
        }
        while !given.insert(folded(label.as_ref())) {
            label += &number;
        }
        label
    };
    whole.iter().enumerate().map(label).collect()
}
