//! Within the scenes of the viewer: nodes, primitives, names, animations.

use rigy_batch::bake::Source;
use rigy_batch::bake::gltf::JointScale;
use rigy_batch::base::loader::{Location, MemoryLoader};
use rigy_batch::kernel::simd::Isa;
use rigy_batch::view::scene_data::{SceneData, gltf_scene};
use serde_json::json;

use super::grows_like_a_line;
use crate::support::skinned::{Made, skinned};

fn scene(glb: &[u8]) -> Result<SceneData, String> {
    let location = Location("a.glb".into());
    let source = Source::read(glb, &location, &MemoryLoader::default());
    let source = source.expect("the file is good").value;
    scene_of(&source)
}

fn scene_of(source: &Source<'_>) -> Result<SceneData, String> {
    let scene = gltf_scene(source, "a.glb", &JointScale::Global, Isa::best());
    scene.map_err(|errors| errors[0].message.clone())
}

/// A file with `count` animations, each of which moves the joint for this many seconds.
fn animated(count: usize, seconds: f32) -> Made {
    let mut file = skinned(8, 0.5).moving("move", seconds);
    let one = file.list("animations")[0].clone();
    file.list("animations").resize(count, one);
    file
}

#[test]
fn nodes_and_primitives() {
    let source = |count: usize| {
        let mut file = skinned(8, 0.5);
        let primitives = file.list("meshes")[0]["primitives"].as_array_mut().unwrap();
        let one = primitives[0].clone();
        primitives.resize(count, one);
        file.list("nodes").resize(count, json!({"mesh": 0}));
        file.remove("/scenes");
        file.remove("/scene");
        let location = Location("a.glb".into());
        let source = Source::read(file.glb().leak(), &location, &MemoryLoader::default());
        source.expect("the file is good").value
    };
    grows_like_a_line(2000, source, |source| {
        let error = scene_of(source).expect_err("it is too large");
        assert!(error.contains("a page cannot hold it"), "{error}");
    });
}

#[test]
fn names_that_are_repeated_too_often_are_refused() {
    let name = "a".repeat(1 << 20);
    let mut of_mesh = skinned(8, 0.5);
    of_mesh.list("meshes")[0]["name"] = json!(name);
    let mut of_joint = skinned(8, 0.5);
    of_joint.list("nodes")[0]["name"] = json!(name);
    of_joint.list("skins").resize(40, json!({"joints": [0]}));
    for (mut file, what) in [(of_mesh, "mesh"), (of_joint, "joint")] {
        assert!(scene(&file.glb()).is_ok(), "{what}");
        let skins = file.list("skins").len();
        let nodes = file.list("nodes");
        nodes.extend((0..40).map(|node| json!({"mesh": 0, "skin": node % skins})));
        let roots: Vec<usize> = (0..nodes.len()).collect();
        file.json["scenes"][0]["nodes"] = json!(roots);
        let error = scene(&file.glb()).expect_err(what);
        assert!(error.contains("a page cannot hold it"), "{error}");
    }
}

#[test]
fn files_of_many_nodes_or_morph_weights_have_fewer_frames() {
    let frames = |file: Made| scene(&file.glb()).expect("it is small").frames.len();
    assert_eq!(frames(animated(1, 1e6)), 1 + 1801);
    let mut nodes = animated(1, 1e6);
    let all = nodes.list("nodes");
    all.resize(20_000, json!({}));
    let mut weights = animated(1, 1e6);
    let mesh = &mut weights.list("meshes")[0];
    mesh["primitives"][0]["targets"] = vec![json!({"POSITION": 0}); 10_000].into();
    mesh["weights"] = vec![0; 10_000].into();
    for file in [nodes, weights] {
        let count = frames(file);
        assert!((50..300).contains(&count), "{count}");
    }
}

#[test]
fn long_files_are_baked_at_fewer_moments() {
    let baked = |file: &Made| {
        let scene = scene(&file.glb()).expect("it is small");
        scene
            .frames
            .iter()
            .filter(|frame| frame.baked.is_some())
            .count()
    };
    let mut file = animated(20, 1.0);
    assert_eq!(baked(&file), 1 + 3 * 20);
    // An image is in each baked file.
    let (start, len) = (file.bin.len(), 48 << 20);
    file.bin.resize(start + len, 0);
    file.list("bufferViews")
        .push(json!({"buffer": 0, "byteOffset": start, "byteLength": len}));
    file.json["images"] = json!([{"bufferView": 5, "mimeType": "image/png"}]);
    assert_eq!(baked(&file), 10);
}
