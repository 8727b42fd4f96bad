//! Poses and palettes of skinned glTF (`bake.md` §1–§3, §5), whole: vertices skinned with our palettes against the
//! same mathematics in 192 bits, and what must hold whatever the numbers are.

mod exact;

use std::array::from_fn;
use std::collections::BTreeSet;

use exact::{Big3, Influences, Map, big, near};
use rigy_batch::bake::gltf::{
    DualForm, JointFault, JointScale, Node, Rigid, Skeleton, Skin, Transform, Trs, dual_form,
    joint_matrices, pose, slerp,
};
use rigy_batch::kernel::math::{
    Affine, DualQuat, IDENTITY, Matrix3, Quat, Vec3, affine_inverse, polar,
};

/// Largest error allowed, of the size of what is computed.
const ALLOWED: f64 = 1e-12;

// ---- Random numbers.

struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn numbers<const N: usize>(&mut self, size: f64) -> [f64; N] {
        from_fn(|_| (2.0 * self.unit() - 1.0) * size)
    }

    fn rotation(&mut self) -> Quat {
        loop {
            let wxyz = self.numbers::<4>(1.0);
            if wxyz.iter().map(|c| c * c).sum::<f64>() > 0.1 {
                return Quat::from_wxyz(wxyz);
            }
        }
    }
}

// ---- Rigs.

#[derive(Clone)]
struct Rig {
    nodes: Vec<Node>,
    skin: Skin,
}

/// Node 0 holds the armature and is no joint; 1 is a root joint with two chains: 2 (no joint), 3, 4; and 5. Node 6 is
/// a root of its own. The skin lists its joints in no order.
const PARENTS: [Option<usize>; 7] = [None, Some(0), Some(1), Some(2), Some(3), Some(1), None];
const NAMES: [&str; 7] = ["armature", "root", "link", "middle", "tip", "side", "other"];
const JOINTS: [usize; 5] = [4, 1, 6, 3, 5];

fn trs(node: &Node) -> Trs {
    match node.transform {
        Transform::Trs(trs) => trs,
        Transform::Matrix(_) => panic!("rigs have no matrices"),
    }
}

impl Rig {
    /// Bound and posed without any scale.
    fn new(random: &mut Random) -> Self {
        let node = |i: usize, random: &mut Random| Node {
            name: Some(NAMES[i].to_owned()),
            parent: PARENTS[i],
            children: (0..7).filter(|child| PARENTS[*child] == Some(i)).collect(),
            transform: Transform::Trs(Trs {
                translation: random.numbers(1.0),
                rotation: random.rotation(),
                scale: [1.0; 3],
            }),
            mesh: None,
            skin: None,
            weights: None,
        };
        let mut rig = Self {
            nodes: (0..7).map(|i| node(i, random)).collect(),
            skin: Skin {
                name: None,
                joints: JOINTS.to_vec(),
                inverse_bind_matrices: None,
            },
        };
        rig.bind();
        for i in 0..7 {
            rig.nodes[i].transform = node(i, random).transform;
        }
        rig
    }

    /// Takes the present pose for the bind pose.
    fn bind(&mut self) {
        let globals = self.skeleton().globals;
        let matrices = self
            .skin
            .joints
            .iter()
            .map(|node| affine_inverse(&globals[*node]));
        self.skin.inverse_bind_matrices = Some(matrices.collect());
    }

    fn scaled(mut self, node: usize, scale: Vec3) -> Self {
        let trs = trs(&self.nodes[node]);
        self.nodes[node].transform = Transform::Trs(Trs { scale, ..trs });
        self
    }

    fn skeleton(&self) -> Skeleton<'_> {
        Skeleton::new(&self.nodes, &pose(&self.nodes, None, 0.0).unwrap())
    }

    fn dual(&self, scale: &JointScale) -> DualForm {
        dual_form(&self.skeleton(), &self.skin, scale).unwrap()
    }

    fn matrices(&self) -> Vec<Affine> {
        joint_matrices(&self.skeleton(), &self.skin).unwrap()
    }

    // The same in 192 bits.

    fn exact_global(&self, node: usize) -> Map {
        let Trs {
            translation,
            rotation,
            scale,
        } = trs(&self.nodes[node]);
        let local = Map::trs(translation, rotation.wxyz(), scale);
        match self.nodes[node].parent {
            Some(parent) => self.exact_global(parent).after(&local),
            None => local,
        }
    }

    fn exact_inverse_bind(&self, joint: usize) -> Map {
        let matrices = self.skin.inverse_bind_matrices.as_ref();
        Map::of(matrices.map_or(&IDENTITY, |m| &m[joint]))
    }

    fn exact_matrices(&self) -> Vec<Map> {
        let joints = self.skin.joints.iter().enumerate();
        joints
            .map(|(joint, node)| {
                self.exact_global(*node)
                    .after(&self.exact_inverse_bind(joint))
            })
            .collect()
    }

    /// The nearest joint above a joint.
    fn joint_above(&self, joint: usize) -> Option<usize> {
        let mut node = self.nodes[self.skin.joints[joint]].parent;
        while let Some(above) = node {
            let joint = self.skin.joints.iter().position(|j| *j == above);
            if joint.is_some() {
                return joint;
            }
            node = self.nodes[above].parent;
        }
        None
    }
}

// ---- The forms of §5 in 192 bits: first and second stage.

type Stages = (Vec<Map>, Vec<Map>);

fn exact_global_form(rig: &Rig) -> Stages {
    let split = |j: Map| {
        let (r, s) = exact::polar(&j.linear);
        (
            Map::linear(s),
            Map {
                linear: r,
                moved: j.moved,
            },
        )
    };
    rig.exact_matrices().into_iter().map(split).unzip()
}

/// What the contract's words give for one joint.
struct Chain {
    bind: Map,
    stretch: Map,
    scaled: Map,
    posed: Map,
}

fn exact_chain(rig: &Rig, joint: usize, is_local: &dyn Fn(&str) -> bool) -> Chain {
    let bind = rig.exact_inverse_bind(joint).inverse();
    let global = rig.exact_global(rig.skin.joints[joint]);
    let above = rig.joint_above(joint);
    let (bind_local, local) = match above {
        None => (bind.clone(), global),
        Some(above) => (
            rig.exact_inverse_bind(above).after(&bind),
            rig.exact_global(rig.skin.joints[above])
                .inverse()
                .after(&global),
        ),
    };
    let user = bind_local.inverse().after(&local);
    let (turn, stretch) = exact::polar(&user.linear);
    let turned = Map {
        linear: turn,
        moved: user.moved,
    };
    let (scaled, posed) = match above {
        None => (bind_local.clone(), bind_local),
        Some(above) => {
            let name = rig.nodes[rig.skin.joints[above]].name.clone().unwrap();
            let above = exact_chain(rig, above, is_local);
            let link = if is_local(&name) {
                let moved = above.stretch.apply(&bind_local.moved);
                Map {
                    moved,
                    ..bind_local
                }
            } else {
                above.stretch.after(&bind_local)
            };
            (above.scaled.after(&link), above.posed.after(&link))
        }
    };
    Chain {
        bind,
        stretch: Map::linear(stretch),
        scaled,
        posed: posed.after(&turned),
    }
}

/// Only for what leaves the second stage rigid, which is checked.
fn exact_local_form(rig: &Rig, is_local: &dyn Fn(&str) -> bool) -> Stages {
    let stages = (0..rig.skin.joints.len()).map(|joint| {
        let chain = exact_chain(rig, joint, is_local);
        let first = chain
            .scaled
            .after(&chain.stretch)
            .after(&chain.bind.inverse());
        let second = chain.posed.after(&chain.scaled.inverse());
        let ones = exact::product(&second.linear, &exact::transposed(&second.linear));
        for (i, one) in (0..9).map(|at| (at, f64::from(u8::from(at % 4 == 0)))) {
            assert!((near(&ones[i / 3][i % 3]) - one).abs() < 1e-12, "not rigid");
        }
        (first, second)
    });
    stages.unzip()
}

// ---- Our palettes, evaluated one vertex at a time.

fn image(m: &Affine, p: Vec3) -> Vec3 {
    m.map(|[a, b, c, d]| a * p[0] + b * p[1] + c * p[2] + d)
}

fn linear(joints: &[Affine], influences: &Influences, p: Vec3) -> Vec3 {
    let mut sum = [0.0; 3];
    for (joint, weight) in influences {
        let moved = image(&joints[*joint], p);
        sum = from_fn(|i| sum[i] + weight * moved[i]);
    }
    sum
}

fn dual(joints: &[Rigid], influences: &Influences, p: Vec3) -> Vec3 {
    let used = || influences.iter().filter(|(_, weight)| *weight > 0.0);
    let reference = joints[used().map(|(joint, _)| *joint).min().unwrap()].0;
    let (mut r, mut d) = ([0.0; 4], [0.0; 4]);
    for (joint, weight) in used() {
        let (q, t) = joints[*joint];
        let weight = if q.dot(reference) < 0.0 {
            -weight
        } else {
            *weight
        };
        let DualQuat { real, dual } = DualQuat::new(q, t);
        r = from_fn(|i| r[i] + weight * real.wxyz()[i]);
        d = from_fn(|i| d[i] + weight * dual.wxyz()[i]);
    }
    let length = r.iter().map(|c| c * c).sum::<f64>().sqrt();
    let (r, s) = (r.map(|c| c / length), d.map(|c| c / length));
    let along: f64 = (0..4).map(|i| r[i] * s[i]).sum();
    let d = Quat::from_wxyz(from_fn(|i| s[i] - along * r[i]));
    let r = Quat::from_wxyz(r);
    let (turned, moved) = (r.rotate(p), d.product(r.conjugate()).vector());
    from_fn(|i| turned[i] + 2.0 * moved[i])
}

fn skinned(form: &DualForm, influences: &Influences, p: Vec3) -> Vec3 {
    match form {
        DualForm::Rigid(joints) => dual(joints, influences, p),
        DualForm::Scaled { first, rigid } => dual(rigid, influences, linear(first, influences, p)),
    }
}

// ---- Comparing.

/// Vertices with one to four influences, weights summing to 1 as nearly as doubles do.
fn vertices(random: &mut Random) -> Vec<(Vec3, Vec<(usize, f64)>)> {
    let vertex = |i: usize, random: &mut Random| {
        let weights: Vec<f64> = (0..i % 4 + 1).map(|_| random.unit() + 0.05).collect();
        let sum: f64 = weights.iter().sum();
        let slots = weights.iter().enumerate();
        let influences = slots.map(|(slot, w)| ((i * 3 + slot * 2) % 5, w / sum));
        (random.numbers(2.0), influences.collect())
    };
    (0..20).map(|i| vertex(i, random)).collect()
}

/// The largest miss over all vertices, of the largest coordinate.
fn worst(
    seed: u64,
    mut ours: impl FnMut(&Influences, Vec3) -> Vec3,
    mut exact: impl FnMut(&Influences, Vec3) -> Big3,
) -> f64 {
    let (mut miss, mut size) = (0.0f64, 1.0f64);
    for (p, influences) in vertices(&mut Random(seed ^ 0xabcd)) {
        let (got, want) = (ours(&influences, p), exact(&influences, p));
        for i in 0..3 {
            miss = miss.max(near(&(big(got[i]) - &want[i])).abs());
            size = size.max(near(&want[i]).abs());
        }
    }
    miss / size
}

fn compare(
    what: &str,
    rigs: impl Fn(&mut Random) -> Rig,
    scale: &JointScale,
    stages: &dyn Fn(&Rig) -> Stages,
) {
    let mut most = 0.0f64;
    for seed in 0..12 {
        let rig = rigs(&mut Random(seed));
        let form = rig.dual(scale);
        assert!(matches!(form, DualForm::Scaled { .. }), "{what}");
        let (first, second) = stages(&rig);
        let miss = worst(
            seed,
            |influences, p| skinned(&form, influences, p),
            |influences, p| {
                let p = exact::linear_blend(&first, influences, p);
                exact::dual_blend(&second, influences, &p)
            },
        );
        most = most.max(miss);
    }
    println!("{what}: {most:.1e}");
    assert!(most <= ALLOWED, "{what}: {most:e}");
}

/// Ways of scaling joints, with what each is called. In the last two the scale is in the bind pose.
type Scaling = (&'static str, fn(Rig, &mut Random) -> Rig);

const UNIFORM: [Scaling; 4] = [
    ("the middle one uniformly", |rig, _| rig.scaled(3, [1.7; 3])),
    ("root and side uniformly", |rig, _| {
        rig.scaled(1, [0.4; 3]).scaled(5, [3.0; 3])
    }),
    ("armature and link", |rig, _| {
        rig.scaled(0, [0.01; 3]).scaled(2, [5.0; 3])
    }),
    ("77 in inverse bind matrices", |mut rig, _| {
        for matrix in rig.skin.inverse_bind_matrices.iter_mut().flatten() {
            *matrix = matrix.map(|[a, b, c, d]| [77.0 * a, 77.0 * b, 77.0 * c, a - b + d]);
        }
        rig
    }),
];

const NON_UNIFORM: [Scaling; 3] = [
    ("the middle one along its axes", |rig, _| {
        rig.scaled(3, [1.5, 0.7, 2.0])
    }),
    ("all joints", |mut rig, random| {
        for node in JOINTS {
            let scale = random.numbers::<3>(0.5).map(|c| c + 1.2);
            rig = rig.scaled(node, scale);
        }
        rig
    }),
    ("a mirrored root", |rig, _| rig.scaled(1, [-1.3, 0.8, 1.1])),
];

/// A bind pose that is scaled itself: armatures of a hundredth are common.
fn bound_small(mut rig: Rig) -> Rig {
    for matrix in rig.skin.inverse_bind_matrices.iter_mut().flatten() {
        *matrix = matrix.map(|[a, b, c, d]| [100.0 * a, 100.0 * b, 100.0 * c, d]);
    }
    rig.scaled(0, [0.01; 3]).scaled(6, [0.01; 3])
}

fn names(names: &[&str]) -> JointScale {
    JointScale::LocalFor(
        names
            .iter()
            .map(|name| (*name).to_owned())
            .collect::<BTreeSet<_>>(),
    )
}

#[test]
fn linear_palettes_agree_with_exact_arithmetic() {
    for (what, scaling) in UNIFORM.iter().chain(&NON_UNIFORM) {
        for seed in 0..12 {
            let mut random = Random(seed);
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
    // Scale of any kind stays rigid in the second stage as long as joints that hand it on do not.
    let rigs = |random: &mut Random| {
        Rig::new(random)
            .scaled(3, [1.5, 0.7, 2.0])
            .scaled(1, [3.0; 3])
    };
    let stages = |rig: &Rig| exact_local_form(rig, &|name| name == "middle");
    compare("middle along its axes", rigs, &names(&["middle"]), &stages);
}

/// Where every joint hands its scale on, a vertex of one joint lands where linear blending puts it: whatever shear
/// that is.
#[test]
fn scale_that_goes_on_is_that_of_linear_blending() {
    let mut most = 0.0f64;
    for (what, scaling) in UNIFORM.iter().chain(&NON_UNIFORM) {
        for seed in 0..12 {
            let mut random = Random(seed);
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

/// A joint that stays with its scale moves the joints below it apart and leaves them their size.
#[test]
fn a_local_scale_worked_by_hand() {
    let at = |name: &str, parent: Option<usize>, x: f64, scale: Vec3| Node {
        name: Some(name.to_owned()),
        parent,
        children: vec![],
        transform: Transform::Trs(Trs {
            translation: [x, 0.0, 0.0],
            scale,
            ..Trs::IDENTITY
        }),
        mesh: None,
        skin: None,
        weights: None,
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

fn distance(a: Vec3, b: Vec3) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).abs()).fold(0.0, f64::max)
}

// ---- What holds whatever the numbers are.

const FORMS: [JointScale; 2] = [JointScale::Global, JointScale::Local];

#[test]
fn a_bind_pose_gives_rest_vertices_back() {
    for (what, scaling) in UNIFORM.iter().take(3).chain(&NON_UNIFORM) {
        let mut random = Random(7);
        let rig = Rig::new(&mut random);
        let mut rig = scaling(rig, &mut random);
        rig.bind();
        for scale in FORMS
            .iter()
            .chain([&names(&["middle"]), &JointScale::Reject])
        {
            let form = rig.dual(scale);
            assert!(matches!(form, DualForm::Rigid(_)), "{what}: {scale:?}");
            for (p, influences) in vertices(&mut random) {
                let (dual, linear) = (
                    skinned(&form, &influences, p),
                    linear(&rig.matrices(), &influences, p),
                );
                assert!(
                    distance(dual, p) < 1e-11 && distance(linear, p) < 1e-11,
                    "{what}"
                );
            }
        }
        // One joint off it, and a bind pose is still what the other roots are in.
        let bent = rig.scaled(6, [2.0; 3]);
        for scale in FORMS.iter().chain([&names(&["middle"])]) {
            let form = bent.dual(scale);
            let influences = [(1, 0.25), (3, 0.5), (0, 0.25)];
            for (p, _) in vertices(&mut random) {
                assert!(
                    distance(skinned(&form, &influences, p), p) < 1e-11,
                    "{what}: {scale:?}"
                );
            }
        }
    }
}

#[test]
fn a_rigid_skeleton_needs_no_first_stage_in_any_form() {
    let rig = Rig::new(&mut Random(3)).scaled(4, [1.000_009, 1.0, 1.0]);
    let global = rig.dual(&JointScale::Global);
    assert!(matches!(global, DualForm::Rigid(_)));
    for scale in [
        JointScale::Local,
        names(&["tip"]),
        names(&[]),
        JointScale::Reject,
    ] {
        assert_eq!(rig.dual(&scale), global);
    }
    // And forms that are not told agree with it: beyond the tolerance, but by little.
    let rig = Rig::new(&mut Random(3)).scaled(2, [1.000_011; 3]);
    let (global, local) = (rig.dual(&JointScale::Global), rig.dual(&JointScale::Local));
    for (p, influences) in vertices(&mut Random(4)) {
        let moved = [&global, &local].map(|form| skinned(form, &influences, p));
        assert!(distance(moved[0], moved[1]) < 2e-4);
    }
}

#[test]
fn scale_is_rejected_by_name() {
    let rig = Rig::new(&mut Random(5))
        .scaled(4, [2.0, 0.5, 1.0])
        .scaled(6, [3.0; 3]);
    let errors = dual_form(&rig.skeleton(), &rig.skin, &JointScale::Reject).unwrap_err();
    let messages: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let expected = [
        r#"joint "tip": it is scaled by 2.000000 × 1.000000 × 0.500000, and scale is rejected"#,
        r#"joint "other": it is scaled by 3.000000 × 3.000000 × 3.000000, and scale is rejected"#,
    ];
    assert_eq!(messages, expected);
}

#[test]
fn flat_and_infinite_joints_are_named() {
    let rig = Rig::new(&mut Random(5)).scaled(3, [1.0, 0.0, 1.0]);
    for scale in FORMS {
        let errors = dual_form(&rig.skeleton(), &rig.skin, &scale).unwrap_err();
        let joints: Vec<&str> = errors.iter().map(|error| &*error.joint).collect();
        assert_eq!(joints, [r#"joint "tip""#, r#"joint "middle""#]);
        assert!(matches!(errors[0].fault, JointFault::NoRotation(_)));
    }
    assert!(joint_matrices(&rig.skeleton(), &rig.skin).is_ok());
    let mut rig = Rig::new(&mut Random(5))
        .scaled(0, [1e300; 3])
        .scaled(1, [1e300; 3]);
    rig.nodes[5].name = None;
    let errors = joint_matrices(&rig.skeleton(), &rig.skin).unwrap_err();
    let joints: Vec<&str> = errors.iter().map(|error| &*error.joint).collect();
    let expected = [
        r#"joint "tip""#,
        r#"joint "root""#,
        r#"joint "middle""#,
        "joint 4 (node 5)",
    ];
    assert_eq!(joints, expected);
    assert!(
        errors
            .iter()
            .all(|error| error.fault == JointFault::NotFinite)
    );
}

#[test]
fn neither_order_of_nodes_nor_of_joints_changes_a_bit() {
    let mut random = Random(11);
    let rig = Rig::new(&mut random);
    let rig = NON_UNIFORM[1].1(rig, &mut random);
    let places = [6, 2, 0, 4, 1, 5, 3];
    let mut shuffled = rig.clone();
    for (node, place) in rig.nodes.iter().zip(places) {
        shuffled.nodes[place] = Node {
            parent: node.parent.map(|parent| places[parent]),
            children: node.children.iter().map(|child| places[*child]).collect(),
            ..node.clone()
        };
    }
    let order = [3, 0, 4, 2, 1];
    shuffled.skin.joints = order.map(|joint| places[rig.skin.joints[joint]]).to_vec();
    let matrices = rig.skin.inverse_bind_matrices.clone().unwrap();
    shuffled.skin.inverse_bind_matrices = Some(order.map(|joint| matrices[joint]).to_vec());
    let bits = |m: &Affine| m.map(|row| row.map(f64::to_bits));
    for scale in [JointScale::Global, JointScale::Local, names(&["root"])] {
        let (DualForm::Scaled { first: a, rigid: r }, DualForm::Scaled { first: b, rigid: s }) =
            (rig.dual(&scale), shuffled.dual(&scale))
        else {
            panic!("these joints are scaled")
        };
        for (i, joint) in order.into_iter().enumerate() {
            assert_eq!(bits(&a[joint]), bits(&b[i]));
            let of = |(q, t): Rigid| (q.wxyz().map(f64::to_bits), t.map(f64::to_bits));
            assert_eq!(of(r[joint]), of(s[i]));
        }
    }
}

#[test]
fn a_deep_chain_of_joints_is_no_trouble() {
    let count = 20_000;
    let node = |i: usize| Node {
        name: None,
        parent: i.checked_sub(1),
        children: vec![],
        transform: Transform::Trs(Trs {
            translation: [1.0, 0.0, 0.0],
            scale: [if i == 0 { 2.0 } else { 1.0 }; 3],
            ..Trs::IDENTITY
        }),
        mesh: None,
        skin: None,
        weights: None,
    };
    let nodes: Vec<Node> = (0..count).map(node).collect();
    let skin = Skin {
        name: None,
        joints: (0..count).rev().collect(),
        inverse_bind_matrices: None,
    };
    let skeleton = Skeleton::new(&nodes, &pose(&nodes, None, 0.0).unwrap());
    for scale in FORMS {
        assert!(dual_form(&skeleton, &skin, &scale).is_ok());
    }
}

// ---- Polar decomposition and slerp against 192 bits.

#[test]
fn polar_decompositions_agree_with_exact_arithmetic() {
    let mut random = Random(21);
    let mut most = [0.0f64; 2];
    for _ in 0..200 {
        let m: Matrix3 = from_fn(|_| random.numbers(3.0));
        let map = Map::of(&m.map(|[a, b, c]| [a, b, c, 0.0]));
        let (r, s) = exact::polar(&map.linear);
        let found = polar(&m).unwrap();
        // A rotation is known the worse the less two of the stretches are apart from being opposite: here, the
        // smaller they are.
        let size = near(&s[0][0]).abs() + near(&s[1][1]).abs() + near(&s[2][2]).abs();
        let thin = size.powi(3) / near(&exact::determinant(&map.linear)).abs();
        for i in 0..3 {
            for j in 0..3 {
                let off = |got: f64, want: &exact::Big| near(&(big(got) - want)).abs();
                most[0] = most[0].max(off(found.rotation[i][j], &r[i][j]) / thin);
                most[1] = most[1].max(off(found.stretch[i][j], &s[i][j]) / size);
            }
        }
    }
    println!("polar: rotation {:.1e}, stretch {:.1e}", most[0], most[1]);
    assert!(most.iter().all(|most| *most < 1e-14), "{most:?}");
}

#[test]
fn slerp_agrees_with_exact_arithmetic() {
    let mut random = Random(31);
    let mut pairs: Vec<[Quat; 2]> = (0..40)
        .map(|_| [random.rotation(), random.rotation()])
        .collect();
    let a = random.rotation();
    let near_a = |by: f64| Quat { x: a.x + by, ..a };
    let opposite = |q: Quat| Quat::from_wxyz(q.wxyz().map(|c| -c));
    // Equal, antipodal, and on both sides of where an arc becomes a line; a half turn, which has two ways.
    pairs.extend([[a, a], [a, opposite(a)], [opposite(a), near_a(1e-3)]]);
    pairs.extend([1e-16, 1e-9, 1e-7, 1e-6, 1.5e-6, 3e-6, 1e-5, 1e-4].map(|by| [a, near_a(by)]));
    let unit = |i: usize| Quat::from_wxyz(from_fn(|j| f64::from(u8::from(i == j))));
    pairs.extend([[unit(0), unit(1)], [unit(2), unit(3)]]);
    let mut most = 0.0f64;
    for [a, b] in pairs {
        for u in [
            0.0,
            1e-9,
            0.1,
            0.25,
            0.5,
            0.7,
            0.999_999,
            1.0 - f64::EPSILON,
        ] {
            let got = slerp(a.normalised(), b.normalised(), u).wxyz();
            let want = exact::slerp(a.wxyz(), b.wxyz(), u);
            for i in 0..4 {
                most = most.max(near(&(big(got[i]) - &want[i])).abs());
            }
        }
    }
    println!("slerp: {most:.1e}");
    assert!(most < 1e-15, "{most:e}");
}
