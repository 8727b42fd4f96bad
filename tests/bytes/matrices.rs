//! Poses that come as matrices from a program, not from a document.

use std::collections::HashMap;

use rigy_batch::base::diag::{Code, Diagnostic};
use rigy_batch::base::loader::MemoryLoader;
use rigy_batch::base::output::OutputFile;
use rigy_batch::compile::{Compiled, Files, Input, check};
use rigy_batch::kernel::executor::Sequential;
use rigy_batch::kernel::math::{Affine, Quat, rotation_of};
use rigy_batch::kernel::simd::Isa;

fn compiled(solver: &str) -> Compiled {
    let text = format!(
        "version: \"0.5\"\nskinning_solver: {solver}\n\
         meshes: [{{id: m, primitives: [{{type: capsule, id: c, dimensions: {{radius: 0.2, height: 2}}}}]}}]\n\
         armatures: [{{id: a, bones: [{{id: r, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}}, \
         {{id: s, parent: r, head: [0, 0.5, 0], tail: [0, 1, 0]}}]}}]\n\
         bindings: [{{mesh_id: m, armature_id: a, weights: [], weight_maps: [{{primitive_id: c, gradients: \
         [{{axis: y, range: [-1, 1], from: {{bone_id: r, weight: 1}}, to: {{bone_id: s, weight: 1}}}}]}}]}}]\n\
         poses: [{{id: p, bones: {{s: {{rotation: [0.6, 0, 0.8, 0], translation: [0.25, -1, 3]}}}}}}]\n"
    );
    let files = Files::new(MemoryLoader::default());
    let checked = check(Input::new("t", &text), &files).unwrap().value;
    checked.build().unwrap().value
}

fn posed() -> Affine {
    let [a, b, c] = rotation_of(Quat::from_wxyz([0.6, 0.0, 0.8, 0.0]));
    let row = |[x, y, z]: [f64; 3], w| [x, y, z, w];
    [row(a, 0.25), row(b, -1.0), row(c, 3.0)]
}

fn baked(compiled: &Compiled, matrices: &[(&str, Affine)]) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let matrices: HashMap<&str, Affine> = matrices.iter().copied().collect();
    let posed = compiled.pose_with(&matrices, Isa::best(), &Sequential)?;
    Ok(posed.bake()?.to_bytes())
}

#[test]
fn a_matrix_poses_like_the_rotation_and_translation_it_stands_for() {
    let linear = compiled("lbs");
    let by_id = |c: &Compiled| {
        c.pose("p", Isa::best(), &Sequential)
            .unwrap()
            .bake()
            .unwrap()
            .to_bytes()
    };
    assert!(baked(&linear, &[("s", posed())]).unwrap() == by_id(&linear));
    // The quaternion of a matrix differs from the one that the matrix was made from in the last bit.
    let dual = compiled("dqs");
    let (found, expected) = (baked(&dual, &[("s", posed())]).unwrap(), by_id(&dual));
    let (found, expected) = (vertices(&found), vertices(&expected));
    assert_eq!(found.len(), 858 * 6);
    let far = |(a, b): &(&f32, &f32)| (**a - **b).abs() > 4.0 * f32::EPSILON;
    assert_eq!(found.iter().zip(&expected).find(far), None);
    let rest = vertices(&baked(&dual, &[]).unwrap());
    assert!(found.iter().zip(&rest).any(|pair| far(&pair)));
}

/// Positions and normals of a baked capsule, which stand first in its BIN chunk.
fn vertices(glb: &[u8]) -> Vec<f32> {
    let json_len = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let words = glb[28 + json_len..].chunks_exact(4).take(858 * 6);
    words
        .map(|w| f32::from_le_bytes(w.try_into().unwrap()))
        .collect()
}

#[test]
fn matrices_that_are_not_rigid_are_refused_only_where_dual_quaternions_need_it() {
    let scaled = |s: f64| posed().map(|[a, b, c, t]| [a * s, b * s, c * s, t]);
    let mut sheared = posed();
    sheared[0][1] += 0.01;
    let mirrored = posed().map(|[a, b, c, t]| [-a, b, c, t]);
    let (linear, dual) = (compiled("lbs"), compiled("dqs"));
    for matrix in [scaled(2.0), scaled(1.00001), scaled(0.0), sheared, mirrored] {
        assert!(baked(&linear, &[("s", matrix)]).is_ok());
        let errors = baked(&dual, &[("s", matrix)]).unwrap_err();
        let codes: Vec<Option<Code>> = errors.iter().map(|error| error.code).collect();
        assert_eq!(codes, [Some(Code::V35)]);
        assert!(errors[0].message.contains("`s`"), "{}", errors[0].message);
    }
    // The tolerance for rigid matrices is that for the norm of quaternions.
    assert!(baked(&dual, &[("s", scaled(1.0000001))]).is_ok());
}

#[test]
fn matrices_must_be_finite_and_for_a_bone() {
    let mut infinite = posed();
    infinite[2][3] = f64::INFINITY;
    for solver in ["lbs", "dqs"] {
        let compiled = compiled(solver);
        let code = |matrices: &[(&str, Affine)]| baked(&compiled, matrices).unwrap_err()[0].code;
        assert_eq!(code(&[("s", infinite)]), Some(Code::V32));
        assert_eq!(code(&[("x", posed())]), Some(Code::U02));
    }
}
