//! The base colour textures of a file: which image lies on which material, and how.

use std::collections::BTreeMap;

use super::decode::{MAX_PIXELS, decode};
use super::texture::{Levels, Texture};
use rigy_gltf::File;
use rigy_gltf::json::Value;
use rigy_kernel::math::{Vec3, dot};
use rigy_language::base::diag::MOST_FINDINGS;
use rigy_models::bake::Source;
use rigy_models::mesh::{Alpha, TextureInfo};

/// The opacity below which a texture of a material that blends is not drawn; the rest is drawn as if it were opaque.
const BLEND_CUTOFF: f64 = 0.1;

/// The base colour textures of a file. Without any, surfaces have the base colour factors of their materials.
#[derive(Debug, Default)]
pub struct Textures {
    /// For each material, its texture.
    materials: Vec<Option<Placement>>,
    /// The images of these textures by their index; `None` if an image cannot be shown.
    images: BTreeMap<usize, Option<Levels>>,
    /// The reasons for missing textures, in sentences that begin with a path in the JSON; at most 1000.
    pub notes: Vec<String>,
}

/// The texture of a material.
#[derive(Debug)]
struct Placement {
    texture: TextureInfo,
    /// The opacity, times that of the material, below which nothing is drawn.
    cutoff: f64,
}

/// The texture of a surface.
#[derive(Clone, Debug)]
pub(super) struct SurfaceTexture<'a> {
    texture: Texture<'a>,
    lies: &'a TextureInfo,
    /// The opacity, times that of the material, below which nothing is drawn.
    cutoff: f64,
}

impl SurfaceTexture<'_> {
    /// Returns the place in the image of texture coordinates.
    pub fn place(&self, coordinates: [f64; 2]) -> [f64; 2] {
        self.lies.place(coordinates)
    }

    /// Returns the level for a triangle, from the places in the image and in samples of its corners.
    pub fn level(&self, at: &[[f64; 2]; 3], corners: &[Vec3; 3]) -> usize {
        let area = |[a, b, c]: [[f64; 2]; 3]| {
            ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs()
        };
        let in_samples = area(corners.map(|[x, y, _]| [x, y]));
        let levels = self.texture.levels;
        levels.level(area(*at) * levels.area() / in_samples)
    }

    /// Returns the linear colour of a sample, `base` times that of the texture between three places in the image; `None`
    /// if nothing is drawn there.
    pub fn color(
        &self,
        level: usize,
        at: &[[f64; 2]; 3],
        weights: [f64; 3],
        base: [f64; 4],
    ) -> Option<[f64; 3]> {
        let [a, b, c] = at;
        let place = std::array::from_fn(|k| dot([a[k], b[k], c[k]], weights));
        let [red, green, blue, alpha] = self.texture.color(level, place);
        let is_drawn = alpha * base[3] >= self.cutoff;
        is_drawn.then(|| [red * base[0], green * base[1], blue * base[2]])
    }
}

impl Textures {
    /// Decodes the images that are base colour textures of materials in use: PNG and JPEG files of at most 33,554,432
    /// pixels together. A texture that cannot be shown is left out with a note.
    pub fn read(source: &Source<'_>) -> Self {
        let file = &source.file;
        let mut textures = Self::default();
        let mut room = MAX_PIXELS;
        let is_used = used_materials(file);
        for (index, material) in file.tree.list("materials").iter().enumerate() {
            let mut reason = None;
            let placement = if is_used[index] {
                placement(&file.tree, material)
            } else {
                Ok(None)
            };
            let placement = placement.unwrap_or_else(|error| {
                reason = Some(error);
                None
            });
            if let Some(placement) = &placement {
                let image = placement.texture.image;
                textures.images.entry(image).or_insert_with(|| {
                    let levels = levels(source, image, &mut room);
                    levels
                        .map_err(|error| reason = Some(format!("images[{image}]: {error}")))
                        .ok()
                });
            }
            textures.materials.push(placement);
            if let Some(reason) = reason.filter(|_| textures.notes.len() < MOST_FINDINGS) {
                let note = format!("materials[{index}] has no texture in the picture: {reason}");
                textures.notes.push(note);
            }
        }
        textures
    }

    /// Returns how much memory the images take, in bytes.
    pub fn memory(&self) -> u64 {
        let images = self.images.values().flatten();
        let pixels = images.map(|levels| levels.area() as u64);
        // Smaller levels have a third of the pixels together.
        pixels.sum::<u64>() * 4 * 4 / 3
    }

    /// The texture of a material; `None` if it has none.
    pub(super) fn of(&self, material: Option<usize>) -> Option<SurfaceTexture<'_>> {
        let Placement { texture, cutoff } = self.materials.get(material?)?.as_ref()?;
        Some(SurfaceTexture {
            texture: Texture {
                levels: self.images.get(&texture.image)?.as_ref()?,
                wraps: texture.wraps,
                is_nearest: texture.is_nearest,
            },
            lies: texture,
            cutoff: *cutoff,
        })
    }
}

/// For each material whether a primitive has it.
fn used_materials(file: &File<'_>) -> Vec<bool> {
    let mut is_used = vec![false; file.tree.list("materials").len()];
    let primitives = file.meshes.iter().flat_map(|mesh| &mesh.primitives);
    for material in primitives.filter_map(|primitive| primitive.material) {
        if let Some(used) = is_used.get_mut(material) {
            *used = true;
        }
    }
    is_used
}

/// The base colour texture of a material; `None` if it has none.
///
/// # Errors
/// In words, if the texture cannot be shown.
fn placement(tree: &Value<'_>, material: &Value<'_>) -> Result<Option<Placement>, String> {
    let Some(texture) = TextureInfo::of_base_color(tree, material)? else {
        return Ok(None);
    };
    if texture.set != 0 {
        let set = texture.set;
        return Err(format!(
            "it uses texture coordinates of set {set}; only set 0 is shown"
        ));
    }
    let cutoff = match Alpha::of(material) {
        Alpha::Opaque => 0.0,
        Alpha::Mask(cutoff) => cutoff,
        Alpha::Blend => BLEND_CUTOFF,
    };
    Ok(Some(Placement { texture, cutoff }))
}

/// Decodes an image; `room` is the number of pixels that may still be decoded.
fn levels(source: &Source<'_>, image: usize, room: &mut usize) -> Result<Levels, String> {
    let bytes = source.image(image);
    let bytes = bytes.ok_or("there is no such image, or it has no bytes")?;
    let pixels = decode(bytes, *room)?;
    *room -= pixels.pixels.len();
    Ok(Levels::new(pixels))
}
