//! Materials of a file, as far as pictures and other formats show them: factors, and which image lies on a surface, and how.
//!
//! In: the JSON tree of a file. Out: a [`Material`] each, with [`TextureInfo`]s and an [`Alpha`]. Pictures, the viewer's
//! page and exported files take them from here; [`Source::image`](crate::bake::Source::image) has the bytes of the image.

use super::extensions::{Clearcoat, base, extensions, metallic_roughness};
use super::texture_info::TextureInfo;
use rigy_gltf::json::Value;

/// A material.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Base colour factor: red, green, blue and opacity, linear, from 0 to 1.
    pub base_color: [f64; 4],
    /// Base colour texture; `None` if there is none, or one that names no image.
    pub texture: Option<TextureInfo>,
    /// Its other textures, in the order of their kinds, without those that name no image.
    pub other_textures: Vec<(TextureKind, TextureInfo)>,
    /// Metallic factor from 0 to 1, which its texture is multiplied with.
    pub metallic: f64,
    /// Roughness factor from 0 to 1, likewise.
    pub roughness: f64,
    /// Emissive factor times its strength: red, green and blue, linear, finite, not negative, and above 1 for strong light; likewise.
    pub emissive: [f64; 3],
    /// The factor of the X and Y of normals in its texture; finite.
    pub normal_scale: f64,
    /// The share of its occlusion texture from 0 to 1.
    pub occlusion_strength: f64,
    /// Where it is drawn.
    pub alpha: Alpha,
    /// True if both sides of its triangles are seen.
    pub is_double_sided: bool,
    /// True if its base colour is shown without light.
    pub is_unlit: bool,
    /// Index of refraction, which is finite.
    pub ior: f64,
    /// Its clear coat.
    pub clearcoat: Clearcoat,
    /// The names of its extensions that change how it looks, in file order, but for those of unlit and strong emissive ones.
    pub extensions: Vec<String>,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: None,
            base_color: [1.0; 4],
            texture: None,
            other_textures: Vec::new(),
            metallic: 1.0,
            roughness: 1.0,
            emissive: [0.0; 3],
            normal_scale: 1.0,
            occlusion_strength: 1.0,
            alpha: Alpha::Opaque,
            is_double_sided: false,
            is_unlit: false,
            ior: 1.5,
            clearcoat: Clearcoat::default(),
            extensions: Vec::new(),
        }
    }
}

impl Material {
    /// Returns true if it has a texture of this kind.
    pub fn has(&self, kind: TextureKind) -> bool {
        self.other_textures.iter().any(|(other, _)| *other == kind)
    }

    /// Returns the sets of texture coordinates that its textures use, in their order.
    pub fn sets(&self) -> impl Iterator<Item = u64> + '_ {
        let others = self.other_textures.iter().map(|(_, info)| info);
        self.texture.iter().chain(others).map(|info| info.set)
    }

    /// Returns the emissive and the metallic factor for a file that has textures of some kinds: a factor is 0 if the material has a
    /// texture for it and the file has not.
    pub fn factors(&self, is_written: impl Fn(TextureKind) -> bool) -> ([f64; 3], f64) {
        let lacks = |kind: TextureKind| self.has(kind) && !is_written(kind);
        let emissive = if lacks(TextureKind::Emissive) {
            [0.0; 3]
        } else {
            self.emissive
        };
        let metallic = if lacks(TextureKind::MetallicRoughness) {
            0.0
        } else {
            self.metallic
        };
        (emissive, metallic)
    }

    /// Returns the material without what cannot be seen: of one without light only its colour, its opacity and its sides count.
    pub fn seen(self) -> Self {
        if !self.is_unlit {
            return self;
        }
        Self {
            name: self.name,
            base_color: self.base_color,
            texture: self.texture,
            alpha: self.alpha,
            is_double_sided: self.is_double_sided,
            is_unlit: true,
            metallic: 0.0,
            ..Self::default()
        }
    }

    /// Returns the material as it is shown. In a file that is made from a document both sides of triangles are seen, because they
    /// are wound in both directions; `None` is a white material there, which is shown like none, because most of them only
    /// have a name.
    pub fn shown(&self, is_of_document: bool) -> Option<Self> {
        if !is_of_document {
            return Some(self.clone());
        }
        (self.base_color != [1.0; 4]).then(|| Self {
            is_double_sided: true,
            ..self.clone()
        })
    }

    /// Returns the materials of a file, given its JSON.
    pub fn all(tree: &Value) -> Vec<Self> {
        tree.list("materials")
            .iter()
            .map(|material| Self::of(tree, material))
            .collect()
    }

    pub(super) fn of(tree: &Value, material: &Value) -> Self {
        let (metallic, roughness) = metallic_roughness(material);
        let emissive = material.list("emissiveFactor");
        let strength = material.extension("KHR_materials_emissive_strength");
        let strength = number(strength.and_then(|it| it.get("emissiveStrength")), 1.0)
            .clamp(0.0, f32::MAX.into());
        let name = material.text("name");
        let info = |kind: TextureKind| {
            let info = kind.info_of(material)?;
            Some((kind, TextureInfo::read(tree, info).ok()?))
        };
        let value = |texture: &str, key: &str| {
            number(material.get(texture).and_then(|info| info.get(key)), 1.0)
        };
        let ior = material.extension("KHR_materials_ior");
        Self {
            name: name.map(str::to_owned),
            base_color: base_color(material),
            texture: TextureInfo::of_base_color(tree, material).unwrap_or(None),
            other_textures: TextureKind::ALL.into_iter().filter_map(info).collect(),
            metallic,
            roughness,
            emissive: std::array::from_fn(|component| {
                strength * fraction(emissive.get(component), 0.0)
            }),
            normal_scale: value("normalTexture", "scale"),
            occlusion_strength: value("occlusionTexture", "strength").clamp(0.0, 1.0),
            alpha: Alpha::of(material),
            is_double_sided: matches!(material.get("doubleSided"), Some(Value::Bool(true))),
            is_unlit: material.extension("KHR_materials_unlit").is_some(),
            ior: number(ior.and_then(|it| it.get("ior")), 1.5),
            clearcoat: Clearcoat::of(material),
            extensions: extensions(material),
        }
    }
}

rigy_base::named! {
    /// What a texture beside that of the base colour is for.
    #[derive(PartialOrd, Ord)]
    pub enum TextureKind {
        /// Normals in tangent space.
        Normal = "normal",
        /// Occlusion, in red.
        Occlusion = "occlusion",
        /// Emitted light.
        Emissive = "emissive",
        /// Roughness in green, metallic in blue.
        MetallicRoughness = "metallic-roughness",
    }
}

impl TextureKind {
    /// Returns the texture info of a material in its JSON; `None` if it has none of this kind.
    pub fn info_of<'t, 'a>(self, material: &'t Value<'a>) -> Option<&'t Value<'a>> {
        match self {
            Self::Normal => material.get("normalTexture"),
            Self::Occlusion => material.get("occlusionTexture"),
            Self::Emissive => material.get("emissiveTexture"),
            Self::MetallicRoughness => base(material).0?.get("metallicRoughnessTexture"),
        }
    }
}

/// Returns the base colour factor of a material, or the diffuse one in its place: red, green, blue and opacity, linear, from 0 to 1.
pub fn base_color(material: &Value) -> [f64; 4] {
    let (part, [key, _]) = base(material);
    let factor = part.map_or(&[][..], |part| part.list(key));
    std::array::from_fn(|component| fraction(factor.get(component), 1.0))
}

/// A number from 0 to 1; `default` if there is none.
pub fn fraction(value: Option<&Value>, default: f64) -> f64 {
    value
        .and_then(Value::as_f64)
        .unwrap_or(default)
        .clamp(0.0, 1.0)
}

/// Where a material is drawn, by its opacity times that of its texture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Alpha {
    /// Everywhere.
    Opaque,
    /// Where the opacity is at least this; finite.
    Mask(f64),
    /// Everywhere, mixed with what is behind.
    Blend,
}

impl Alpha {
    /// Returns the alpha mode of a material.
    pub fn of(material: &Value) -> Self {
        match material.text("alphaMode") {
            // No opacity is below a cutoff of 0.
            Some("MASK") => match number(material.get("alphaCutoff"), 0.5) {
                cutoff if cutoff > 0.0 => Self::Mask(cutoff),
                _ => Self::Opaque,
            },
            Some("BLEND") => Self::Blend,
            _ => Self::Opaque,
        }
    }
}

/// A number if it is there and finite, else `default`.
pub fn number(value: Option<&Value>, default: f64) -> f64 {
    let number = value.and_then(Value::as_f64);
    number
        .filter(|number| number.is_finite())
        .unwrap_or(default)
}

/// Returns the sRGB value of linear light from 0 to 1.
pub fn srgb(linear: f64) -> f64 {
    if linear <= 0.003_130_8 {
        12.92 * linear
    } else {
        // The power function of `libm` gives one answer everywhere.
        1.055 * libm::pow(linear, 1.0 / 2.4) - 0.055
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigy_gltf::json::parse;

    #[test]
    fn emissive_strength_is_a_factor_and_unlit_is_an_extension() {
        for (material, expected) in [
            (
                r#"{"emissiveFactor": [0.5, 1, 0]}"#,
                ([0.5, 1.0, 0.0], false),
            ),
            (
                r#"{"emissiveFactor": [0.5, 1, 0], "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 4}}}"#,
                ([2.0, 4.0, 0.0], false),
            ),
            (
                r#"{"emissiveFactor": [1, 1, 1], "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": -1},
                    "KHR_materials_unlit": {}}}"#,
                ([0.0; 3], true),
            ),
        ] {
            let tree = parse("{}").unwrap();
            let found = Material::of(&tree, &parse(material).unwrap());
            assert_eq!((found.emissive, found.is_unlit), expected, "{material}");
        }
    }

    #[test]
    fn only_masks_have_a_cutoff() {
        for (material, expected) in [
            ("{}", Alpha::Opaque),
            (r#"{"alphaCutoff": 0.25}"#, Alpha::Opaque),
            (r#"{"alphaMode": "MASK"}"#, Alpha::Mask(0.5)),
            (
                r#"{"alphaMode": "MASK", "alphaCutoff": 0.25}"#,
                Alpha::Mask(0.25),
            ),
            (r#"{"alphaMode": "MASK", "alphaCutoff": 0}"#, Alpha::Opaque),
            (
                r#"{"alphaMode": "BLEND", "alphaCutoff": 0.25}"#,
                Alpha::Blend,
            ),
        ] {
            assert_eq!(Alpha::of(&parse(material).unwrap()), expected, "{material}");
        }
    }
}
