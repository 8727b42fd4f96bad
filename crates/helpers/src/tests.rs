use std::ops::ControlFlow;
use std::thread;

use rigy_kernel::executor::{Executor, Sequential};
use rigy_kernel::math::{
    Affine, IDENTITY, Matrix3, Quat, Vec3, affine, affine_product, cofactors, cross, dot,
    euler_rotation, length, linear_part, moved, polar, transformed, translation_part, trig,
};
use rigy_kernel::random::Random;
use rigy_kernel::simd::Isa;
use rigy_kernel::{
    DualForm, FrameJob, FramePalette, Frames, Influences, ReferenceRule, evaluate_frames,
};

use super::moment::blended;
use super::weights::wide;
use super::*;

/// A moment whose target is dual quaternion skinning with the scale of joints (`bake.md` §5).
fn dual(matrices: Vec<Affine>) -> Moment {
    let parts = |matrix: &Affine| {
        let parts = polar(&linear_part(matrix)).expect("it is not flat");
        let rigid = (Quat::of_rotation(&parts.rotation), translation_part(matrix));
        (affine(&parts.stretch, [0.0; 3]), rigid)
    };
    let (first, rigid) = matrices.iter().map(parts).unzip();
    Moment {
        matrices,
        dual: Some(DualForm::Scaled { first, rigid }),
    }
}

fn about(point: Vec3, linear: &Matrix3) -> Affine {
    let [x, y, z] = point;
    let back = affine(&linear_part(&IDENTITY), [-x, -y, -z]);
    affine_product(&affine(linear, point), &back)
}

/// An arm along y whose upper half is twisted by 170 degrees and then bent by 120 while it gets this scale.
fn arm(scale: Vec3, count: usize) -> Vec<Moment> {
    let at = |moment: usize| {
        let time = 2.0 * moment as f64 / (count - 1) as f64;
        let turn = trig::sin(trig::radians(180.0 * time.fract()));
        let [twist, bend] = if time < 1.0 {
            [170.0 * turn, 0.0]
        } else {
            [0.0, 120.0 * turn]
        };
        let grown = trig::sin(trig::radians(90.0 * time));
        let [x, y, z] = scale.map(|factor| 1.0 + (factor - 1.0) * grown * grown);
        let turned = euler_rotation([0.0, trig::radians(twist), trig::radians(bend)]);
        let linear = turned.map(|[a, b, c]| [a * x, b * y, c * z]);
        dual(vec![IDENTITY, about([0.0, 1.0, 0.0], &linear)])
    };
    (0..count).map(at).collect()
}

/// The vertices of a tube of length 2, with the weights of two joints, or more along it.
fn tube(weights: impl Fn(f64) -> Vec<(u16, f64)>) -> (Skin, Vec<Vec3>) {
    let mut skin = Skin::default();
    let mut normals = Vec::new();
    for ring in 0..=40 {
        for side in 0..8 {
            let angle = trig::radians(45.0 * f64::from(side));
            let normal = [trig::cos(angle), 0.0, trig::sin(angle)];
            let along = f64::from(ring) / 20.0;
            skin.push(
                [0.2 * normal[0], along, 0.2 * normal[2]],
                weights(along).into_iter(),
            );
            normals.push(normal);
        }
    }
    (skin, normals)
}

fn two_joints(along: f64) -> Vec<(u16, f64)> {
    let share = ((along - 0.6) / 0.8).clamp(0.0, 1.0);
    let share = share * share * (3.0 - 2.0 * share);
    vec![(0, 1.0 - share), (1, share), (0, 0.0), (0, 0.0)]
}

const GOAL: Goal = Goal {
    tolerance: 0.003 * 2.0,
    most_helpers: 64,
};

fn always() -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn fitted<'s>(skin: &'s Skin, moments: &[Moment]) -> Fit<'s> {
    fit(skin, moments, &GOAL, &Sequential, &always).expect("all numbers can be used")
}

#[test]
fn targets_are_where_the_kernel_puts_vertices() {
    let mut random = Random::new(7);
    let mut number = move |from: f64, to: f64| from + (to - from) * random.unit();
    let joints: Vec<Affine> = (0..6)
        .map(|_| {
            let turned = euler_rotation([0; 3].map(|_| number(-3.0, 3.0)));
            let scale = [0; 3].map(|_| number(0.5, 2.0));
            let linear = turned.map(|row| [0, 1, 2].map(|i| row[i] * scale[i]));
            affine(&linear, [0; 3].map(|_| number(-2.0, 2.0)))
        })
        .collect();
    let moment = dual(joints);
    let Some(DualForm::Scaled { first, rigid }) = &moment.dual else {
        panic!("joints are scaled")
    };
    let count = 4_096;
    let slots: Vec<(u16, f64)> = (0..count)
        .flat_map(|_| {
            let weights = [0; 4].map(|_| number(0.1, 1.0));
            let sum: f64 = weights.iter().sum();
            [0, 1, 2, 3].map(|slot| (number(0.0, 5.99) as u16, weights[slot] / sum))
        })
        .collect();
    let planes = [0; 3].map(|_| (0..count).map(|_| number(-1.0, 1.0)).collect::<Vec<f64>>());
    let mut positions = vec![0.0; 3 * count];
    let job = FrameJob {
        palette: &FramePalette::scaled(first, rigid),
        influences: &Influences::bind_each(ReferenceRule::LargestWeight, 1, &slots),
        positions: planes.each_ref().map(Vec::as_slice),
        normals: None,
        tangents: None,
    };
    let frames = Frames {
        positions: &mut positions,
        normals: &mut [],
        tangents: &mut [],
        signs: &mut [],
    };
    evaluate_frames(Isa::best(), &job, frames);
    let mut skin = Skin::default();
    let target = moment.targets();
    let mut differing = 0;
    for (vertex, slots) in slots.chunks(4).enumerate() {
        let position = [0, 1, 2].map(|axis| planes[axis][vertex]);
        skin.push(position, slots.iter().copied());
        let found = moved(&target(skin.row(vertex)), position).map(|c| c as f32);
        differing += usize::from(found != positions[3 * vertex..][..3]);
    }
    // Values that differ by 1e-12 round to the same single almost always.
    assert!(differing <= 2, "{differing}");
}

#[test]
fn a_twisted_and_bent_arm_needs_few_helpers_whatever_its_scale() {
    let (skin, normals) = tube(two_joints);
    for scale in [[1.0; 3], [1.5; 3], [1.0, 2.0, 1.0]] {
        let moments = arm(scale, 31);
        let fit = fitted(&skin, &moments);
        assert!(fit.before.distance > 0.1, "{:?}", fit.before);
        assert!(fit.after.distance <= GOAL.tolerance, "{:?}", fit.after);
        assert!(
            (1..=8).contains(&fit.helpers.len()),
            "{}",
            fit.helpers.len()
        );
        let mut angles = [0.0, 0.0];
        for (moment, helpers) in arm(scale, 61).iter().zip(0..) {
            let matrices = fit.at(moment);
            assert!(fit.worst(moment, &matrices).distance <= GOAL.tolerance);
            if helpers % 2 == 0 {
                assert_eq!(matrices, fit.matrices[helpers / 2]);
            }
            let columns = [&*moment.matrices, &*matrices].concat();
            let target = moment.targets();
            for (vertex, normal) in normals.iter().enumerate() {
                let row = skin.row(vertex);
                let turned = |matrix| transformed(&cofactors(&linear_part(&matrix)), *normal);
                let wanted = turned(target(row));
                let off =
                    |found: Vec3| trig::atan2(length(cross(found, wanted)), dot(found, wanted));
                let linear = turned(blended(row.weights.iter().copied(), &columns));
                let helped = turned(blended(wide(&fit.influences[vertex]), &columns));
                angles[0] = off(linear).max(angles[0]);
                angles[1] = off(helped).max(angles[1]);
            }
        }
        assert!(3.0 * angles[1] < angles[0], "{angles:?}");
    }
}

#[test]
fn eight_influences_become_four() {
    let (skin, _) = tube(|along| {
        let weight = |joint: u16| 1.0 / (0.1 + (along - f64::from(joint) / 4.0).powi(2));
        (0..8).map(|joint| (joint, weight(joint))).collect()
    });
    let bent = |angle: f64| {
        let mut above = IDENTITY;
        let mut joints = Vec::new();
        for joint in 0..8 {
            let turned = euler_rotation([0.0, 0.0, trig::radians(angle)]);
            above = affine_product(&above, &about([0.0, f64::from(joint) / 4.0, 0.0], &turned));
            joints.push(above);
        }
        joints
    };
    let angles = || (0..6).map(|step| 3.0 * f64::from(step));
    let linear = |matrices| Moment {
        matrices,
        dual: None,
    };
    for moments in [
        angles().map(bent).map(dual).collect::<Vec<_>>(),
        angles().map(bent).map(linear).collect(),
    ] {
        let fit = fitted(&skin, &moments);
        assert!(
            fit.before.distance > 5.0 * GOAL.tolerance,
            "{:?}",
            fit.before
        );
        assert!(fit.after.distance <= GOAL.tolerance, "{:?}", fit.after);
        for slots in &fit.influences {
            let sum: f64 = wide(slots).map(|(_, weight)| weight).sum();
            let columns = slots.map(|(column, _)| usize::from(column));
            assert!((sum - 1.0).abs() < 1e-6 && slots.iter().all(|(_, weight)| *weight >= 0.0));
            assert!(columns.iter().all(|column| *column < 8 + fit.helpers.len()));
        }
    }
}

#[test]
fn a_skin_that_is_met_is_copied() {
    let still = [dual(vec![IDENTITY; 2]), dual(vec![IDENTITY; 2])];
    let (skin, _) = tube(two_joints);
    let fit = fitted(&skin, &still);
    assert_eq!((fit.helpers.len(), fit.after.distance), (0, 0.0));
    assert_eq!(
        fit.influences[160],
        [(0, 0.5), (1, 0.5), (0, 0.0), (0, 0.0)]
    );
    // Nothing moves it, or there is nothing.
    assert_eq!(fitted(&skin, &[]).helpers.len(), 0);
    assert_eq!(fitted(&Skin::default(), &still).influences.len(), 0);
    let (one, _) = tube(|_| vec![(1, 0.5), (1, 0.25)]);
    let fit = fitted(&one, &arm([1.5; 3], 9));
    assert_eq!(fit.influences[0], [(1, 1.0), (0, 0.0), (0, 0.0), (0, 0.0)]);
    assert!(fit.helpers.is_empty() && fit.after.distance < 1e-12);
    let (many, _) = tube(|_| (0..6).map(|joint| (joint, 1.0)).collect());
    let fit = fitted(&many, &[dual(vec![IDENTITY; 6])]);
    assert_eq!(fitted(&many, &[]).helpers.len(), 0);
    let weights = |slots: &Slots| wide(slots).count();
    assert_eq!(fit.influences.iter().map(weights).max(), Some(4));
    assert_eq!((fit.helpers.len(), fit.after.distance < 1e-6), (0, true));
    let mut none = Skin::default();
    none.push([0.0; 3], [(1, 0.0), (0, -1.0)].into_iter());
    assert_eq!(fitted(&none, &still).influences[0][0], (1, 1.0));
}

#[test]
fn what_cannot_be_used_is_refused() {
    let (skin, _) = tube(two_joints);
    let refused = |skin: &Skin, moments: &[Moment]| {
        fit(skin, moments, &GOAL, &Sequential, &always)
            .err()
            .expect("it is refused")
    };
    for number in [f64::NAN, f64::INFINITY, 1e300] {
        let mut moments = arm([1.0; 3], 4);
        moments[1].matrices[1][2][3] = number;
        assert_eq!(refused(&skin, &moments).moment, 1);
        let mut wrong = skin.clone();
        wrong.push([0.0, number, 0.0], [(0, 0.5), (1, 0.5)].into_iter());
        let wrong = refused(&wrong, &arm([1.0; 3], 4));
        assert_eq!(wrong.vertex, 328);
    }
}

#[test]
fn there_are_no_more_helpers_than_asked() {
    let (skin, _) = tube(two_joints);
    let moments = arm([1.5; 3], 15);
    for most_helpers in [0, 2] {
        let goal = Goal {
            tolerance: 1e-5,
            most_helpers,
        };
        let fit =
            fit(&skin, &moments, &goal, &Sequential, &always).expect("all numbers can be used");
        assert!(fit.helpers.len() <= most_helpers && fit.after.distance > goal.tolerance);
        assert!(fit.after.distance <= fit.before.distance);
    }
}

#[test]
fn odd_joints_do_no_harm() {
    let mut random = Random::new(3);
    let mut number = move |from: f64, to: f64| from + (to - from) * random.unit();
    // A flat joint, one that is far away and large, two that are alike; 33 influences.
    let joints = |angle: f64| {
        let turned = euler_rotation([angle, 0.5 * angle, 0.0]);
        let large = turned.map(|row| row.map(|c| 1e6 * c));
        let mut joints = vec![about([0.0, 1.0, 0.0], &turned); 33];
        joints[0] = affine(&large, [1e7, 0.0, 0.0]);
        joints[1] = affine(&[[0.0; 3]; 3], [0.0; 3]);
        joints[2..12].fill(IDENTITY);
        joints
    };
    let mut skin = Skin::default();
    for _ in 0..60 {
        let position = [0; 3].map(|_| number(-1.0, 1.0));
        let slots: Vec<_> = (0..33).map(|joint| (joint, number(0.0, 1.0))).collect();
        skin.push(position, slots.into_iter());
    }
    let moment = |step: i32| Moment {
        matrices: joints(0.1 * f64::from(step)),
        dual: None,
    };
    let moments: Vec<_> = (0..8).map(moment).collect();
    let goal = Goal {
        most_helpers: 4,
        ..GOAL
    };
    let fit = fit(&skin, &moments, &goal, &Sequential, &always).expect("all numbers can be used");
    assert!(fit.after.distance <= fit.before.distance && fit.before.distance.is_finite());
    let mut numbers = fit.matrices.iter().flatten().flatten().flatten();
    assert!(numbers.all(|number| number.is_finite()));
}

/// Runs each task on a thread of its own, the last one first.
struct Backwards;

impl Executor for Backwards {
    fn for_each(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
        thread::scope(|scope| {
            (0..count)
                .rev()
                .for_each(|at| drop(scope.spawn(move || task(at))))
        });
    }

    fn vertices_per_task(&self, _: usize) -> usize {
        1
    }
}

#[test]
fn threads_change_no_bit() {
    let (skin, _) = tube(two_joints);
    let moments = arm([1.0, 2.0, 1.0], 15);
    let one = fitted(&skin, &moments);
    let other = fit(&skin, &moments, &GOAL, &Backwards, &always).expect("all numbers can be used");
    assert_eq!(one.helpers, other.helpers);
    assert_eq!(one.influences, other.influences);
    assert_eq!(one.matrices, other.matrices);
}
