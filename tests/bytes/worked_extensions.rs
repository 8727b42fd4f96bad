//! The vectors of `extensions.md` 13: expressions, rotations, and the hashes of three files.

#![allow(
    clippy::approx_constant,
    reason = "quantised numbers that are near one"
)]

use crate::oracle::cube_cases::{EDGES, case_edges};
use crate::oracle::rotations::{canonical_rotation, matrix};
use crate::oracle::{compile, compile_scene, expression};
use crate::support::sha256;

#[test]
fn expressions() {
    for (text, expected) in [
        ("0.1+0.2", 0.30000000000000004),
        ("15", 15.000000000000002),
        ("1/3", 0.333333333),
        ("sqrt(2)", 1.414213562),
        ("-0.0000000001", 0.0),
        ("atan2(-0,-1)", -3.141592654),
        ("1e9", 1000000000.0000001),
        ("rad2deg(1)", 57.29577951300001),
        ("123456789.123456789", 123456789.12345679),
        ("tan(deg2rad(90))", 1.633123935319537e+16),
        ("2.5e-9", 2e-09),
        ("1.5e-9", 2e-09),
        ("clamp(5,3,1)", 3.0),
        ("\t- -($a + +2)*max( 1 ,$a)\r", 15.000000000000002),
    ] {
        let value = expression::value(text, &|name| if name == "a" { 3.0 } else { f64::NAN });
        assert_eq!(value.to_bits(), f64::to_bits(expected), "{text}: {value}");
    }
}

#[test]
fn rotations() {
    #[rustfmt::skip] // a row stays a line
    let rows = [
        ("rotation_degrees: [90, 0, 0]", [0.707106781187, 0.0, 0.0, 0.707106781187]),
        ("rotation_degrees: [30, 0, 0]", [0.25881904510299997, 0.0, 0.0, 0.965925826289]),
        ("rotation_degrees: [270, 0, 0]", [-0.707106781187, 0.0, 0.0, 0.707106781187]),
        ("rotation_degrees: [-180, 0, 0]", [-1.0, 0.0, 0.0, 0.0]),
        ("rotation_degrees: [540, 0, 0]", [1.0, 0.0, 0.0, 0.0]),
        ("rotation_degrees: [10, 20, 30]", [0.038134576475, 0.18930785741199999, 0.239298337745, 0.951548524644]),
        ("rotation_quat: [1, 2, 3, 4]", [0.18257418583499999, 0.36514837166999997, 0.547722557505, 0.7302967433399999]),
        ("rotation_axis_angle: {axis: [0, 0, 1], degrees: 26.565051177}", [0.0, 0.0, 0.229752920547, 0.973248989468]),
    ];
    for (text, expected) in rows {
        let transform = serde_yaml::from_str(text).expect("YAML");
        let rotation = canonical_rotation(&transform).expect("a rotation");
        assert_eq!(
            rotation.map(f64::to_bits),
            expected.map(f64::to_bits),
            "{text}: {rotation:?}"
        );
    }
    let half_turn = matrix([1.0, 0.0, 0.0, 0.0]);
    assert_eq!(
        half_turn,
        [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]]
    );
}

const S: &str = r#"
version: "0.12"
params: {w: 0.5, h: 1.25}
materials:
  a: {base_color: [1, 0.3, 0.6666666, 0.5]}
  b: {base_color: [0.1, "=1/3", 0, 1]}
meshes:
  - id: m
    material: a
    primitives:
      - {type: box, id: p1, dimensions: {x: "=$w*2", y: $h, z: 0.3}, material: b, tags: [t1, t2, t1]}
      - {type: wedge, id: p2, dimensions: {x: 1, y: 0.4, z: 0.7}, transform: {rotation_degrees: [10, 20, 30], translation: [0.1, 0.2, 0.3]}}
      - {type: capsule, id: p3, dimensions: {radius: 0.2, height: "=sqrt($w*$w+$h*$h)"}, transform: {rotation_axis_angle: {axis: [0, 0, 1], degrees: 90}}}
      - {macro: triangle_prism_on_plane, id: p4, plane: {origin: [0, 3.0, -2.425], normal: [0, 0, -1]}, leg_p: [-3.0, 0, 0], leg_q: [0, 1.5, 0], length: 0.15}
    uv_sets: {uv0: {generator: planar_xy@1}}
"#;

const T: &str = r#"
version: "0.13"
materials: {a: {base_color: [1, 1, 1, 1]}}
meshes:
  - id: m
    material: a
    primitives:
      - type: implicit_surface
        id: s
        domain: {aabb: {min: [-1, -1, -1], max: [1, 1, 1]}, grid: {nx: 5, ny: 5, nz: 5}}
        iso: 0.2
        ops:
          - {op: add, field: metaball_sphere@1, strength: 1, radius: 0.9, transform: {translation: [0.2, 0.1, 0]}}
          - {op: add, field: metaball_capsule@1, strength: 1, radius: 0.5, height: 0.8}
          - {op: subtract, field: sdf_sphere@1, strength: 0.4, radius: 0.3, transform: {translation: [0.5, 0.5, 0.1]}}
"#;

#[test]
fn documents() {
    for (text, expected) in [
        (
            S,
            "2a01b31516af6d98044acaa5f4d39a69d6ced4f27f4a444082de03ee4005a503",
        ),
        (
            T,
            "59890f34629632f9a71fec3a523db596b44d0cb3daeab100324bdb318b8dd2f4",
        ),
    ] {
        let glb = compile(text, &|name| panic!("{name} is read"));
        assert_eq!(sha256(&glb), expected);
    }
}

const PLATE: &str = r#"
version: "0.2"
meshes: [{id: plate, primitives: [{type: box, id: p, dimensions: {x: 2, y: 0.1, z: 2}}]}]
anchors: [{id: a, translation: [0.1, 0.05, 0.2]}, {id: b, translation: [0.9, 0.05, 0.7]}, {id: c, translation: [0.1, 1, 0.3]}]
"#;

const CUBE: &str = r#"
version: "0.2"
meshes: [{id: cube, primitives: [{type: box, id: p, dimensions: {x: 0.3, y: 0.3, z: 0.3}}]}]
anchors: [{id: a, translation: [0, -0.15, 0]}, {id: b, translation: [1, -0.15, 0.3]}, {id: c, translation: [0, 0.85, 0.2]}]
"#;

const SCENE: &str = r#"
rigs_version: "0.1"
imports: {plate: plate.rigy.yaml, cube: cube.rigy.yaml}
scene:
  base: plate
  children:
    - {id: c1, base: cube, place: {slot: {anchors: [a, b, c]}, mount: {anchors: [a, b, c]}, rotate: 90deg, nudge: {north: 20cm, east: 1ft, up: 0}}}
"#;

#[test]
fn a_scene() {
    let read = |name: &str| match name {
        "plate.rigy.yaml" => PLATE.as_bytes().to_vec(),
        "cube.rigy.yaml" => CUBE.as_bytes().to_vec(),
        other => panic!("{other} is read"),
    };
    let expected = "92d3bf5f1ec739f5951271db26815b51884abc23ea320ee9dc2d80428bdeeef1";
    assert_eq!(sha256(&compile_scene(SCENE, &read)), expected);
}

/// `extensions.md` 8.4: the hash of both published tables, the one of edges first.
#[test]
fn the_table_is_the_published_one() {
    let mut bytes = Vec::new();
    for case in 0..256_usize {
        let apart = |(a, b): (usize, usize)| case >> a & 1 != case >> b & 1;
        let active = |edge: usize| i32::from(apart(EDGES[edge])) << edge;
        let edges: i32 = (0..12).map(active).sum();
        bytes.extend(edges.to_le_bytes());
    }
    for case in 0..256 {
        let mut row = [-1_i32; 16];
        for (slot, edge) in row.iter_mut().zip(case_edges(case)) {
            *slot = *edge as i32;
        }
        bytes.extend(row.iter().flat_map(|edge| edge.to_le_bytes()));
    }
    let hash = sha256(&bytes);
    let published = "310452ffcd9e01a0824bb1bcd2dac54447dc4264595239f0a44419b20862754d";
    assert_eq!(hash, published);
}
