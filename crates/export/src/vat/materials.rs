//! The materials of the mesh, with the textures of their base colours.

use serde_json::{Value, json};

use super::mesh::Data;
use crate::objects::Export;
use crate::textures::warning;
use rigy_language::base::diag::Diagnostic;
use rigy_models::mesh::{Alpha, BaseColorTexture, Material, Wrap};

/// The filter of textures whose enlarged pixels keep their edges.
const NEAREST: u32 = 9728;

/// Materials, and the lists that they refer to.
#[derive(Default)]
pub(super) struct Materials {
    pub list: Vec<Value>,
    pub textures: Vec<Value>,
    pub samplers: Vec<Value>,
    pub images: Vec<Value>,
    /// The reasons for which textures are left out (W16).
    pub warnings: Vec<Diagnostic>,
}

impl Materials {
    /// Returns the materials of a model. Their images are appended to the data; equal images are one.
    pub fn new(export: &Export<'_, '_>, data: &mut Data) -> Self {
        let mut materials = Self {
            warnings: export.textures.warnings.clone(),
            ..Self::default()
        };
        let mut names: Vec<&str> = Vec::new();
        for (name, bytes) in &export.textures.files {
            let Some(media_type) = media_type(name) else {
                let message = format!("the texture {name} is left out: it is no PNG or JPEG file");
                materials.warnings.push(warning(message));
                continue;
            };
            let view = data.view(bytes, None);
            let image = json!({"bufferView": view, "mimeType": media_type});
            materials.images.push(image);
            names.push(name);
        }
        for (index, material) in export.sequence.model().materials.iter().enumerate() {
            let name = export.textures.name(index);
            let image = name.and_then(|name| names.iter().position(|known| *known == name));
            let texture = material.texture.as_ref().zip(image);
            let texture = texture.map(|(texture, image)| materials.texture(texture, image));
            materials.list.push(described(material, texture));
        }
        materials
    }

    /// Appends a texture, and returns its index.
    fn texture(&mut self, texture: &BaseColorTexture, image: usize) -> usize {
        let [wrap_u, wrap_v] = texture.wraps.map(|wrap| match wrap {
            Wrap::Repeat => 10_497,
            Wrap::Mirror => 33_648,
            Wrap::Clamp => 33_071,
        });
        let mut sampler = json!({"wrapS": wrap_u, "wrapT": wrap_v});
        if texture.is_nearest {
            sampler["magFilter"] = NEAREST.into();
        }
        self.samplers.push(sampler);
        let texture = json!({"source": image, "sampler": self.samplers.len() - 1});
        self.textures.push(texture);
        self.textures.len() - 1
    }
}

/// Returns the media type of an image that every client reads, by the ending of its name.
fn media_type(name: &str) -> Option<&'static str> {
    match name.rsplit_once('.')?.1 {
        "png" => Some("image/png"),
        "jpg" => Some("image/jpeg"),
        _ => None,
    }
}

/// Returns a material, with the index of the texture of its base colour.
fn described(material: &Material, texture: Option<usize>) -> Value {
    let mut surface = json!({
        "baseColorFactor": material.base_color,
        "metallicFactor": material.metallic,
        "roughnessFactor": material.roughness,
    });
    if let Some(texture) = texture {
        surface["baseColorTexture"] = json!({"index": texture});
    }
    let mut described = json!({
        "pbrMetallicRoughness": surface,
        "emissiveFactor": material.emissive,
        "doubleSided": material.is_double_sided,
    });
    if let Some(name) = &material.name {
        described["name"] = json!(name);
    }
    match material.alpha {
        Alpha::Opaque => {}
        Alpha::Mask(cutoff) => {
            described["alphaMode"] = "MASK".into();
            described["alphaCutoff"] = cutoff.into();
        }
        Alpha::Blend => described["alphaMode"] = "BLEND".into(),
    }
    described
}
