//! Materials of a scene, and the texture coordinates that surfaces have for them.

use std::collections::HashMap;

use super::surfaces::Block;
use super::textures::Images;
use super::{Material, Surface, Texture};
use rigy_gltf::{Primitive, Problem, Vertices, morphed};
use rigy_models::bake::Source;
use rigy_models::mesh::{Alpha, TextureInfo, TextureKind, is_of_document};

/// Most sets of texture coordinates that the shader reads.
const MAX_SETS: usize = 2;

/// The materials of a file that its surfaces use.
pub(super) struct Materials<'s, 'f> {
    source: &'s Source<'f>,
    is_of_document: bool,
    /// All materials of the file, as they are shown.
    all: Vec<Option<rigy_models::mesh::Material>>,
    /// Those that the scene has.
    pub list: Vec<Material>,
    /// For each material of the file that a surface uses, its index in `list`.
    places: HashMap<usize, usize>,
    pub images: Images,
}

impl<'s, 'f> Materials<'s, 'f> {
    pub fn new(source: &'s Source<'f>) -> Self {
        let is_of_document = is_of_document(&source.file.tree);
        let all = rigy_models::mesh::Material::all(&source.file.tree);
        Self {
            source,
            is_of_document,
            all: all.iter().map(|it| it.shown(is_of_document)).collect(),
            list: Vec::new(),
            places: HashMap::new(),
            images: Images::default(),
        }
    }

    /// Gives a surface the material of its primitive, and the texture coordinates that it needs.
    ///
    /// # Errors
    /// If a texture coordinate is not finite.
    pub fn give(
        &mut self,
        block: &mut Block,
        surface: &mut Surface,
        primitive: &Primitive,
        path: &str,
    ) -> Result<(), Problem> {
        let index = primitive.material;
        surface.material = index.and_then(|index| self.place(block, index));
        let Some(material) = surface.material.map(|place| &self.list[place]) else {
            return Ok(());
        };
        let vertices = Vertices {
            file: &self.source.file,
            primitive,
            path,
            range: 0..primitive.vertex_count,
        };
        for texture in &material.textures {
            let is_there = |(set, _): &(u64, usize)| *set == texture.set;
            let sets = &mut surface.coordinates;
            if sets.len() == MAX_SETS || sets.iter().any(is_there) {
                continue;
            }
            let name = format!("TEXCOORD_{}", texture.set);
            let mut rows: Vec<[f64; 2]> = Vec::new();
            if morphed::<2>(&vertices, &name, &[], &mut rows)? {
                let rows = rows.into_iter().flatten();
                sets.push((texture.set, block.push_f32(rows)));
            }
        }
        Ok(())
    }

    /// The index in `list` of a material of the file, which is appended if it is new; `None` if it is shown like none.
    fn place(&mut self, block: &mut Block, index: usize) -> Option<usize> {
        if let Some(place) = self.places.get(&index) {
            return Some(*place);
        }
        let material = self.all.get(index)?.as_ref()?;
        let base = material.texture.iter().map(|info| ("base", info));
        let others = material.other_textures.iter();
        let others = others.map(|(kind, info)| (kind.name(), info));
        let mut textures = Vec::new();
        for (kind, info) in base.chain(others) {
            if let Some(image) = self.images.place(block, self.source, info.image) {
                textures.push(texture(kind, info, image));
            }
        }
        self.list
            .push(described(material, textures, self.is_of_document));
        self.places.insert(index, self.list.len() - 1);
        Some(self.list.len() - 1)
    }
}

fn texture(kind: &'static str, info: &TextureInfo, image: usize) -> Texture {
    let [wrap_s, wrap_t] = info.wraps;
    Texture {
        kind,
        image,
        wrap_s,
        wrap_t,
        nearest: info.is_nearest,
        set: info.set,
        transform: info.transform,
    }
}

/// A material of a scene with these textures. Factors of textures that it lacks are 0.
pub(super) fn described(
    material: &rigy_models::mesh::Material,
    textures: Vec<Texture>,
    is_of_document: bool,
) -> Material {
    let has = |kind: TextureKind| textures.iter().any(|texture| texture.kind == kind.name());
    let (emissive, metallic) = material.factors(has);
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
