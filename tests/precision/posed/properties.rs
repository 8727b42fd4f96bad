//! Properties of palettes that hold for all numbers (`bake.md` §5).

use rigy_batch::bake::gltf::{
    DualForm, JointFault, JointScale, Node, Rigid, Skeleton, Skin, Transform, Trs, dual_form,
    joint_matrices, pose,
};
use rigy_batch::kernel::math::Affine;
use rigy_batch::kernel::random::Random;

use super::rig::Rig;
use super::scaling::{NON_UNIFORM, UNIFORM, names};
use super::{distance, linear, skinned, vertices};

const FORMS: [JointScale; 2] = [JointScale::Global, JointScale::Local];

#[test]
fn a_bind_pose_gives_rest_vertices_back() {
    for (what, scaling) in UNIFORM.iter().take(3).chain(&NON_UNIFORM) {
        let mut random = Random::new(7);
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
        // With one joint moved, the joints below the other roots are still in their bind pose.
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
    let rig = Rig::new(&mut Random::new(3)).scaled(4, [1.000_009, 1.0, 1.0]);
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
    // A scale just beyond the tolerance: the forms differ, but by little.
    let rig = Rig::new(&mut Random::new(3)).scaled(2, [1.000_011; 3]);
    let (global, local) = (rig.dual(&JointScale::Global), rig.dual(&JointScale::Local));
    for (p, influences) in vertices(&mut Random::new(4)) {
        let moved = [&global, &local].map(|form| skinned(form, &influences, p));
        assert!(distance(moved[0], moved[1]) < 2e-4);
    }
}

#[test]
fn scale_is_rejected_by_name() {
    let rig = Rig::new(&mut Random::new(5))
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
    let rig = Rig::new(&mut Random::new(5)).scaled(3, [1.0, 0.0, 1.0]);
    for scale in FORMS {
        let errors = dual_form(&rig.skeleton(), &rig.skin, &scale).unwrap_err();
        let joints: Vec<&str> = errors.iter().map(|error| &*error.joint).collect();
        assert_eq!(joints, [r#"joint "tip""#, r#"joint "middle""#]);
        assert!(matches!(errors[0].fault, JointFault::NoRotation(_)));
    }
    assert!(joint_matrices(&rig.skeleton(), &rig.skin).is_ok());
    let mut rig = Rig::new(&mut Random::new(5))
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
    let mut random = Random::new(11);
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
        parent: i.checked_sub(1),
        transform: Transform::Trs(Trs {
            translation: [1.0, 0.0, 0.0],
            scale: [if i == 0 { 2.0 } else { 1.0 }; 3],
            ..Trs::IDENTITY
        }),
        ..Node::default()
    };
    let nodes: Vec<Node> = (0..count).map(node).collect();
    let skin = Skin {
        name: None,
        joints: (0..count).rev().collect(),
        inverse_bind_matrices: None,
    };
    let skeleton = Skeleton::new(&nodes, &pose(&nodes, &[], 0.0).unwrap());
    for scale in FORMS {
        assert!(dual_form(&skeleton, &skin, &scale).is_ok());
    }
}
