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
    let mut source = source.expect("the file is good").value;
    source.file.len = 1 << 20;
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
fn long_names_are_short_in_the_page() {
    let mut file = skinned(8, 0.5);
    file.list("meshes")[0]["name"] = json!("a".repeat(1 << 20));
    file.list("nodes")[0]["name"] = json!("b".repeat(1 << 20));
    let scene = scene(&file.glb()).expect("it is small");
    assert!(scene.block.len() < 10_000, "{}", scene.block.len());
}

#[test]
fn accessors_that_share_bytes_too_often_are_refused() {
    let mut file = skinned(8, 0.5);
    let (start, count) = (file.bin.len(), 1 << 18);
    file.bin.resize(start + 12 * count, 0);
    let view = json!({"buffer": 0, "byteOffset": start, "byteLength": 12 * count});
    file.list("bufferViews").push(view);
    let view = file.list("bufferViews").len() - 1;
    let accessors = file.list("accessors");
    let first = accessors.len();
    let accessor =
        json!({"bufferView": view, "componentType": 5126, "count": count, "type": "VEC3"});
    accessors.resize(first + 80, accessor);
    // Nothing shows these nodes.
    let node = |index: usize| {
        let attributes = json!({"TRANSLATION": first + index});
        json!({"mesh": 0, "extensions": {"EXT_mesh_gpu_instancing": {"attributes": attributes}}})
    };
    file.list("nodes").extend((0..80).map(node));
    let error = scene(&file.glb()).expect_err("it is too large");
    assert!(error.contains("a page cannot hold it"), "{error}");
}

#[test]
fn long_animations_take_no_more_than_their_keys() {
    let scene = scene(&animated(1, 1e6).glb()).expect("it is small");
    assert!(scene.block.len() < 10_000 && scene.clips[0].end == 1e6);
}

#[test]
fn long_files_are_baked_at_fewer_moments() {
    let baked = |file: &Made| scene(&file.glb()).expect("it is small").baked.len();
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
