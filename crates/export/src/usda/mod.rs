//! Universal Scene Description, as text: a prim for each object, materials, and vertices over time.
//!
//! The stage has one root, in which the objects and the scope `materials` stand. Prims are called by identifiers; where the
//! scene has another name for them, `displayName` has it. Polygons are no subdivision surfaces.

mod mesh;
mod shaders;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use super::format::Format;
use super::layout::Up;
use super::objects::{Export, Object};
use super::properties::is_tinted;
use super::text::{Names, identifier, number, quoted};
use shaders::shaders;

/// Writes all frames of a sequence that has times, else the first.
pub fn write(export: &Export, out: &mut impl Write) -> io::Result<()> {
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
    let materials = Materials::new(export, &objects, format!("/{root}/{scope}"));
    for object in &objects {
        let name = names.unique(identifier(&object.name));
        mesh::write(export, object, &name, &materials, out)?;
    }
    materials.write(export, &scope, out)?;
    out.write_all(b"}\n")
}

/// Writes the header of the file: axes, unit, and times.
fn stage(export: &Export, root: &str, out: &mut impl Write) -> io::Result<()> {
    let layout = export.sequence.layout();
    let up = match layout.up {
        Up::Y => "Y",
        Up::Z => "Z",
    };
    writeln!(out, "#usda 1.0\n(\n    defaultPrim = {}", quoted(root))?;
    // Clients that honour units then show the size of the scene.
    let unit = number(1.0 / layout.scale);
    match export.sequence.timing() {
        None => writeln!(out, "    metersPerUnit = {unit}")?,
        Some(timing) => {
            let first = timing.first;
            let rate = number(timing.rate);
            let last = timing.number(export.sequence.frames().len() - 1);
            writeln!(
                out,
                "    endTimeCode = {last}\n    framesPerSecond = {rate}\n    metersPerUnit = {unit}\n    \
                 startTimeCode = {first}\n    timeCodesPerSecond = {rate}"
            )?;
        }
    }
    writeln!(out, "    upAxis = {}\n)", quoted(up))
}

/// The metadata of a prim that the scene calls otherwise, else nothing.
fn shown_as(prim: &str, name: &str) -> String {
    if prim == name {
        return String::new();
    }
    format!(" (\n    displayName = {}\n)", quoted(name))
}

/// The materials of the objects of a file.
pub struct Materials {
    /// The names of their prims by their indices.
    names: BTreeMap<usize, String>,
    /// Those that take the colours of vertices, which are times their base colours there: none has a texture for these.
    tinted: BTreeSet<usize>,
    /// The path of the scope that they stand in.
    scope: String,
}

impl Materials {
    /// Names the materials in use.
    fn new(export: &Export, objects: &[Object], scope: String) -> Self {
        let surfaces = objects.iter().flat_map(|object| &object.surfaces);
        let mut names = BTreeMap::new();
        let mut tinted = BTreeSet::new();
        for surface in surfaces {
            let Some(index) = export.material(*surface) else {
                continue;
            };
            names.insert(index, String::new());
            let material = &export.sequence.model().materials[index];
            let has_texture = export.textures.name(index).is_some();
            if !has_texture && is_tinted(export.surface(*surface), material) {
                tinted.insert(index);
            }
        }
        let mut given = Names::default();
        for (index, prim) in &mut names {
            *prim = given.unique(identifier(&name(export, *index)));
        }
        Self {
            names,
            tinted,
            scope,
        }
    }

    /// Returns true if a material takes the colours of vertices.
    pub fn is_tinted(&self, index: usize) -> bool {
        self.tinted.contains(&index)
    }

    /// Returns the name of a material's prim.
    pub fn name(&self, index: usize) -> &str {
        self.names.get(&index).map_or("", |name| name)
    }

    /// Returns the path of a material's prim.
    pub fn path(&self, index: usize) -> String {
        format!("{}/{}", self.scope, self.name(index))
    }

    /// Writes the scope with all materials; nothing if there are none.
    ///
    /// # Errors
    /// The error of the writer.
    fn write(&self, export: &Export, scope: &str, out: &mut impl Write) -> io::Result<()> {
        if self.names.is_empty() {
            return Ok(());
        }
        writeln!(out, "\ndef Scope {}\n{{", quoted(scope))?;
        for (index, prim) in &self.names {
            let material = &export.sequence.model().materials[*index];
            let shown = shown_as(prim, &name(export, *index));
            writeln!(out, "\ndef Material {}{shown}\n{{", quoted(prim))?;
            let textures = (*index, &export.textures);
            let is_tinted = self.is_tinted(*index);
            let shaders = shaders(material, textures, is_tinted, &self.path(*index));
            writeln!(out, "{shaders}}}")?;
        }
        out.write_all(b"}\n")
    }
}

/// The name of a material in the scene, or `material_N` if it has none.
fn name(export: &Export, index: usize) -> String {
    export.sequence.model().materials[index]
        .name
        .clone()
        .unwrap_or_else(|| format!("material_{index}"))
}
