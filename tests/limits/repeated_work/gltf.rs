//! Within glTF files: skins, nodes, meshes, attributes.

use rigy_batch::bake::gltf::JointScale;
use rigy_batch::bake::{Moment, Skinning, Source};
use rigy_batch::base::loader::{Location, MemoryLoader};
use rigy_batch::kernel::simd::Isa;
use serde_json::{Value, json};

use super::grows_like_a_line;
use crate::support::skinned::skinned;
use crate::support::{Dir, assert_contains};

fn baked(glb: &[u8], scale: JointScale) -> Option<String> {
    let location = Location("a.glb".into());
    let source = Source::read(glb, &location, &MemoryLoader::default());
    let skinning = Skinning::dual_quaternions(scale);
    let result = source.and_then(|source| {
        let baked = source
            .value
            .bake(&Moment::default(), &skinning, Isa::best())?;
        baked.value.to_bytes()
    });
    result.err().map(|errors| errors[0].message.clone())
}

#[test]
fn skins_and_nodes() {
    // Each skin has a joint of its own.
    let file = |count: usize| {
        let mut file = skinned(8, 0.5);
        let nodes = file.list("nodes");
        nodes.extend((0..count).map(|_| json!({"scale": [2, 2, 2]})));
        nodes.extend((0..count).map(|skin| json!({"mesh": 0, "skin": skin + 1})));
        let skins = file.list("skins");
        skins.extend((0..count).map(|skin| json!({"joints": [skin + 2]})));
        file.glb()
    };
    grows_like_a_line(500, file, |glb| {
        assert_eq!(baked(glb, JointScale::Local), None);
    });
}

#[test]
fn root_joints_that_keep_their_scale() {
    let file = |count: usize| {
        let mut file = skinned(8, 0.5);
        let nodes = file.list("nodes");
        nodes.extend((0..count).map(|_| json!({"scale": [2, 2, 2]})));
        let joints = file.list("skins")[0]["joints"].as_array_mut().unwrap();
        joints.extend((2..count + 2).map(Value::from));
        file.glb()
    };
    grows_like_a_line(2000, file, |glb| {
        assert_eq!(baked(glb, JointScale::Local), None);
    });
}

#[test]
fn skins_on_long_chains_of_nodes_are_bounded() {
    let mut file = skinned(8, 0.5);
    let (skins, depth) = (200, 100_000);
    let nodes = file.list("nodes");
    let first = nodes.len();
    nodes.extend((first + 1..first + depth).map(|child| json!({"children": [child]})));
    let joints: Vec<usize> = (0..skins).map(|skin| first + depth + skin).collect();
    nodes.push(json!({"children": joints.clone()}));
    nodes.extend(joints.iter().map(|_| json!({})));
    nodes.extend((1..=skins).map(|skin| json!({"mesh": 0, "skin": skin})));
    let all = file.list("skins");
    all.extend(joints.iter().map(|joint| json!({"joints": [joint]})));
    let error = baked(&file.glb(), JointScale::Local).unwrap();
    assert_contains(
        &error,
        &["too much work on joints of all skins and nodes above them"],
    );
}

#[test]
fn skinned_nodes_and_primitives() {
    let file = |count: usize| {
        let mut file = skinned(8, 0.5);
        let primitives = file.list("meshes")[0]["primitives"].as_array_mut().unwrap();
        let one = primitives[0].clone();
        primitives.resize(count, one);
        let nodes = file.list("nodes");
        nodes.extend((0..count).map(|_| json!({"mesh": 0, "skin": 0})));
        file.glb()
    };
    // The longer one is refused for as many primitives as all nodes use together.
    grows_like_a_line(4000, file, |glb| drop(baked(glb, JointScale::Global)));
}

#[test]
fn sets_of_influences() {
    let file = |count: usize| {
        let mut file = skinned(8, 0.5);
        let primitive = &mut file.list("meshes")[0]["primitives"][0];
        let attributes = primitive["attributes"].as_object_mut().unwrap();
        for set in 1..count {
            attributes.insert(format!("JOINTS_{set}"), json!(1));
            attributes.insert(format!("WEIGHTS_{set}"), json!(2));
        }
        file.glb()
    };
    grows_like_a_line(400, file, |glb| {
        assert_eq!(baked(glb, JointScale::Global), None);
    });
}

#[test]
fn meshes_that_are_copied_too_often_are_refused() {
    let mut file = skinned(8, 0.5);
    let extras: Vec<usize> = (0..10_000).collect();
    file.list("meshes")[0]["extras"] = json!(extras);
    let count = 500;
    let nodes = file.list("nodes");
    nodes.extend((0..count).map(|skin| json!({"mesh": 0, "skin": skin + 1})));
    let skins = file.list("skins");
    skins.extend((0..count).map(|_| json!({"joints": [0]})));
    let error = baked(&file.glb(), JointScale::Global).unwrap();
    assert_contains(
        &error,
        &["too much work on values of JSON that are repeated"],
    );
}

/// A file with as many attributes that are copied as are given: an accessor each, that begins so many bytes after the one before.
fn with_attributes(vertices: usize, count: usize, apart: usize) -> Vec<u8> {
    let mut file = skinned(vertices, 0.5);
    let offset = file.bin.len();
    file.bin.resize(offset + 4 * vertices + apart * count, 0);
    let views = file.list("bufferViews");
    views.push(json!({"buffer": 0, "byteOffset": offset, "byteLength": 4 * vertices + apart * count, "byteStride": 4}));
    let view = views.len() - 1;
    let accessors = file.list("accessors");
    let first = accessors.len();
    accessors.extend((0..count).map(|index| {
        json!({"bufferView": view, "byteOffset": apart * index, "componentType": 5126, "count": vertices, "type": "SCALAR"})
    }));
    let primitive = &mut file.list("meshes")[0]["primitives"][0];
    let attributes = primitive["attributes"].as_object_mut().unwrap();
    attributes.extend((0..count).map(|index| (format!("_A{index}"), json!(first + index))));
    file.glb()
}

#[test]
fn copied_accessors_that_overlap_are_bounded() {
    let (vertices, count) = (1 << 17, (1 << 15) + 1);
    let error = baked(&with_attributes(vertices, count, 4), JointScale::Global).unwrap();
    assert!(
        error.contains("too much work on numbers that are copied"),
        "{error}"
    );
    // Those with the same data are read once.
    let same = with_attributes(vertices, count, 0);
    assert_eq!(baked(&same, JointScale::Global), None);
}

#[test]
fn morph_targets_that_share_an_accessor_are_bounded() {
    let count = 40_000;
    let mut file = skinned(count, 0.5);
    let mesh = &mut file.list("meshes")[0];
    let targets = 110_000;
    mesh["primitives"][0]["targets"] = vec![json!({"POSITION": 0}); targets].into();
    mesh["weights"] = vec![1.0; targets].into();
    let error = baked(&file.glb(), JointScale::Global).unwrap();
    assert!(
        error.contains("too much work on morph targets and influences"),
        "{error}"
    );
}

#[test]
fn skins_times_joints_are_bounded_by_the_file() {
    let mut file = skinned(8, 0.5);
    let (skins, joints) = (600, 1000);
    let nodes = file.list("nodes");
    let first = nodes.len();
    nodes.extend((0..joints).map(|_| json!({})));
    let all: Vec<usize> = (first..first + joints).collect();
    file.list("skins")
        .extend((0..skins).map(|_| json!({"joints": all})));
    let error = baked(&file.glb(), JointScale::Global).unwrap();
    assert_contains(&error, &["all skins together have 600001 joints"]);
}

/// A file with primitives that share the accessors of a few vertices, whose joint moves for ten seconds.
fn animated(vertices: usize, primitives: usize) -> Vec<u8> {
    let mut file = skinned(vertices, 0.5).moving("walk", 10.0);
    let mut primitive = file.json["meshes"][0]["primitives"][0].clone();
    primitive["mode"] = json!(4);
    file.json["meshes"][0]["primitives"] = vec![primitive; primitives].into();
    file.glb()
}

#[test]
fn bounds_over_many_moments_of_many_primitives_are_bounded() {
    let dir = Dir::with("a.glb", animated(9, 250_000));
    let ran = dir.run("inspect a.glb --over-time --fps 30").exits(1);
    let error = ran.stderr();
    assert_contains(&error, &["U17", "too much work on evaluations"]);
    // The limit is one of `--limit`.
    dir.write("b.glb", skinned(200, 0.5).glb());
    assert_eq!(dir.run("inspect b.glb --over-time").status(), 0);
    dir.run("inspect b.glb --over-time --limit work=400")
        .exits_saying(1, "--limit work=N");
}

#[test]
fn bounds_over_time_count_nodes_joints_and_targets_too() {
    let mut nodes = skinned(8, 0.5).moving("walk", 1000.0);
    nodes.list("nodes").extend(vec![json!({}); 60_000]);
    let mut skins = skinned(8, 0.5).moving("walk", 1000.0);
    skins
        .list("skins")
        .extend(vec![json!({"joints": [0]}); 60_000]);
    let mut targets = skinned(2000, 0.5).moving("walk", 100.0);
    let primitive = &mut targets.json["meshes"][0]["primitives"][0];
    primitive["targets"] = vec![json!({"POSITION": 0}); 2000].into();
    let dir = Dir::new();
    for (name, file) in [("nodes", nodes), ("skins", skins), ("targets", targets)] {
        dir.write(&format!("{name}.glb"), file.glb());
        let ran = dir.run(&format!("inspect {name}.glb --over-time"));
        ran.exits_saying(1, "too much work on evaluations");
    }
    if let Some(path) = crate::support::published("cases/hostile/nodes-over-time.glb") {
        dir.write("handed.glb", std::fs::read(path).unwrap());
        dir.run("inspect handed.glb --over-time")
            .exits_saying(1, "U17");
    }
}

#[test]
fn bounds_over_time_of_many_nodes_animations_and_skins() {
    let dir = Dir::new();
    let bounds = |file: &Vec<u8>| {
        let location = Location("a.glb".into());
        let source = Source::read(file, &location, &MemoryLoader::default()).unwrap();
        let source = source.value;
        let skinning = Skinning::linear();
        let evaluation = rigy_batch::mesh::Evaluation {
            skinning: &skinning,
            isa: Isa::best(),
            executor: &rigy_batch::kernel::executor::Sequential,
        };
        for animation in 0..source.file.animations.len() {
            let moment = Some(rigy_batch::bake::ClipTime {
                animation,
                time: 0.5,
            });
            let found = rigy_batch::view::moving_bounds::over_time(&source, &[moment], &evaluation);
            assert!(found.unwrap().all.is_some());
        }
    };
    let clips = |count: usize| {
        let mut file = skinned(8, 0.5).moving("walk", 1.0);
        let clip = file.list("animations")[0].clone();
        file.list("animations").extend(vec![clip; count]);
        file.glb()
    };
    grows_like_a_line(100, clips, bounds);
    let skins = |count: usize| {
        let mut file = skinned(8, 0.5).moving("walk", 1.0);
        file.list("skins")
            .extend(vec![json!({"joints": [0]}); count]);
        file.list("nodes")
            .extend((0..count).map(|skin| json!({"mesh": 0, "skin": skin + 1})));
        let shown: Vec<usize> = (0..count + 2).collect();
        file.json["scenes"][0]["nodes"] = shown.into();
        file.glb()
    };
    grows_like_a_line(500, skins, bounds);
    // Through the program, too: every animation is planned, described and measured.
    dir.write("clips.glb", clips(2000));
    dir.run("inspect clips.glb --over-time").good();
}

#[test]
fn frames_of_an_export_are_bounded_by_its_file() {
    // 99,900 vertices at 2,401 moments.
    let dir = Dir::with("a.glb", animated(999, 100));
    let args = "bake a.glb -o a.usda --animation walk";
    let ran = dir.run(&format!("{args} --frames @240")).exits(1);
    let error = ran.stderr();
    let expected = "2401 frames of 99900 vertices would exceed 4 GiB";
    assert!(error.contains(expected), "{error}");
    assert!(!dir.path().join("a.usda").exists());
}

#[test]
fn sets_of_influences_of_a_palette_are_bounded() {
    // 999 vertices with one set each, in 5,000 primitives.
    let dir = Dir::with("a.glb", animated(999, 5000));
    let ran = dir.run("palette a.glb");
    assert_eq!(ran.status(), 1);
    let error = ran.stderr();
    let expected = "more than 4194304 sets of influences";
    assert!(error.contains("U17") && error.contains(expected), "{error}");
}

#[test]
fn short_documents_with_large_pages_are_refused_before_they_are_built() {
    let primitives = "{repeat: {count: 60000, as: i, body: {type: capsule, id: \"c${i}\", dimensions: {radius: 1, height: 2}}}}";
    let text = format!("version: \"0.11\"\nmeshes: [{{id: m, primitives: [{primitives}]}}]\n");
    let dir = Dir::with("a.rigy.yaml", &text);
    for args in ["view a.rigy.yaml -o out", "preview a.rigy.yaml -o a.png"] {
        dir.run(args).exits_saying(1, "U17");
    }
}
