//! Pages of `view`: one file for each model, without markup from names, with the numbers that the program bakes.

use gltf::Gltf;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::viewer_page::{ViewerPage, between, decoded};
use crate::support::{Dir, assert_contains, published, skinned::skinned};

/// A name that would end the script element and run a script of its own.
const HOSTILE: &str = "</script><img src=x onerror=alert(1)><!--<script>";

/// A document with one pose, whose id is the name given.
fn document(name: &str) -> String {
    let (mesh, rig, bone, pose) = (
        json!(format!("mesh {name}")),
        json!(format!("rig {name}")),
        json!(format!("bone {name}")),
        json!(name),
    );
    format!(
        r#"version: "0.5"
skinning_solver: dqs
meshes: [{{id: {mesh}, primitives: [{{type: capsule, id: c, dimensions: {{radius: 0.5, height: 2}}}}]}}]
armatures: [{{id: {rig}, bones: [{{id: {bone}, parent: still, head: [0, 1, 0], tail: [0, 2, 0]}}, {{id: still, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}}]}}]
bindings: [{{mesh_id: {mesh}, armature_id: {rig}, weights: [{{primitive_id: c, bones: [{{bone_id: {bone}, weight: 0.75}}, {{bone_id: still, weight: 0.25}}]}}]}}]
poses: [{{id: {pose}, bones: {{{bone}: {{rotation: [0.6, 0.8, 0, 0], translation: [0, 1, 2]}}, still: {{translation: [0, 0, 0]}}}}}}]
"#
    )
}

/// A skinned file whose joint turns by a half turn about x in one second.
fn turning(name: &str) -> Vec<u8> {
    let mut file = skinned(40, 0.5);
    file.add_clip(
        name,
        "rotation",
        &[0.0, 1.0],
        &[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0],
    );
    file.json["nodes"][0]["name"] = json!(name);
    file.json["meshes"][0]["name"] = json!(name);
    file.glb()
}

/// Writes the page of a file and reads it.
fn page(dir: &Dir, file: &str) -> ViewerPage {
    let ran = dir.run(&["view", file, "--no-open", "-o", "pages"]);
    assert_eq!((ran.status(), &*ran.stderr()), (0, ""));
    ViewerPage::read(dir, &format!("pages/{file}.html"))
}

pub fn positions(bytes: &[u8]) -> Vec<f32> {
    let file = Gltf::from_slice(bytes).unwrap();
    let primitive = file.meshes().next().unwrap().primitives().next().unwrap();
    let blob = file.blob.as_deref();
    let reader = primitive.reader(|_| blob);
    reader.read_positions().unwrap().flatten().collect()
}

#[cfg(unix)]
#[test]
fn without_a_directory_the_page_is_in_a_new_temporary_one() {
    let dir = Dir::with("a.glb", turning("run"));
    dir.write("tmp/other", "");
    let temporary = dir.path().join("tmp");
    let variables = [("TMPDIR", temporary.to_str().unwrap())];
    let paths: Vec<String> = (0..2)
        .map(|_| {
            let ran = dir.run_with(&variables, "view a.glb --no-open").good();
            ran.stdout()
        })
        .collect();
    assert_ne!(paths[0], paths[1]);
    for path in &paths {
        let path = std::path::Path::new(path.trim_end());
        assert!(path.starts_with(&temporary) && path.ends_with("a.glb.html"));
        assert!(path.metadata().unwrap().len() > 100_000);
    }
    assert_eq!(dir.files().len(), 4);
}

#[test]
fn names_do_not_become_markup() {
    let dir = Dir::with("hostile.rigy.yaml", document(HOSTILE));
    dir.write("hostile.glb", turning(HOSTILE));
    dir.write("plain.rigy.yaml", document("plain"));
    let tags = |page: &ViewerPage| {
        // The bundle of the viewer is the same in all pages.
        let shell = &page.text[..page.text.rfind("<script>").unwrap()];
        let count = |tag: &str| page.text.to_lowercase().matches(tag).count();
        (
            shell.matches('<').count(),
            count("<script"),
            count("</script"),
            count("<img"),
            count("<!--"),
        )
    };
    let [hostile, model, plain] =
        ["hostile.rigy.yaml", "hostile.glb", "plain.rigy.yaml"].map(|name| page(&dir, name));
    assert_eq!(tags(&hostile), tags(&plain));
    assert_eq!(tags(&model), tags(&plain));
    assert_eq!(hostile.scene["poses"][0]["name"], HOSTILE);
    assert_eq!(model.scene["clips"][0]["name"], HOSTILE);
    assert_eq!(model.model()["nodes"][0]["name"], HOSTILE);
}

#[cfg(unix)]
#[test]
fn names_of_files_do_not_become_markup() {
    let dir = Dir::new();
    let name = "<img src=x onerror=alert(1)>&\"'.rigy.yaml";
    dir.write(name, document("p"));
    let page = page(&dir, name);
    assert_eq!(page.scene["name"], name);
    let title = between(&page.text, "<title>", "</title>");
    let expected = "&lt;img src=x onerror=alert(1)&gt;&amp;&quot;'.rigy.yaml – rigy-batch";
    assert_eq!(title, expected);
    assert!(!page.text.contains("<img src"));
}

#[test]
fn the_page_may_load_nothing_and_run_only_its_own_script() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    let page = page(&dir, "a.rigy.yaml");
    let policy = between(&page.text, "Content-Security-Policy\" content=\"", "\"");
    let style = between(&page.text, "<style>", "</style>");
    let script = &page.text[page.text.rfind("<script>").unwrap() + 8..];
    let script = &script[..script.rfind("</script>").unwrap()];
    for (kind, text) in [("script", script), ("style", style)] {
        let allowed = between(policy, &format!("{kind}-src 'sha256-"), "'");
        assert_eq!(decoded(allowed), Sha256::digest(text).to_vec(), "{kind}");
    }
    assert!(policy.starts_with("default-src 'none'; img-src data: blob:;"));
    assert!(!policy.contains("unsafe") && !policy.contains("http"));
    let shell = &page.text[..page.text.rfind("<script>").unwrap()];
    assert!(!shell.contains("src=") && !shell.contains("href="));
}

#[test]
fn the_page_of_a_document_has_the_bytes_of_its_baked_pose() {
    let dir = Dir::with("a.rigy.yaml", document("bow"));
    assert_eq!(dir.run("a.rigy.yaml -o out").status(), 0);
    let page = page(&dir, "a.rigy.yaml");
    let baked = positions(&dir.read("out/a.bow.glb"));
    let moment = &page.scene["baked"][0];
    assert_eq!(json!([moment["clip"], moment["time"]]), json!([0, 1.0]));
    assert_eq!(page.scene["solvers"][0][1], "dqs");
    assert_eq!(page.attribute(&moment["dqs"], "POSITION"), baked);
    assert_ne!(page.attribute(&moment["lbs"], "POSITION"), baked);
    let rest = positions(&dir.read("out/a.glb"));
    let model = &page.scene["models"][0]["glb"];
    assert_eq!(page.attribute(model, "POSITION"), rest);
    // The joint that moves stands where the pose puts it; the other one at the origin.
    let joints = page.scene["poses"][0]["joints"].as_array().unwrap();
    let places: Vec<&Value> = joints.iter().map(|joint| &joint[1]).collect();
    assert!(
        places.contains(&&json!([0.8, 0.0, 0.0, 0.6, 0.0, 1.0, 2.0])),
        "{places:?}"
    );
    assert!(
        places.contains(&&json!([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])),
        "{places:?}"
    );
}

#[test]
fn all_primitives_of_a_document_are_surfaces() {
    let dir = Dir::new();
    dir.write(
        "a.rigy.yaml",
        r#"version: "0.12"
materials: {one: {base_color: [1, 0, 0, 1]}, two: {base_color: [0, 0, 1, 1]}}
meshes:
  - {id: m, material: one, primitives: [{type: box, id: a, dimensions: {x: 1, y: 1, z: 1}}, {type: sphere, id: b, dimensions: {radius: 1}, material: two}]}
  - {id: still, material: two, primitives: [{type: box, id: c, dimensions: {x: 1, y: 1, z: 1}}]}
armatures: [{id: r, bones: [{id: root, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}]}]
bindings: [{mesh_id: m, armature_id: r, weights: [{primitive_id: a, bones: [{bone_id: root, weight: 1}]}, {primitive_id: b, bones: [{bone_id: root, weight: 1}]}]}]
poses: [{id: up, bones: {root: {translation: [0, 2, 0]}}}]
"#,
    );
    assert_eq!(dir.run("a.rigy.yaml -o out").status(), 0);
    let page = page(&dir, "a.rigy.yaml");
    let model = page.model();
    let exported = Gltf::from_slice(&dir.read("out/a.glb")).unwrap();
    let counts = |json: &Value| {
        let meshes = json["meshes"].as_array().unwrap().iter();
        let primitives = meshes.flat_map(|mesh| mesh["primitives"].as_array().unwrap());
        let accessor = |primitive: &Value| {
            let index = primitive["attributes"]["POSITION"].as_u64().unwrap() as usize;
            json["accessors"][index]["count"].as_u64().unwrap()
        };
        primitives.map(accessor).collect::<Vec<u64>>()
    };
    let exported = exported.meshes().flat_map(|mesh| {
        let counts = mesh
            .primitives()
            .map(|it| it.get(&gltf::Semantic::Positions));
        counts
            .map(|it| it.unwrap().count() as u64)
            .collect::<Vec<_>>()
    });
    assert_eq!(counts(&model), exported.collect::<Vec<_>>());
    assert_eq!(counts(&model).len(), 3);
    assert_eq!(page.scene["bakedNodes"], 2);
    let materials = &page.scene["models"][0]["materials"];
    let color = |mesh: usize, primitive: usize| {
        let index = model["meshes"][mesh]["primitives"][primitive]["material"]
            .as_u64()
            .unwrap();
        materials[index as usize]["color"][0].as_f64().unwrap()
    };
    assert_eq!([color(0, 0), color(0, 1), color(1, 0)], [1.0, 0.0, 0.0]);
    assert_eq!(
        counts(&page.glb(&page.scene["baked"][0]["lbs"]).0),
        counts(&model)
    );
}

#[test]
fn the_page_of_a_gltf_file_has_the_bytes_of_its_baked_moment() {
    let dir = Dir::with("a.glb", turning("turn"));
    let page = page(&dir, "a.glb");
    let clips = json!([{"name": "turn", "start": 0.0, "end": 1.0}]);
    assert_eq!(page.scene["clips"], clips);
    let moment = &page.scene["baked"][0];
    assert_eq!(json!([moment["clip"], moment["time"]]), json!([0, 0.5]));
    for solver in ["lbs", "dqs"] {
        let args = format!("bake a.glb --time 0.5 --solver {solver} -o {solver}");
        assert_eq!(dir.run(&args).status(), 0);
        let baked = positions(&dir.read(&format!("{solver}/a.glb")));
        assert_eq!(page.attribute(&moment[solver], "POSITION"), baked);
    }
    let model = page.model();
    assert_eq!(
        model["animations"][0]["channels"][0]["target"],
        json!({"node": 0, "path": "rotation"})
    );
    assert_eq!(model["skins"][0]["joints"], json!([0]));
}

#[test]
fn a_page_has_as_much_room_for_a_file_with_its_buffers_beside_it() {
    let dir = Dir::new();
    let file = skinned(2000, 0.5);
    dir.write("whole.glb", file.glb());
    dir.write("a.gltf", file.gltf("a.bin"));
    dir.write("a.bin", &file.bin);
    let baked = |name: &str| page(&dir, name).scene["baked"].clone();
    assert_eq!(baked("a.gltf"), baked("whole.glb"));
    assert_eq!(baked("a.gltf").as_array().unwrap().len(), 1);
}

/// Compressed, sparse, interleaved and hidden data of a file are plain in the page, and what the page does not show is not there.
#[test]
fn the_model_of_a_page_is_a_plain_glb_of_what_it_shows() {
    let dir = Dir::new();
    let mut file = skinned(40, 0.5);
    file.json["extras"] = json!({"secret": 1});
    file.json["nodes"][0]["extras"] = json!({"secret": 1});
    file.json["materials"] = json!([{"name": "secret"}]);
    file.json["extensionsUsed"] = json!(["EXT_secret"]);
    let mesh = file.json["meshes"][0].clone();
    file.list("meshes").push(mesh);
    let accessor = &mut file.list("accessors")[0];
    accessor["sparse"] = json!({"count": 1, "indices": {"bufferView": 0, "byteOffset": 8, "componentType": 5121}, "values": {"bufferView": 0}});
    dir.write("a.glb", file.glb());
    let page = page(&dir, "a.glb");
    let model = page.model();
    assert!(!model.to_string().contains("secret") && !model.to_string().contains("sparse"));
    assert_eq!(
        model["meshes"][1],
        json!({"primitives": []}),
        "nothing draws it"
    );
    let views = model["bufferViews"].as_array().unwrap();
    assert_eq!(views.len(), model["accessors"].as_array().unwrap().len());
    assert_eq!(
        page.attribute(&page.scene["baked"][0]["lbs"], "POSITION")
            .len(),
        120
    );
}

#[test]
fn a_joint_without_a_rotation_has_no_dual_quaternions() {
    let dir = Dir::new();
    let mut file = skinned(40, 0.5);
    file.json["nodes"][0]["scale"] = json!([0, 0, 0]);
    dir.write("a.glb", file.glb());
    let page = page(&dir, "a.glb");
    let rest = &page.scene["baked"][0];
    assert_eq!(rest["dqs"], Value::Null);
    assert_eq!(
        page.attribute(&rest["lbs"], "POSITION")[..3],
        [1.0, 2.0, 3.0]
    );
}

#[test]
fn a_short_file_that_shows_a_mesh_many_times_is_refused() {
    let dir = Dir::new();
    let mut file = skinned(2000, 0.0);
    let copies = std::iter::repeat_n(json!({"mesh": 0}), 3000);
    file.json["nodes"].as_array_mut().unwrap().extend(copies);
    file.json["scenes"][0]["nodes"] = (0..3002).collect();
    dir.write("many.glb", file.glb());
    let ran = dir.run("view many.glb --no-open -o pages");
    assert_eq!((ran.status(), &*ran.stdout()), (1, ""));
    ran.says("a page cannot hold it");
    assert_eq!(dir.files(), ["many.glb"]);
}

/// The pages of all samples are within the sizes that the page on viewing states.
#[test]
fn pages_of_the_samples_are_as_large_as_the_guide_says() {
    let Some(samples) = published("gltf-samples") else {
        return;
    };
    let guide = include_str!("../../docs/src/guide/viewing.md");
    assert_contains(
        guide,
        &[
            "Beside 0.7 MB of its own script",
            "at most twice",
            "at most four times",
        ],
    );
    let dir = Dir::new();
    let shell = 8_000
        + include_str!("../../viewer/dist/view.js").len()
        + include_str!("../../viewer/dist/view.css").len();
    let mut count = 0;
    for (folder, most) in [("real", 2.0), ("made", 2.0), ("compressed", 4.0)] {
        for entry in std::fs::read_dir(samples.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let len = std::fs::metadata(&path).unwrap().len();
            dir.run(&["view", path.to_str().unwrap(), "--no-open", "-o", "pages/"])
                .good();
            let page = dir.read(&format!("pages/{name}.html")).len();
            let page = page.saturating_sub(shell) as f64;
            assert!(page <= most * len as f64, "{name}: {page} bytes for {len}");
            count += 1;
        }
    }
    assert_eq!(count, 20);
}
