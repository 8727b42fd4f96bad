//! New names for elements: edits of all places that name one.

mod rules;

use std::collections::BTreeMap;
use std::ops::Range;

use super::links::{definitions_at, names_at, users_of};
use super::project::{Derivation, NameId, Project, Resolved};
use super::question::{Files, Source, TextRange};
use super::quote;
use super::sketch::Style;

/// A name that can be renamed.
#[derive(Debug)]
pub struct Nameable {
    /// Its bytes in the text that was asked about.
    pub range: Range<usize>,
    /// The name.
    pub name: String,
}

/// A text that takes the place of some bytes.
#[derive(Debug)]
pub struct Edit {
    /// The bytes.
    pub target: TextRange,
    /// The text.
    pub text: String,
}

/// Returns the name at an offset, if it can be renamed.
///
/// # Errors
/// The reason why not, for people.
pub fn nameable(source: Source, offset: usize, files: &Files) -> Result<Nameable, String> {
    let project = Project::of(source, files);
    let (_, reference) = chosen(&project, offset)?;
    let name = project.name(reference);
    Ok(Nameable {
        range: name.range.clone(),
        name: name.text.clone(),
    })
}

/// Returns the edits that give the element at an offset another name: of the text, the files that it refers to, and the searched
/// files with those that they refer to. No two edits overlap. References stay references to the same element.
///
/// # Errors
/// The reason why the element cannot have the name, for people.
pub fn rename(
    source: Source,
    offset: usize,
    new_name: &str,
    files: &Files,
) -> Result<Vec<Edit>, String> {
    let project = Project::with_importers(source, files);
    if !project.is_complete {
        return Err("too many files may name this; open a smaller folder".into());
    }
    let (definition, _) = chosen(&project, offset)?;
    rules::check_name(&project, definition, new_name)?;
    let users = users_of(&project, &[definition]);
    rules::check_users(&project, definition, &users)?;
    let edits = edits(&project, definition, &users, new_name)?;
    rules::check_findings(&project, &edits, new_name)?;
    Ok(edits)
}

/// The parts of a scalar's value that change, and their new texts.
type Changes = Vec<(Range<usize>, String)>;

/// Returns the definition of the element at an offset, and the name there.
fn chosen(project: &Project, offset: usize) -> Result<(NameId, NameId), String> {
    let definitions = definitions_at(project, offset);
    let names = names_at(project, offset);
    let (Some(first), Some(name)) = (definitions.first(), names.first()) else {
        return Err("nothing here can be renamed; choose an id, or a reference to one".into());
    };
    let text = &project.name(*name).text;
    if definitions.len() > 1 {
        let count = definitions.len();
        return Err(format!(
            "`{text}` names {count} elements here; give each a name of its own first"
        ));
    }
    let original = &project.name(*first).text;
    let is_derived = project.resolve(*name).iter().any(|by| !by.by.is_empty());
    if is_derived {
        return Err(format!("`{text}` is made from `{original}`; rename that"));
    }
    Ok((*first, *name))
}

/// Returns one edit for each scalar that contains the name.
fn edits(
    project: &Project,
    definition: NameId,
    users: &[(NameId, Vec<Resolved>)],
    new_name: &str,
) -> Result<Vec<Edit>, String> {
    // For each scalar, by file and first byte, its number and the parts of its value that change. Aliases can reach one
    // scalar several times.
    let mut parts: BTreeMap<(usize, usize), (usize, Changes)> = BTreeMap::new();
    for (user, resolved) in users {
        let name = project.name(*user);
        let by = resolved.iter().find(|by| by.definition == definition);
        let text = derived(project, definition, by.map_or(&[], |by| &by.by), new_name);
        let scalars = &project.names(user.file).scalars;
        let start = scalars[name.scalar].scalar.range.start;
        let (_, changes) = parts
            .entry((user.file, start))
            .or_insert_with(|| (name.scalar, Vec::new()));
        if !changes.iter().any(|(at, _)| *at == name.at) {
            changes.push((name.at.clone(), text));
        }
    }
    parts
        .into_iter()
        .map(|((file, _), (scalar, changes))| edit(project, file, scalar, changes))
        .collect()
}

/// Returns the edit of a scalar.
fn edit(
    project: &Project,
    file: usize,
    scalar: usize,
    mut changes: Changes,
) -> Result<Edit, String> {
    let file = &project.files[file];
    let named = &file.read.names().scalars[scalar];
    if named.scalar.style == Style::Block {
        let message = "the name stands in a block after `|` or `>`; write it in one line first";
        return Err(message.into());
    }
    let mut value = named.scalar.value(&file.read.text).to_owned();
    changes.sort_by_key(|(at, _)| at.start);
    for (at, text) in changes.into_iter().rev() {
        value.replace_range(at, &text);
    }
    Ok(Edit {
        target: TextRange {
            location: file.location.clone(),
            range: named.scalar.range.clone(),
        },
        text: quote::spelled(&value, named.scalar.style, named.is_key),
    })
}

/// Returns the text of a reference to an element with a new name.
fn derived(project: &Project, definition: NameId, by: &[Derivation], new_name: &str) -> String {
    let mut text = new_name.to_owned();
    // A mirrored copy is made of what a macro makes.
    for step in by.iter().rev() {
        text = match step {
            Derivation::Made(end) => format!("{text}{end}"),
            Derivation::Without(prefix) => {
                text.strip_prefix(prefix).map(str::to_owned).unwrap_or(text)
            }
            Derivation::Mirrored => {
                let kind = project.name(definition).kind;
                let mirrored = project.names(definition.file).mirrored(kind, &text);
                mirrored.unwrap_or(text)
            }
        };
    }
    text
}
