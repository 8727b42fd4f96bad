//! The mesh that the textures move, as a GLB: one primitive for each surface, and materials with the textures of their base colours.

use std::collections::BTreeSet;

use super::texture::{Grid, error};
use crate::objects::Export;
use crate::sequence::FrameSurface;
use rigy_base::diag::{Code, Diagnostic};
use rigy_models::bake::GENERATOR;
use rigy_models::glb;
use rigy_models::mesh::{Alpha, Clearcoat, Material, TextureInfo, TextureKind, Wrap};
use serde_json::{Map, Value, json};

/// Numbers of glTF: component types, and targets of views.
const FLOAT: u32 = 5126;
const UNSIGNED: u32 = 5125;
const OF_VERTICES: u32 = 34_962;
const OF_INDICES: u32 = 34_963;

/// The binary chunk, and what describes it.
#[derive(Default)]
struct Data {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

/// The GLB of the first frame, in which vertex N of all surfaces together looks up column and row of vertex N in the first
/// frame of the textures, and warnings (W16) about images that it has no place for.
///
/// # Errors
/// If the file would have 4 GiB or more (U17), or a texture coordinate exceeds single precision (U15).
pub fn glb(
    export: &Export,
    surfaces: &[(usize, u32)],
    grid: Grid,
) -> Result<(Vec<u8>, Vec<Diagnostic>), Diagnostic> {
    check_size(export, surfaces)?;
    let mut data = Data::default();
    let primitives: Vec<Value> = surfaces
        .iter()
        .map(|(index, first)| data.primitive(export, *index, *first, grid))
        .collect::<Result<_, _>>()?;
    let materials = Materials::new(export, &mut data);
    let mut tree = json!({
        "asset": {"version": "2.0", "generator": GENERATOR},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": export.name, "mesh": 0}],
        "meshes": [{"name": export.name, "primitives": primitives}],
        "buffers": [{"byteLength": data.bytes.len()}],
    });
    let used: BTreeSet<&String> = materials
        .list
        .iter()
        .filter_map(|it| it.get("extensions")?.as_object())
        .flat_map(Map::keys)
        .collect();
    let used = used.into_iter().map(|name| name.as_str().into()).collect();
    let lists = [
        ("extensionsUsed", used),
        ("materials", materials.list),
        ("textures", materials.textures),
        ("samplers", materials.samplers),
        ("images", materials.images),
        ("accessors", data.accessors),
        ("bufferViews", data.views),
    ];
    for (name, list) in lists {
        if !list.is_empty() {
            tree[name] = list.into();
        }
    }
    let file = glb::glb(tree.to_string().into_bytes(), data.bytes)
        .map_err(|too_large| error(too_large.to_string()))?;
    Ok((file, materials.warnings))
}

/// Checks that a file cannot exceed what its length can say.
fn check_size(export: &Export, surfaces: &[(usize, u32)]) -> Result<(), Diagnostic> {
    /// Bytes of a vertex with all attributes.
    const VERTEX: u64 = 4 * (3 + 3 + 2 + 2 + 4);
    /// More than the bytes of JSON for a primitive or a material.
    const OBJECT: u64 = 4096;
    let model = export.sequence.model();
    let surfaces = surfaces.iter().map(|(index, _)| {
        let surface = export.surface(*index);
        let vertices = surface.positions.len();
        let triangles = surface.triangles.len();
        VERTEX * vertices as u64 + 12 * triangles as u64 + OBJECT
    });
    let used = export.used_materials(None);
    let images = export.textures.files(None, &used);
    let images = images.map(|(_, bytes)| bytes.len() as u64);
    let names = model.materials.iter().map(|material| {
        let name = material.name.as_ref().map_or(0, String::len);
        6 * name as u64 + OBJECT
    });
    let all = surfaces.chain(images).chain(names);
    let size = all.fold(6 * export.name.len() as u64, u64::saturating_add);
    if size < u32::MAX.into() {
        Ok(())
    } else {
        let mut error = error(format!("the mesh would have {size} bytes, 4 GiB or more"));
        error.code = Some(Code::U17);
        Err(error)
    }
}

impl Data {
    /// Appends bytes, and returns the index of their view.
    fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let mut view =
            json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()});
        if let Some(target) = target {
            view["target"] = target.into();
        }
        self.bytes.extend(bytes);
        self.views.push(view);
        self.views.len() - 1
    }

    /// Appends an accessor, and returns its index.
    fn accessor(&mut self, bytes: &[u8], target: u32, mut accessor: Value) -> usize {
        accessor["bufferView"] = self.view(bytes, Some(target)).into();
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Appends the vectors of vertices, and returns the index of their accessor.
    fn vectors<const N: usize>(&mut self, vectors: &[[f32; N]]) -> usize {
        let bytes: Vec<u8> = vectors
            .as_flattened()
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect();
        let accessor =
            json!({"componentType": FLOAT, "count": vectors.len(), "type": format!("VEC{N}")});
        self.accessor(&bytes, OF_VERTICES, accessor)
    }

    /// The primitive of a surface, whose first vertex has this number among all of the mesh.
    fn primitive(
        &mut self,
        export: &Export,
        index: usize,
        first: u32,
        grid: Grid,
    ) -> Result<Value, Diagnostic> {
        let surface = export.surface(index);
        let vertices = export.vertices(index);
        let mut attributes = json!({});
        let positions = self.vectors(&vertices.positions);
        if let Some([min, max]) = FrameSurface::bounds([vertices]) {
            let accessor = &mut self.accessors[positions];
            (accessor["min"], accessor["max"]) = (json!(min), json!(max));
        }
        attributes["POSITION"] = positions.into();
        if let Some(normals) = &vertices.normals {
            attributes["NORMAL"] = self.vectors(normals).into();
        }
        let coordinates = export.placed(surface, |place| place)?;
        // Sets are numbered without gaps, so that there is a set 0 where nothing uses it.
        let coordinates = coordinates.unwrap_or_else(|| vec![[0.0; 2]; vertices.positions.len()]);
        attributes["TEXCOORD_0"] = self.vectors(&coordinates).into();
        let places: Vec<[f32; 2]> = (first..)
            .take(vertices.positions.len())
            .map(|vertex| grid.coordinates(vertex.into()))
            .collect();
        attributes["TEXCOORD_1"] = self.vectors(&places).into();
        if let Some(colors) = &surface.colors {
            // From 0 to 1, as the format wants them.
            let colors: Vec<_> = (colors.iter())
                .map(|color| color.map(|c| c.clamp(0.0, 1.0)))
                .collect();
            attributes["COLOR_0"] = self.vectors(&colors).into();
        }
        let bytes: Vec<u8> = export
            .triangles(index)
            .flatten()
            .flat_map(u32::to_le_bytes)
            .collect();
        let count = bytes.len() / 4;
        let accessor = json!({"componentType": UNSIGNED, "count": count, "type": "SCALAR"});
        let indices = self.accessor(&bytes, OF_INDICES, accessor);
        let mut primitive = json!({"attributes": attributes, "indices": indices});
        if let Some(material) = export.material(index) {
            primitive["material"] = material.into();
        }
        Ok(primitive)
    }
}

/// The filter of textures whose enlarged pixels keep their edges.
const NEAREST: u32 = 9728;

/// Materials, and the lists that they refer to.
#[derive(Default)]
struct Materials {
    list: Vec<Value>,
    textures: Vec<Value>,
    samplers: Vec<Value>,
    images: Vec<Value>,
    /// What of materials is left out (W16).
    warnings: Vec<Diagnostic>,
}

impl Materials {
    /// Returns the materials of a model. Their images are appended to the data; equal images are one.
    fn new(export: &Export, data: &mut Data) -> Self {
        let mut materials = Self {
            warnings: export.material_warnings(None),
            ..Self::default()
        };
        let mut names: Vec<&str> = Vec::new();
        let used = export.used_materials(None);
        for (name, bytes) in export.textures.files(None, &used) {
            let view = data.view(bytes, None);
            // An image is a PNG or JPEG file.
            let kind = if name.ends_with(".png") {
                "png"
            } else {
                "jpeg"
            };
            let image = json!({"bufferView": view, "mimeType": format!("image/{kind}")});
            materials.images.push(image);
            names.push(name);
        }
        for (index, material) in export.sequence.model().materials.iter().enumerate() {
            let image = |name: Option<&str>| names.iter().position(|known| Some(*known) == name);
            let base = material
                .texture
                .as_ref()
                .zip(image(export.textures.name(index)))
                .map(|(texture, image)| materials.texture(texture, image));
            let mut others = Vec::new();
            for (kind, texture) in &material.other_textures {
                if let Some(image) = image(export.textures.other(index, *kind)) {
                    others.push((*kind, materials.texture(texture, image)));
                }
            }
            materials.list.push(described(material, base, &others));
        }
        materials
    }

    /// Appends a texture, and returns its index.
    fn texture(&mut self, texture: &TextureInfo, image: usize) -> usize {
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

/// A material, with the indices of its textures. Factors of textures that it lacks are 0.
fn described(
    material: &Material,
    texture: Option<usize>,
    others: &[(TextureKind, usize)],
) -> Value {
    let (emissive, metallic) =
        material.factors(|kind| others.iter().any(|(other, _)| *other == kind));
    // A factor is at most 1: what is above it is the strength.
    let strength = emissive.into_iter().fold(1.0, f64::max);
    let mut surface = json!({
        "baseColorFactor": material.base_color,
        "metallicFactor": metallic,
        "roughnessFactor": material.roughness,
    });
    if let Some(texture) = texture {
        surface["baseColorTexture"] = json!({"index": texture});
    }
    let mut described = json!({
        "pbrMetallicRoughness": surface,
        "emissiveFactor": emissive.map(|factor| factor / strength),
        "doubleSided": material.is_double_sided,
    });
    for (kind, index) in others {
        match kind {
            TextureKind::Normal => {
                described["normalTexture"] =
                    json!({"index": index, "scale": material.normal_scale});
            }
            TextureKind::Occlusion => {
                let strength = material.occlusion_strength;
                described["occlusionTexture"] = json!({"index": index, "strength": strength});
            }
            TextureKind::Emissive => described["emissiveTexture"] = json!({"index": index}),
            TextureKind::MetallicRoughness => {
                let info = json!({"index": index});
                described["pbrMetallicRoughness"]["metallicRoughnessTexture"] = info;
            }
        }
    }
    let Clearcoat {
        factor, roughness, ..
    } = material.clearcoat;
    let coat = json!({"clearcoatFactor": factor, "clearcoatRoughnessFactor": roughness});
    let extensions = [
        (
            strength > 1.0,
            "emissive_strength",
            json!({"emissiveStrength": strength}),
        ),
        (material.is_unlit, "unlit", json!({})),
        (material.ior != 1.5, "ior", json!({"ior": material.ior})),
        (factor > 0.0, "clearcoat", coat),
    ];
    for (_, name, extension) in extensions.into_iter().filter(|(is_there, ..)| *is_there) {
        described["extensions"][format!("KHR_materials_{name}")] = extension;
    }
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
