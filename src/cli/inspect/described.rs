//! One file: read, described, and written as text or JSON.

use serde::Serialize;

use super::over_time::Measured;
use super::{Inspect, text};
use crate::bake::{Skinning, Source, gltf};
use crate::cli::opened::Opened;
use crate::compile;
use crate::io::Found;
use crate::run::Parallel;
use crate::run::batch::BakeJob;
use rigy_base::diag::{Code, Diagnosed, Diagnostic, Finding, Warned, keep};
use rigy_base::limits::Limits;
use rigy_base::terminal;
use rigy_kernel::simd::Isa;
use rigy_view::description::{DocumentObject, GltfObject, of_document};

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
    /// True if all of the file could be described: no finding is an error.
    pub is_whole: bool,
    /// The ids of a document's primitives.
    pub primitives: Vec<String>,
    /// True if a check of a document fails.
    pub has_failed_check: bool,
}

/// Describes an input.
///
/// # Errors
/// Everything that is wrong with it.
pub fn describe(
    found: &Found,
    args: &Inspect,
    limits: &Limits,
    style: Style,
) -> Diagnosed<Described> {
    let opened = Opened::new(found, *limits, &args.motion);
    let opened = opened.map_err(|error| vec![error.finding()])?;
    if opened.is_gltf {
        return gltf_file(&opened, args, limits, style);
    }
    document(&opened, args, limits, style)
}

fn document(
    opened: &Opened,
    args: &Inspect,
    limits: &Limits,
    style: Style,
) -> Diagnosed<Described> {
    let files = opened.files();
    let checked = compile::check(opened.input()?, &files)?;
    let built = checked.value.build_by(Isa::best(), &Parallel)?;
    let warnings = [checked.warnings, built.warnings].concat();
    let expanded = if args.expanded {
        compile::expanded(opened.input()?, *limits)?
    } else {
        None
    };
    let (compiled, name) = (&built.value, &opened.name);
    let description = of_document(compiled, &args.options(), name)?;
    let has_failed_check = description
        .checks
        .iter()
        .flatten()
        .any(|check| check.pass == Some(false));
    let format = if compiled.is_scene() { "rigs" } else { "rigy" };
    let text = match style {
        Style::Text { width } => {
            let text = text::of_document(name, compiled.is_scene(), &description, width).finish();
            match expanded {
                Some(expanded) => format!("{text}\n\n---\n{}", expanded.trim_end_matches('\n')),
                None => text,
            }
        }
        _ => {
            let is_line = matches!(style, Style::Line);
            let object = DocumentObject {
                file: is_line.then(|| name.clone()),
                format: is_line.then_some(format),
                description,
                expanded_yaml: expanded,
            };
            json(&object, style)
        }
    };
    let primitives = compiled
        .base()
        .document
        .meshes
        .iter()
        .flat_map(|mesh| &mesh.primitives);
    let ids = primitives.map(|primitive| primitive.id.value.clone());
    Ok(Described {
        text,
        warnings,
        is_whole: true,
        primitives: ids.collect(),
        has_failed_check,
    })
}

fn gltf_file(
    opened: &Opened,
    args: &Inspect,
    limits: &Limits,
    style: Style,
) -> Diagnosed<Described> {
    /// With what was measured over time, if it was asked for.
    #[derive(Serialize)]
    struct Object {
        #[serde(flatten)]
        object: GltfObject,
        #[serde(skip_serializing_if = "Option::is_none")]
        over_time: Option<Measured>,
    }
    let (bytes, location, loader) = (&opened.bytes, &opened.location, &opened.loader);
    let object = |file, warnings| GltfObject::new(file, bytes, location, loader, warnings);
    let (described, over_time) = if args.over_time.is_given() {
        let mut source = Source::read(bytes, location, loader)?;
        source.value.file.meter = limits.meter();
        let mut described = object(&source.value.file, source.warnings)?;
        let meshes = &described.value.description.meshes;
        let measured = args.over_time.measure(source.value, meshes, limits)?;
        described.warnings.extend(measured.warnings);
        (described, Some(measured.value))
    } else {
        let mut file = gltf::read(bytes, location, loader)?;
        file.value.meter = limits.meter();
        (object(&file.value, file.warnings)?, None)
    };
    let Warned {
        value: mut object,
        mut warnings,
    } = described;
    if args.check {
        let baked = BakeJob::new(Skinning::linear()).bake_file(bytes, location, loader);
        let mut found = baked.map_or_else(|errors| errors, |baked| baked.warnings);
        found.retain(|finding| finding.code != Some(Code::W08));
        keep(&mut warnings, found);
    }
    let is_whole = warnings.iter().all(Diagnostic::is_warning);
    let text = match style {
        Style::Text { width } => {
            let mut lines = text::of_gltf(&object.file, object.format, &object.description, width);
            if let Some(measured) = over_time {
                measured.add_to(&mut lines);
            }
            lines.finish()
        }
        _ => {
            object.warnings = warnings.iter().map(Finding::new).collect();
            warnings.clear();
            json(&Object { object, over_time }, style)
        }
    };
    Ok(Described {
        text,
        warnings,
        is_whole,
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
