//! Universal Scene Description, as text: a prim for each object, materials, and vertices over time.
//!
//! The stage has one root, in which the objects and the scope `materials` stand. Prims are called by identifiers; where the
//! scene has another name for them, `displayName` has it. Polygons are no subdivision surfaces.

mod mesh;

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::layout::{Format, Up};
use super::objects::{Export, Object};
use super::text::{Names, identifier, number, path_of, quoted, tuple};
use rigy_models::mesh::{Alpha, Material, Wrap};

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

/// The materials of the objects of a file.
pub(super) struct Materials {
    /// The names of their prims by their indices.
    names: BTreeMap<usize, String>,
    /// The path of the scope that they stand in.
    scope: String,
}

impl Materials {
    /// Names the materials in use.
    pub fn new(export: &Export<'_, '_>, objects: &[Object<'_>], scope: String) -> Self {
        let surfaces = objects.iter().flat_map(|object| &object.surfaces);
        let used = surfaces.filter_map(|surface| export.material(*surface));
        let mut names: BTreeMap<usize, String> = used.map(|index| (index, String::new())).collect();
        let mut given = Names::default();
        for (index, prim) in &mut names {
            *prim = given.unique(identifier(&name(export, *index)));
        }
        Self { names, scope }
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
    pub fn write(
        &self,
        export: &Export<'_, '_>,
        scope: &str,
        out: &mut impl Write,
    ) -> io::Result<()> {
        if self.names.is_empty() {
            return Ok(());
        }
        writeln!(out, "\ndef Scope {}\n{{", quoted(scope))?;
        for (index, prim) in &self.names {
            let material = &export.sequence.model().materials[*index];
            let shown = shown_as(prim, &name(export, *index));
            writeln!(out, "\ndef Material {}{shown}\n{{", quoted(prim))?;
            let texture = export.textures.name(*index);
            shaders(material, texture, &self.path(*index), out)?;
            out.write_all(b"}\n")?;
        }
        out.write_all(b"}\n")
    }
}

/// Returns the name of a material in the scene, or `material_N` if it has none.
fn name(export: &Export<'_, '_>, index: usize) -> String {
    let name = export.sequence.model().materials[index].name.clone();
    name.unwrap_or_else(|| format!("material_{index}"))
}

/// Writes the shaders of a material that has this path.
fn shaders(
    material: &Material,
    texture: Option<&str>,
    path: &str,
    out: &mut impl Write,
) -> io::Result<()> {
    let [red, green, blue, opacity] = material.base_color;
    let is_opaque = material.alpha == Alpha::Opaque;
    writeln!(
        out,
        "    token outputs:surface.connect = <{path}/surface.outputs:surface>"
    )?;
    writeln!(out, "\n    def Shader \"surface\"\n    {{")?;
    writeln!(out, "        uniform token info:id = \"UsdPreviewSurface\"")?;
    match texture {
        Some(_) => writeln!(
            out,
            "        color3f inputs:diffuseColor.connect = <{path}/texture.outputs:rgb>"
        ),
        None => writeln!(
            out,
            "        color3f inputs:diffuseColor = {}",
            tuple(&[red, green, blue])
        ),
    }?;
    writeln!(
        out,
        "        color3f inputs:emissiveColor = {}",
        tuple(&material.emissive)
    )?;
    writeln!(
        out,
        "        float inputs:metallic = {}",
        single(material.metallic)
    )?;
    writeln!(
        out,
        "        float inputs:roughness = {}",
        single(material.roughness)
    )?;
    match texture {
        _ if is_opaque => Ok(()),
        Some(_) => writeln!(
            out,
            "        float inputs:opacity.connect = <{path}/texture.outputs:a>"
        ),
        None => writeln!(out, "        float inputs:opacity = {}", single(opacity)),
    }?;
    if let Alpha::Mask(cutoff) = material.alpha {
        writeln!(
            out,
            "        float inputs:opacityThreshold = {}",
            single(cutoff)
        )?;
    }
    writeln!(out, "        token outputs:surface\n    }}")?;
    match texture {
        Some(file) => texture_shaders(material, file, path, out),
        None => Ok(()),
    }
}

/// Writes the shaders that read a texture.
fn texture_shaders(
    material: &Material,
    file: &str,
    path: &str,
    out: &mut impl Write,
) -> io::Result<()> {
    let wraps = material.texture.as_ref().map(|texture| texture.wraps);
    let [wrap_s, wrap_t] = wraps.unwrap_or([Wrap::Repeat; 2]).map(|wrap| match wrap {
        Wrap::Repeat => "repeat",
        Wrap::Mirror => "mirror",
        Wrap::Clamp => "clamp",
    });
    writeln!(out, "\n    def Shader \"texture\"\n    {{")?;
    writeln!(out, "        uniform token info:id = \"UsdUVTexture\"")?;
    writeln!(out, "        asset inputs:file = @./{file}@")?;
    writeln!(
        out,
        "        float4 inputs:scale = {}",
        tuple(&material.base_color)
    )?;
    writeln!(out, "        token inputs:sourceColorSpace = \"sRGB\"")?;
    writeln!(
        out,
        "        float2 inputs:st.connect = <{path}/coordinates.outputs:result>"
    )?;
    writeln!(out, "        token inputs:wrapS = \"{wrap_s}\"")?;
    writeln!(out, "        token inputs:wrapT = \"{wrap_t}\"")?;
    writeln!(
        out,
        "        float outputs:a\n        float3 outputs:rgb\n    }}"
    )?;
    writeln!(out, "\n    def Shader \"coordinates\"\n    {{")?;
    writeln!(
        out,
        "        uniform token info:id = \"UsdPrimvarReader_float2\""
    )?;
    writeln!(out, "        string inputs:varname = \"st\"")?;
    writeln!(out, "        float2 outputs:result\n    }}")
}

/// Returns the text of a number as f32.
fn single(value: f64) -> String {
    let text = tuple(&[value]);
    text.trim_matches(['(', ')']).to_owned()
}
