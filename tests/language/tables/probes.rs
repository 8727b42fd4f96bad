//! The probe set (`language.md` §10).

use rigy_batch::base::diag::Code;
use rigy_batch::language::model::Solver;

use super::rows::Expected::{Accepted, Name, Refused, Size, Vertices, Warned};
use super::rows::{changes, every, rows};
use super::{BASE, bounds, changed, good};

#[test]
fn section_10_a_mirrored_box() {
    let text = "version: \"0.3\"\nmeshes:\n  - id: rig\n    primitives:\n      \
        - {type: box, id: L.fin, dimensions: {width: 2}, transform: {translation: [3, 0, 0]}}\n\
        symmetry: {mirror_x: {prefix_from: \"L.\", prefix_to: \"R.\"}}\n";
    let made = good(text);
    assert_eq!(bounds(&made.json), [[-4.0, -0.5, -0.5], [4.0, 0.5, 0.5]]);
    let positions = &made.meshes[0].positions;
    assert_eq!(positions.len(), 48);
    assert!(positions[..24].iter().all(|p| (2.0..=4.0).contains(&p[0])));
    assert!(
        positions[24..]
            .iter()
            .all(|p| (-4.0..=-2.0).contains(&p[0]))
    );
}

#[test]
fn section_10_two_solvers_and_a_pose_at_rest() {
    let text = r#"
version: "0.5"
skinning_solver: dqs
meshes:
  - {id: skin, primitives: [{type: capsule, id: c, dimensions: {radius: 0.2}}]}
  - {id: coat, primitives: [{type: capsule, id: c, dimensions: {radius: 0.3}}]}
armatures:
  - id: spine
    bones:
      - {id: lo, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}
      - {id: hi, parent: lo, head: [0, 1, 0], tail: [0, 2, 0]}
bindings:
  - mesh_id: skin
    armature_id: spine
    weights: []
    weight_maps:
      - primitive_id: c
        gradients:
          - {axis: y, range: [-0.2, 0.2], from: {bone_id: lo, weight: 1}, to: {bone_id: hi, weight: 1}}
  - {mesh_id: coat, armature_id: spine, weights: [], skinning_solver: lbs}
poses:
  - {id: rest, bones: {hi: {translation: [0, 1, 0]}}}
"#;
    let made = good(text);
    let solvers: Vec<Option<Solver>> = made.meshes.iter().map(|mesh| mesh.solver).collect();
    assert_eq!(solvers, [Some(Solver::Dqs), Some(Solver::Lbs)]);
    assert_eq!(bounds(&made.baked[0]), bounds(&made.json));
    let moved = text.replace("translation: [0, 1, 0]", "translation: [0, 3, 0]");
    let made = good(&moved);
    assert_eq!(bounds(&made.baked[0])[1][1], bounds(&made.json)[1][1] + 2.0);
}

#[test]
fn section_10_one_line_variations() {
    every(changes(
        "10",
        rows! {
            "version: \"0.5\"" "version: 0.5" => Refused(Code::U10);
            "{x: 1}" "{x: \"1_0\"}" => Size([10.0, 1.0, 1.0]);
            "{x: 1}" "{x: true}" => Size([1.0, 1.0, 1.0]);
            "{x: 1}" "{x: yes}" => Refused(Code::U10);
            "{x: 1}" "{x: .nan}" => Refused(Code::V32);
            "{x: 1}" "{x: -.inf}" => Refused(Code::V07);
            "id: m\n" "id: 7\n" => Refused(Code::U10);
            "vertices: [0]" "vertices: [1.0, \"2.0\", true]" => Vertices(&[1, 2]);
            "vertices: [0]" "vertices: [-1]" => Refused(Code::U10);
            "vertices: [0]" "vertices: [24]" => Refused(Code::V19);
            "vertices: [0]" "vertices: [23]" => Vertices(&[23]);
            "range: [-1, 1]" "range: [1, 1]" => Refused(Code::U04);
            "parent: r, " "" => Refused(Code::V34);
            "parent: r," "parent: ghost," => Refused(Code::U01);
            "tail: [0, 1, 0]" "tail: [0, 1.0e-9, 0]" => Accepted;
            "tail: [0, 1, 0]" "tail: [0, 9.0e-10, 0]" => Refused(Code::V06);
            "bones: {r:" "bones: {ghost: {}, r:" => Refused(Code::U02);
            "{rotation: [1, 0, 0, 0]}" "{scale: [2, 2, 2]}" => Refused(Code::V33);
            "id: c" "id: m" => Refused(Code::V28);
            "id: c" "id: p" => Accepted;
            "id: c" "id: r" => Accepted;
        },
    ));
    let on = changed(&[("id: m\n", "id: on\n"), ("mesh_id: m", "mesh_id: on")]);
    every([("10 `id: on`".into(), on, Name("on"))]);
    let maps = &BASE[BASE.find("      - primitive_id: p").unwrap()..BASE.find("poses:").unwrap()];
    let empty = changed(&[(maps, "      - {primitive_id: p, gradients: []}\n")]);
    every([("10 `gradients: []`".into(), empty, Refused(Code::V23))]);
}

#[test]
fn section_10_rotations_near_unit_length() {
    // The squared norm may be off by 1e-6 silently and by 2.5e-4 with a warning.
    let rows = [
        ("1.00000049", Accepted),
        ("1.0000005", Warned(Code::W04)),
        ("0.9999995", Accepted),
        ("0.99999949", Warned(Code::W04)),
        ("-1", Accepted),
        ("1.000124", Warned(Code::W04)),
        ("1.000126", Refused(Code::V36)),
        ("0.999876", Warned(Code::W04)),
        ("0.999874", Refused(Code::V36)),
        (".inf", Refused(Code::V36)),
        (".nan", Refused(Code::V36)),
    ];
    every(rows.map(|(w, expected)| {
        let text = changed(&[("rotation: [1,", &format!("rotation: [{w},"))]);
        (format!("10 w = {w}"), text, expected)
    }));
    every(changes(
        "10",
        rows! {
            "[1, 0, 0, 0]" "[0.9239, 0, 0.3827, 0]" => Warned(Code::W04);
        },
    ));
}
