//! The base colour textures of a file: which image lies on which material, and how.

use std::collections::BTreeMap;

use super::decode::decode;
use super::texture::{Levels, Texture, Wrap};
use crate::bake::gltf::json::Value;
use crate::bake::gltf::{File, resource};
use crate::base::diag::MOST_FINDINGS;
use crate::base::loader::{Loader, Location};
use crate::kernel::math::{Vec3, dot};

/// Most pixels of the images of a file together.
const MAX_PIXELS: usize = 1 << 25;

/// The opacity below which a texture of a material that blends is not drawn; the rest is drawn as if it were opaque.
const BLEND_CUTOFF: f64 = 0.1;

/// The base colour textures of a file. Without any, surfaces have the base colour factors of their materials.
#[derive(Debug, Default)]
pub struct Textures {
    /// For each material, its texture.
    materials: Vec<Option<Placement>>,
    /// The images of these textures by their index; `None` if an image cannot be shown.
    images: BTreeMap<u64, Option<Levels>>,
    /// Why textures are missing, in sentences that begin with a path in the JSON; at most 1000.
    pub notes: Vec<String>,
}

/// How an image lies on the surfaces of a material.
#[derive(Clone, Debug, PartialEq)]
struct Placement {
    image: u64,
    wraps: [Wrap; 2],
    is_nearest: bool,
    /// Two rows that take texture coordinates, and 1, to places in the image.
    transform: [[f64; 3]; 2],
    /// The opacity, times that of the material, below which nothing is drawn.
    cutoff: f64,
}

/// The texture of a surface.
#[derive(Clone, Debug)]
pub(super) struct SurfaceTexture<'a> {
    texture: Texture<'a>,
    transform: &'a [[f64; 3]; 2],
    /// The opacity, times that of the material, below which nothing is drawn.
    cutoff: f64,
}

impl SurfaceTexture<'_> {
    /// Returns the place in the image of texture coordinates.
    pub fn place(&self, [u, v]: [f64; 2]) -> [f64; 2] {
        self.transform.map(|[a, b, c]| a * u + b * v + c)
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
    /// pixels together. The loader finds images in files of their own, relative to `location`. A texture that cannot be
    /// shown is left out with a note.
    pub fn read(file: &File<'_>, location: &Location, loader: &dyn Loader) -> Self {
        let mut textures = Self::default();
        let mut room = MAX_PIXELS;
        let is_used = used_materials(file);
        for (index, material) in file.tree.list("materials").iter().enumerate() {
            let mut reason = None;
            let placement = match is_used[index] {
                true => placement(&file.tree, material),
                false => Ok(None),
            };
            let placement = placement.unwrap_or_else(|error| {
                reason = Some(error);
                None
            });
            if let Some(Placement { image, .. }) = &placement {
                textures.images.entry(*image).or_insert_with(|| {
                    let levels = levels(file, *image, location, loader, &mut room);
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

    /// Returns the texture of a material; `None` if it has none.
    pub(super) fn of(&self, material: Option<usize>) -> Option<SurfaceTexture<'_>> {
        let placement = self.materials.get(material?)?.as_ref()?;
        Some(SurfaceTexture {
            texture: Texture {
                levels: self.images.get(&placement.image)?.as_ref()?,
                wraps: placement.wraps,
                is_nearest: placement.is_nearest,
            },
            transform: &placement.transform,
            cutoff: placement.cutoff,
        })
    }
}

/// Returns for each material whether a primitive has it.
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

/// Returns how the base colour texture of a material lies; `None` if it has none.
///
/// # Errors
/// In words, if the texture cannot be shown.
fn placement(tree: &Value<'_>, material: &Value<'_>) -> Result<Option<Placement>, String> {
    let pbr = material.get("pbrMetallicRoughness");
    let Some(info) = pbr.and_then(|pbr| pbr.get("baseColorTexture")) else {
        return Ok(None);
    };
    let extensions = info.get("extensions");
    let moved = extensions.and_then(|extensions| extensions.get("KHR_texture_transform"));
    let own = moved.and_then(|moved| moved.get("texCoord"));
    let set = own
        .or(info.get("texCoord"))
        .and_then(Value::as_u64)
        .unwrap_or(0);
    if set != 0 {
        return Err(format!(
            "it uses texture coordinates of set {set}; only set 0 is shown"
        ));
    }
    let element = |list: &str, index: u64| {
        usize::try_from(index)
            .ok()
            .and_then(|index| tree.list(list).get(index))
    };
    let index = info.get("index").and_then(Value::as_u64);
    let texture = index.and_then(|index| element("textures", index));
    let texture = texture.ok_or("its texture does not exist")?;
    let image = texture.get("source").and_then(Value::as_u64);
    let image = image.ok_or("its texture has no `source`; images of extensions are not read")?;
    let sampler = texture.get("sampler").and_then(Value::as_u64);
    let sampler = sampler.and_then(|index| element("samplers", index));
    let property = |name: &str| {
        sampler
            .and_then(|sampler| sampler.get(name))
            .and_then(Value::as_u64)
    };
    Ok(Some(Placement {
        image,
        wraps: ["wrapS", "wrapT"].map(|name| Wrap::named(property(name))),
        is_nearest: property("magFilter") == Some(9728),
        transform: transform(moved),
        cutoff: match material.get("alphaMode").and_then(Value::as_str) {
            Some("MASK") => material
                .get("alphaCutoff")
                .and_then(Value::as_f64)
                .unwrap_or(0.5),
            Some("BLEND") => BLEND_CUTOFF,
            _ => 0.0,
        },
    }))
}

/// Returns the transform of `KHR_texture_transform`: scale, then a rotation, then an offset. The rotation is counter-clockwise
/// as the image is seen, with V down.
fn transform(extension: Option<&Value<'_>>) -> [[f64; 3]; 2] {
    let pair = |name: &str, default: f64| -> [f64; 2] {
        let list = extension.map_or(&[][..], |extension| extension.list(name));
        std::array::from_fn(|k| list.get(k).and_then(Value::as_f64).unwrap_or(default))
    };
    let ([x, y], [scale_x, scale_y]) = (pair("offset", 0.0), pair("scale", 1.0));
    let angle = extension
        .and_then(|extension| extension.get("rotation"))
        .and_then(Value::as_f64);
    let (sine, cosine) = libm::sincos(angle.unwrap_or(0.0));
    [
        [cosine * scale_x, sine * scale_y, x],
        [-sine * scale_x, cosine * scale_y, y],
    ]
}

/// Decodes an image; `room` is the number of pixels that may still be decoded.
fn levels(
    file: &File<'_>,
    image: u64,
    location: &Location,
    loader: &dyn Loader,
    room: &mut usize,
) -> Result<Levels, String> {
    let index = usize::try_from(image).unwrap_or(usize::MAX);
    let value = file
        .tree
        .list("images")
        .get(index)
        .ok_or("there is no such image")?;
    let pixels = match value.get("uri").and_then(Value::as_str) {
        Some(uri) => {
            let path = format!("images[{image}].uri");
            let bytes = resource(uri, &path, location, loader);
            decode(bytes.map_err(|problem| problem.message)?.as_ref(), *room)?
        }
        None => {
            let view = value.get("bufferView").and_then(Value::as_u64);
            let view = view.and_then(|view| file.view(usize::try_from(view).ok()?));
            decode(view.ok_or("it has no bytes")?, *room)?
        }
    };
    *room -= pixels.pixels.len();
    Ok(Levels::new(pixels))
}
