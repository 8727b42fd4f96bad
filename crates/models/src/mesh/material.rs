//! Materials of a file, as far as pictures and other formats show them.

use super::base_color::{Alpha, BaseColorTexture};
use rigy_gltf::json::Value;

/// A material. Of its textures, only that of the base colour is read.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Base colour factor: red, green, blue and opacity, linear, from 0 to 1.
    pub base_color: [f64; 4],
    /// Base colour texture; `None` if there is none, or one that names no image.
    pub texture: Option<BaseColorTexture>,
    /// Metallic factor from 0 to 1; 0 if a texture is to be multiplied with it.
    pub metallic: f64,
    /// Roughness factor from 0 to 1.
    pub roughness: f64,
    /// Emissive factor: red, green and blue, linear, from 0 to 1; 0 if a texture is to be multiplied with it.
    pub emissive: [f64; 3],
    /// Where it is drawn.
    pub alpha: Alpha,
    /// True if both sides of its triangles are seen.
    pub is_double_sided: bool,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: None,
            base_color: [1.0; 4],
            texture: None,
            metallic: 1.0,
            roughness: 1.0,
            emissive: [0.0; 3],
            alpha: Alpha::Opaque,
            is_double_sided: false,
        }
    }
}

impl Material {
    /// Returns the materials of a file, given its JSON.
    pub(super) fn all(tree: &Value<'_>) -> Vec<Self> {
        let list = tree.list("materials").iter();
        list.map(|material| Self::of(tree, material)).collect()
    }

    fn of(tree: &Value<'_>, material: &Value<'_>) -> Self {
        let pbr = material.get("pbrMetallicRoughness");
        let factor = |name| number(pbr.and_then(|pbr| pbr.get(name)), 1.0);
        let has_metallic_texture =
            pbr.is_some_and(|pbr| pbr.get("metallicRoughnessTexture").is_some());
        let emissive = material.list("emissiveFactor");
        let has_emissive_texture = material.get("emissiveTexture").is_some();
        let name = material.get("name").and_then(Value::as_str);
        Self {
            name: name.map(str::to_owned),
            base_color: base_color(material),
            texture: BaseColorTexture::of(tree, material).unwrap_or(None),
            metallic: if has_metallic_texture {
                0.0
            } else {
                factor("metallicFactor")
            },
            roughness: factor("roughnessFactor"),
            emissive: std::array::from_fn(|component| match has_emissive_texture {
                true => 0.0,
                false => number(emissive.get(component), 0.0),
            }),
            alpha: Alpha::of(material),
            is_double_sided: matches!(material.get("doubleSided"), Some(Value::Bool(true))),
        }
    }
}

/// Returns the base colour factor of a material: red, green, blue and opacity, linear, from 0 to 1.
pub fn base_color(material: &Value<'_>) -> [f64; 4] {
    let pbr = material.get("pbrMetallicRoughness");
    let factor = pbr.map_or(&[][..], |pbr| pbr.list("baseColorFactor"));
    std::array::from_fn(|component| number(factor.get(component), 1.0))
}

/// Returns a number from 0 to 1; `default` if there is none.
fn number(value: Option<&Value<'_>>, default: f64) -> f64 {
    let number = value.and_then(Value::as_f64);
    number.unwrap_or(default).clamp(0.0, 1.0)
}
