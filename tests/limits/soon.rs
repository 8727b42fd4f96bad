//! Documents that the default limits refuse within a second.

use std::time::{Duration, Instant};

use rigy_batch::base::loader::MemoryLoader;
use rigy_batch::compile::{Files, Input, check};

/// Documents that the default limits refuse, named.
fn hostile() -> Vec<(&'static str, &'static str, String)> {
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
        (
            "bytes",
            "U10",
            format!("{head}# {}", " ".repeat((16 << 20) - 16)),
        ),
        (
            "depth of flow",
            "U10",
            format!("{head}meshes: {}", "[".repeat(long)),
        ),
        (
            "depth of maps",
            "U10",
            format!("{head}meshes: {}", "{a: ".repeat(long)),
        ),
        (
            "depth of blocks",
            "U10",
            format!(
                "{head}meshes:\n{}",
                (0..600).map(|n| " ".repeat(n) + "-\n").collect::<String>()
            ),
        ),
        (
            "one deeper",
            "U10",
            format!("{head}x: {}{}", "[".repeat(128), "]".repeat(128)),
        ),
        (
            "aliases",
            "U10",
            format!("{head}a0: &a0 [{}]\n{billion}", "x, ".repeat(9)),
        ),
        (
            "merges",
            "U10",
            format!("{head}m0: &m0 {{k: 1}}\n{merges}x: ["),
        ),
        (
            "vertices",
            "U17",
            format!("{head}meshes:\n  - {{id: m, primitives: &many [{many}]}}\n{meshes}"),
        ),
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

#[test]
fn documents_beyond_a_limit_are_refused_soon() {
    let files = Files::new(MemoryLoader::default());
    for (name, code, text) in hostile() {
        let mut took = Duration::MAX;
        for _ in 0..3 {
            let start = Instant::now();
            let checked = check(Input::new("a.rigy.yaml", &text), &files);
            let errors = checked.and_then(|checked| checked.value.build()).err();
            let errors = errors.unwrap_or_else(|| panic!("{name} is accepted"));
            took = took.min(start.elapsed());
            assert_eq!(
                errors[0].code.map(|code| code.name()),
                Some(code),
                "{name}: {}",
                errors[0].message
            );
        }
        println!("{name}: {took:?}");
        // The bound is far above the measured times, because a busy machine takes longer.
        assert!(took < Duration::from_secs(1), "{name}: {took:?}");
    }
}
