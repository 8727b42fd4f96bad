//! The textures of a file: which images lie on which material, and how.

use std::collections::{BTreeMap, BTreeSet};

use super::images::{self, decoded};
use super::texture::{Levels, Texture};
use crate::image_sizes::SameImages;
use rigy_base::diag::MOST_FINDINGS;
use rigy_gltf::File;
use rigy_gltf::json::Value;
use rigy_kernel::math::{Vec3, dot};
use rigy_models::bake::Source;
use rigy_models::mesh::{Surface, TextureInfo, TextureKind};

/// The textures that a material may have, in the order in which images are decoded while there is room.
pub const KINDS: [Option<TextureKind>; MAPS] = [
    None,
    Some(TextureKind::Normal),
    Some(TextureKind::MetallicRoughness),
    Some(TextureKind::Emissive),
    Some(TextureKind::Occlusion),
];

/// The number of textures that a material may have.
pub const MAPS: usize = 5;

/// The textures of a file. Without any, surfaces have the factors of their materials.
#[derive(Debug, Default)]
pub struct Textures {
    /// For each material its textures, by [`KINDS`].
    materials: Vec<[Option<TextureInfo>; MAPS]>,
    /// The images of these textures by their index; the error if an image cannot be shown.
    images: BTreeMap<usize, Result<Levels, String>>,
    /// The reasons for missing textures, in sentences that begin with a path in the JSON; at most 1000.
    pub notes: Vec<String>,
}

/// A texture of a surface.
pub struct SurfaceTexture<'a> {
    texture: Texture<'a>,
    lies: &'a TextureInfo,
}

/// A texture of a triangle.
pub struct TriangleTexture<'t, 'a> {
    texture: &'t Texture<'a>,
    level: usize,
    /// The places of the corners in the image.
    at: [[f64; 2]; 3],
}

impl<'a> SurfaceTexture<'a> {
    /// The texture on a triangle of a surface, whose corners have these places in the picture, in pixels; `None` if the surface
    /// has no texture coordinates for it.
    pub fn on(
        &self,
        surface: &Surface,
        triangle: [u32; 3],
        corners: &[[f64; 2]; 3],
    ) -> Option<TriangleTexture<'_, 'a>> {
        let of_set = self.lies.coordinates(surface)?;
        let at = triangle.map(|vertex| {
            let found = of_set.get(vertex as usize).copied();
            self.lies.place(found.unwrap_or_default())
        });
        let levels = self.texture.levels;
        Some(TriangleTexture {
            texture: &self.texture,
            level: levels.level(area(&at) * levels.area() / area(corners)),
            at,
        })
    }
}

/// The sum of three values by their weights.
pub fn blended<const N: usize>([a, b, c]: &[[f64; N]; 3], weights: [f64; 3]) -> [f64; N] {
    std::array::from_fn(|k| dot([a[k], b[k], c[k]], weights))
}

/// Twice the area of a triangle.
fn area([a, b, c]: &[[f64; 2]; 3]) -> f64 {
    ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs()
}

impl TriangleTexture<'_, '_> {
    /// Red, green, blue and opacity from 0 to 1 at a point of the triangle. Colours are linear; other values are as they
    /// are stored.
    pub fn value(&self, weights: [f64; 3], is_color: bool) -> [f64; 4] {
        self.texture
            .value(self.level, blended(&self.at, weights), is_color)
    }

    /// The directions in which the image's columns and rows grow on the triangle, whose corners have these places; both of
    /// any length. `None` if the image has no area there.
    pub fn directions(&self, corners: &[Vec3; 3]) -> Option<[Vec3; 2]> {
        let step = |to: usize| [0, 1].map(|k| self.at[to][k] - self.at[0][k]);
        let [u1, v1] = step(1);
        let [u2, v2] = step(2);
        let turned = u1 * v2 - u2 * v1;
        let sign = turned.signum();
        let edge = |to: usize, axis: usize| corners[to][axis] - corners[0][axis];
        let is_flat = turned == 0.0 || !turned.is_finite();
        (!is_flat).then(|| {
            [
                std::array::from_fn(|axis| (edge(1, axis) * v2 - edge(2, axis) * v1) * sign),
                std::array::from_fn(|axis| (edge(2, axis) * u1 - edge(1, axis) * u2) * sign),
            ]
        })
    }
}

impl Textures {
    /// Returns about how many bytes [`read`](Self::read) takes, by the sizes that the images say they have.
    pub fn memory(source: &Source) -> u64 {
        images::memory(source, &Self::without_images(source).1)
    }

    /// Decodes the images that materials in use show: PNG, JPEG and WebP files. Those that have
    /// more than 33,554,432 pixels together are halved, the largest first, until they have not. A texture that cannot be
    /// shown is left out; a note says why, once for all textures with the same reason.
    pub fn read(source: &Source) -> Self {
        let (mut textures, images, mut missing) = Self::without_images(source);
        textures.images = decoded(source, &images);
        textures.remove_broken(&mut missing);
        textures.notes = missing.notes();
        textures
    }

    /// The textures before images are decoded, the images that are to be, in this order, and the textures that are missing.
    fn without_images(source: &Source) -> (Self, Vec<usize>, Missing) {
        let file = &source.file;
        let materials = file.tree.list("materials");
        let mut textures = Self {
            materials: materials.iter().map(|_| [const { None }; MAPS]).collect(),
            ..Self::default()
        };
        let mut missing = Missing::default();
        let sets = sets_of_materials(file);
        let mut images = Vec::new();
        let (mut known, mut same) = (BTreeSet::new(), SameImages::default());
        for (map, kind) in KINDS.into_iter().enumerate() {
            for (index, (material, sets)) in materials.iter().zip(&sets).enumerate() {
                let Some(sets) = sets else { continue };
                match texture_of(&file.tree, material, kind, sets) {
                    Ok(mut texture) => {
                        if let Some(TextureInfo { image, .. }) = &mut texture {
                            *image = same.first(source, *image);
                            images.extend(known.insert(*image).then_some(*image));
                        }
                        textures.materials[index][map] = texture;
                    }
                    Err(error) => missing.add(index, kind, None, error),
                }
            }
        }
        (textures, images, missing)
    }

    /// Removes the textures whose image cannot be shown.
    fn remove_broken(&mut self, missing: &mut Missing) {
        for (map, kind) in KINDS.into_iter().enumerate() {
            for (index, textures) in self.materials.iter_mut().enumerate() {
                let image = textures[map].as_ref().map(|texture| texture.image);
                if let Some(Err(error)) = image.and_then(|image| self.images.get(&image)) {
                    missing.add(index, kind, image, error.clone());
                    textures[map] = None;
                }
            }
        }
    }

    /// The textures of a surface's material for which it has texture coordinates, by [`KINDS`].
    pub(super) fn of(&self, surface: &Surface) -> [Option<SurfaceTexture<'_>>; MAPS] {
        let maps = surface.material.and_then(|index| self.materials.get(index));
        std::array::from_fn(|map| {
            let texture = maps?[map].as_ref()?;
            texture.coordinates(surface)?;
            Some(SurfaceTexture {
                texture: Texture {
                    levels: self.images.get(&texture.image)?.as_ref().ok()?,
                    wraps: texture.wraps,
                    is_nearest: texture.is_nearest,
                },
                lies: texture,
            })
        })
    }
}

/// Textures that are not shown, by their reasons.
#[derive(Default)]
struct Missing(BTreeMap<String, (String, usize)>);

impl Missing {
    /// Adds a texture, with its image if that cannot be shown, and why there is no texture.
    fn add(
        &mut self,
        material: usize,
        kind: Option<TextureKind>,
        image: Option<usize>,
        error: String,
    ) {
        let name = kind.map_or("base colour", TextureKind::name);
        let first = || {
            let image = image.map_or_else(String::new, |image| format!("images[{image}]: "));
            format!("materials[{material}] has no {name} texture in the picture: {image}{error}")
        };
        let (_, count) = self.0.entry(error.clone()).or_insert_with(|| (first(), 0));
        *count += 1;
    }

    fn notes(self) -> Vec<String> {
        self.0
            .into_values()
            .map(|(first, count)| match count {
                1 => first,
                2 => format!("{first}; one more texture is missing for this reason"),
                _ => format!(
                    "{first}; {} more textures are missing for this reason",
                    count - 1
                ),
            })
            .take(MOST_FINDINGS)
            .collect()
    }
}

/// For each material the sets of texture coordinates of all primitives that have it; `None` if none has.
fn sets_of_materials(file: &File) -> Vec<Option<BTreeSet<u64>>> {
    let mut all = vec![None; file.tree.list("materials").len()];
    for primitive in file.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        let Some(sets) = primitive.material.and_then(|index| all.get_mut(index)) else {
            continue;
        };
        let attributes = primitive.attributes.iter();
        let numbers =
            attributes.filter_map(|(name, _)| name.strip_prefix("TEXCOORD_")?.parse::<u64>().ok());
        sets.get_or_insert_with(BTreeSet::new).extend(numbers);
    }
    all
}

/// A texture of a material; `None` if it has none of this kind. `sets` are the sets of texture coordinates of its surfaces.
///
/// # Errors
/// In words, if the texture cannot be shown, or no surface has texture coordinates for it.
fn texture_of(
    tree: &Value,
    material: &Value,
    kind: Option<TextureKind>,
    sets: &BTreeSet<u64>,
) -> Result<Option<TextureInfo>, String> {
    let texture = match kind {
        None => TextureInfo::of_base_color(tree, material),
        Some(kind) => kind
            .info_of(material)
            .map(|info| TextureInfo::read(tree, info))
            .transpose(),
    };
    match texture? {
        Some(TextureInfo { set, .. }) if !sets.contains(&set) => Err(format!(
            "no surface with it has texture coordinates of set {set}"
        )),
        texture => Ok(texture),
    }
}
