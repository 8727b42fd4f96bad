//! Products of two limits: a short input that asks for many times many is refused at once, with code, place and what to raise.

use serde_json::{Value, json};

use super::observed_soon;
use crate::support::Dir;
use crate::support::skinned::{Made, skinned};

/// Checks that the program says this within a second and 256 MiB.
fn refused(dir: &Dir, name: &str, args: &str, said: &str) -> String {
    let (printed, peak) = observed_soon(dir, name, args, 1);
    assert!(printed.contains(said), "{name}: {printed:.600}");
    assert!(peak < 256 << 20, "{name}: {peak} bytes");
    printed
}

/// The same for a refusal that has its code and says what raises the limit.
fn refused_as_work(dir: &Dir, args: &str, what: &str) {
    let said = refused(dir, args, args, &format!("too much work on {what}"));
    assert!(said.contains("U17"), "{args}: {said:.600}");
    assert!(said.contains("--limit work=N"), "{args}: {said:.600}");
}

/// A file whose joint moves for so long that there are a million frames.
fn long(vertices: usize) -> Made {
    skinned(vertices, 0.5).moving("walk", 33_000.0)
}

/// Commands that take all moments of `a.glb`.
const MOMENTS: [&str; 6] = [
    "bake a.glb -o a.out.glb --as morph --frames @30",
    "bake a.glb -o a.out.glb --as step --frames @30",
    "bake a.glb -o a.usda --frames @30",
    "bake a.glb -o out --as vat --frames @30",
    "bake a.glb -o out --frames @30",
    "bake a.glb -o out --to obj --animation all --frames @30 --dry-run",
];

/// Shows all nodes.
fn showing_all(mut file: Made) -> Vec<u8> {
    let all: Vec<usize> = (0..file.list("nodes").len()).collect();
    file.json["scenes"][0]["nodes"] = all.into();
    file.glb()
}

#[test]
fn moments_times_nodes() {
    let mut file = long(8);
    file.list("nodes").extend(vec![json!({}); 100_000]);
    let dir = Dir::with("a.glb", showing_all(file));
    for args in MOMENTS {
        refused_as_work(&dir, args, "uses of nodes, primitives and morph targets");
    }
    refused_as_work(&dir, "inspect a.glb --over-time", "evaluations of vertices");
}

#[test]
fn moments_times_skins() {
    let mut file = long(8);
    let skins = 20_000;
    file.list("skins")
        .extend(vec![json!({"joints": [0]}); skins]);
    file.list("nodes")
        .extend((1..=skins).map(|skin| json!({"mesh": 0, "skin": skin})));
    let dir = Dir::with("a.glb", showing_all(file));
    for args in MOMENTS {
        refused_as_work(&dir, args, "uses of nodes, primitives and morph targets");
    }
    refused_as_work(&dir, "inspect a.glb --over-time", "evaluations of vertices");
}

#[test]
fn moments_times_morph_targets_and_vertices() {
    let mut file = long(20_000);
    let mesh = &mut file.list("meshes")[0];
    mesh["primitives"][0]["targets"] = vec![json!({"POSITION": 0}); 1000].into();
    mesh["weights"] = vec![1.0; 1000].into();
    let dir = Dir::with("a.glb", file.glb());
    for args in MOMENTS {
        refused_as_work(&dir, args, "morph targets and influences of vertices");
    }
    refused_as_work(&dir, "inspect a.glb --over-time", "evaluations of vertices");
}

/// A file whose nodes each show so many instances of so many primitives, all of which share their numbers.
fn instanced(nodes: usize, instances: usize, primitives: usize, skinned_nodes: bool) -> Made {
    let mut file = skinned(8, 0.5);
    let offset = file.bin.len();
    file.bin.resize(offset + 12 * instances, 0);
    let views = file.list("bufferViews");
    views.push(json!({"buffer": 0, "byteOffset": offset, "byteLength": 12 * instances}));
    let view = views.len() - 1;
    let accessors = file.list("accessors");
    accessors.push(
        json!({"bufferView": view, "componentType": 5126, "count": instances, "type": "VEC3"}),
    );
    let accessor = accessors.len() - 1;
    let list = file.list("meshes")[0]["primitives"].as_array_mut().unwrap();
    let mut one = list[0].clone();
    one["mode"] = json!(4);
    *list = vec![one; primitives];
    let extension = json!({"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": accessor}}});
    let mut node = json!({"mesh": 0, "extensions": extension});
    if skinned_nodes {
        node["skin"] = json!(0);
    }
    file.list("nodes").extend(vec![node; nodes]);
    file.json["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
    file
}

#[test]
fn instances_times_primitives_times_nodes() {
    let dir = Dir::new();
    for (skinned, nodes, instances, primitives) in [
        (false, 30_000, 10_000, 1),
        (true, 1000, 50_000, 2),
        (false, 1, 2000, 5000),
    ] {
        let mut file = instanced(nodes, instances, primitives, skinned);
        dir.write("a.glb", showing_all(file.clone()));
        file.json["asset"]["generator"] = "another".into();
        dir.write("b.glb", showing_all(file));
        for (args, said) in [
            (
                "inspect a.glb --format json",
                "there are no bounds: too much work on vertices of nodes",
            ),
            ("inspect a.glb --over-time", "too much work on evaluations"),
            (
                "preview a.glb -o a.png",
                "too much work on bytes of memory for what is shown",
            ),
            ("view a.glb --no-open -o page", "a page cannot hold it"),
            ("diff a.glb b.glb", "has no vertices to compare"),
        ]
        // Primitives that share their positions have the same bounds.
        .into_iter()
        .skip(if primitives > 2 { 2 } else { 0 })
        {
            refused(&dir, &format!("{args}, {nodes} nodes"), args, said);
        }
    }
}

#[test]
fn instances_of_many_nodes_are_compared_only_for_so_long() {
    let mut file = instanced(2000, 100_000, 1, false);
    let dir = Dir::with("a.glb", file.glb());
    file.json["asset"]["generator"] = "another".into();
    dir.write("b.glb", file.glb());
    let said = "instances are not compared: too much work on instances";
    refused(&dir, "instances", "diff a.glb b.glb", said);
}

#[test]
fn instances_times_primitives_times_moments() {
    let mut file = instanced(1, 500, 50, false);
    file = file.moving("walk", 33_000.0);
    let dir = Dir::with("a.glb", showing_all(file));
    for args in [MOMENTS[2], MOMENTS[3]] {
        refused_as_work(&dir, args, "");
    }
}

#[test]
fn animations_times_meshes() {
    let mut file = skinned(8, 0.5).moving("walk", 0.01);
    let clip = file.list("animations")[0].clone();
    file.list("animations").extend(vec![clip; 10_000]);
    let mut mesh = file.list("meshes")[0].clone();
    mesh["name"] = "m".repeat(1000).into();
    file.list("meshes").extend(vec![mesh; 100]);
    file.list("nodes")
        .extend((1..=100).map(|mesh| json!({"mesh": mesh, "skin": 0})));
    let dir = Dir::with("a.glb", showing_all(file));
    let args = "inspect a.glb --over-time --fps 1";
    refused_as_work(&dir, args, "bytes of bounds of meshes in all animations");
}

#[test]
fn surfaces_times_operators_times_samples() {
    let operator = "{op: add, field: metaball_sphere@1, strength: 1, radius: 1}";
    let operators = format!("{{repeat: {{count: 4000, as: j, body: {operator}}}}}");
    let domain = "{aabb: {min: [0, 0, 0], max: [2, 2, 2]}, grid: {nx: 100, ny: 100, nz: 100}}";
    let surface = format!(
        "{{type: implicit_surface, id: \"s${{i}}\", iso: 0.5, domain: {domain}, ops: [{operators}]}}"
    );
    let repeated = format!("{{repeat: {{count: 20, as: i, body: {surface}}}}}");
    let text = format!("version: \"0.13\"\nmeshes: [{{id: m, primitives: [{repeated}]}}]\n");
    let dir = Dir::with("a.rigy.yaml", text);
    for args in [
        "a.rigy.yaml -n",
        "inspect a.rigy.yaml",
        "preview a.rigy.yaml -o a.png",
    ] {
        refused_as_work(&dir, args, "samples of implicit surfaces");
    }
    let ran = dir.run("a.rigy.yaml -n --format json");
    let error: Value = ran.json()[0]["errors"][0].clone();
    assert_eq!(error["path"], "meshes[0].primitives[0].repeat.body.id");
    assert_eq!(error["line"], 2);
}

#[test]
fn poses_times_vertices() {
    let capsules = "{repeat: {count: 1500, as: i, body: {type: capsule, id: \"c${i}\", dimensions: {radius: 1, height: 2}}}}";
    let poses = "{repeat: {count: 100000, as: i, body: {id: \"p${i}\", bones: {}}}}";
    let text = format!(
        "version: \"0.13\"\nmeshes: [{{id: m, primitives: [{capsules}]}}]\nposes: [{poses}]\n"
    );
    let dir = Dir::with("a.rigy.yaml", text);
    for args in ["a.rigy.yaml -o out", "a.rigy.yaml -n --with-instances"] {
        refused_as_work(&dir, args, "bytes of memory for a pose");
    }
    let error: Value = dir.run("a.rigy.yaml -n --format json").json()[0]["errors"][0].clone();
    assert_eq!(error["path"], "poses[0].repeat.body.id");
    // A few of them are taken.
    dir.run("a.rigy.yaml -n --poses p7").good();
}

#[test]
fn poses_times_pixels_of_pictures() {
    let boxes = "{repeat: {count: 3000, as: i, body: {type: box, id: \"c${i}\", dimensions: {x: 9, y: 9, z: 9}}}}";
    let poses = "{repeat: {count: 6000, as: i, body: {id: \"p${i}\", bones: {}}}}";
    let text = format!(
        "version: \"0.13\"\nmeshes: [{{id: m, primitives: [{boxes}]}}]\nposes: [{poses}]\n"
    );
    let dir = Dir::with("a.rigy.yaml", text);
    let args = "preview a.rigy.yaml -o a.png --size 64";
    refused(&dir, args, args, "too much work on");
}

#[test]
fn macros_times_repeats() {
    let repeated =
        |count: &str, body: &str| format!("{{repeat: {{count: {count}, as: i, body: {body}}}}}");
    let box_of = |count: &str| {
        repeated(
            count,
            "{type: box, id: \"b${i}\", dimensions: {x: 1, y: 1, z: 1}}",
        )
    };
    let mesh = |primitives: &str| format!("{{id: \"m${{j}}\", primitives: [{primitives}]}}");
    let cutouts = "{id: c, x: [1, 2], y: [0, 1]}, ".repeat(100);
    let wall = format!(
        "{{macro: box_decompose, id: \"w${{i}}\", axis: x, span: [0, 9], height: 1, thickness: 1, cutouts: [{cutouts}]}}"
    );
    let rows = [
        repeated("1000", &mesh(&box_of("1000")))
            .replace("as: i, body: {id: \"m", "as: j, body: {id: \"m"),
        mesh(&box_of("1000000000000000000000000000000")).replace("${j}", ""),
        mesh(&repeated("100000", &wall)).replace("${j}", ""),
    ];
    for (index, meshes) in rows.iter().enumerate() {
        let text = format!("version: \"0.13\"\nmeshes: [{meshes}]\n");
        let dir = Dir::with("a.rigy.yaml", text);
        for args in [
            "a.rigy.yaml -n",
            "inspect a.rigy.yaml",
            "view a.rigy.yaml --no-open -o page",
        ] {
            refused(
                &dir,
                &format!("{index}, {args}"),
                args,
                "values; the limit is 1000000",
            );
        }
    }
}

#[test]
fn verdicts_do_not_depend_on_threads() {
    let mut file = skinned(200, 0.5).moving("walk", 10.0);
    file.list("nodes").extend(vec![json!({}); 50]);
    let dir = Dir::with("a.glb", showing_all(file));
    let poses = "{repeat: {count: 100, as: i, body: {id: \"p${i}\", bones: {}}}}";
    let text = format!(
        "version: \"0.13\"\nmeshes: [{{id: m, primitives: [{{type: box, id: b, dimensions: {{x: 1, y: 1, z: 1}}}}]}}]\nposes: [{poses}]\n"
    );
    dir.write("a.rigy.yaml", text);
    let mut refusals = 0;
    for args in [
        "bake a.glb -o out --frames @30",
        "bake a.glb -o b.glb --as morph --frames @30",
        "bake a.glb -o b.usda --frames @30",
        "a.rigy.yaml -o out",
    ] {
        for power in 8..20 {
            let said = [1, 8].map(|jobs| {
                let limit = 1u64 << power;
                let args =
                    format!("{args} -n --force --format json -j {jobs} --limit work={limit}");
                let found = dir.run(&args).json()[0].clone();
                (found["status"].clone(), found["errors"].clone())
            });
            assert_eq!(said[0], said[1], "{args}, 2^{power}");
            refusals += usize::from(said[0].0 == "failed");
        }
    }
    assert!((10..40).contains(&refusals), "{refusals}");
}

#[test]
fn every_command_takes_the_limit_on_work() {
    let dir = Dir::with("a.glb", skinned(64, 0.5).moving("walk", 1.0).glb());
    for args in [
        "bake a.glb -o b.glb",
        "bake a.glb -o b.obj",
        "inspect a.glb --format json",
        "inspect a.glb --over-time",
        "preview a.glb -o a.png --size 16",
        "palette a.glb",
    ] {
        let free = dir.run(args).good();
        let limited = dir.run(&format!("{args} --limit work=1"));
        assert!(!free.stderr().contains("work"), "{args}");
        let said = limited.stdout() + &limited.stderr();
        assert!(said.contains("too much work"), "{args}: {said}");
    }
}
