//! A material as shaders: a `UsdPreviewSurface`, and what reads textures and vertex colours for it.

use crate::text::tuple;
use crate::textures::Textures;
use rigy_models::mesh::{Alpha, Material, TextureInfo, TextureKind, Wrap};

/// The shaders of a material that has this index and path.
pub fn shaders(
    material: &Material,
    (index, textures): (usize, &Textures),
    is_tinted: bool,
    path: &str,
) -> String {
    let [red, green, blue, opacity] = material.base_color;
    let texture = textures.name(index);
    let color = match texture {
        Some(_) => format!(".connect = <{path}/texture.outputs:rgb>"),
        None if is_tinted => format!(".connect = <{path}/color.outputs:result>"),
        None => format!(" = {}", tuple(&[red, green, blue])),
    };
    // A texture stands in the place of a number, which becomes its scale.
    let of = |kind: TextureKind, output: &str, number: String| match textures.other(index, kind) {
        Some(_) => format!(".connect = <{path}/{}.outputs:{output}>", prim(kind)),
        None => format!(" = {number}"),
    };
    let (emissive, metallic) = material.factors(|kind| textures.other(index, kind).is_some());
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
    ]
    .map(|(kind, input, output)| match textures.other(index, kind) {
        Some(_) => format!(
            "        {input}.connect = <{path}/{}.outputs:{output}>\n",
            prim(kind)
        ),
        None => String::new(),
    })
    .concat();
    let opacity = match texture {
        _ if material.alpha == Alpha::Opaque => String::new(),
        Some(_) => format!("        float inputs:opacity.connect = <{path}/texture.outputs:a>\n"),
        None if is_tinted => {
            format!("        float inputs:opacity.connect = <{path}/opacity.outputs:result>\n")
        }
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
    let of_vertices = if is_tinted {
        vertex_shaders(material)
    } else {
        String::new()
    };
    // What has no light shines in its colour.
    let (color, emissive, ior) = match material.is_unlit {
        true => (" = (0, 0, 0)".to_owned(), color, 1.0),
        false => (color, emissive, material.ior),
    };
    let coat = material.clearcoat;
    let has_coat = coat.factor > 0.0;
    let numbers: String = [
        (has_coat, "clearcoat", coat.factor),
        (has_coat, "clearcoatRoughness", coat.roughness),
        (ior != 1.5, "ior", ior),
    ]
    .into_iter()
    .filter(|(is_there, ..)| *is_there)
    .map(|(_, input, number)| format!("        float inputs:{input} = {}\n", single(number)))
    .collect();
    format!(
        r#"    token outputs:surface.connect = <{path}/surface.outputs:surface>

    def Shader "surface"
    {{
        uniform token info:id = "UsdPreviewSurface"
        color3f inputs:diffuseColor{color}
        color3f inputs:emissiveColor{emissive}
        float inputs:metallic{metallic}
        float inputs:roughness{roughness}
{numbers}{further}{opacity}{threshold}        token outputs:surface
    }}
{of_textures}{of_vertices}"#
    )
}

/// The shaders that read the colours of vertices, and their opacity where it counts, which is not written where it is 1 everywhere.
fn vertex_shaders(material: &Material) -> String {
    let reader = |prim: &str, kind: &str, fallback: &str, varname: &str| {
        format!(
            r#"
    def Shader "{prim}"
    {{
        uniform token info:id = "UsdPrimvarReader_{kind}"
        {kind} inputs:fallback = {fallback}
        string inputs:varname = "{varname}"
        {kind} outputs:result
    }}
"#
        )
    };
    let color = reader("color", "float3", "(1, 1, 1)", "displayColor");
    match material.alpha {
        Alpha::Opaque => color,
        Alpha::Mask(_) | Alpha::Blend => color + &reader("opacity", "float", "1", "displayOpacity"),
    }
}

/// The name of the prim of a texture.
fn prim(kind: TextureKind) -> String {
    kind.name().replace('-', "_")
}

/// The shaders that read textures, and the one that reads texture coordinates; nothing without textures.
fn texture_shaders(
    material: &Material,
    (index, textures): (usize, &Textures),
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
        let strength = material.occlusion_strength;
        let scale = material.normal_scale;
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
    let bias = bias
        .map(|bias| format!("        float4 inputs:bias = {}\n", tuple(&bias)))
        .unwrap_or_default();
    let scale = tuple(&scale);
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
    tuple(&[value]).trim_matches(['(', ')']).to_owned()
}
