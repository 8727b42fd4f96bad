//! A small skinned GLB with one of everything that the reader checks, as JSON to be changed and written.

use rigy_batch::bake::gltf::{File, JointScale, read};
use rigy_batch::bake::{Moment, Skinning, Source};
use rigy_batch::base::diag::{Diagnostic, Warned};
use rigy_batch::base::loader::{Location, MemoryLoader};
use rigy_batch::kernel::simd::Isa;
use serde_json::{Value, json};

pub use crate::support::glb;

#[derive(Clone)]
pub struct Made {
    pub json: Value,
    pub bin: Vec<u8>,
}

fn view(json: &mut Value, bin: &mut Vec<u8>, bytes: &[u8]) -> usize {
    let views = json["bufferViews"].as_array_mut().unwrap();
    views.push(json!({"buffer": 0, "byteOffset": bin.len(), "byteLength": bytes.len()}));
    bin.extend_from_slice(bytes);
    bin.resize(bin.len().next_multiple_of(4), 0);
    views.len() - 1
}

fn floats(values: &[f32]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

/// Three vertices, two joints, one morph target, one animation; a strided view, a sparse accessor without a view,
/// and indices compressed by hand.
pub fn skinned() -> Made {
    let mut json = json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": ["EXT_meshopt_compression"],
        "extensionsRequired": ["EXT_meshopt_compression"],
        "scene": 0,
        "scenes": [{"nodes": [0, 2]}],
        "nodes": [
            {"name": "root", "children": [1], "translation": [0, 1, 0]},
            {"name": "tip", "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1]},
            {"name": "body", "mesh": 0, "skin": 0, "weights": [0.5]},
        ],
        "skins": [{"joints": [0, 1], "inverseBindMatrices": 6, "skeleton": 0}],
        "meshes": [{"primitives": [{
            "attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2},
            "indices": 3, "material": 0, "mode": 4, "targets": [{"POSITION": 4}],
        }], "weights": [0]}],
        "materials": [{}],
        "animations": [{
            "samplers": [{"input": 5, "output": 7}, {"input": 5, "output": 8, "interpolation": "CUBICSPLINE"}],
            "channels": [
                {"sampler": 0, "target": {"node": 0, "path": "rotation"}},
                {"sampler": 1, "target": {"node": 2, "path": "weights"}},
            ],
        }],
        "accessors": [], "bufferViews": [], "buffers": [],
    });
    let mut bin = Vec::new();
    let mut interleaved = Vec::new();
    for vertex in 0..3u8 {
        interleaved.extend(floats(&[f32::from(vertex), 1.0, -1.0]));
        interleaved.extend([vertex % 2, 0, 0, 0, 200, 55, 0, 0]);
    }
    let vertices = view(&mut json, &mut bin, &interleaved);
    json["bufferViews"][vertices]["byteStride"] = json!(20);
    let indices = view(&mut json, &mut bin, &[0xd1, 0, 4, 4, 0, 0, 0, 0]);
    let compressed = json["bufferViews"][indices].clone();
    json["bufferViews"][indices] = json!({"buffer": 1, "byteOffset": 0, "byteLength": 6, "extensions": {"EXT_meshopt_compression": {
        "buffer": 0, "byteOffset": compressed["byteOffset"], "byteLength": 8, "byteStride": 2, "count": 3, "mode": "INDICES",
    }}});
    let replaced = view(&mut json, &mut bin, &[1, 2]);
    let replacements = view(
        &mut json,
        &mut bin,
        &floats(&[0.0, 0.5, 0.0, 1.0, 0.0, 0.0]),
    );
    let times = view(&mut json, &mut bin, &floats(&[0.0, 1.0]));
    let mut identity = [0.0; 16];
    [0, 5, 10, 15].iter().for_each(|at| identity[*at] = 1.0);
    let matrices = view(&mut json, &mut bin, &floats(&[identity, identity].concat()));
    let half = 23170i16.to_le_bytes();
    let rotations: Vec<u8> = [
        [[0, 0], [0, 0], [0, 0], [0xff, 0x7f]],
        [half, [0, 0], [0, 0], half],
    ]
    .concat()
    .concat();
    let rotations = view(&mut json, &mut bin, &rotations);
    let weights = view(
        &mut json,
        &mut bin,
        &floats(&[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
    );
    let sparse = json!({"count": 2, "indices": {"bufferView": replaced, "byteOffset": 0, "componentType": 5121}, "values": {"bufferView": replacements, "byteOffset": 0}});
    json["accessors"] = json!([
        {"bufferView": vertices, "byteOffset": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
        {"bufferView": vertices, "byteOffset": 12, "componentType": 5121, "count": 3, "type": "VEC4"},
        {"bufferView": vertices, "byteOffset": 16, "componentType": 5121, "normalized": true, "count": 3, "type": "VEC4"},
        {"bufferView": indices, "byteOffset": 0, "componentType": 5123, "count": 3, "type": "SCALAR"},
        {"componentType": 5126, "count": 3, "type": "VEC3", "sparse": sparse},
        {"bufferView": times, "componentType": 5126, "count": 2, "type": "SCALAR"},
        {"bufferView": matrices, "componentType": 5126, "count": 2, "type": "MAT4"},
        {"bufferView": rotations, "componentType": 5122, "normalized": true, "count": 2, "type": "VEC4"},
        {"bufferView": weights, "componentType": 5126, "count": 6, "type": "SCALAR"},
    ]);
    json["buffers"] = json!([{"byteLength": bin.len()}, {"byteLength": 6, "extensions": {"EXT_meshopt_compression": {"fallback": true}}}]);
    Made { json, bin }
}

impl Made {
    /// With the member at a JSON pointer replaced, or removed where the value is `None`.
    pub fn with(mut self, pointer: &str, value: Option<Value>) -> Self {
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let parent = self
            .json
            .pointer_mut(parent)
            .unwrap_or_else(|| panic!("{pointer}"));
        match (parent, value) {
            (Value::Object(members), Some(value)) => drop(members.insert(key.into(), value)),
            (Value::Object(members), None) => drop(members.remove(key)),
            (Value::Array(elements), Some(value)) => {
                elements[key.parse::<usize>().unwrap()] = value
            }
            (Value::Array(elements), None) => drop(elements.remove(key.parse().unwrap())),
            _ => panic!("{pointer}"),
        }
        self
    }

    pub fn glb(&self) -> Vec<u8> {
        glb(self.json.to_string().as_bytes(), Some(&self.bin))
    }
}

/// Reads bytes that refer to nothing else.
pub fn alone(bytes: &[u8]) -> Result<Warned<File<'_>>, Vec<Diagnostic>> {
    let mut read = read(bytes, &Location("m.glb".into()), &MemoryLoader::default())?;
    read.warnings.extend(read.value.check_animations()?);
    Ok(read)
}

/// Bakes a file in every way; the output must be a file without errors or warnings.
pub fn bake_all(bytes: &[u8]) {
    let loader = MemoryLoader::default();
    let Ok(source) = Source::read(bytes, &Location("a.glb".into()), &loader) else {
        return;
    };
    let named = JointScale::LocalFor(["tip".to_owned()].into());
    for skinning in [
        Skinning::linear(),
        Skinning::dual_quaternions(JointScale::Global),
        Skinning::dual_quaternions(JointScale::Local),
        Skinning::dual_quaternions(named),
        Skinning::dual_quaternions(JointScale::Reject),
    ] {
        for moment in [
            Moment::default(),
            Moment::default().animation("0").time(0.3),
        ] {
            let Ok(baked) = source.value.bake(&moment, &skinning, Isa::best()) else {
                continue;
            };
            let Ok(glb) = baked.value.to_bytes() else {
                continue;
            };
            let again = alone(&glb.value).expect("what was baked can be read");
            let sound = again.warnings.is_empty() || !source.warnings.is_empty();
            assert!(sound, "{:?}", again.warnings);
            assert!(again.value.skins.is_empty() && again.value.animations.is_empty());
            use_all(&again.value);
        }
    }
}

pub fn use_all(file: &File<'_>) {
    for index in 0..file.accessor_count() {
        let accessor = file.accessor(index).unwrap();
        let components = accessor.component_count();
        for element in (0..accessor.count()).take(5000) {
            for component in 0..components {
                accessor.real(element, component);
                accessor.integer(element, component);
            }
        }
        if let Some(last) = accessor.count().checked_sub(1) {
            accessor.real(last, components - 1);
        }
        let mut vectors = vec![[0.0; 3]; accessor.count().min(5000)];
        accessor.copy(accessor.count() - vectors.len(), &mut vectors);
    }
    (0..file.view_count()).for_each(|view| drop(file.view(view).unwrap().to_vec()));
    assert_eq!(file.order.len(), file.nodes.len());
    for node in &file.nodes {
        node.parent.map(|parent| &file.nodes[parent]);
        let mesh = node.mesh.map(|mesh| &file.meshes[mesh]);
        let skin = node.skin.map(|skin| &file.skins[skin]);
        assert_eq!(
            node.weights.as_ref().map_or(0, Vec::len),
            node.weights
                .as_ref()
                .and(mesh)
                .map_or(0, |m| m.weights.len())
        );
        assert!(
            skin.is_none()
                || mesh.is_none_or(|mesh| mesh
                    .drawn()
                    .all(|index| !mesh.primitives[index].influences.is_empty()))
        );
    }
    for mesh in &file.meshes {
        for primitive in &mesh.primitives {
            assert_eq!(primitive.targets.len(), mesh.weights.len());
            for (_, accessor) in primitive
                .attributes
                .iter()
                .chain(primitive.targets.iter().flatten())
            {
                assert_eq!(
                    file.accessor(*accessor).unwrap().count(),
                    primitive.vertex_count
                );
            }
            if let Some(indices) = primitive.indices {
                let indices = file.accessor(indices).unwrap();
                let within =
                    |at| (indices.integer(at, 0).unwrap() as usize) < primitive.vertex_count;
                assert!((0..indices.count()).all(within));
            }
        }
    }
    for skin in &file.skins {
        skin.joints
            .iter()
            .for_each(|joint| assert!(*joint < file.nodes.len()));
        assert!(
            skin.inverse_bind_matrices
                .as_ref()
                .is_none_or(|matrices| matrices.len() == skin.joints.len())
        );
    }
    let channels = |index| file.channels(index).map_or(&[][..], |found| found.value);
    for channel in (0..file.animations.len()).flat_map(channels) {
        let per_key = channel.values.len() / channel.times.len();
        assert!(per_key == channel.width || per_key == 3 * channel.width);
        assert!(
            channel.times.windows(2).all(|pair| pair[0] <= pair[1])
                && channel.node < file.nodes.len()
        );
        assert!(channel.values.iter().all(|value| value.is_finite()));
    }
    for scene in &file.scenes {
        scene
            .nodes
            .iter()
            .for_each(|node| assert!(*node < file.nodes.len()));
    }
}
