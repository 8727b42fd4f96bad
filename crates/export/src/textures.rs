//! Textures: the images of base colours, as files beside a file, named by their content.

use std::collections::BTreeMap;

use rigy_language::base::diag::{Code, Diagnostic, MOST_FINDINGS};
use rigy_models::bake::image_file_name;
use rigy_models::mesh::{BaseColorTexture, Model};

/// Returns the bytes of an image of the file by its index, such as [`Source::image`](rigy_models::bake::Source::image) does;
/// `None` if there are none.
pub type Images<'i, 'a> = &'i dyn Fn(usize) -> Option<&'a [u8]>;

/// The image files of the materials in use.
#[derive(Default)]
pub(super) struct Textures<'a> {
    /// The files by their names; equal images are one.
    pub files: BTreeMap<String, &'a [u8]>,
    /// For each material, the name of its file; `None` if it has no texture, or one that is left out.
    names: Vec<Option<String>>,
    /// The reasons for which textures are left out.
    pub warnings: Vec<Diagnostic>,
}

impl<'a> Textures<'a> {
    /// Finds the images of the materials in use.
    pub fn new(model: &Model, images: Images<'_, 'a>) -> Self {
        let mut textures = Self::default();
        let mut is_used = vec![false; model.materials.len()];
        for material in model.surfaces.iter().filter_map(|s| s.material) {
            if let Some(used) = is_used.get_mut(material) {
                *used = true;
            }
        }
        let mut known = BTreeMap::new();
        for (index, material) in model.materials.iter().enumerate() {
            let texture = material.texture.as_ref().filter(|_| is_used[index]);
            let file = texture.map(|texture| match texture.set {
                0 => known
                    .entry(texture.image)
                    .or_insert_with(|| file(texture, images))
                    .clone(),
                set => Err(format!(
                    "it uses texture coordinates of set {set}; only set 0 is written"
                )),
            });
            let file = file.transpose().unwrap_or_else(|reason| {
                if textures.warnings.len() < MOST_FINDINGS {
                    textures.warnings.push(left_out(index, &reason));
                }
                None
            });
            textures.names.push(file.map(|(name, bytes)| {
                textures.files.insert(name.clone(), bytes);
                name
            }));
        }
        textures
    }

    /// Returns the name of the file of a material's texture; `None` if it has none.
    pub fn name(&self, material: usize) -> Option<&str> {
        self.names.get(material)?.as_deref()
    }
}

/// Name and bytes of the file of a texture.
fn file<'a>(
    texture: &BaseColorTexture,
    images: Images<'_, 'a>,
) -> Result<(String, &'a [u8]), String> {
    let bytes = images(texture.image).ok_or_else(|| {
        let image = texture.image;
        format!("there is no image {image}, or it has no bytes")
    })?;
    let name = image_file_name(bytes);
    let name = name.ok_or("its image is no PNG, JPEG, KTX2, WebP or DDS file")?;
    Ok((name, bytes))
}

/// The warning that the texture of a material is left out.
fn left_out(material: usize, reason: &str) -> Diagnostic {
    warning(format!(
        "the texture of materials[{material}] is left out: {reason}"
    ))
}

/// A warning that something is left out (W16).
pub(super) fn warning(message: String) -> Diagnostic {
    let mut warning = Diagnostic::without_code(Code::W16.category(), message);
    warning.code = Some(Code::W16);
    warning
}
