//! Materials of a file as the page shows them, and the images of their textures.
//!
//! The type of an image is told by its first bytes alone, and is one of three that browsers decode as pictures without a
//! script. What the file says about the type, and addresses of images, do not reach the page.

use std::borrow::Cow;
use std::collections::HashSet;

use super::{MAX_BLOCK, Material, Texture};
use crate::description::media_type;
use crate::image_sizes::{MAX_DECODED, SameImages, area, encoded, kept, sizes};
#[cfg(feature = "cli")]
use crate::picture::smaller;
use rigy_models::bake::Source;
use rigy_models::mesh::{self, Alpha, TextureInfo, is_of_document};

/// Most sets of texture coordinates that the shader reads.
const MAX_SETS: usize = 2;
/// The types that browsers decode as pictures without a script.
const SHOWN: [&str; 3] = ["image/png", "image/jpeg", "image/webp"];
/// Most bytes of all images. One that would take more than half of what is left is made smaller.
const MOST_BYTES: usize = (MAX_BLOCK / 2) as usize;

/// The materials of a file by their index; `None` for one that is shown like none.
pub type Materials = [Option<Material>];

/// The media type and the bytes of an image; `None` if no texture shows it, or it is left out.
pub type Image<'s> = Option<(&'static str, Cow<'s, [u8]>)>;

/// The images of a file.
#[derive(Default)]
pub struct Images<'s> {
    /// All images, by their index in the file.
    pub shown: Vec<Image<'s>>,
    /// The number of images that are left out, because they are of another type, broken or too large.
    pub left_out: usize,
}

/// Returns what the page shows of the materials of a file, and the images of their textures.
pub fn materials<'s>(source: &'s Source) -> (Vec<Option<Material>>, Images<'s>) {
    let tree = &source.file.tree;
    let is_of_document = is_of_document(tree);
    let used: HashSet<usize> = source
        .file
        .primitives()
        .filter_map(|one| one.material)
        .collect();
    let mut same = SameImages::default();
    let all = mesh::Material::all(tree)
        .into_iter()
        .enumerate()
        .map(|(index, material)| {
            let mut shown = material
                .shown(is_of_document)
                .filter(|_| used.contains(&index))?;
            let others = shown.other_textures.iter_mut().map(|(_, info)| info);
            for info in shown.texture.iter_mut().chain(others) {
                info.image = same.first(source, info.image);
            }
            Some(shown)
        });
    let all: Vec<_> = all.collect();
    let wanted = all.iter().flatten().flat_map(textures);
    let images = Images::read(source, wanted.map(|(_, info)| info.image).collect());
    let list = all.iter().map(|material| {
        let material = material.as_ref()?;
        let textures = textures(material)
            .filter(|(_, info)| images.shown.get(info.image).is_some_and(Option::is_some))
            .map(|(kind, info)| texture(kind, info));
        Some(described(material, textures.collect(), is_of_document))
    });
    (list.collect(), images)
}

/// The textures of a material, with the names of their kinds.
fn textures(material: &mesh::Material) -> impl Iterator<Item = (&'static str, &TextureInfo)> {
    let base = material.texture.iter().map(|info| ("base", info));
    let others = material.other_textures.iter();
    base.chain(others.map(|(kind, info)| (kind.name(), info)))
}

/// Returns the numbers of the sets of texture coordinates that the material of a primitive uses, at most two.
pub fn sets(materials: &Materials, material: Option<usize>) -> Vec<u64> {
    let material = material.and_then(|index| materials.get(index)?.as_ref());
    let mut sets = Vec::new();
    for texture in material.iter().flat_map(|material| &material.textures) {
        if sets.len() < MAX_SETS && !sets.contains(&texture.set) {
            sets.push(texture.set);
        }
    }
    sets
}

impl<'s> Images<'s> {
    fn read(source: &'s Source, mut wanted: Vec<usize>) -> Self {
        wanted.sort_unstable();
        wanted.dedup();
        let all = encoded(source, &wanted);
        let sizes = sizes(&all);
        let (mut images, mut room) = (Self::default(), MOST_BYTES);
        let mut decodable = MAX_DECODED;
        let kept = kept(&sizes).into_iter().zip(sizes);
        for ((&index, bytes), (kept, size)) in wanted.iter().zip(all).zip(kept) {
            let image = bytes.ok().zip(size).and_then(|(bytes, size)| {
                let media_type = media_type(bytes).filter(|it| SHOWN.contains(it))?;
                let (len, area) = (room / 2, area(size));
                if area <= kept && bytes.len() <= len {
                    return Some((media_type, Cow::Borrowed(bytes)));
                }
                let most = if area <= kept { area / 4 } else { kept };
                let file = smaller(bytes, most, len, &mut decodable)?;
                Some(("image/png", Cow::Owned(file)))
            });
            room -= image.as_ref().map_or(0, |(_, bytes)| bytes.len().min(room));
            images.left_out += usize::from(image.is_none());
            images.shown.resize(index, None);
            images.shown.push(image);
        }
        images
    }
}

/// The module of the playground has no decoders.
#[cfg(not(feature = "cli"))]
fn smaller(_: &[u8], _: usize, _: usize, _: &mut usize) -> Option<Vec<u8>> {
    None
}

fn texture(kind: &'static str, info: &TextureInfo) -> Texture {
    let [wrap_s, wrap_t] = info.wraps;
    Texture {
        kind,
        image: info.image,
        wrap_s,
        wrap_t,
        nearest: info.is_nearest,
        set: info.set,
        transform: info.transform,
    }
}

/// A material of a scene with these textures. Factors of textures that it lacks are 0.
fn described(material: &mesh::Material, textures: Vec<Texture>, is_of_document: bool) -> Material {
    let (emissive, metallic) =
        material.factors(|kind| textures.iter().any(|texture| texture.kind == kind.name()));
    Material {
        color: material.base_color,
        metallic,
        roughness: material.roughness,
        emissive,
        normal_scale: material.normal_scale,
        occlusion_strength: material.occlusion_strength,
        blend: material.alpha == Alpha::Blend,
        alpha_cutoff: match material.alpha {
            Alpha::Mask(cutoff) => Some(cutoff),
            Alpha::Opaque | Alpha::Blend => None,
        },
        double_sided: material.is_double_sided,
        loose: is_of_document,
        unlit: material.is_unlit,
        textures,
    }
}
