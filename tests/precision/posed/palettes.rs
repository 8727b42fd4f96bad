//! Palettes of every form (`bake.md` §5) against exact arithmetic.

use rigy_batch::bake::gltf::{DualForm, JointScale, Node, Skin, Transform, Trs};
use rigy_batch::kernel::math::Vec3;
use rigy_batch::kernel::random::Random;

use super::forms::{Stages, exact_global_form, exact_local_form};
use super::rig::{NAMES, Rig, trs};
use super::scaling::{NON_UNIFORM, UNIFORM, bound_small, names};
use super::{ALLOWED, distance, linear, skinned, worst};
use crate::precision::exact;
use crate::support::chance::cases;

fn compare(
    what: &str,
    rigs: impl Fn(&mut Random) -> Rig,
    scale: &JointScale,
    stages: &dyn Fn(&Rig) -> Stages,
) {
    let mut most = 0.0f64;
    for seed in 0..cases(1, 12) as u64 {
        let rig = rigs(&mut Random::new(seed));
        let form = rig.dual(scale);
        assert!(matches!(form, DualForm::Scaled { .. }), "{what}");
        let (first, second) = stages(&rig);
        let miss = worst(
            seed,
            |influences, p| skinned(&form, influences, p),
            |influences, p| exact::blend_in_place(&first, &second, influences, p),
        );
        most = most.max(miss);
    }
    println!("{what}: {most:.1e}");
    assert!(most <= ALLOWED, "{what}: {most:e}");
}

#[test]
fn linear_palettes_agree_with_exact_arithmetic() {
    for (what, scaling) in UNIFORM.iter().chain(&NON_UNIFORM) {
        for seed in 0..cases(1, 12) as u64 {
            let mut random = Random::new(seed);
            let rig = Rig::new(&mut random);
            let rig = scaling(rig, &mut random);
            let (matrices, exact) = (rig.matrices(), rig.exact_matrices());
            let miss = worst(
                seed,
                |influences, p| linear(&matrices, influences, p),
                |influences, p| exact::linear_blend(&exact, influences, p),
            );
            assert!(miss <= ALLOWED, "{what}: {miss:e}");
        }
    }
}

#[test]
fn the_global_form_agrees_with_exact_arithmetic() {
    for (what, scaling) in UNIFORM.iter().chain(&NON_UNIFORM) {
        let rigs = |random: &mut Random| scaling(Rig::new(random), random);
        let what = format!("global, {what}");
        compare(&what, rigs, &JointScale::Global, &exact_global_form);
    }
}

#[test]
fn the_local_form_agrees_with_exact_arithmetic() {
    for (what, scaling) in UNIFORM.iter().chain(&NON_UNIFORM) {
        let rigs = |random: &mut Random| scaling(Rig::new(random), random);
        let all = |rig: &Rig| exact_local_form(rig, &|_| true);
        compare(&format!("local, {what}"), rigs, &JointScale::Local, &all);
        compare(&format!("all named, {what}"), rigs, &names(&NAMES), &all);
        let small = |random: &mut Random| {
            let rig = bound_small(Rig::new(random));
            let armature = trs(&rig.nodes[0]).scale;
            scaling(rig, random).scaled(0, armature)
        };
        compare(
            &format!("bound small, {what}"),
            small,
            &JointScale::Local,
            &all,
        );
    }
}

#[test]
fn the_mixed_form_agrees_with_exact_arithmetic() {
    for (what, scaling) in &UNIFORM {
        for named in [&["middle"][..], &["root", "side"], &[]] {
            let rigs = |random: &mut Random| scaling(Rig::new(random), random);
            let stages = |rig: &Rig| exact_local_form(rig, &|name| named.contains(&name));
            compare(&format!("{named:?}, {what}"), rigs, &names(named), &stages);
        }
    }
    // Scale of any kind stays rigid in the second stage as long as it does not reach joints that hand their scale on.
    let rigs = |random: &mut Random| {
        Rig::new(random)
            .scaled(3, [1.5, 0.7, 2.0])
            .scaled(1, [3.0; 3])
    };
    let stages = |rig: &Rig| exact_local_form(rig, &|name| name == "middle");
    compare("middle along its axes", rigs, &names(&["middle"]), &stages);
}

/// Where every joint hands its scale on, a vertex of one joint lands where linear blending puts it,
/// with any shear.
#[test]
fn scale_that_goes_on_is_that_of_linear_blending() {
    let mut most = 0.0f64;
    for (what, scaling) in UNIFORM.iter().chain(&NON_UNIFORM) {
        for seed in 0..cases(1, 12) as u64 {
            let mut random = Random::new(seed);
            let rig = Rig::new(&mut random);
            let rig = scaling(rig, &mut random);
            let exact = rig.exact_matrices();
            for form in [rig.dual(&JointScale::Global), rig.dual(&names(&[]))] {
                for joint in 0..5 {
                    let one = [(joint, 1.0)];
                    let miss = worst(
                        seed,
                        |_, p| skinned(&form, &one, p),
                        |_, p| exact::linear_blend(&exact, &one, p),
                    );
                    assert!(miss <= ALLOWED, "{what}, joint {joint}: {miss:e}");
                    most = most.max(miss);
                }
            }
        }
    }
    println!("one joint, scale handed on: {most:.1e}");
}

/// A joint that keeps its scale to itself moves the joints below it apart and leaves them their size.
#[test]
fn a_local_scale_worked_by_hand() {
    let at = |name: &str, parent: Option<usize>, x: f64, scale: Vec3| Node {
        name: Some(name.to_owned()),
        parent,
        transform: Transform::Trs(Trs {
            translation: [x, 0.0, 0.0],
            scale,
            ..Trs::IDENTITY
        }),
        ..Node::default()
    };
    // Three joints one apart along x; the second scaled.
    let mut rig = Rig {
        nodes: vec![
            at("a", None, 0.0, [1.0; 3]),
            at("b", Some(0), 1.0, [1.0; 3]),
            at("c", Some(1), 1.0, [1.0; 3]),
        ],
        skin: Skin {
            name: None,
            joints: vec![0, 1, 2],
            inverse_bind_matrices: None,
        },
    };
    rig.bind();
    let rig = rig.scaled(1, [3.0, 2.0, 2.0]);
    let moved =
        |scale: &JointScale, joint| skinned(&rig.dual(scale), &[(joint, 1.0)], [2.5, 1.0, 0.0]);
    for scale in [
        JointScale::Local,
        JointScale::Global,
        names(&["b"]),
        names(&["a"]),
    ] {
        // On the second joint: 1.5 beyond it becomes 4.5.
        let (first, second) = (moved(&scale, 0), moved(&scale, 1));
        assert!(
            distance(first, [2.5, 1.0, 0.0]) < 1e-14,
            "{scale:?} {first:?}"
        );
        assert!(
            distance(second, [5.5, 2.0, 0.0]) < 1e-14,
            "{scale:?} {second:?}"
        );
    }
    // The third joint goes from 2 to 4; half a unit beyond it stays half a unit, unless the scale goes on.
    for (scale, expected) in [
        (JointScale::Local, [4.5, 1.0, 0.0]),
        (names(&["b"]), [4.5, 1.0, 0.0]),
        (JointScale::Global, [5.5, 2.0, 0.0]),
        (names(&["a"]), [5.5, 2.0, 0.0]),
    ] {
        let third = moved(&scale, 2);
        assert!(distance(third, expected) < 1e-14, "{scale:?} {third:?}");
    }
}
