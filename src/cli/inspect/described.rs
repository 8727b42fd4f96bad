//! One file: read, described, and written as text or JSON.

use serde::Serialize;

use super::text;
use crate::bake::gltf::{self, MAX_RESOURCE_LEN};
use crate::base::diag::{Category, Diagnostic, Warned};
use crate::base::limits::Limits;
use crate::base::loader::Location;
use crate::compile::{self, Compiled, Files, Input};
use crate::inspect::MAX_POSED;
use crate::inspect::description::{
    DocumentDescription, DocumentOptions, GltfDescription, of_document, of_gltf,
};
use crate::io::{DirectoryLoader, Found, IoError, read_file};
use crate::kernel::simd::Isa;
use crate::run::Parallel;
use crate::run::batch::{Finding, gltf_stem};

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

/// The description of a document among those of other files.
#[derive(Serialize)]
struct DocumentLine<'a> {
    file: &'a str,
    format: &'static str,
    #[serde(flatten)]
    description: &'a DocumentDescription,
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
    style: Style,
) -> Result<Described, Vec<Diagnostic>> {
    let path = &found.path;
    let name = path.display().to_string();
    let unread = |error: IoError| {
        let error = Diagnostic::without_code(Category::ParseError, error.to_string());
        vec![error.about_file(&name)]
    };
    let loader = DirectoryLoader::new(&found.root).map_err(unread)?;
    let is_named = path.file_name().is_some_and(|file| gltf_stem(file) != file);
    let limit = match is_named {
        true => MAX_RESOURCE_LEN,
        false => Limits::DEFAULT.bytes,
    };
    let mut bytes = Vec::new();
    let read = read_file(path, limit, &mut bytes);
    read.map_err(|error| unread(IoError::new("read", path, error)))?;
    let location = Location(path.clone());
    if is_named || bytes.starts_with(b"glTF") {
        return gltf_file(&bytes, &location, &loader, &name, style);
    }
    let input = Input {
        name: &name,
        location,
        text: compile::decode(&name, &bytes)?,
    };
    let files = Files::new(loader).within(Limits::DEFAULT.vertices(MAX_POSED));
    let checked = compile::check(input, &files)?;
    let built = checked.value.build_by(Isa::best(), &Parallel)?;
    let warnings = [checked.warnings, built.warnings].concat();
    document(&built.value, warnings, &name, options, style)
}

fn document(
    compiled: &Compiled,
    warnings: Vec<Diagnostic>,
    name: &str,
    options: &DocumentOptions,
    style: Style,
) -> Result<Described, Vec<Diagnostic>> {
    let description = of_document(compiled, options, name)?;
    let format = if compiled.is_scene() { "rigs" } else { "rigy" };
    let text = match style {
        Style::Indented => json(&description, style),
        Style::Line => {
            let line = DocumentLine {
                file: name,
                format,
                description: &description,
            };
            json(&line, style)
        }
        Style::Text { width } => text::of_document(name, compiled.is_scene(), &description, width),
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

fn gltf_file(
    bytes: &[u8],
    location: &Location,
    loader: &DirectoryLoader,
    name: &str,
    style: Style,
) -> Result<Described, Vec<Diagnostic>> {
    let Warned { value, warnings } = gltf::read(bytes, location, loader)?;
    let described = of_gltf(&value, location, loader);
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
    let text = match style {
        Style::Indented => serde_json::to_string_pretty(value),
        _ => serde_json::to_string(value),
    };
    text.expect("descriptions are plain structs")
}
