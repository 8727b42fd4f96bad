//! Where the bind pose stands makes no difference (`bake.md` §5): positions and inverse bind matrices moved together.

use rigy_batch::bake::gltf::JointScale;
use rigy_batch::mesh::Model;
use rigy_batch::{Baker, Isa, Location, MemoryLoader, Moment, Skinning, Source};
use serde_json::{Value, json};

use super::samples::samples;
use crate::support::{glb, glb_parts};

/// Largest difference in sizes of the model.
const TOLERANCE: f64 = 1e-5;

/// A file whose bind space can be moved: float positions and inverse bind matrices, all in its binary chunk.
struct Bound {
    json: Value,
    bin: Vec<u8>,
    /// First byte of each position, and of the last column of each inverse bind matrix with those before it.
    positions: Vec<usize>,
    matrices: Vec<usize>,
}

impl Bound {
    /// `None` if something in the file cannot be moved.
    fn read(bytes: &[u8]) -> Option<Self> {
        let (json, bin) = glb_parts(bytes);
        let bin = bin.to_vec();
        let mut bound = Self {
            json,
            bin,
            positions: Vec::new(),
            matrices: Vec::new(),
        };
        let of = |json: &Value, list: &str, key: &str| -> Vec<u64> {
            let list = json[list].as_array().cloned().unwrap_or_default();
            list.iter().filter_map(|item| item[key].as_u64()).collect()
        };
        let skinned: Vec<Value> = bound.json["nodes"].as_array()?.clone();
        let mut positions = Vec::new();
        for node in skinned.iter().filter(|node| node["skin"].is_u64()) {
            let mesh = node["mesh"].as_u64()? as usize;
            for primitive in bound.json["meshes"][mesh]["primitives"].as_array()? {
                positions.push(primitive["attributes"]["POSITION"].as_u64()?);
            }
        }
        let mut matrices = of(&bound.json, "skins", "inverseBindMatrices");
        (matrices.len() == bound.json["skins"].as_array()?.len()).then_some(())?;
        for list in [&mut positions, &mut matrices] {
            list.sort_unstable();
            list.dedup();
        }
        for (list, length) in [(&positions, 12), (&matrices, 64)] {
            for accessor in list {
                let elements = bound.elements(*accessor as usize, length)?;
                let into = if length == 12 {
                    &mut bound.positions
                } else {
                    &mut bound.matrices
                };
                into.extend(elements);
            }
        }
        (!bound.matrices.is_empty()).then_some(bound)
    }

    /// The first byte of each element of an accessor of floats.
    fn elements(&self, accessor: usize, length: usize) -> Option<Vec<usize>> {
        let accessor = &self.json["accessors"][accessor];
        let is_plain = accessor["componentType"] == 5126 && accessor["sparse"].is_null();
        is_plain.then_some(())?;
        let view = &self.json["bufferViews"][accessor["bufferView"].as_u64()? as usize];
        self.json["buffers"][0]["uri"].is_null().then_some(())?;
        let first = |value: &Value| value["byteOffset"].as_u64().unwrap_or(0) as usize;
        let start = first(view) + first(accessor);
        let stride = view["byteStride"]
            .as_u64()
            .map_or(length, |stride| stride as usize);
        let count = accessor["count"].as_u64()? as usize;
        Some((0..count).map(|index| start + index * stride).collect())
    }

    fn float(&self, at: usize) -> f64 {
        f64::from(f32::from_le_bytes(self.bin[at..at + 4].try_into().unwrap()))
    }

    /// The largest extent of the positions.
    fn size(&self) -> f64 {
        let extent = |axis: usize| {
            let values = || self.positions.iter().map(|at| self.float(at + 4 * axis));
            values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
        };
        (0..3).map(extent).fold(0.0, f64::max)
    }

    /// The file with its bind space moved by `by` along all axes: positions p + v, matrices M·T(−v).
    fn moved(&self, by: f64) -> Vec<u8> {
        let (mut json, mut bin) = (self.json.clone(), self.bin.clone());
        let mut put = |at: usize, value: f64| {
            bin[at..at + 4].copy_from_slice(&(value as f32).to_le_bytes());
        };
        for at in &self.positions {
            (0..3).for_each(|axis| put(at + 4 * axis, self.float(at + 4 * axis) + by));
        }
        for at in &self.matrices {
            for row in 0..3 {
                let of = |column: usize| self.float(at + 4 * (4 * column + row));
                put(at + 4 * (12 + row), of(3) - by * (of(0) + of(1) + of(2)));
            }
        }
        for accessor in json["accessors"].as_array_mut().unwrap() {
            if let Some(accessor) = accessor.as_object_mut() {
                accessor.remove("min");
                accessor.remove("max");
            }
        }
        glb(json.to_string().as_bytes(), Some(&bin))
    }

    /// Every other joint turned and scaled, so that many vertices have joints of different scale.
    fn with_scaled_joints(mut self) -> Self {
        for (place, joint) in self.json["skins"][0]["joints"]
            .clone()
            .as_array()
            .unwrap()
            .iter()
            .enumerate()
        {
            let node = &mut self.json["nodes"][joint.as_u64().unwrap() as usize];
            if place % 2 == 1 && node["matrix"].is_null() {
                node["scale"] = json!([1.25, 0.8, 1.1]);
                node["rotation"] = json!([0.0, 0.6, 0.0, 0.8]);
            }
        }
        self
    }

    /// Names of every third joint.
    fn some_names(&self) -> JointScale {
        let joints = self.json["skins"][0]["joints"].as_array().unwrap();
        let name = |joint: &Value| {
            self.json["nodes"][joint.as_u64().unwrap() as usize]["name"]
                .as_str()
                .map(str::to_owned)
        };
        JointScale::LocalFor(joints.iter().skip(1).step_by(3).filter_map(name).collect())
    }
}

/// All positions of a bake at rest.
fn positions(bytes: &[u8], skinning: &Skinning) -> Vec<[f64; 3]> {
    let (location, loader) = (Location("model.glb".into()), MemoryLoader::default());
    let source = Source::read(bytes, &location, &loader).unwrap().value;
    let baked = Baker::new(&source).bake(&Moment::default(), skinning, Isa::best());
    let baked = baked.unwrap().value.to_bytes().unwrap().value;
    let model = Model::read(&baked, &location, &loader).unwrap().value;
    let surfaces = model.surfaces.iter();
    surfaces
        .flat_map(|surface| surface.positions.clone())
        .collect()
}

/// The largest difference of a coordinate.
fn apart(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    assert_eq!(a.len(), b.len());
    let pairs = a.as_flattened().iter().zip(b.as_flattened());
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn the_place_of_bind_space_makes_no_difference() {
    let (mut models, mut worst, mut two_stage) = (0, 0.0f64, 0.0f64);
    for path in samples() {
        let bytes = std::fs::read(&path).unwrap();
        if path.extension().is_none_or(|extension| extension != "glb") {
            continue;
        }
        let Some(bound) = Bound::read(&bytes) else {
            continue;
        };
        let bound = bound.with_scaled_joints();
        models += 1;
        let size = bound.size();
        let solvers = [
            Skinning::linear(),
            Skinning::dual_quaternions(JointScale::Global),
            Skinning::dual_quaternions(JointScale::Local),
            Skinning::dual_quaternions(bound.some_names()),
        ];
        let name = path.file_name().unwrap().to_string_lossy();
        for skinning in &solvers {
            let at_home = positions(&bound.moved(0.0), skinning);
            for sizes in [1.0, 20.0] {
                let far = apart(&at_home, &positions(&bound.moved(sizes * size), skinning)) / size;
                assert!(
                    far <= TOLERANCE,
                    "{name}, {skinning:?}, moved by {sizes}: {far:e}"
                );
                worst = worst.max(far);
            }
        }
        let earlier = Skinning {
            two_stage: true,
            ..solvers[1].clone()
        };
        let home = positions(&bound.moved(0.0), &earlier);
        let far = apart(&home, &positions(&bound.moved(20.0 * size), &earlier));
        two_stage = two_stage.max(far / size);
    }
    println!("{models} models: {worst:.1e} of size; in two stages {two_stage:.1}");
    assert!(
        models == 0 || (models >= 10 && two_stage > 0.1),
        "{models} models, {two_stage}"
    );
}
