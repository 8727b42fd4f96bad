//! Files beyond a limit, from a few lines that ask for more than any machine has to files that go beyond it at their very end,
//! are refused soon and without taking much memory.

use crate::support::{self, Dir, skinned};

use super::refused;

/// A name, the code that refuses the document, and its text.
type Case = (&'static str, &'static str, String);

const HEAD: &str = "version: \"0.13\"\n";

fn meshes(list: &str) -> String {
    format!("{HEAD}meshes: [{list}]\n")
}

fn primitives(list: &str) -> String {
    meshes(&format!("{{id: m, primitives: [{list}]}}"))
}

fn repeat(count: &str, name: &str, body: &str) -> String {
    format!("{{repeat: {{count: {count}, as: {name}, body: {body}}}}}")
}

fn a_box(more: &str) -> String {
    format!("{{type: box, id: b, dimensions: {{x: {more}}}}}")
}

/// A few lines, and long lists: repeats, expressions, grids, macros, params, materials.
#[rustfmt::skip] // a case stays a line
fn bombs() -> Vec<Case> {
    let item = "{type: box, id: 'b${i}', dimensions: {x: 1}}";
    let nested = (0..12).fold(item.to_owned(), |body, depth| {
        let list = repeat("10", &format!("i{depth}"), &body);
        format!("{{id: m, primitives: [{list}]}}")
    });
    let laughing = format!(
        "{HEAD}geometry_checks: &a [{}]\nmeshes: [{}]\n",
        "x, ".repeat(1000),
        repeat("100000", "i", "{id: m, primitives: [*a, *a, *a]}")
    );
    let million = |line: &dyn Fn(usize) -> String| (0..1_000_000).map(line).collect::<String>();
    let params = million(&|n| format!("p{n}: 1\n  "));
    let materials = million(&|n| format!("{n}: 0\n  "));
    let cutouts = "{id: c, span: [0, 1]},".repeat(700_000);
    let grid = |n: &str| {
        primitives(&format!(
            "{{type: implicit_surface, id: s, iso: 0.5, \
             domain: {{aabb: {{min: [0, 0, 0], max: [1, 1, 1]}}, grid: {{nx: {n}, ny: {n}, nz: {n}}}}}, \
             ops: [{{op: add, field: metaball_sphere@1, strength: 1, radius: 1}}]}}"
        ))
    };
    let deep = |open: &str, close: &str| {
        let text = format!("={}1{}", open.repeat(100_000), close.repeat(100_000));
        primitives(&a_box(&format!("\"{text}\"")))
    };
    vec![
        ("repeat", "U10", primitives(&repeat("1000000000", "i", item))),
        ("repeat beyond u64", "U10", primitives(&repeat(&format!("1{}", "0".repeat(30)), "i", item))),
        ("nested repeats", "U10", meshes(&nested)),
        ("aliases in repeats", "U10", laughing),
        ("brackets", "U10", deep("(", ")")),
        ("signs", "U10", deep("-", "")),
        ("calls", "U10", deep("abs(", ")")),
        ("grid", "V86", grid("2147483648")),
        ("grid whose product wraps", "V86", grid("4294967296")),
        ("large grid", "V86", grid("127")),
        ("cutouts", "U10", primitives(&format!("{{macro: box_decompose, id: w, axis: x, span: [0, 9], height: 1, thickness: 1, cutouts: [{cutouts}]}}"))),
        (
            "a million cutouts",
            "U10",
            primitives(&format!(
                "{{macro: box_decompose, id: w, axis: x, span: [0, 9], height: 1, thickness: 1, cutouts: [{}]}}",
                "{},".repeat(1_000_000)
            )),
        ),
        ("params", "U10", format!("{HEAD}params:\n  {params}\n")),
        ("materials", "U10", format!("{HEAD}materials:\n  {materials}\n")),
    ]
}

/// Nesting, aliases and merges, and what they multiply.
#[rustfmt::skip] // a case stays a line
fn multiplied() -> Vec<Case> {
    let head = "version: \"0.5\"\n";
    let long = 1 << 20;
    let billion: String = (1..30)
        .map(|n| {
            format!(
                "a{n}: &a{n} [{}]\n",
                vec![format!("*a{}", n - 1); 9].join(", ")
            )
        })
        .collect();
    let merges: String = (1..30)
        .map(|n| format!("m{n}: &m{n} {{<<: [*m{}, *m{}], k{n}: 1}}\n", n - 1, n - 1))
        .collect();
    let capsules = "{type: capsule, id: c, dimensions: {radius: 1}}";
    let mesh = |n: usize| format!("  - {{id: m{n}, primitives: *many}}\n");
    let meshes: String = (0..1500).map(mesh).collect();
    let many: String = (0..100)
        .map(|n| capsules.replace("id: c", &format!("id: c{n}")) + ", ")
        .collect();
    let bone = |n: usize| format!("{{id: b{n}, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}}, ");
    let bones: String = (0..=65_535).map(bone).collect();
    vec![
        ("bytes", "U10", format!("{head}# {}", " ".repeat(16 << 20))),
        ("depth of flow", "U10", format!("{head}meshes: {}", "[".repeat(long))),
        ("depth of maps", "U10", format!("{head}meshes: {}", "{a: ".repeat(long))),
        ("depth of blocks", "U10", format!("{head}meshes:\n{}", (0..600).map(|n| " ".repeat(n) + "-\n").collect::<String>())),
        ("one deeper", "U10", format!("{head}x: {}{}", "[".repeat(128), "]".repeat(128))),
        ("aliases", "U10", format!("{head}a0: &a0 [{}]\n{billion}", "x, ".repeat(9))),
        ("merges", "U10", format!("{head}m0: &m0 {{k: 1}}\n{merges}x: [")),
        ("vertices", "U17", format!("{head}meshes:\n  - {{id: m, primitives: &many [{many}]}}\n{meshes}")),
        (
            "joints",
            "U16",
            format!(
                "{head}meshes: [{{id: m, primitives: [{{type: box, id: b, dimensions: {{x: 1}}}}]}}]\n\
             armatures: [{{id: a, bones: [{bones}]}}]\n\
             bindings: [{{mesh_id: m, armature_id: a, weights: []}}]\n"
            ),
        ),
    ]
}

/// Long documents that go beyond a limit at their very end, or have too much for a tree.
#[rustfmt::skip] // a case stays a line
fn late() -> Vec<Case> {
    let len = 2 << 20;
    let long = 16 << 20;
    let fill = |unit: &str, len: usize| unit.repeat(len / unit.len());
    let deep = format!("b: {}{}\n", "[".repeat(129), "]".repeat(129));
    let after = |filling: String| format!("version: \"0.5\"\n{filling}\n{deep}");
    let inside = format!("{}{}", "[".repeat(128), "]".repeat(128));
    let bone = |n: usize| format!("{{id: b{n}, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}}, ");
    let bones: String = (0..66_000).map(bone).collect();
    let left = |n: usize| bone(n).replace("id: b", "id: L_");
    let lefts: String = (0..40_000).map(left).collect();
    let mesh = "version: \"0.5\"\nmeshes: [{id: m, primitives: [{type: box, id: b, dimensions: {x: 1}}]}]\n";
    let bound = "bindings: [{mesh_id: m, armature_id: a, weights: []}]\n";
    let mirror = "symmetry: {mirror_x: {prefix_from: L_, prefix_to: R_}}\n";
    let capsule = |n: usize| format!("{{type: capsule, id: c{n}, dimensions: {{radius: 1}}}}, ");
    let capsules: String = (0..190_000).map(capsule).collect();
    let anchors: String = (0..900_000).map(|n| format!("&a{n} [*n],")).collect();
    let text = "y".repeat(400);
    vec![
        ("depth after items", "U10", after(format!("a: [{}]", fill("x, ", len)))),
        ("depth after lists", "U10", after(format!("a: [{}]", fill("[],", len)))),
        ("depth after lines", "U10", after(format!("a:\n{}", fill("- x\n", len)))),
        ("depth after blocks", "U10", after(format!("a:\n{}", fill("- k: v\n  l: 'w'\n", len)))),
        ("depth after empty lines", "U10", after(fill("\n", len))),
        ("depth after a comment", "U10", after(format!("#{}", fill("y", len)))),
        ("depth after a text", "U10", after(format!("a: \"{}\"", fill("y", len)))),
        ("depth after a block text", "U10", after(format!("a: |\n{}", fill("  y y\n", len)))),
        ("depth in a list", "U10", format!("version: \"0.5\"\na: [[{}, {inside}]]", fill("x, ", len))),
        ("aliases after items", "U10", format!("n: &n {}\na: [{}]\nb: [{}]\n", text.repeat(100), fill("x, ", len - 65_000), fill("*n,", 15_000))),
        ("aliases everywhere", "U10", format!("n: &n {}\na: [{}]\n", &text[..40], fill("*n,", len))),
        ("aliases with anchors", "U10", format!("n: &n {text}\na: [{anchors}]\n")),
        ("values", "U10", format!("a: [{}]\n", fill("x, ", long))),
        ("values in lines", "U10", format!("a:\n{}", fill("- [x]\n", long))),
        ("values after a tab", "U10", format!("a:\t\n{}", fill("- x\n", long))),
        ("a list after a tab", "U10", format!("a:\t[[{}]]\n", fill("x, ", long))),
        ("joints", "U16", format!("{mesh}armatures: [{{id: a, bones: [{bones}]}}]\n{bound}")),
        ("joints of blocks", "U16", format!("{mesh}armatures:\n- bones:\n  - {}\n  id: a\n{bound}", bones.trim_end_matches(", ").replace("}, ", "}\n  - "))),
        ("mirrored joints", "U16", format!("{mesh}armatures: [{{id: a, bones: [{lefts}]}}]\n{bound}{mirror}")),
        ("vertices", "U17", format!("version: \"0.5\"\nmeshes:\n  - {{id: m, primitives: [{capsules}]}}\n")),
    ]
}

#[test]
fn documents_beyond_a_limit_are_refused_soon_and_within_256_mib() {
    for (name, code, text) in [bombs(), multiplied(), late()].into_iter().flatten() {
        let limit = if name == "bytes" { "16M" } else { "1G" };
        let dir = Dir::with("a.rigy.yaml", text);
        let args = format!("a.rigy.yaml --limit bytes={limit}");
        refused(&dir, name, &args, &format!("\"code\":\"{code}\""));
    }
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
    skinned.remove("/skins/0/inverseBindMatrices");
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
fn gltf_files_beyond_a_limit_are_refused_as_soon() {
    let dir = Dir::new();
    for (name, file, said) in late_gltf(&dir) {
        refused(&dir, name, &format!("bake {file}"), said);
    }
}

#[test]
fn imports_beyond_a_limit_are_refused_as_soon() {
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
        format!("{}x: {}\n", long(8 << 20), "[".repeat(129)),
    );
    dir.write("deep/deep.rigy.yaml", importing(1));
    dir.write("many/many.rigy.yaml", importing(300_000));
    let long = "d/".repeat(4 << 20);
    dir.write(
        "path.rigy.yaml",
        format!("version: \"0.5\"\nimports: {{p: {{source: {long}}}}}\n"),
    );
    for (file, said) in [
        ("path.rigy.yaml", "at most 4096 bytes"),
        ("text.rigy.yaml", "at most 33554432 bytes of text"),
        ("parts.rigy.yaml", "at most 33554432 bytes of text"),
        ("deep/deep.rigy.yaml", "nesting is deeper than 128 levels"),
        ("many/many.rigy.yaml", "at most 1024 files"),
    ] {
        refused(&dir, file, &format!("{file} --limit bytes=1G"), said);
    }
}
