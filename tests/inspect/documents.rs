//! `inspect` on documents and scenes: figures that are computed here by hand, keys, exit statuses, limits.

use serde_json::{Value, json};

use crate::support::{Dir, PART, Ran, USER, assert_contains, document};

/// Two boxes that touch, a wedge whose slope has a normal of 0.8, 0 and 0.6, and a ball.
const SHAPES: &str = r#"version: "0.12"
materials: {wood: {base_color: [1, 1, 1, 1]}, red: {base_color: [1, 0, 0, 1]}}
meshes:
  - id: m
    material: wood
    primitives:
      - {type: box, id: low, dimensions: {x: 2, y: 1, z: 4}, material: red}
      - {type: box, id: high, dimensions: {x: 1, y: 1, z: 1}, transform: {translation: [0, 1, 0]}}
      - {type: wedge, id: w, dimensions: {x: 3, y: 2, z: 4}, transform: {translation: [10, 0, 0]}}
  - id: n
    material: wood
    primitives:
      - {type: sphere, id: ball, dimensions: {radius: 0.5}, transform: {translation: [0, 5, 0]}}
"#;

fn object(dir: &Dir, args: &str) -> Value {
    let ran = inspect(dir, args);
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
    serde_json::from_str(&ran.stdout()).unwrap()
}

fn inspect(dir: &Dir, args: &str) -> Ran {
    dir.run(&format!("inspect --format json {args}"))
}

/// Asserts that two values are equal but for rounding.
fn assert_near(found: &Value, expected: Value) {
    let both = (found, &expected);
    match both {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            assert!((a - b).abs() < 1e-12, "{a} instead of {b}");
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).for_each(|(a, b)| assert_near(a, b.clone()));
        }
        (Value::Object(a), Value::Object(b)) if a.len() == b.len() => {
            a.iter().for_each(|(key, a)| assert_near(a, b[key].clone()));
        }
        _ => assert_eq!(found, &expected),
    }
}

#[test]
fn a_box_gives_this_text_to_the_byte() {
    let dir = Dir::new();
    let text = "version: \"0.2\"\nmeshes: [{id: m, primitives: [{type: box, id: b, dimensions: {x: 2, y: 4, z: 0.5}, transform: {translation: [1, 2, 0.25]}}]}]\n";
    dir.write("a.rigy.yaml", text);
    let ran = inspect(&dir, "a.rigy.yaml");
    let list = |numbers: [&str; 3], indent: usize| {
        let blanks = " ".repeat(indent);
        let lines = numbers.map(|number| format!("{blanks}  {number}"));
        format!("[\n{}\n{blanks}]", lines.join(",\n"))
    };
    let (min, max) = (["0.0", "0.0", "0.0"], ["2.0", "4.0", "0.5"]);
    let expected = format!(
        "{{\n  \"inspect_schema_version\": 1,\n  \"summary\": {{\n    \"rigy_version\": \"0.2\",\n    \"mesh_count\": 1,\n    \
         \"primitive_count\": 1,\n    \"bounds\": {{\n      \"min\": {},\n      \"max\": {}\n    }}\n  }},\n  \"primitives\": [\n    {{\n      \
         \"id\": \"b\",\n      \"type\": \"box\",\n      \"material\": \"implicit_default\",\n      \"aabb\": {{\n        \"min\": {},\n        \
         \"max\": {}\n      }},\n      \"center\": {},\n      \"extents\": {}\n    }}\n  ],\n  \"faces\": []\n}}\n",
        list(min, 6),
        list(max, 6),
        list(min, 8),
        list(max, 8),
        list(["1.0", "2.0", "0.25"], 6),
        list(max, 6),
    );
    assert_eq!(ran.stdout(), expected);
    assert_eq!((ran.status(), ran.stderr()), (0, String::new()));
}

#[test]
fn the_expanded_document_is_the_one_that_a_run_emits() {
    let dir = Dir::new();
    let text = "version: \"0.12\"\nparams: {w: 2}\nmeshes:\n- id: m\n  primitives:\n  - repeat: {count: 2, as: i, body: {type: box, id: \"b${i}\", \
                dimensions: {x: $w, y: \"=1/2\", z: 1}}}\n";
    dir.write("a.rigy.yaml", text);
    let emitted = dir.run("a.rigy.yaml -n --emit-expanded -");
    let emitted = emitted.stdout();
    assert!(emitted.contains("id: b1"), "{emitted}");
    let found = object(&dir, "a.rigy.yaml --expanded");
    assert_eq!(found["expanded_yaml"], emitted);
    assert_eq!(object(&dir, "a.rigy.yaml").get("expanded_yaml"), None);
    let shown = dir.run("inspect a.rigy.yaml --expanded").stdout();
    let (_, shown) = shown.split_once("\n---\n").unwrap();
    assert_eq!(shown, emitted);
}

#[test]
fn primitives_faces_and_gaps_are_those_of_the_shapes() {
    let dir = Dir::with("a.rigy.yaml", SHAPES);
    let found = object(&dir, "a.rigy.yaml --pairwise-gaps");
    let keys: Vec<&String> = found.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "faces",
            "inspect_schema_version",
            "pairs",
            "primitives",
            "summary"
        ]
    );
    assert_near(
        &found["summary"],
        json!({"rigy_version": "0.12", "mesh_count": 2, "primitive_count": 4,
            "bounds": {"min": [-1, -1, -2], "max": [11.5, 5.5, 2]}}),
    );
    let primitive = |id: &str, kind: &str, material: &str, min: [f64; 3], max: [f64; 3]| {
        let center = [0, 1, 2].map(|axis| (min[axis] + max[axis]) / 2.0);
        let extents = [0, 1, 2].map(|axis| max[axis] - min[axis]);
        json!({"id": id, "type": kind, "material": material, "aabb": {"min": min, "max": max}, "center": center, "extents": extents})
    };
    assert_near(
        &found["primitives"],
        json!([
            primitive("low", "box", "red", [-1.0, -0.5, -2.0], [1.0, 0.5, 2.0]),
            primitive("high", "box", "wood", [-0.5, 0.5, -0.5], [0.5, 1.5, 0.5]),
            primitive("w", "wedge", "wood", [8.5, -1.0, -2.0], [11.5, 1.0, 2.0]),
            primitive("ball", "sphere", "wood", [-0.5, 4.5, -0.5], [0.5, 5.5, 0.5]),
        ]),
    );
    let face = |id: &str, key: &str, n: [f64; 3], d: f64| json!({"primitive_id": id, "surface_key": key, "normal": n, "plane": {"n": n, "d": d}});
    let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    let minus = |v: [f64; 3]| v.map(|c| 0.0 - c);
    assert_near(
        &found["faces"],
        json!([
            face("low", "+x", x, -1.0),
            face("low", "-x", minus(x), -1.0),
            face("low", "+y", y, -0.5),
            face("low", "-y", minus(y), -0.5),
            face("low", "+z", z, -2.0),
            face("low", "-z", minus(z), -2.0),
            face("high", "+x", x, -0.5),
            face("high", "-x", minus(x), -0.5),
            face("high", "+y", y, -1.5),
            face("high", "-y", minus(y), 0.5),
            face("high", "+z", z, -0.5),
            face("high", "-z", minus(z), -0.5),
            face("w", "-z", minus(z), -2.0),
            face("w", "-x", minus(x), 8.5),
            // Through (11.5, −1, −2): 0.8 · 11.5 − 0.6 · 2 = 8.
            face("w", "slope", [0.8, 0.0, 0.6], -8.0),
            face("w", "-y", minus(y), -1.0),
            face("w", "+y", y, -1.0),
        ]),
    );
    let pair = |a: &str, b: &str, gap: [f64; 3]| {
        let overall = gap.into_iter().fold(f64::MIN, f64::max);
        json!({"a": a, "b": b, "gap": {"x": gap[0], "y": gap[1], "z": gap[2], "overall": overall}})
    };
    assert_near(
        &found["pairs"],
        json!([
            pair("low", "high", [-1.0, 0.0, -1.0]),
            pair("low", "w", [7.5, -1.0, -4.0]),
            pair("low", "ball", [-1.0, 4.0, -1.0]),
            pair("high", "w", [8.0, -0.5, -1.0]),
            pair("high", "ball", [-1.0, 3.0, -1.0]),
            pair("w", "ball", [8.0, 3.5, -1.0]),
        ]),
    );
    // Bounds that touch have the negated length of nothing.
    let touching = &found["pairs"][0]["gap"]["overall"];
    assert_eq!(touching.as_f64().unwrap().to_bits(), (-0.0f64).to_bits());
}

#[test]
fn rotated_boxes_have_the_normals_and_bounds_of_their_vertices() {
    let dir = Dir::new();
    let text = r#"version: "0.9"
meshes: [{id: m, primitives: [{type: box, id: b, dimensions: {x: 2, y: 4, z: 1}, transform: {rotation_degrees: [0, 0, 30], translation: [5, 0, 0]}}]}]
"#;
    dir.write("a.rigy.yaml", text);
    let found = object(&dir, "a.rigy.yaml");
    let (s, c) = (0.5, 0.75f64.sqrt());
    let half = [c + 2.0 * s, s + 2.0 * c, 0.5];
    assert_near(
        &found["primitives"][0]["extents"],
        json!(half.map(|h| 2.0 * h)),
    );
    assert_near(&found["primitives"][0]["center"], json!([5, 0, 0]));
    assert_near(&found["faces"][0]["normal"], json!([c, s, 0]));
    // The face lies at 1 from the middle of the box.
    assert_near(&found["faces"][0]["plane"]["d"], json!(-5.0 * c - 1.0));
    assert_near(&found["faces"][3]["normal"], json!([s, -c, 0]));
}

#[test]
fn only_named_primitives_are_listed_and_unknown_ones_keep_it_from_starting() {
    let dir = Dir::with("a.rigy.yaml", SHAPES);
    let args = "a.rigy.yaml --primitive w --primitive low --pairwise-gaps";
    let found = object(&dir, args);
    let ids = |list: &Value, key: &str| {
        let list = list.as_array().unwrap().iter();
        list.map(|item| item[key].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(&found["primitives"], "id"), ["low", "w"]);
    assert_eq!(ids(&found["faces"], "primitive_id").len(), 11);
    assert_eq!(ids(&found["pairs"], "b"), ["w"]);
    assert_eq!(found["summary"]["primitive_count"], 4);
    assert_near(&found["summary"]["bounds"]["max"], json!([11.5, 5.5, 2]));

    let ran = inspect(&dir, "a.rigy.yaml --primitive w --primitive bal");
    assert_eq!((ran.status(), ran.stdout()), (2, String::new()));
    ran.says("no document has a primitive `bal`; did you mean `ball`?");
    // Another document may have it.
    dir.write("b.rigy.yaml", document("p"));
    assert_eq!(inspect(&dir, ". --primitive w").status(), 0);
}

/// The shapes with checks.
fn checked(checks: &str) -> String {
    format!("{SHAPES}geometry_checks:\n  alignment:\n{checks}")
}

#[test]
fn checks_pass_fail_or_say_why_they_cannot_be_evaluated() {
    let dir = Dir::new();
    let checks = "  - {check: normal_parallel, label: sides, a: low.+x, b: high.-x}\n  \
                  - {check: normal_parallel, a: low.+x, b: w.slope_face}\n  \
                  - {check: normal_parallel, a: low.+x, b: w.slope, tolerance: 0.7}\n  \
                  - {check: point_on_line, point: w.apex, line: w.ridge}\n  \
                  - {check: point_on_line, point: w.apex, line: w.ridge, tolerance: 1.5}\n  \
                  - {check: point_on_line, point: w.-x, line: w.ridge}\n  \
                  - {check: normal_parallel, a: w.ridge, b: low.+x}\n  \
                  - {check: normal_parallel, a: ball.+x, b: low.+x}\n  \
                  - {check: normal_parallel, a: none.+x, b: low.+x}\n  \
                  - {check: normal_parallel, a: low.+x, b: low.+y, tolerance: wide}\n  \
                  - {check: \"$x is no param here\", label: 5}\n  - 7\n";
    dir.write("a.rigy.yaml", checked(checks));
    let found = object(&dir, "a.rigy.yaml --intent-checks");
    let expected = json!([
        {"check": "normal_parallel", "label": "sides", "pass": true, "cross_magnitude": 0},
        {"check": "normal_parallel", "label": "", "pass": false, "cross_magnitude": 0.6},
        {"check": "normal_parallel", "label": "", "pass": true, "cross_magnitude": 0.6},
        // The apex is a third of 3 from the ridge.
        {"check": "point_on_line", "label": "", "pass": false, "distance": 1},
        {"check": "point_on_line", "label": "", "pass": true, "distance": 1},
        {"check": "point_on_line", "label": "", "pass": null, "error": "`point` is a face, not a point"},
        {"check": "normal_parallel", "label": "", "pass": null, "error": "`a` is a line, not a face"},
        {"check": "normal_parallel", "label": "", "pass": null, "error": "the sphere `ball` has no `+x`"},
        {"check": "normal_parallel", "label": "", "pass": null, "error": "there is no primitive `none`"},
        {"check": "normal_parallel", "label": "", "pass": null, "error": "`tolerance` is no finite number"},
        {"check": "$x is no param here", "label": "5", "pass": null, "error": "there is no check `$x is no param here`"},
        {"check": null, "label": "", "pass": null, "error": "the element names no `check`"},
    ]);
    assert_near(&found["checks"], expected);
    assert_eq!(object(&dir, "a.rigy.yaml").get("checks"), None);
}

#[test]
fn a_failed_check_is_status_3_if_that_is_asked_for() {
    let dir = Dir::new();
    let fails = "  - {check: normal_parallel, a: low.+x, b: low.+y}\n";
    let unknown = "  - {check: normal_parallel, a: low.+x, b: low.top}\n";
    let passes = "  - {check: normal_parallel, a: low.+x, b: low.-x}\n";
    let lenient = "a.rigy.yaml --intent-checks";
    let strict = format!("{lenient} --fail-on-intent");
    for (checks, status) in [
        (fails.to_owned(), 3),
        (format!("{unknown}{passes}{fails}"), 3),
        (unknown.to_owned(), 0),
        (passes.to_owned(), 0),
    ] {
        dir.write("a.rigy.yaml", checked(&checks));
        assert_eq!(inspect(&dir, &strict).status(), status, "{checks}");
        assert_eq!(inspect(&dir, lenient).status(), 0);
        let ran = dir.run(&format!("inspect {strict}"));
        assert_eq!(ran.status(), status);
    }
    dir.write("a.rigy.yaml", SHAPES);
    let found = object(&dir, &strict);
    assert_eq!(found["checks"], json!([]));
    let ran = inspect(&dir, "a.rigy.yaml --fail-on-intent");
    assert_eq!((ran.status(), ran.stdout()), (2, String::new()));
}

#[test]
fn instances_stand_where_their_matrices_take_them() {
    let dir = Dir::with("p.part.yaml", PART);
    // The part is turned by 90 degrees about z: its x goes to y, its y to −x.
    let to = "anchors: [{id: a, translation: [10, 0, 0]}, {id: b, translation: [10, 1, 0]}, {id: c, translation: [9, 0, 0]}]";
    let from = "anchors: [{id: a, translation: [0, 0, 0]}, {id: b, translation: [1, 0, 0]}, {id: c, translation: [0, 1, 0]}]";
    let mesh =
        "meshes: [{id: own, primitives: [{type: box, id: b, dimensions: {x: 1, y: 1, z: 6}}]}]\n";
    let text = USER
        .replace(from, to)
        .replace("instances: [", "instances: [{id: again, mesh_id: own}, ");
    dir.write("a.rigy.yaml", text + mesh);
    let found = object(&dir, "a.rigy.yaml");
    let identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    assert_near(
        &found["instances"],
        json!([
            {"id": "again", "base": "own", "matrix": identity, "bounds": {"min": [-0.5, -0.5, -3], "max": [0.5, 0.5, 3]}},
            {"id": "i", "base": "p", "matrix": [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 10, 0, 0, 1],
             "bounds": {"min": [9.5, -1, -0.5], "max": [10.5, 1, 0.5]}},
        ]),
    );
    assert_near(
        &found["summary"]["scene_bounds"],
        json!({"min": [-0.5, -1, -3], "max": [10.5, 1, 3]}),
    );
    assert_near(&found["summary"]["bounds"]["max"], json!([0.5, 0.5, 3]));
}

#[test]
fn the_parts_of_a_scene_stand_on_each_other() {
    let dir = Dir::new();
    let part = r#"version: "0.12"
meshes: [{id: m, primitives: [{type: box, id: b, dimensions: {x: 2, y: 1, z: 4}, transform: {translation: [0, 0.5, 0]}}]}]
anchors: [{id: a, translation: [0, 1, 0]}, {id: b, translation: [1, 1, 0]}, {id: c, translation: [0, 2, 0]},
          {id: p, translation: [0, 0, 0]}, {id: q, translation: [1, 0, 0]}, {id: r, translation: [0, 1, 0]}]
geometry_checks: {alignment: [{check: normal_parallel, a: b.+x, b: b.-x}]}
"#;
    let place = "slot: {anchors: [a, b, c]}, mount: {anchors: [p, q, r]}";
    let scene = format!(
        "rigs_version: \"0.1\"\nimports: {{block: part.rigy.yaml, other: part.rigy.yaml}}\nscene:\n  base: block\n  children:\n    \
         - {{id: one, base: other, place: {{{place}, rotate: 90deg}}, children: [{{id: two, base: block, place: {{{place}, rotate: 0deg}}}}]}}\n"
    );
    dir.write("part.rigy.yaml", part);
    dir.write("s.rigs.yaml", scene);
    let found = object(&dir, "s.rigs.yaml --intent-checks");
    // (x, y, z) goes to (z, y, −x), and up by 1 or 2.
    let matrix = |up: i32| json!([0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, up, 0, 1]);
    let bounds = |y: i32| json!({"min": [-2, y, -1], "max": [2, y + 1, 1]});
    assert_near(
        &found["instances"],
        json!([
            {"id": "one", "base": "other", "matrix": matrix(1), "bounds": bounds(1)},
            {"id": "two", "base": "block", "matrix": matrix(2), "bounds": bounds(2)},
        ]),
    );
    let summary = &found["summary"];
    assert_eq!(
        json!([summary["rigy_version"], summary["mesh_count"]]),
        json!(["0.12", 1])
    );
    assert_near(
        &summary["bounds"],
        json!({"min": [-1, 0, -2], "max": [1, 1, 2]}),
    );
    assert_near(
        &summary["scene_bounds"],
        json!({"min": [-2, 0, -2], "max": [2, 3, 2]}),
    );
    assert_eq!(found["checks"][0]["pass"], true);
    assert_eq!(found["primitives"].as_array().unwrap().len(), 1);
}

#[test]
fn many_files_are_lines_in_order_and_errors_are_beside_them() {
    let dir = Dir::with("in/b.rigy.yaml", SHAPES);
    dir.write("in/a.rigy.yaml", document("p"));
    dir.write("in/bad.rigy.yaml", "version: \"0.5\"\nmeshes: 7\n");
    let ran = inspect(&dir, "in -j 2");
    assert_eq!(ran.status(), 1);
    ran.says("bad.rigy.yaml");
    let lines = ran.json();
    let file = |line: &Value| (line["file"].clone(), line["format"].clone());
    let files: Vec<_> = lines.iter().map(file).collect();
    assert_eq!(
        files,
        [
            (json!("in/a.rigy.yaml"), json!("rigy")),
            (json!("in/b.rigy.yaml"), json!("rigy"))
        ]
    );
    let text = dir.run("inspect in").stdout();
    assert!(
        text.starts_with("in/a.rigy.yaml: document of version 0.5, 1 mesh, 1 primitive\n"),
        "{text}"
    );
    assert!(
        text.contains("\n\nin/b.rigy.yaml: document of version 0.12, 2 meshes, 4 primitives\n"),
        "{text}"
    );
}

#[test]
fn text_has_six_digits_and_no_control_characters() {
    let dir = Dir::new();
    let text = "version: \"0.9\"\nmeshes: [{id: m, primitives: [{type: box, id: \"\\e[31m\\u202e\", dimensions: {x: 0.6666666666, y: 1, z: 1}}]}]\n";
    dir.write("a.rigy.yaml", text);
    let ran = dir.run("inspect a.rigy.yaml --pairwise-gaps");
    let shown = ran.stdout();
    assert_eq!(ran.status(), 0, "{}", ran.stderr());
    assert_contains(&shown, &["0.333333, 0.5, 0.5", "0.666667, 1, 1"]);
    assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown:?}");
    assert!(shown.contains("\\u{1b}[31m\\u{202e}"), "{shown}");
}

#[test]
fn too_many_pairs_are_refused_and_a_document_of_nothing_has_bounds_of_zero() {
    let dir = Dir::new();
    let text = |count: u32| {
        format!(
            "version: \"0.10\"\nmeshes: [{{id: m, primitives: [{{repeat: {{count: {count}, as: i, body: {{type: box, id: \"b${{i}}\", dimensions: {{x: 1}}}}}}}}]}}]\n"
        )
    };
    dir.write("a.rigy.yaml", text(1500));
    let ran = inspect(&dir, "a.rigy.yaml --pairwise-gaps");
    assert_eq!((ran.status(), ran.stdout()), (1, String::new()));
    ran.says("too much work on gaps of pairs of primitives: 1124250");
    assert_eq!(
        object(&dir, "a.rigy.yaml")["primitives"]
            .as_array()
            .unwrap()
            .len(),
        1500
    );
    dir.write("a.rigy.yaml", text(0));
    let found = object(&dir, "a.rigy.yaml");
    assert_near(
        &found["summary"]["bounds"],
        json!({"min": [0, 0, 0], "max": [0, 0, 0]}),
    );
}
