//! The names of a file's animations.

use std::collections::{HashMap, HashSet};

use crate::bake::gltf::File;
use crate::run::batch::conflicts::paths::folded;
use crate::run::batch::work::naming::Naming;

/// The longest name of an animation in file names, in bytes: names of files may have 255 on most systems.
const MAX_LABEL: usize = 120;

/// The names of a file's animations, for reports and file names.
pub(super) struct Labels {
    /// For each animation, its name, or its number if it has none.
    names: Vec<String>,
    /// For each animation, its label in file names.
    labels: Vec<String>,
}

impl Labels {
    pub fn new(file: &File<'_>, naming: Naming) -> Self {
        let animations = file.animations.iter().enumerate();
        let names: Vec<String> = animations
            .map(|(index, animation)| match animation.name.as_deref() {
                None | Some("") => index.to_string(),
                Some(name) => name.to_owned(),
            })
            .collect();
        let labels = labels(&names, naming);
        Self { names, labels }
    }

    /// Returns the name of an animation for reports.
    pub fn name(&self, animation: usize) -> String {
        self.names[animation].clone()
    }

    /// Returns the label of an animation in file names: its name, as the options write names, with its number in it if another
    /// animation of the file would have the same name, case aside, or if the name is too long and is cut.
    pub fn label(&self, animation: usize) -> String {
        self.labels[animation].clone()
    }
}

/// Returns the labels of animations with these names. No two are alike, case aside.
fn labels(names: &[String], naming: Naming) -> Vec<String> {
    let whole = names
        .iter()
        .map(|name| folded(naming.part(name, usize::MAX).0.as_ref()));
    let whole: Vec<String> = whole.collect();
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for name in &whole {
        *uses.entry(name).or_insert(0) += 1;
    }
    let mut given = HashSet::new();
    let label = |(index, name): (usize, &String)| {
        let (mut label, is_cut) = naming.part(name, MAX_LABEL);
        if uses[&*whole[index]] > 1 || is_cut {
            label = naming.numbered(&label, index);
        }
        while !given.insert(folded(label.as_ref())) {
            label = naming.numbered(&label, index);
        }
        label
    };
    names.iter().enumerate().map(label).collect()
}
