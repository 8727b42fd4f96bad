//! Limits that the user sets: a file just within one passes, and a file just beyond it is refused.

use crate::support::{Dir, assert_contains, document};

fn code(dir: &Dir, args: &str) -> Option<String> {
    let ran = dir.run(&format!("{args} --format json -n"));
    let lines = ran.json();
    let errors = lines[0]["errors"].as_array().expect("a line of an output");
    let error = errors.first()?;
    Some(error["code"].as_str().unwrap_or("").to_owned())
}

fn limited(text: &str, limit: &str) -> Option<String> {
    let dir = Dir::with("a.rigy.yaml", text);
    code(&dir, &format!("a.rigy.yaml --limit {limit}"))
}

#[test]
fn each_limit_can_be_set_and_is_exact() {
    let text = document("p");
    let refused = |code: &str| Some(code.to_owned());
    let len = text.len();
    assert_eq!(limited(&text, &format!("bytes={len}")), None);
    assert_eq!(
        limited(&text, &format!("bytes={}", len - 1)),
        refused("U10")
    );

    // meshes, a mesh, primitives, a primitive, dimensions; the document itself
    assert_eq!(limited(&text, "depth=6"), None);
    assert_eq!(limited(&text, "depth=5"), refused("U10"));

    // A name of 1000 bytes thirty times: more than ten times the document.
    let name = "n".repeat(1000);
    let mesh = |n: usize| format!("  - {{id: m{n}, name: *n, primitives: []}}\n");
    let meshes: String = (0..30).map(mesh).collect();
    let bomb = format!(
        "version: \"0.5\"\nmeshes:\n  - {{id: m, name: &n {name}, primitives: []}}\n{meshes}"
    );
    assert!(bomb.len() * 10 < 30_000);
    assert_eq!(limited(&bomb, "aliases=32K"), None);
    assert_eq!(limited(&bomb, "aliases=20K"), refused("U10"));

    let second = "{id: s, parent: r, head: [0, 1, 0], tail: [0, 2, 0]}";
    let two = text.replace(
        "tail: [0, 1, 0]}]",
        &format!("tail: [0, 1, 0]}}, {second}]"),
    );
    assert_eq!(limited(&two, "joints=2"), None);
    assert_eq!(limited(&two, "joints=1"), refused("U16"));

    assert_eq!(limited(&text, "vertices=24"), None);
    assert_eq!(limited(&text, "vertices=23"), refused("U17"));
}

/// A document with two surfaces of so many operators on a grid of one cell, each a triangle.
fn surfaces(operators: usize) -> String {
    let operator = "{op: add, field: metaball_sphere@1, strength: 1, radius: 1}, ";
    let surface = |id: &str| {
        format!(
            "      - {{type: implicit_surface, id: {id}, iso: 0.5, \
             domain: {{aabb: {{min: [0, 0, 0], max: [2, 2, 2]}}, grid: {{nx: 2, ny: 2, nz: 2}}}}, ops: [{}]}}\n",
            operator.repeat(operators)
        )
    };
    let (first, second) = (surface("s"), surface("t"));
    format!("version: \"0.13\"\nmeshes:\n  - id: m\n    primitives:\n{first}{second}")
}

#[test]
fn samples_of_all_surfaces_are_counted_for_every_16_operators() {
    let refused = Some("U17".to_owned());
    let (grid, vertices) = (2 * 2 * 2, 3 * 6);
    let both = 2 * (grid + vertices);
    for (operators, samples) in [(1, both), (16, both), (17, 2 * both), (33, 3 * both)] {
        let text = surfaces(operators);
        let work = 256 * samples;
        assert_eq!(limited(&text, &format!("work={work}")), None);
        let less = format!("work={}", work - 1);
        assert_eq!(limited(&text, &less), refused, "{operators} operators");
    }
}

#[test]
fn too_many_samples_are_refused_with_place_and_help() {
    let dir = Dir::with("a.rigy.yaml", surfaces(1));
    let part = "version: \"0.5\"\nimports: {a: {source: a.rigy.yaml}}\n\
                anchors: [{id: o, translation: [0, 0, 0]}, {id: p, translation: [1, 0, 0]}, {id: q, translation: [0, 1, 0]}]\n";
    dir.write("unplaced.rigy.yaml", part);
    let error = |limit: &str| {
        let args = format!("a.rigy.yaml --limit {limit} --format json -n");
        dir.run(&args).json()[0]["errors"][0].clone()
    };
    for (samples, message) in [
        (15, "8 take 2048 steps, and 1792 of 3840 are left"),
        (50, "18 take 4608 steps, and 4096 of 12800 are left"),
    ] {
        let error = error(&format!("work={}", 256 * samples));
        assert_eq!(error["code"], "U17");
        assert_eq!(error["category"], "ExportError");
        let help =
            "choose coarser grids or fewer operators, or raise the limit with `--limit work=N`";
        let message = format!("too much work on samples of implicit surfaces: {message}");
        assert_eq!(error["message"], format!("{message}; {help}"));
        assert_eq!(error["path"], "meshes[0].primitives[1].id");
        assert_eq!((&error["line"], &error["column"]), (&6.into(), &38.into()));
    }
    // Parts that nothing places are not extracted.
    let args = "unplaced.rigy.yaml --limit work=1";
    assert_eq!(code(&dir, args), None);
}

#[test]
fn skins_and_meshes_of_gltf_files_have_limits_too() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    dir.run("a.rigy.yaml");
    let limited = |limit: &str| code(&dir, &format!("bake a.glb --limit {limit}"));
    assert_eq!(limited("joints=1,vertices=24"), None);
    assert_eq!(limited("vertices=23").as_deref(), Some("U17"));
    let two = document("p").replace(
        "tail: [0, 1, 0]}]",
        "tail: [0, 1, 0]}, {id: s, parent: r, head: [0, 1, 0], tail: [0, 2, 0]}]",
    );
    dir.write("a.rigy.yaml", two);
    dir.run("a.rigy.yaml");
    assert_eq!(limited("joints=2"), None);
    assert_eq!(limited("joints=1").as_deref(), Some("U16"));
}

#[test]
fn limits_that_cannot_be_are_refused() {
    let dir = Dir::with("a.rigy.yaml", document("p"));
    for limit in [
        "depth=129",
        "joints=65536",
        "work=1025T",
        "bytes=2G",
        "depth=0",
        "depth",
        "height=3",
        "depth=x",
    ] {
        let ran = dir.run(&format!("a.rigy.yaml --limit {limit}")).exits(2);
        assert!(!ran.stderr().is_empty());
    }
}

#[test]
fn a_long_document_within_the_limits_passes() {
    let bones: String = (1..20_000)
        .map(|n| format!("{{id: b{n}, parent: r, head: [0, 1, 0], tail: [0, 2, 0]}}, "))
        .collect();
    let text = document("p").replace("tail: [0, 1, 0]}]", &format!("tail: [0, 1, 0]}}, {bones}]"));
    assert!(text.len() > 1 << 20);
    assert_eq!(limited(&text, "joints=20000").as_deref(), Some("U10"));
    let said = Dir::with("a.rigy.yaml", &text)
        .run("a.rigy.yaml -n")
        .stderr();
    assert_contains(&said, &["the limit is 1048576", "`--limit bytes=N`"]);
    let long = |limits: &str| limited(&text, &format!("bytes=2M,{limits}"));
    assert_eq!(long("joints=20000,depth=6,vertices=24"), None);
    for (limit, code) in [
        ("joints=19999", "U16"),
        ("depth=5", "U10"),
        ("vertices=23", "U17"),
    ] {
        assert_eq!(long(limit).as_deref(), Some(code));
    }
}
