//! Implicit surfaces: samples times operators times surfaces, however they are multiplied, take little time and memory or are
//! refused.

use crate::limits::{errors, run_soon};
use crate::support::Dir;
use crate::support::chance::cases;

/// A ball that fills half of the domain.
const BALL: &str = "{op: add, field: metaball_sphere@1, strength: 1, radius: 1}";
/// An operator that takes the most time: a capsule that is moved, turned and scaled.
const CAPSULE: &str = "{op: add, field: metaball_capsule@1, strength: 1, radius: 0.5, height: 1, \
                       transform: {translation: [0.1, 0, 0], rotation_degrees: [9, 0, 0], scale: [2, 2, 2]}}";
const COLUMN: &str = "{op: add, field: sdf_capsule@1, strength: 1, radius: 0.9, height: 100, \
                      transform: {translation: [-1, -1, 0], rotation_degrees: [90, 0, 0]}}";

/// A surface with so many samples along x, y and z.
fn surface([nx, ny, nz]: [u32; 3], iso: f64, operators: &str) -> String {
    format!(
        "{{type: implicit_surface, id: 's${{i}}', iso: {iso}, domain: {{aabb: {{min: [-1, -1, -1], max: [1, 1, 1]}}, \
         grid: {{nx: {nx}, ny: {ny}, nz: {nz}}}}}, ops: [{operators}]}}"
    )
}

fn repeat(count: u32, name: &str, body: &str) -> String {
    format!("{{repeat: {{count: {count}, as: {name}, body: {body}}}}}")
}

fn copies(count: u32, surface: &str) -> String {
    let primitives = repeat(count, "i", surface);
    format!("version: \"0.13\"\nmeshes: [{{id: m, primitives: [{primitives}]}}]\n")
}

/// A document that places so many parts, each so often. Part n is the file `pN.yaml`.
fn placed(parts: u32, times: u32) -> String {
    let frame = "{id: o, translation: [0, 0, 0]}, {id: p, translation: [1, 0, 0]}, {id: q, translation: [0, 1, 0]}";
    let attach = "attach3: {from: [o, p, q], to: [o, p, q], mode: rigid}";
    let imports = (0..parts).map(|n| format!("n{n}: {{source: p{n}.yaml}}, "));
    let instances = (0..parts * times).map(|n| {
        let part = n % parts;
        format!("{{id: i{n}, import: n{part}, {attach}}}, ")
    });
    format!(
        "version: \"0.13\"\nimports: {{{}}}\nanchors: [{frame}]\ninstances: [{}]\n",
        imports.collect::<String>(),
        instances.collect::<String>()
    )
}

fn part(surface: &str) -> String {
    let frame = "{id: o, translation: [0, 0, 0]}, {id: p, translation: [1, 0, 0]}, {id: q, translation: [0, 1, 0]}";
    copies(1, surface) + &format!("anchors: [{frame}]\n")
}

/// A document, the part that it places if it places any, and how often that is written under another name.
struct Case {
    name: &'static str,
    text: String,
    part: String,
    parts: u32,
    is_refused: bool,
}

fn alone(name: &'static str, is_refused: bool, text: String) -> Case {
    Case {
        name,
        text,
        part: String::new(),
        parts: 0,
        is_refused,
    }
}

/// Cases that only the soak tries: in unoptimised builds they take most of the time.
const SLOW: [&str; 2] = [
    "30,000 least surfaces",
    "the most samples and operators that are permitted, in short rows",
];

fn all_cases() -> Vec<Case> {
    let large = |iso: f64| surface([125; 3], iso, BALL);
    let many = |count: u32, operator: &str| repeat(count, "j", operator);
    let assembled = |name, is_refused, parts, times| Case {
        name,
        text: placed(parts, times),
        part: part(&large(0.3)),
        parts,
        is_refused,
    };
    vec![
        alone("surfaces by repeat", true, copies(10_000, &large(5.0))),
        alone(
            "operators by repeat",
            true,
            copies(1, &surface([125; 3], 5.0, &many(20_000, BALL))),
        ),
        alone(
            "surfaces and operators",
            true,
            copies(50, &surface([125; 3], 5.0, &many(400, CAPSULE))),
        ),
        alone(
            "10,000 empty surfaces",
            false,
            copies(10_000, &surface([11; 3], 5.0, BALL)),
        ),
        alone(
            "30,000 least surfaces",
            false,
            copies(30_000, &surface([2; 3], 5.0, BALL)),
        ),
        alone(
            "a long surface with a vertex or more for each sample",
            true,
            copies(1, &surface([2, 2, 500_000], 0.3, COLUMN)),
        ),
        alone(
            "the most vertices that are permitted",
            false,
            copies(1, &surface([2, 2, 400_000], 0.3, COLUMN)),
        ),
        alone(
            "the most samples and operators that are permitted, in short rows",
            false,
            copies(1, &surface([2, 2, 262_144], 5.0, &many(256, CAPSULE))),
        ),
        assembled("instances of one part", false, 1, 100),
        assembled("instances of many parts", true, 50, 1),
    ]
}

#[test]
fn surfaces_take_little_time_and_memory_or_are_refused() {
    for case in all_cases() {
        let name = case.name;
        if SLOW.contains(&name) && cases(0, 1) == 0 {
            continue;
        }
        let dir = Dir::with("a.rigy.yaml", &case.text);
        for n in 0..case.parts {
            dir.write(&format!("p{n}.yaml"), &case.part);
        }
        // On a machine that does nothing else, it takes 2 s.
        let (printed, peak) = run_soon(&dir, name, "a.rigy.yaml", 4);
        let errors = errors(&printed);
        assert_eq!(!errors.is_empty(), case.is_refused, "{name}: {errors:?}");
        if case.is_refused {
            assert_eq!(errors[0]["code"], "U17", "{name}");
            let message = errors[0]["message"].as_str().unwrap();
            assert!(message.contains("samples"), "{name}: {message}");
        }
        assert!(peak < 512 << 20, "{name}: {peak} bytes");
    }
}
