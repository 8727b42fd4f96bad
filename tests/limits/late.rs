//! Files that go beyond a limit at their very end are refused soon, and without taking much memory.

use std::time::Duration;

use crate::support::{self, Dir, measured, skinned};

/// Documents that are as long as they may be, and go beyond a limit at their very end.
fn late() -> Vec<(&'static str, &'static str, String)> {
    const LEN: usize = (16 << 20) - 2000;
    let fill = |unit: &str, len: usize| unit.repeat(len / unit.len());
    let deep = format!("b: {}{}\n", "[".repeat(129), "]".repeat(129));
    let after = |filling: String| format!("version: \"0.5\"\n{filling}\n{deep}");
    let inside = format!("{}{}", "[".repeat(128), "]".repeat(128));
    let bone = |n: usize| format!("{{id: b{n}, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}}, ");
    let bones: String = (0..245_000).map(bone).collect();
    let left = |n: usize| bone(n).replace("id: b", "id: L_");
    let lefts: String = (0..40_000).map(left).collect();
    let mesh = "meshes: [{id: m, primitives: [{type: box, id: b, dimensions: {x: 1}}]}]\n";
    let bound = "bindings: [{mesh_id: m, armature_id: a, weights: []}]\n";
    let mirror = "symmetry: {mirror_x: {prefix_from: L_, prefix_to: R_}}\n";
    let capsule = |n: usize| format!("{{type: capsule, id: c{n}, dimensions: {{radius: 1}}}}, ");
    let capsules: String = (0..300_000).map(capsule).collect();
    let anchors: String = (0..900_000).map(|n| format!("&a{n} [*n],")).collect();
    let text = "y".repeat(400);
    vec![
        (
            "depth after items",
            "U10",
            after(format!("a: [{}]", fill("x, ", LEN))),
        ),
        (
            "depth after lists",
            "U10",
            after(format!("a: [{}]", fill("[],", LEN))),
        ),
        (
            "depth after lines",
            "U10",
            after(format!("a:\n{}", fill("- x\n", LEN))),
        ),
        (
            "depth after blocks",
            "U10",
            after(format!("a:\n{}", fill("- k: v\n  l: 'w'\n", LEN))),
        ),
        ("depth after empty lines", "U10", after(fill("\n", LEN))),
        (
            "depth after a comment",
            "U10",
            after(format!("#{}", fill("y", LEN))),
        ),
        (
            "depth after a text",
            "U10",
            after(format!("a: \"{}\"", fill("y", LEN))),
        ),
        (
            "depth after a block text",
            "U10",
            after(format!("a: |\n{}", fill("  y y\n", LEN))),
        ),
        (
            "depth in a list",
            "U10",
            format!("version: \"0.5\"\na: [[{}, {inside}]]", fill("x, ", LEN)),
        ),
        (
            "aliases after items",
            "U10",
            format!(
                "n: &n {}\na: [{}]\nb: [{}]\n",
                text.repeat(100),
                fill("x, ", LEN - 65_000),
                fill("*n,", 15_000)
            ),
        ),
        (
            "aliases everywhere",
            "U10",
            format!("n: &n {}\na: [{}]\n", &text[..40], fill("*n,", LEN)),
        ),
        (
            "aliases with anchors",
            "U10",
            format!("n: &n {text}\na: [{anchors}]\n"),
        ),
        (
            "joints",
            "U16",
            format!("{mesh}armatures: [{{id: a, bones: [{bones}]}}]\n{bound}"),
        ),
        (
            "joints of blocks",
            "U16",
            format!(
                "{mesh}armatures:\n- bones:\n  - {}\n  id: a\n{bound}",
                bones.trim_end_matches(", ").replace("}, ", "}\n  - ")
            ),
        ),
        (
            "mirrored joints",
            "U16",
            format!("{mesh}armatures: [{{id: a, bones: [{lefts}]}}]\n{bound}{mirror}"),
        ),
        (
            "vertices",
            "U17",
            format!("version: \"0.5\"\nmeshes:\n  - {{id: m, primitives: [{capsules}]}}\n"),
        ),
    ]
}

/// glTF files of the same kind, each with words of its message.
fn late_gltf(dir: &Dir) -> Vec<(&'static str, &'static str, &'static str)> {
    // A sparse file: long, but without blocks on the disk.
    let long = |name: &str, start: &[u8]| {
        dir.write(name, start);
        let file = std::fs::File::options()
            .write(true)
            .open(dir.path().join(name));
        file.unwrap().set_len(300 << 20).unwrap();
    };
    let len = (300 << 20) - 20_u32;
    let header = [
        *b"glTF",
        2_u32.to_le_bytes(),
        (300_u32 << 20).to_le_bytes(),
        len.to_le_bytes(),
    ];
    long("text.glb", &[&header.concat()[..], b"JSON"].concat());
    long("text.gltf", b"{");
    let filled = |unit: &str, len: usize, end: &str| {
        let text = format!("{{\"extras\":[{}{end}]}}", unit.repeat(len / unit.len()));
        support::glb(text.as_bytes(), None)
    };
    let deep = format!("{}{}", "[".repeat(129), "]".repeat(129));
    dir.write("deep.glb", filled("[],", 15 << 20, &deep));
    dir.write("values.glb", filled("1,", 34 << 20, "1"));
    let mut skinned = skinned::skinned(10, 0.5);
    let nodes = skinned.json["nodes"].as_array_mut().unwrap();
    let first = nodes.len();
    nodes.extend((0..65_536).map(|_| serde_json::json!({})));
    let joints = skinned.json["skins"][0]["joints"].as_array_mut().unwrap();
    let root = joints[0].as_u64().unwrap() as usize;
    let more = (first..first + 65_536).map(serde_json::Value::from);
    joints.extend(more.clone());
    skinned.json["skins"][0]
        .as_object_mut()
        .unwrap()
        .remove("inverseBindMatrices");
    skinned.json["nodes"][root]["children"] = more.collect();
    dir.write("joints.glb", skinned.glb());
    vec![
        ("long text in a GLB", "text.glb", "the limit is 268435456"),
        ("long text", "text.gltf", "the limit is 268435456"),
        ("depth of JSON", "deep.glb", "nested deeper than 128 levels"),
        ("values of JSON", "values.glb", "more than 16777216 values"),
        ("joints of a skin", "joints.glb", "U16"),
    ]
}

#[test]
fn documents_beyond_a_limit_at_their_end_are_refused_soon_and_within_64_mib() {
    // The design promises 250 ms on an idle machine.
    let most = Duration::from_secs(if cfg!(debug_assertions) { 30 } else { 1 });
    for (name, code, text) in late() {
        assert!(text.len() <= 16 << 20, "{name}");
        let dir = Dir::new();
        dir.write("a.rigy.yaml", &text);
        drop(text);
        std::thread::sleep(Duration::from_millis(50)); // or the program waits for the file to settle
        let (printed, took, peak) = measured(&dir, &["a.rigy.yaml"]);
        println!("{name}: {took:?}, {} MiB", peak >> 20);
        assert!(
            printed.contains(&format!("\"code\":\"{code}\"")),
            "{name}: {printed}"
        );
        assert!(took < most, "{name}: {took:?}");
        assert!(peak < 64 << 20, "{name}: {peak} bytes");
    }
}

#[test]
fn gltf_files_beyond_a_limit_are_refused_as_soon() {
    let most = Duration::from_secs(if cfg!(debug_assertions) { 30 } else { 1 });
    let dir = Dir::new();
    let files = late_gltf(&dir);
    std::thread::sleep(Duration::from_millis(50));
    for (name, file, said) in files {
        let (printed, took, peak) = measured(&dir, &["bake", file]);
        println!("{name}: {took:?}, {} MiB", peak >> 20);
        assert!(printed.contains(said), "{name}: {printed}");
        assert!(took < most, "{name}: {took:?}");
        assert!(peak < 64 << 20, "{name}: {peak} bytes");
    }
}

#[test]
fn imports_beyond_a_limit_are_refused_as_soon() {
    let most = Duration::from_secs(if cfg!(debug_assertions) { 30 } else { 1 });
    let importing = |count: usize| {
        let imports = (0..count).map(|n| format!("p{n}: {{source: {n}.yaml}}, "));
        let imports: String = imports.collect();
        format!("version: \"0.5\"\nimports: {{{imports}}}\n")
    };
    let long = |len: usize| {
        let mesh = |n: usize| format!("- {{id: m{n}, primitives: []}}\n");
        let meshes: String = (0..len / 30).map(mesh).collect();
        format!("version: \"0.5\"\nmeshes:\n{meshes}")
    };
    let dir = Dir::new();
    let text = long(3 << 20);
    assert!(12 * text.len() > 32 << 20);
    (0..12).for_each(|n| dir.write(&format!("{n}.yaml"), &text));
    dir.write("text.rigy.yaml", importing(12));
    dir.write("part.yaml", importing(12));
    let part = "version: \"0.5\"\nimports: {p: {source: part.yaml}}\n";
    dir.write("parts.rigy.yaml", part);
    dir.write(
        "deep/0.yaml",
        format!("{}x: {}\n", long(15 << 20), "[".repeat(129)),
    );
    dir.write("deep/deep.rigy.yaml", importing(1));
    dir.write("many/many.rigy.yaml", importing(300_000));
    let long = "d/".repeat(4 << 20);
    dir.write(
        "path.rigy.yaml",
        format!("version: \"0.5\"\nimports: {{p: {{source: {long}}}}}\n"),
    );
    std::thread::sleep(Duration::from_millis(50));
    for (file, said) in [
        ("path.rigy.yaml", "at most 4096 bytes"),
        ("text.rigy.yaml", "at most 33554432 bytes of text"),
        ("parts.rigy.yaml", "at most 33554432 bytes of text"),
        ("deep/deep.rigy.yaml", "nesting is deeper than 128 levels"),
        ("many/many.rigy.yaml", "at most 1024 files"),
    ] {
        let (printed, took, peak) = measured(&dir, &[file]);
        println!("{file}: {took:?}, {} MiB", peak >> 20);
        assert!(printed.contains(said), "{file}: {printed}");
        assert!(took < most, "{file}: {took:?}");
        assert!(peak < 64 << 20, "{file}: {peak} bytes");
    }
}
