//! A few lines that ask for more than any machine has, or long lists that do: repeats, expressions, grids, macros, params,
//! materials. The test bounds the time of the whole program from start to end, and its largest resident memory.

use std::time::Duration;

use crate::support::{Dir, measured};

const HEAD: &str = "version: \"0.13\"\n";

/// A document whose `meshes` are these.
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

/// Names, the code that refuses each, and texts.
fn bombs() -> Vec<(&'static str, &'static str, String)> {
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
        (
            "repeat",
            "U10",
            primitives(&repeat("1000000000", "i", item)),
        ),
        (
            "repeat beyond u64",
            "U10",
            primitives(&repeat(&format!("1{}", "0".repeat(30)), "i", item)),
        ),
        ("nested repeats", "U10", meshes(&nested)),
        ("aliases in repeats", "U10", laughing),
        ("brackets", "U10", deep("(", ")")),
        ("signs", "U10", deep("-", "")),
        ("calls", "U10", deep("abs(", ")")),
        ("grid", "V86", grid("2147483648")),
        ("grid whose product wraps", "V86", grid("4294967296")),
        ("large grid", "V86", grid("127")),
        (
            "cutouts",
            "U10",
            primitives(&format!(
                "{{macro: box_decompose, id: w, axis: x, span: [0, 9], height: 1, thickness: 1, cutouts: [{cutouts}]}}"
            )),
        ),
        (
            "a million cutouts",
            "U10",
            primitives(&format!(
                "{{macro: box_decompose, id: w, axis: x, span: [0, 9], height: 1, thickness: 1, cutouts: [{}]}}",
                "{},".repeat(1_000_000)
            )),
        ),
        ("params", "U10", format!("{HEAD}params:\n  {params}\n")),
        (
            "materials",
            "U10",
            format!("{HEAD}materials:\n  {materials}\n"),
        ),
    ]
}

#[test]
fn bombs_are_refused_soon_and_within_64_mib() {
    // The design promises 250 ms on an idle machine.
    let most = Duration::from_secs(if cfg!(debug_assertions) { 30 } else { 1 });
    for (name, code, text) in bombs() {
        assert!(text.len() <= 16 << 20, "{name}: {} bytes", text.len());
        let dir = Dir::new();
        dir.write("a.rigy.yaml", &text);
        drop(text);
        std::thread::sleep(Duration::from_millis(50)); // or the program waits for the file to settle
        let (printed, took, peak) = measured(&dir, &["a.rigy.yaml"]);
        println!("{name}: {took:?}, {} MiB", peak >> 20);
        let code = format!("\"code\":\"{code}\"");
        assert!(printed.contains(&code), "{name}: {printed:.600}");
        assert!(took < most, "{name}: {took:?}");
        assert!(peak < 64 << 20, "{name}: {peak} bytes");
    }
}
