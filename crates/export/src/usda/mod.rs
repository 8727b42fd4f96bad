//! Universal Scene Description, as text: a prim for each object, materials, and vertices over time.
//!
//! The stage has one root, in which the objects and the scope `materials` stand. Prims are called by identifiers; where the
//! scene has another name for them, `displayName` has it. Polygons are no subdivision surfaces.

mod materials;
mod mesh;
mod text;

use std::io::{self, Write};

use super::format::Format;
use super::layout::Up;
use super::names::{Names, identifier};
use super::objects::Export;
use materials::Materials;
use text::{number, path_of, quoted};

/// Writes all frames of a sequence that has times, else the first.
///
/// # Errors
/// The error of the writer.
pub(super) fn write(export: &Export<'_, '_>, out: &mut impl Write) -> io::Result<()> {
    let root = identifier(export.name);
    stage(export, &root, out)?;
    writeln!(
        out,
        "\ndef Xform {}{}\n{{",
        quoted(&root),
        shown_as(&root, export.name)
    )?;
    let mut names = Names::default();
    let scope = names.unique("materials".into());
    let objects = export.objects(Format::Usda);
    let materials = Materials::new(export, &objects, path_of(&[&root, &scope]));
    for object in &objects {
        let name = names.unique(identifier(&object.name));
        mesh::write(export, object, &name, &materials, out)?;
    }
    materials.write(export, &scope, out)?;
    out.write_all(b"}\n")
}

/// Writes the header of the file: axes, unit, and times.
fn stage(export: &Export<'_, '_>, root: &str, out: &mut impl Write) -> io::Result<()> {
    let up = match export.sequence.layout().up {
        Up::Y => "Y",
        Up::Z => "Z",
    };
    writeln!(out, "#usda 1.0\n(\n    defaultPrim = {}", quoted(root))?;
    if let Some(timing) = export.sequence.timing() {
        let last = timing.number(export.sequence.frames().len() - 1);
        let rate = number(timing.rate);
        writeln!(
            out,
            "    endTimeCode = {last}\n    framesPerSecond = {rate}"
        )?;
    }
    // Clients that honour units then show the size of the scene.
    let unit = number(1.0 / export.sequence.layout().scale);
    writeln!(out, "    metersPerUnit = {unit}")?;
    if let Some(timing) = export.sequence.timing() {
        let (first, rate) = (timing.first, number(timing.rate));
        writeln!(
            out,
            "    startTimeCode = {first}\n    timeCodesPerSecond = {rate}"
        )?;
    }
    writeln!(out, "    upAxis = {}\n)", quoted(up))
}

/// Returns the metadata of a prim that the scene calls otherwise, else nothing.
fn shown_as(prim: &str, name: &str) -> String {
    match prim == name {
        true => String::new(),
        false => format!(" (\n    displayName = {}\n)", quoted(name)),
    }
}
