//! Definitions and references.

use super::names::touches;
use super::project::{NameId, Project, Resolved};
use super::question::{Files, Source, TextRange};

/// A place that names an element.
#[derive(Debug, PartialEq, Eq)]
pub struct Reference {
    /// The place.
    pub target: TextRange,
    /// True if it is where the element gets its name.
    pub is_definition: bool,
}

/// Returns the places that define what an offset names: one, or several if an id is given twice or a pose names a bone that
/// several armatures have. The definition of an import is the beginning of its file, if the file can be read.
pub fn definition(source: Source, offset: usize, files: &Files) -> Vec<TextRange> {
    let project = Project::of(source, files);
    if let Some(target) = linked_file(&project, offset) {
        return vec![target];
    }
    let mut found = Vec::new();
    for name in names_at(&project, offset) {
        for resolved in project.resolve(name) {
            let target = definition_target(&project, resolved.definition);
            if !found.contains(&target) {
                found.push(target);
            }
        }
    }
    found
}

/// Returns every place that names the element that an offset names, in the text, the files that it refers to, and the searched
/// files with those that they refer to. The places of the text come first.
pub fn references(source: Source, offset: usize, files: &Files) -> Vec<Reference> {
    let project = Project::with_importers(source, files);
    let definitions = definitions_at(&project, offset);
    let mut found: Vec<Reference> = Vec::new();
    for (name, _) in users_of(&project, &definitions) {
        let reference = Reference {
            target: target(&project, name),
            is_definition: project.name(name).is_definition,
        };
        if found.last() != Some(&reference) {
            found.push(reference);
        }
    }
    found
}

/// Returns the names at an offset of the first file.
pub fn names_at(project: &Project, offset: usize) -> Vec<NameId> {
    project
        .names(0)
        .at(offset)
        .into_iter()
        .map(|name| NameId { file: 0, name })
        .collect()
}

/// Returns the definitions of what an offset of the first file names, each once.
pub fn definitions_at(project: &Project, offset: usize) -> Vec<NameId> {
    let resolved = names_at(project, offset)
        .into_iter()
        .flat_map(|name| project.resolve(name));
    let mut definitions: Vec<NameId> = resolved.map(|resolved| resolved.definition).collect();
    definitions.sort_unstable();
    definitions.dedup();
    definitions
}

/// Returns the names of all files that refer to one of the definitions, and the definitions, with what they refer to.
pub fn users_of(project: &Project, definitions: &[NameId]) -> Vec<(NameId, Vec<Resolved>)> {
    let Some(kind) = definitions.first().map(|first| project.name(*first).kind) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for file in 0..project.files.len() {
        for (name, _) in project
            .names(file)
            .all
            .iter()
            .enumerate()
            .filter(|(_, name)| name.kind == kind)
        {
            let id = NameId { file, name };
            let resolved = project.resolve(id);
            if resolved
                .iter()
                .any(|resolved| definitions.contains(&resolved.definition))
            {
                found.push((id, resolved));
            }
        }
    }
    found
}

/// Returns the place of a name.
fn target(project: &Project, id: NameId) -> TextRange {
    TextRange {
        location: project.files[id.file].location.clone(),
        range: project.name(id).range.clone(),
    }
}

/// Returns the place to which one goes for a definition: the file of an import, else the name.
fn definition_target(project: &Project, id: NameId) -> TextRange {
    let name = project.name(id);
    let is_import = name.kind == super::NameKind::Import;
    let part = is_import
        .then(|| project.import(id.file, &name.text))
        .flatten();
    match part {
        Some(file) => beginning(project, file),
        None => target(project, id),
    }
}

fn beginning(project: &Project, file: usize) -> TextRange {
    TextRange {
        location: project.files[file].location.clone(),
        range: 0..0,
    }
}

/// Returns the file of the path at an offset of the first file.
fn linked_file(project: &Project, offset: usize) -> Option<TextRange> {
    let links = &project.names(0).links;
    let link = links.iter().find(|link| touches(&link.range, offset))?;
    let file = project.linked(0, &link.to);
    file.map(|file| beginning(project, file))
}
