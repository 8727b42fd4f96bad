//! One file: read, described, and written as text or JSON.

use serde::Serialize;

use super::text;
use crate::bake::gltf;
use crate::base::diag::{Diagnostic, Finding, Warned};
use crate::base::limits::Limits;
use crate::base::terminal;
use crate::cli::opened::Opened;
use crate::compile::{self, Compiled};
use crate::io::Found;
use crate::kernel::simd::Isa;
use crate::run::Parallel;
use crate::view::description::{
    DocumentDescription, DocumentOptions, GltfDescription, of_document, of_gltf,
};

/// The form of a description on standard output.
#[derive(Clone, Copy)]
pub enum Style {
    /// JSON, indented by two blanks, with the keys that the contract has.
    Indented,
    /// JSON on one line; that of documents has the keys `file` and `format`, too.
    Line,
    /// Tables, no wider than the terminal if there is one.
    Text { width: Option<usize> },
}

/// The description of a file, as it is printed.
pub struct Described {
    /// The text without the last line end.
    pub text: String,
    /// Warnings that are not in the text.
    pub warnings: Vec<Diagnostic>,
    /// The ids of a document's primitives, if some have been requested.
    pub primitives: Vec<String>,
    /// True if a check of a document fails.
    pub has_failed_check: bool,
}

/// The description of a document; `file` and `format` are for descriptions among those of other files.
#[derive(Serialize)]
struct DocumentObject<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
    #[serde(flatten)]
    description: &'a DocumentDescription,
    #[serde(skip_serializing_if = "Option::is_none")]
    expanded_yaml: Option<&'a str>,
}

/// The description of a glTF file.
#[derive(Serialize)]
struct GltfObject<'a> {
    file: &'a str,
    format: &'static str,
    #[serde(flatten)]
    description: &'a GltfDescription,
    warnings: Vec<Finding>,
}

/// Describes an input.
///
/// # Errors
/// Everything that is wrong with it.
pub fn describe(
    found: &Found,
    options: &DocumentOptions,
    with_expanded: bool,
    style: Style,
) -> Result<Described, Vec<Diagnostic>> {
    let opened = Opened::new(found).map_err(|error| vec![error.finding()])?;
    if opened.is_gltf {
        return gltf_file(&opened, style);
    }
    let files = opened.files();
    let checked = compile::check(opened.input()?, &files)?;
    let built = checked.value.build_by(Isa::best(), &Parallel)?;
    let warnings = [checked.warnings, built.warnings].concat();
    let expanded = match with_expanded {
        true => compile::expanded(opened.input()?, Limits::DEFAULT)?,
        false => None,
    };
    let expanded = expanded.as_deref();
    document(
        &built.value,
        warnings,
        &opened.name,
        options,
        expanded,
        style,
    )
}

fn document(
    compiled: &Compiled,
    warnings: Vec<Diagnostic>,
    name: &str,
    options: &DocumentOptions,
    expanded: Option<&str>,
    style: Style,
) -> Result<Described, Vec<Diagnostic>> {
    let description = of_document(compiled, options, name)?;
    let format = if compiled.is_scene() { "rigs" } else { "rigy" };
    let text = match style {
        Style::Indented | Style::Line => {
            let is_line = matches!(style, Style::Line);
            let object = DocumentObject {
                file: is_line.then_some(name),
                format: is_line.then_some(format),
                description: &description,
                expanded_yaml: expanded,
            };
            json(&object, style)
        }
        Style::Text { width } => {
            let text = text::of_document(name, compiled.is_scene(), &description, width);
            match expanded {
                Some(expanded) => format!("{text}\n\n---\n{}", expanded.trim_end_matches('\n')),
                None => text,
            }
        }
    };
    let checks = description.checks.iter().flatten();
    let has_failed_check = checks.into_iter().any(|check| check.pass == Some(false));
    let all = compiled.base().document.meshes.iter();
    let all = all.flat_map(|mesh| &mesh.primitives);
    let primitives = match options.primitives.is_empty() {
        true => Vec::new(),
        false => all.map(|primitive| primitive.id.value.clone()).collect(),
    };
    Ok(Described {
        text,
        warnings,
        primitives,
        has_failed_check,
    })
}

fn gltf_file(opened: &Opened, style: Style) -> Result<Described, Vec<Diagnostic>> {
    let Opened {
        bytes,
        location,
        name,
        loader,
        ..
    } = opened;
    let Warned { value, warnings } = gltf::read(bytes, location, loader)?;
    let described = of_gltf(&value, location, loader)?;
    let warnings = [warnings, described.warnings].concat();
    let format = match bytes.starts_with(b"glTF") {
        true => "glb",
        false => "gltf",
    };
    let description = &described.value;
    let (text, warnings) = match style {
        Style::Text { width } => (text::of_gltf(name, format, description, width), warnings),
        Style::Indented | Style::Line => {
            let object = GltfObject {
                file: name,
                format,
                description,
                warnings: warnings.iter().map(Finding::new).collect(),
            };
            (json(&object, style), Vec::new())
        }
    };
    Ok(Described {
        text,
        warnings,
        primitives: Vec::new(),
        has_failed_check: false,
    })
}

fn json(value: &impl Serialize, style: Style) -> String {
    match style {
        Style::Indented => terminal::json_indented(value),
        _ => terminal::json(value),
    }
}
