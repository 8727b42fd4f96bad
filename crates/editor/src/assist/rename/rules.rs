//! The rules for a new name: it is one that the language permits, and it is not taken.

use super::Edit;
use crate::assist::names::Scope;
use crate::assist::project::{NameId, Project, Resolved};
use crate::assist::walk::{TextKind, version_of};
use rigy_base::diag::Code;
use rigy_base::maps::HashMap;
use rigy_base::paths::Slashed;
use rigy_language::expand::expand;
use rigy_language::parse::parse;
use rigy_language::schema::names::NameKind;
use rigy_language::validate::validate;
use rigy_language::version::Feature;
use rigy_language::yaml::{Options, body, compose, is_identifier};

/// Refuses names that the language does not permit, and names that exist.
pub fn check_name(project: &Project, definition: NameId, new_name: &str) -> Result<(), String> {
    let name = project.name(definition);
    let file = &project.files[definition.file];
    let word = name.kind.name();
    if new_name.is_empty() || new_name.chars().any(char::is_control) {
        return Err(format!(
            "a {word} cannot be called {new_name:?}; use at least one character, and no control characters"
        ));
    }
    let needs_identifier = name.kind == NameKind::Param || name.is_macro;
    if needs_identifier && !is_identifier(new_name) {
        return Err(format!(
            "`{new_name}` is no identifier; use letters of ASCII, digits and `_`, no digit first"
        ));
    }
    if name.kind == NameKind::Bone && new_name == "none" {
        return Err("`none` is the parent of root bones; choose another name".into());
    }
    if name.kind == NameKind::Import && new_name.contains('.') {
        return Err(format!(
            "`{new_name}` contains a dot, which ends the name of an import in references; leave it out"
        ));
    }
    let has_params = file.read.kind == TextKind::Document
        && version_of(&file.read.sketch, &file.read.text).has(Feature::Params);
    if has_params
        && (name.text.contains('$') || new_name.contains('$') || new_name.starts_with('='))
    {
        return Err(format!(
            "`{}` cannot become `{new_name}`: `$` and `=` stand for values, so edit such names by hand",
            name.text
        ));
    }
    check_prefix(project, definition, new_name)?;
    check_absence(project, definition, new_name)
}

/// Refuses a name that would begin or end the mirroring of the element.
fn check_prefix(project: &Project, definition: NameId, new_name: &str) -> Result<(), String> {
    let name = project.name(definition);
    let Some((from, _)) = project.names(definition.file).mirror_of(name.kind) else {
        return Ok(());
    };
    match (name.text.starts_with(from), new_name.starts_with(from)) {
        (true, false) => Err(format!(
            "`{}` is mirrored because it begins with `{from}`; let `{new_name}` begin so, too",
            name.text
        )),
        (false, true) => Err(format!(
            "`{new_name}` would be mirrored because it begins with `{from}`; choose another beginning"
        )),
        _ => Ok(()),
    }
}

/// Refuses a name that another element has.
fn check_absence(project: &Project, definition: NameId, new_name: &str) -> Result<(), String> {
    let name = project.name(definition);
    let found = project.lookup(definition.file, name.kind, &name.scope, new_name);
    match found.first() {
        None => Ok(()),
        Some(_) => Err(format!(
            "there is already a {} `{new_name}`; choose another name",
            name.kind.name()
        )),
    }
}

/// Refuses to rename where a place would have to name two elements, or where a text has faults that may hide a place.
pub fn check_users(
    project: &Project,
    definition: NameId,
    users: &[(NameId, Vec<Resolved>)],
) -> Result<(), String> {
    let name = project.name(definition);
    check_materials(project, definition)?;
    for (user, resolved) in users {
        let file = &project.files[user.file];
        if !file.read.is_sound() {
            let path = file.location.0.slashed().to_string();
            return Err(format!(
                "{path:?} has a fault of YAML; correct it first, so that every reference is found"
            ));
        }
        if let Some(other) = resolved.iter().find(|by| by.definition != definition) {
            let other = project.name(other.definition);
            let of = match &other.scope {
                Scope::In(id) => format!(" of `{id}`"),
                _ => String::new(),
            };
            return Err(format!(
                "a reference to `{}` also names the {} `{}`{of}; give it a name of its own first",
                name.text,
                other.kind.name(),
                other.text
            ));
        }
    }
    Ok(())
}

/// Refuses to rename a material that another file of the project has under the same id, because a document and its parts share
/// materials by id.
fn check_materials(project: &Project, definition: NameId) -> Result<(), String> {
    let name = project.name(definition);
    if name.kind != NameKind::Material {
        return Ok(());
    }
    let others = (0..project.files.len()).filter(|file| *file != definition.file);
    for file in others {
        let found = project
            .names(file)
            .defined(name.kind, &Scope::File, &name.text);
        if !found.is_empty() {
            let path = project.files[file].location.0.slashed().to_string();
            return Err(format!(
                "{path:?} has a material `{}`, too, and the two are shared by id; edit both by hand",
                name.text
            ));
        }
    }
    Ok(())
}

/// Refuses edits after which a document has a finding that it does not have now.
pub fn check_findings(project: &Project, edits: &[Edit], new_name: &str) -> Result<(), String> {
    for file in &project.files {
        let mut own: Vec<&Edit> = edits
            .iter()
            .filter(|e| e.target.location == file.location)
            .collect();
        if own.is_empty() || file.read.kind != TextKind::Document {
            continue;
        }
        own.sort_by_key(|edit| edit.target.range.start);
        let mut text = String::with_capacity(file.read.text.len());
        let mut at = 0;
        for edit in own {
            text += file
                .read
                .text
                .get(at..edit.target.range.start)
                .unwrap_or_default();
            text += &edit.text;
            at = edit.target.range.end;
        }
        text += &file.read.text[at..];
        let before = findings(&file.read.text);
        for (code, (count, message)) in findings(&text) {
            if before.get(&code).is_none_or(|(known, _)| *known < count) {
                let code = code.map_or("an error", Code::name);
                return Err(format!(
                    "with the name `{new_name}` the document would have {code}: {message}"
                ));
            }
        }
    }
    Ok(())
}

/// Returns the errors of a document by itself: how many there are of each code, and the first message.
fn findings(text: &str) -> HashMap<Option<Code>, (usize, String)> {
    let errors = match compose(body(text), &Options::default()) {
        Err(malformed) => malformed.errors,
        Ok(tree) => match parse(&tree).document {
            Err(errors) => errors,
            Ok(document) => validate(expand(document)).err().unwrap_or_default(),
        },
    };
    let mut found: HashMap<Option<Code>, (usize, String)> = HashMap::default();
    for error in errors {
        found.entry(error.code).or_insert((0, error.message)).0 += 1;
    }
    found
}
