//! Universal Scene Description, as text: a prim for each object, materials, and vertices over time.
//!
//! The stage has one root, in which the objects and the scope `materials` stand. Prims are called by identifiers; where the
//! scene has another name for them, `displayName` has it. Polygons are no subdivision surfaces.

mod mesh;

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::layout::{Format, Up};
use super::objects::{Export, Object};
use super::text::{Names, identifier, number, quoted, tuple};
use super::textures::Textures;
use rigy_models::mesh::{Alpha, Material, TextureInfo, TextureKind, Wrap};

/// Writes all frames of a sequence that has times, else the first.
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
    let materials = Materials::new(export, &objects, format!("/{root}/{scope}"));
    for object in &objects {
        let name = names.unique(identifier(&object.name));
        mesh::write(export, object, &name, &materials, out)?;
    }
    materials.write(export, &scope, out)?;
    out.write_all(b"}\n")
}

/// Writes the header of the file: axes, unit, and times.
fn stage(export: &Export<'_, '_>, root: &str, out: &mut impl Write) -> io::Result<()> {
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
            let (first, rate) = (timing.first, number(timing.rate));
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
            let textures = (*index, &export.textures);
            let shaders = shaders(material, textures, &self.path(*index));
            writeln!(out, "{shaders}}}")?;
        }
        out.write_all(b"}\n")
    }
}

/// The name of a material in the scene, or `material_N` if it has none.
fn name(export: &Export<'_, '_>, index: usize) -> String {
    let name = export.sequence.model().materials[index].name.clone();
    name.unwrap_or_else(|| format!("material_{index}"))
}

/// The shaders of a material that has this index and path.
fn shaders(material: &Material, (index, textures): (usize, &Textures<'_>), path: &str) -> String {
    let [red, green, blue, opacity] = material.base_color;
    let texture = textures.name(index);
    let color = match texture {
        Some(_) => format!(".connect = <{path}/texture.outputs:rgb>"),
        None => format!(" = {}", tuple(&[red, green, blue])),
    };
    // A texture stands in the place of a number, which becomes its scale.
    let of = |kind: TextureKind, output: &str, number: String| match textures.other(index, kind) {
        Some(_) => format!(".connect = <{path}/{}.outputs:{output}>", prim(kind)),
        None => format!(" = {number}"),
    };
    let is_written = |kind| textures.other(index, kind).is_some();
    let (emissive, metallic) = material.factors(is_written);
    let emissive = of(TextureKind::Emissive, "rgb", tuple(&emissive));
    let metallic = of(TextureKind::MetallicRoughness, "b", single(metallic));
    let roughness = of(
        TextureKind::MetallicRoughness,
        "g",
        single(material.roughness),
    );
    let further = [
        (TextureKind::Normal, "normal3f inputs:normal", "rgb"),
        (TextureKind::Occlusion, "float inputs:occlusion", "r"),
    ];
    let further = further.map(|(kind, input, output)| match textures.other(index, kind) {
        Some(_) => format!(
            "        {input}.connect = <{path}/{}.outputs:{output}>\n",
            prim(kind)
        ),
        None => String::new(),
    });
    let further = further.concat();
    let opacity = match texture {
        _ if material.alpha == Alpha::Opaque => String::new(),
        Some(_) => format!("        float inputs:opacity.connect = <{path}/texture.outputs:a>\n"),
        None => format!("        float inputs:opacity = {}\n", single(opacity)),
    };
    let threshold = match material.alpha {
        Alpha::Mask(cutoff) => {
            format!(
                "        float inputs:opacityThreshold = {}\n",
                single(cutoff)
            )
        }
        Alpha::Opaque | Alpha::Blend => String::new(),
    };
    let of_textures = texture_shaders(material, (index, textures), path);
    format!(
        r#"    token outputs:surface.connect = <{path}/surface.outputs:surface>

    def Shader "surface"
    {{
        uniform token info:id = "UsdPreviewSurface"
        color3f inputs:diffuseColor{color}
        color3f inputs:emissiveColor{emissive}
        float inputs:metallic{metallic}
        float inputs:roughness{roughness}
{further}{opacity}{threshold}        token outputs:surface
    }}
{of_textures}"#
    )
}

/// The name of the prim of a texture.
fn prim(kind: TextureKind) -> String {
    kind.name().replace('-', "_")
}

/// The shaders that read textures, and the one that reads texture coordinates; nothing without textures.
fn texture_shaders(
    material: &Material,
    (index, textures): (usize, &Textures<'_>),
    path: &str,
) -> String {
    let mut text = String::new();
    if let (Some(file), Some(info)) = (textures.name(index), &material.texture) {
        let numbers = (material.base_color, None, "sRGB");
        text += &texture_shader("texture", info, file, numbers, path);
    }
    for (kind, info) in &material.other_textures {
        let Some(file) = textures.other(index, *kind) else {
            continue;
        };
        let (strength, scale) = (material.occlusion_strength, material.normal_scale);
        let [red, green, blue] = material.emissive;
        let numbers = match kind {
            TextureKind::Emissive => ([red, green, blue, 1.0], None, "sRGB"),
            TextureKind::MetallicRoughness => (
                [1.0, material.roughness, material.metallic, 1.0],
                None,
                "raw",
            ),
            // From 0 to 1 in the image to −1 to 1.
            TextureKind::Normal => (
                [2.0 * scale, 2.0 * scale, 2.0, 1.0],
                Some([-scale, -scale, -1.0, 0.0]),
                "raw",
            ),
            TextureKind::Occlusion => {
                let rest = 1.0 - strength;
                ([strength; 4], Some([rest; 4]), "raw")
            }
        };
        text += &texture_shader(&prim(*kind), info, file, numbers, path);
    }
    if text.is_empty() {
        return text;
    }
    text + r#"
    def Shader "coordinates"
    {
        uniform token info:id = "UsdPrimvarReader_float2"
        string inputs:varname = "st"
        float2 outputs:result
    }
"#
}

/// A shader that reads an image: times a scale, plus a bias, from a colour space.
fn texture_shader(
    name: &str,
    info: &TextureInfo,
    file: &str,
    (scale, bias, space): ([f64; 4], Option<[f64; 4]>, &str),
    path: &str,
) -> String {
    let [wrap_s, wrap_t] = info.wraps.map(|wrap| match wrap {
        Wrap::Repeat => "repeat",
        Wrap::Mirror => "mirror",
        Wrap::Clamp => "clamp",
    });
    let bias = bias.map(|bias| format!("        float4 inputs:bias = {}\n", tuple(&bias)));
    let (bias, scale) = (bias.unwrap_or_default(), tuple(&scale));
    let outputs = match name {
        "texture" => "        float outputs:a\n        float3 outputs:rgb\n",
        "metallic_roughness" => "        float outputs:b\n        float outputs:g\n",
        "occlusion" => "        float outputs:r\n",
        _ => "        float3 outputs:rgb\n",
    };
    format!(
        r#"
    def Shader "{name}"
    {{
        uniform token info:id = "UsdUVTexture"
{bias}        asset inputs:file = @./{file}@
        float4 inputs:scale = {scale}
        token inputs:sourceColorSpace = "{space}"
        float2 inputs:st.connect = <{path}/coordinates.outputs:result>
        token inputs:wrapS = "{wrap_s}"
        token inputs:wrapT = "{wrap_t}"
{outputs}    }}
"#
    )
}

/// The text of a number as f32.
fn single(value: f64) -> String {
    let text = tuple(&[value]);
    text.trim_matches(['(', ')']).to_owned()
}
