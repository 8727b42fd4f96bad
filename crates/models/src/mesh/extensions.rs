//! Extensions of materials: which of them change how a material looks, and what stands in for those that have another base colour.

use super::material::{fraction, number};
use rigy_gltf::json::Value;

/// The extension by which a material has a diffuse colour and glossiness in the place of a base colour, metal and roughness.
const SPECULAR_GLOSSINESS: &str = "KHR_materials_pbrSpecularGlossiness";

/// Extensions with the numbers that decide whether they change anything, and the value at which these do not.
const IDLE: [(&str, &str, f64); 11] = [
    ("KHR_materials_anisotropy", "anisotropyStrength", 0.0),
    ("KHR_materials_clearcoat", "clearcoatFactor", 0.0),
    (
        "KHR_materials_diffuse_transmission",
        "diffuseTransmissionFactor",
        0.0,
    ),
    ("KHR_materials_dispersion", "dispersion", 0.0),
    ("KHR_materials_ior", "ior", 1.5),
    ("KHR_materials_iridescence", "iridescenceFactor", 0.0),
    ("KHR_materials_sheen", "sheenColorFactor", 0.0),
    ("KHR_materials_specular", "specularFactor", 1.0),
    ("KHR_materials_specular", "specularColorFactor", 1.0),
    ("KHR_materials_transmission", "transmissionFactor", 0.0),
    ("KHR_materials_volume", "thicknessFactor", 0.0),
];

/// A clear layer on a material.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clearcoat {
    /// How much of it there is, from 0 to 1.
    pub factor: f64,
    /// Its roughness from 0 to 1.
    pub roughness: f64,
    /// True if textures, which are not read, change it.
    pub is_textured: bool,
}

impl Clearcoat {
    pub(super) fn of(material: &Value) -> Self {
        let Some(extension) = material.extension("KHR_materials_clearcoat") else {
            return Self::default();
        };
        let factor = fraction(extension.get("clearcoatFactor"), 0.0);
        Self {
            factor,
            roughness: fraction(extension.get("clearcoatRoughnessFactor"), 0.0),
            is_textured: factor > 0.0 && has_texture(extension),
        }
    }
}

/// The names of the extensions of a material that change how it looks; [`Material`](super::Material) has other fields for the effect
/// of some.
pub fn extensions(material: &Value) -> Vec<String> {
    material
        .get("extensions")
        .map_or(&[][..], Value::members)
        .iter()
        .filter(|(name, extension)| changes(name, extension))
        .map(|(name, _)| name.to_string())
        .collect()
}

/// True unless all numbers of an extension that decide are at the values at which it changes nothing.
fn changes(name: &str, extension: &Value) -> bool {
    let is_at = |key: &str, idle: f64| {
        let list = extension.list(key);
        let single = extension.get(key).filter(|_| list.is_empty());
        list.iter()
            .chain(single)
            .all(|value| number(Some(value), idle) == idle)
    };
    let mut numbers = IDLE.iter().filter(|(of, ..)| *of == name).peekable();
    match name {
        "KHR_materials_emissive_strength" | "KHR_materials_unlit" => false,
        // Textures act while these factors are at their defaults.
        "KHR_materials_specular" if has_texture(extension) => true,
        _ => numbers.peek().is_none() || numbers.any(|(_, key, idle)| !is_at(key, *idle)),
    }
}

fn has_texture(extension: &Value) -> bool {
    extension
        .members()
        .iter()
        .any(|(key, _)| key.ends_with("Texture"))
}

/// The part of a material that has its base colour, and the names of the factor and of the texture there. The diffuse colour of
/// specular-glossiness stands in for it, unless the file has a base colour for clients that lack the extension.
pub fn base<'t, 'a>(material: &'t Value<'a>) -> (Option<&'t Value<'a>>, [&'static str; 2]) {
    let pbr = material.get("pbrMetallicRoughness");
    let has = |part: Option<&Value>, key| part.and_then(|part| part.get(key)).is_some();
    let diffuse = material.extension(SPECULAR_GLOSSINESS).filter(|diffuse| {
        let has_factor = has(pbr, "baseColorFactor") && !has(Some(*diffuse), "diffuseTexture");
        !has_factor && !has(pbr, "baseColorTexture")
    });
    match diffuse {
        Some(_) => (diffuse, ["diffuseFactor", "diffuseTexture"]),
        None => (pbr, ["baseColorFactor", "baseColorTexture"]),
    }
}

/// The metallic and the roughness factor of a material. What has a diffuse colour is taken for no metal.
pub fn metallic_roughness(material: &Value) -> (f64, f64) {
    let (part, [color, _]) = base(material);
    let factor = |name| fraction(part.and_then(|part| part.get(name)), 1.0);
    if color != "diffuseFactor" {
        return (factor("metallicFactor"), factor("roughnessFactor"));
    }
    // The mean of the texture, which has glossiness in its opacity, is not known.
    let has_texture = part.is_some_and(|part| part.get("specularGlossinessTexture").is_some());
    let mean = if has_texture { 0.5 } else { 1.0 };
    (0.0, 1.0 - factor("glossinessFactor") * mean)
}

#[cfg(test)]
mod tests {
    use super::super::Material;
    use super::*;
    use rigy_gltf::json::parse;

    fn of(material: &str) -> Material {
        Material::of(&parse("{}").unwrap(), &parse(material).unwrap())
    }

    #[test]
    fn the_diffuse_colour_stands_in_where_there_is_no_base_colour() {
        let found = |pbr: &str, diffuse: &str| {
            let text = format!(
                r#"{{"pbrMetallicRoughness": {{{pbr}}}, "extensions": {{"{SPECULAR_GLOSSINESS}": {{{diffuse}}}}}}}"#
            );
            let Material {
                base_color,
                metallic,
                roughness,
                ..
            } = of(&text);
            (base_color[0], metallic, roughness)
        };
        let diffuse = r#""diffuseFactor": [0.25, 1, 1, 1], "glossinessFactor": 0.75"#;
        assert_eq!(found("", diffuse), (0.25, 0.0, 0.25));
        assert_eq!(
            found(r#""metallicFactor": 0.5"#, diffuse),
            (0.25, 0.0, 0.25)
        );
        let own = r#""baseColorFactor": [0.5, 1, 1, 1]"#;
        assert_eq!(found(own, diffuse), (0.5, 1.0, 1.0));
        let textured = format!(r#"{diffuse}, "diffuseTexture": {{"index": 0}}"#);
        assert_eq!(found(own, &textured), (0.25, 0.0, 0.25));
        let glossy = r#""specularGlossinessTexture": {"index": 0}"#;
        assert_eq!(found("", glossy), (1.0, 0.0, 0.5));
    }

    #[test]
    fn extensions_at_their_defaults_change_nothing() {
        for (name, idle, other) in [
            (
                "sheen",
                r#""sheenColorFactor": [0, 0, 0], "sheenRoughnessFactor": 1"#,
                r#""sheenColorFactor": [0, 0, 0.5]"#,
            ),
            ("ior", r#""ior": 1.5"#, r#""ior": 1.33"#),
            (
                "transmission",
                r#""transmissionTexture": {"index": 0}"#,
                r#""transmissionFactor": 1"#,
            ),
            (
                "specular",
                r#""specularFactor": 1, "specularColorFactor": [1, 1, 1]"#,
                r#""specularColorFactor": [1, 0, 1]"#,
            ),
            ("specular", "", r#""specularTexture": {"index": 0}"#),
            ("emissive_strength", r#""emissiveStrength": 4"#, ""),
        ] {
            let name = format!("KHR_materials_{name}");
            let text = |members: &str| format!(r#"{{"extensions": {{"{name}": {{{members}}}}}}}"#);
            assert_eq!(of(&text(idle)).extensions, [""; 0], "{name}");
            if !other.is_empty() {
                assert_eq!(of(&text(other)).extensions, [&*name], "{other}");
            }
        }
        let both = r#"{"extensions": {"KHR_materials_unlit": {}, "KHR_materials_sheen": {"sheenColorFactor": [1, 1, 1]}}}"#;
        assert_eq!(of(both).extensions, ["KHR_materials_sheen"]);
        assert_eq!(of(both).seen().extensions, [""; 0]);
        assert_eq!(
            of(r#"{"extensions": {"ACME_glow": {}}}"#).extensions,
            ["ACME_glow"]
        );
    }
}
