//! The GLB file (§8-§10): blocks of one buffer with their views and accessors, the lists of the
//! JSON chunk, and the container around both.

use super::arithmetic::Vec3;
use super::json::Object;

const F32: usize = 5126;
const U32: usize = 5125;
const U16: usize = 5123;
const VERTEX_DATA: Option<usize> = Some(34962);
const INDEX_DATA: Option<usize> = Some(34963);

#[derive(Default)]
pub struct Glb {
    pub bin: Vec<u8>,
    pub buffer_views: Vec<String>,
    pub accessors: Vec<String>,
    pub materials: Vec<String>,
    pub meshes: Vec<String>,
    pub nodes: Vec<String>,
    pub scene_nodes: Vec<usize>,
    pub skins: Vec<String>,
}

impl Glb {
    /// Positions with their bounds; the bounds are printed as they are given (§9.2).
    pub fn positions(&mut self, positions: &[Vec3], bounds: Option<(Vec3, Vec3)>) -> usize {
        let bytes = f32_bytes(positions.as_flattened());
        let view = self.view(&bytes, VERTEX_DATA);
        let mut accessor = accessor(view, F32, positions.len(), "VEC3");
        if let Some((min, max)) = bounds {
            accessor.reals("max", &max).reals("min", &min);
        }
        self.accessor(&accessor)
    }

    pub fn normals(&mut self, normals: &[Vec3]) -> usize {
        let bytes = f32_bytes(normals.as_flattened());
        let view = self.view(&bytes, VERTEX_DATA);
        self.accessor(&accessor(view, F32, normals.len(), "VEC3"))
    }

    pub fn uv(&mut self, pairs: &[[f64; 2]]) -> usize {
        let bytes = f32_bytes(pairs.as_flattened());
        let view = self.view(&bytes, VERTEX_DATA);
        self.accessor(&accessor(view, F32, pairs.len(), "VEC2"))
    }

    pub fn indices(&mut self, indices: &[u32]) -> usize {
        let bytes: Vec<u8> = indices
            .iter()
            .flat_map(|index| index.to_le_bytes())
            .collect();
        let view = self.view(&bytes, INDEX_DATA);
        self.accessor(&accessor(view, U32, indices.len(), "SCALAR"))
    }

    pub fn joints(&mut self, joints: &[[u16; 4]]) -> usize {
        let numbers = joints.as_flattened();
        let bytes: Vec<u8> = numbers
            .iter()
            .flat_map(|joint| joint.to_le_bytes())
            .collect();
        let view = self.view(&bytes, VERTEX_DATA);
        self.accessor(&accessor(view, U16, joints.len(), "VEC4"))
    }

    pub fn weights(&mut self, weights: &[[f64; 4]]) -> usize {
        let bytes = f32_bytes(weights.as_flattened());
        let view = self.view(&bytes, VERTEX_DATA);
        self.accessor(&accessor(view, F32, weights.len(), "VEC4"))
    }

    /// Matrices of 16 numbers each, already in column-major order.
    pub fn matrices(&mut self, matrices: &[[f64; 16]]) -> usize {
        let bytes = f32_bytes(matrices.as_flattened());
        let view = self.view(&bytes, None);
        self.accessor(&accessor(view, F32, matrices.len(), "MAT4"))
    }

    /// Appends a block and zero bytes up to a multiple of four (§10).
    fn view(&mut self, bytes: &[u8], target: Option<usize>) -> usize {
        let mut view = Object::default();
        view.integer("buffer", 0)
            .integer("byteOffset", self.bin.len())
            .integer("byteLength", bytes.len())
            .optional_integer("target", target);
        self.bin.extend(bytes);
        pad(&mut self.bin, 0);
        self.buffer_views.push(view.end());
        self.buffer_views.len() - 1
    }

    fn accessor(&mut self, accessor: &Object) -> usize {
        self.accessors.push(accessor.end());
        self.accessors.len() - 1
    }

    /// §9: the root object, keys in the order of the table.
    pub fn json(&self) -> String {
        let mut asset = Object::default();
        asset
            .text("generator", "pygltflib@v1.16.5")
            .text("version", "2.0");
        let mut buffer = Object::default();
        buffer.integer("byteLength", self.bin.len());
        let mut scene = Object::default();
        scene.integers("nodes", &self.scene_nodes);
        let mut root = Object::default();
        root.list("accessors", &self.accessors)
            .raw("asset", &asset.end())
            .list("bufferViews", &self.buffer_views)
            .list("buffers", &[buffer.end()])
            .list("materials", &self.materials)
            .list("meshes", &self.meshes)
            .list("nodes", &self.nodes)
            .integer("scene", 0)
            .list("scenes", &[scene.end()])
            .list("skins", &self.skins);
        root.end()
    }

    /// §10: the header and two chunks; the second one is written even when empty.
    pub fn file(&self) -> Vec<u8> {
        let mut json = self.json().into_bytes();
        pad(&mut json, b' ');
        let total = 28 + json.len() + self.bin.len();
        let mut file = b"glTF".to_vec();
        for word in [2, total, json.len(), 0x4E4F_534A] {
            file.extend((word as u32).to_le_bytes());
        }
        file.extend(&json);
        for word in [self.bin.len(), 0x004E_4942] {
            file.extend((word as u32).to_le_bytes());
        }
        file.extend(&self.bin);
        file
    }
}

/// §10, backwards: the JSON text without its padding, and the binary chunk.
pub fn chunks(file: &[u8]) -> (&str, &[u8]) {
    let word =
        |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("a word")) as usize;
    assert_eq!(
        (&file[..4], word(4), word(8)),
        (&b"glTF"[..], 2, file.len())
    );
    let (json, bin) = file[20..].split_at(word(12));
    assert_eq!(word(20 + json.len()), bin.len() - 8);
    let json = std::str::from_utf8(json).expect("UTF-8");
    (json.trim_end(), &bin[8..])
}

/// §9: an accessor up to its type; bounds may follow.
fn accessor(view: usize, component_type: usize, count: usize, kind: &str) -> Object {
    let mut accessor = Object::default();
    accessor
        .integer("bufferView", view)
        .integer("byteOffset", 0)
        .integer("componentType", component_type)
        .raw("normalized", "false")
        .integer("count", count)
        .text("type", kind);
    accessor
}

/// §1: each f64 to the nearest f32, ties to even, sign of zero kept.
fn f32_bytes(values: &[f64]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| (*value as f32).to_le_bytes())
        .collect()
}

fn pad(bytes: &mut Vec<u8>, filler: u8) {
    while !bytes.len().is_multiple_of(4) {
        bytes.push(filler);
    }
}

/// §9.4: per axis, starting from vertex 0; among equal candidates the later one wins.
pub fn bounds(positions: &[Vec3]) -> (Vec3, Vec3) {
    let mut min = positions[0];
    let mut max = positions[0];
    for position in positions {
        for axis in 0..3 {
            if position[axis] <= min[axis] {
                min[axis] = position[axis];
            }
            if position[axis] >= max[axis] {
                max[axis] = position[axis];
            }
        }
    }
    (min, max)
}
