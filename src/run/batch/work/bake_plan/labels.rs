//! The names of a file's animations.

use std::collections::HashMap;

use crate::bake::gltf::File;
use crate::run::batch::conflicts::clash::folded;
use crate::run::batch::work::names::encoded;

/// The longest name of an animation in file names, in bytes: names of files may have 255 on most systems.
const MAX_LABEL: usize = 120;

/// The names of a file's animations, for reports and file names.
pub(super) struct Labels {
    /// For each animation, its name, or its number if it has none.
    names: Vec<String>,
    /// For each animation, its label in the form in which file names are compared.
    folded: Vec<String>,
    /// How many animations have a label that is compared as this one.
    uses: HashMap<String, usize>,
}

impl Labels {
    pub fn new(file: &File<'_>) -> Self {
        let animations = file.animations.iter().enumerate();
        let names: Vec<String> = animations
            .map(|(index, animation)| match animation.name.as_deref() {
                None | Some("") => index.to_string(),
                Some(name) => name.to_owned(),
            })
            .collect();
        let folded: Vec<String> = names
            .iter()
            .map(|name| folded(encoded(name).as_ref()))
            .collect();
        let mut uses = HashMap::new();
        for name in &folded {
            *uses.entry(name.clone()).or_insert(0) += 1;
        }
        Self {
            names,
            folded,
            uses,
        }
    }

    /// Returns the name of an animation for reports.
    pub fn name(&self, animation: usize) -> String {
        self.names[animation].clone()
    }

    /// Returns the label of an animation in file names: its name, percent-encoded, followed by its number if another animation of the
    /// file would have the same name, case aside, or if the name is too long and is cut.
    pub fn label(&self, animation: usize) -> String {
        let name = encoded(&self.names[animation]);
        let short = name.get(..MAX_LABEL).unwrap_or(&name);
        match self.uses[&self.folded[animation]] {
            1 if short.len() == name.len() => name,
            _ => format!("{short}~{animation}"), // no encoded name contains this character
        }
    }
}
