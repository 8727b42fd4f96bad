//! The expanded document: a document after preprocessing, as text (`extensions.md` §2.12).
//!
//! In: the text of one document. Out: a text without repeats, params, expressions, macros, aliases and merge keys, with
//! rotations as they are authored. In the place of its source it compiles to the same bytes.

mod scalar;
mod writer;

use super::Input;
use super::quick_look::Role;
use super::scenes;
use super::unit::File;
use rigy_language::base::diag::Diagnostic;
use rigy_language::base::limits::Limits;
use rigy_language::parse;
use rigy_language::preprocess::{Preprocessed, Rotations, preprocess};
use rigy_language::version::{Feature, Version};
use rigy_language::yaml::{Origins, Tree};
use writer::{Provenance, write};

/// The first line of every expanded document, without its line break.
pub const EXPANDED_BY: &str =
    "# Expanded by rigy-batch: repeats, params, expressions and macros are written out.";

/// Returns the expanded document; `None` for a scene, which has nothing to expand. Its first line is [`EXPANDED_BY`].
/// Comments say which repeat or macro made a block, by its line in `input`; other comments are lost.
///
/// A document that declares a version below 0.6 is written as it is read, with aliases and merge keys written out. A
/// document that is expanded already is returned as it is.
///
/// # Errors
/// The ParseErrors and ValidationErrors of YAML, of the version and of preprocessing, with their places; U10 for nesting
/// beyond 1,024 levels. Later stages do not run, so a document with later errors is expanded.
pub fn expanded(input: Input<'_>, limits: Limits) -> Result<Option<String>, Vec<Diagnostic>> {
    if scenes::is_scene(&input.location) {
        return Ok(None);
    }
    // The limits on joints and vertices belong to later stages.
    let role = Role::Imported;
    let file = File::new(
        input.name.to_owned(),
        input.location,
        input.text,
        limits,
        role,
    )?;
    let source = file.compose()?;
    if source.cut().is_some() {
        let errors = parse::parse(&source).document.err();
        return Err(file.locate_in(&source, errors.unwrap_or_default()));
    }
    let version = Version::read(&source).map_err(|error| file.locate_in(&source, vec![error]))?;
    if !version.has(Feature::Materials) {
        return text(&file, &source, &Origins::default()).map(Some);
    }
    let Preprocessed { tree, origins } = preprocess(&source, version, Rotations::Authored);
    match tree {
        Ok(tree) => text(&file, &tree, &origins).map(Some),
        Err(errors) => {
            file.set_origins(origins);
            Err(file.locate_in(&source, errors))
        }
    }
}

/// Returns the text of a tree that was made of a file.
fn text(file: &File, tree: &Tree<'_>, origins: &Origins) -> Result<String, Vec<Diagnostic>> {
    let located = |error| file.locate_in(tree, vec![error]);
    if file.text().starts_with(EXPANDED_BY) {
        let bare = write(tree, file.text(), None).map_err(located)?;
        if without_comments(file.text()) == bare {
            return Ok(file.text().to_owned());
        }
    }
    let provenance = Provenance::new(origins, file.lines());
    let body = write(tree, file.text(), Some(provenance)).map_err(located)?;
    Ok(format!("{EXPANDED_BY}\n{body}"))
}

/// Returns a text without the lines that are comments.
fn without_comments(text: &str) -> String {
    let lines = text.split_inclusive('\n');
    let kept = lines.filter(|line| !line.trim_start_matches(' ').starts_with('#'));
    kept.collect()
}
