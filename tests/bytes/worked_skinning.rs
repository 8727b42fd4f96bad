//! The worked numbers of the solvers, bit for bit: `numerics.md` §13.4 and §13.5.

use super::worked::{assert_numbers, f32_text, number};
use crate::oracle::arithmetic::{Vec3, add, divide, dot};
use crate::oracle::solvers::{
    Bone, dqs_sums, dqs_vertex, dual_part, lbs_sums, lbs_vertex, skinning_matrix, translation, unit,
};
use crate::oracle::tessellate::{Surface, capsule, cuboid, cylinder, sphere};

fn blend_bones() -> [Bone; 2] {
    let a = Bone {
        head: [0.1, 0.2, -0.3],
        rotation: [0.5, 0.5, -0.5, 0.5],
        translation: [0.0; 3],
    };
    let b = Bone {
        head: [0.0, 0.8, 0.05],
        rotation: [-0.6, 0.0, 0.8, 0.0],
        translation: [0.25, -0.1, 0.0],
    };
    [a, b]
}

const BLEND_SLOTS: [(usize, f64); 2] = [(1, 0.7), (0, 0.3)];
const BLEND_P: Vec3 = [0.3, 0.7, -0.2];
const BLEND_N: Vec3 = [0.0, 0.6, 0.8];

#[test]
fn dual_quaternion_blend() {
    let [a, b] = &blend_bones();
    let expected = "-0x1.999999999999ap-4, -0x1.999999999999bp-5, \
                    -0x1.3333333333333p-3, 0x1.0000000000000p-57";
    assert_numbers(&dual_part(a), expected);
    let expected = "0x1.70a3d70a3d70bp-2, -0x1.851eb851eb852p-4, \
                    0x1.147ae147ae148p-2, 0x1.d70a3d70a3d70p-4";
    assert_numbers(&dual_part(b), expected);
    assert_eq!(
        dot(&b.rotation, &a.rotation),
        number("-0x1.6666666666666p-1")
    );
    let (real_sum, dual_sum) = dqs_sums(&blend_bones(), &BLEND_SLOTS);
    let expected = "0x1.23d70a3d70a3dp-1, 0x1.3333333333333p-3, \
                    -0x1.6b851eb851eb8p-1, 0x1.3333333333333p-3";
    assert_numbers(&real_sum, expected);
    let expected = "-0x1.20c49ba5e3540p-2, 0x1.a5e353f7ced90p-5, \
                    -0x1.df3b645a1cac0p-3, -0x1.49ba5e353f7cep-4";
    assert_numbers(&dual_sum, expected);
    assert_eq!(dot(&real_sum, &real_sum), number("0x1.bf7ced916872ap-1"));
    let (r, d) = unit(real_sum, dual_sum);
    let expected = "0x1.382b23e36ecf0p-1, 0x1.489933403ebf0p-3, \
                    -0x1.84d76b948e842p-1, 0x1.489933403ebf0p-3";
    assert_numbers(&r, expected);
    let expected = "-0x1.35a1f1a8077acp-2, 0x1.c1b2345b64a3dp-5, \
                    -0x1.febeb79a8a28cp-3, -0x1.617c35c87eac3p-4";
    assert_numbers(&d, expected);
    let expected = "0x1.8014feda10133p-2, -0x1.6fa7e4d17c8b5p-1, -0x1.3dee9cf36aad0p-8";
    assert_numbers(&translation(r, d), expected);
}

#[test]
fn dual_quaternion_vertex() {
    let (p, n) = dqs_vertex(&blend_bones(), &BLEND_SLOTS, BLEND_P, BLEND_N);
    let expected = "0x1.728fbc23b60c4p-3, -0x1.11b108518b920p-6, 0x1.2ee36f8fe6219p-2";
    assert_numbers(&p, expected);
    assert_eq!(f32_text(p), "3e3947de bc88d884 3e9771b8");
    let expected = "-0x1.ed3507199c998p-1, 0x1.7e6b1624c9fccp-3, -0x1.8afa664e67b6ep-3";
    assert_numbers(&n, expected);
    assert_eq!(f32_text(n), "bf769a84 3e3f358b be457d33");
}

#[test]
fn linear_blend_vertex() {
    let b = skinning_matrix(&blend_bones()[1]);
    let expected = "-0x1.1eb851eb851f0p-2, 0, -0x1.eb851eb851eb8p-1, 0x1.3126e978d4fdfp-2";
    assert_numbers(&b[0], expected);
    assert_numbers(&b[1], "0, 1, 0, -0x1.ccccccccccccdp-1");
    let expected = "0x1.eb851eb851eb8p-1, 0, -0x1.1eb851eb851f0p-2, 0x1.cac083126e980p-7";
    assert_numbers(&b[2], expected);
    let (p, sum) = lbs_sums(&blend_bones(), &BLEND_SLOTS, BLEND_P, BLEND_N);
    let expected = "0x1.12d77318fc502p-3, -0x1.5c28f5c28f5c4p-3, 0x1.3e0ded288ce70p-2";
    assert_numbers(&p, expected);
    let expected = "-0x1.6f694467381d8p-1, 0x1.70a3d70a3d70ap-3, -0x1.41205bc01a373p-3";
    assert_numbers(&sum, expected);
    let len = dot(&sum, &sum).sqrt();
    assert_eq!(len, number("0x1.833519df8d6d8p-1"));
    let vertex = lbs_vertex(&blend_bones(), &BLEND_SLOTS, BLEND_P, BLEND_N);
    assert_eq!(vertex, (p, divide(&sum, len)));
    assert_eq!(f32_text(vertex.0), "3e096bba be2e147b 3e9f06f7");
    assert_eq!(f32_text(vertex.1), "bf72e96e 3e73b969 be544f97");
}

fn bone(head: Vec3, rotation: [f64; 4]) -> Bone {
    Bone {
        head,
        rotation,
        translation: [0.0; 3],
    }
}

type Solve = fn(&[Bone], &[(usize, f64)], Vec3, Vec3) -> (Vec3, Vec3);

/// One vertex of a surface moved by an offset: its rest position, then what the solver makes of it.
struct Posed {
    rest: Vec3,
    texts: [String; 2],
}

fn posed(
    solve: Solve,
    bones: &[Bone],
    slots: &[(usize, f64)],
    at: (&Surface, usize, Vec3),
) -> Posed {
    let (surface, index, offset) = at;
    let rest = add(&surface.positions[index], &offset);
    let (p, n) = solve(bones, slots, rest, surface.normals[index]);
    Posed {
        rest,
        texts: [f32_text(p), f32_text(n)],
    }
}

/// The authored 0.7071067811865476 is this double.
const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;

#[test]
fn golden_vertices_of_the_twisted_arm() {
    let forearm = bone(
        [0.0, 0.8, 0.0],
        [0.9238795325112867, 0.0, 0.3826834323650898, 0.0],
    );
    let expected = "0x1.397e885588783p-3, 0, -0x1.7a6bca5c20a9fp-2, 0";
    assert_numbers(&dual_part(&forearm), expected);
    let bones = [bone([0.0; 3], [1.0, 0.0, 0.0, 0.0]), forearm];
    let slots = [(1, 0.5), (0, 0.5)];
    let lower = capsule(0.08, 0.4);
    let offset = [0.0, 1.1, 0.0];
    let vertex = posed(dqs_vertex, &bones, &slots, (&lower, 1518 - 858, offset));
    assert_numbers(
        &vertex.rest,
        "0x1.1074b9f65862cp-4, 0x1.b60b394fc498ap-1, 0",
    );
    assert_eq!(
        vertex.texts,
        ["3d7bb76c 3ee93e6d bcd0875d", "3f44a74c bf0e39da bea2e9c1"]
    );
    let vertex = posed(dqs_vertex, &bones, &slots, (&lower, 1529 - 858, offset));
    let rest = "-0x1.2ebca1e34d54ap-5, 0x1.b60b394fc498ap-1, 0x1.c513e49d17de4p-5";
    assert_numbers(&vertex.rest, rest);
    assert_eq!(
        vertex.texts,
        ["bc549d35 3ee93e6d 3d859c43", "be261ad1 bf0e39da 3f50c429"]
    );
}

#[test]
fn golden_vertices_of_nearly_opposite_bones() {
    let root = bone([0.0; 3], [HALF, HALF, 0.0, 0.0]);
    let tip = bone([0.0, 0.5, 0.0], [HALF, 0.0, HALF, 0.0]);
    let bones = [root, tip];
    let slots = [(0, 0.5), (1, 0.5)];
    let bar = cuboid([0.2, 1.0, 0.2]);
    let vertex = posed(dqs_vertex, &bones, &slots, (&bar, 0, [0.0, 0.5, 0.0]));
    assert_numbers(
        &vertex.rest,
        "0x1.999999999999ap-4, 0, -0x1.999999999999ap-4",
    );
    assert_eq!(vertex.texts[0], "bdaaaaab be19999a be3bbbbc");
    assert_eq!(vertex.texts[1], "3f2aaaab 3eaaaaab bf2aaaab");
    let vertex = posed(dqs_vertex, &bones, &slots, (&bar, 5, [0.0, 0.5, 0.0]));
    assert_numbers(
        &vertex.rest,
        "-0x1.999999999999ap-4, 1, 0x1.999999999999ap-4",
    );
    assert_eq!(vertex.texts[0], "3e800000 3ea22222 3f2eeeef");
    assert_eq!(vertex.texts[1], "bf2aaaab beaaaaab 3f2aaaab");
}

#[test]
fn golden_vertices_of_opposite_signs_and_of_lbs() {
    let root = bone([0.0; 3], [HALF, HALF, 0.0, 0.0]);
    let tip = bone([0.0, 0.5, 0.0], [-HALF, -HALF, 0.0, 0.0]);
    let tube = (&cylinder(0.1, 1.0), 7, [0.0, 0.5, 0.0]);
    let vertex = posed(dqs_vertex, &[root, tip], &[(0, 0.5), (1, 0.5)], tube);
    assert_numbers(
        &vertex.rest,
        "0x1.3fa2cfd2151a4p-6, 1, 0x1.91baca65f7d5ap-4",
    );
    assert_eq!(
        vertex.texts,
        ["3c9fd168 bdc8dd65 3f400000", "3e47c5c2 bf7b14be 00000000"]
    );
    let root = bone([0.0; 3], [0.9659258262890683, 0.2588190451025208, 0.0, 0.0]);
    let ball = (&sphere(0.3), 374, [1.0, 0.5, 0.0]);
    let vertex = posed(lbs_vertex, &[root], &[(0, 1.0)], ball);
    let rest = "0x1.b90bca0eb9e03p-1, 0x1.55542dd64278ap-2, 0x1.a8c2a65346605p-3";
    assert_numbers(&vertex.rest, rest);
    assert_eq!(
        vertex.texts,
        ["3f5c85e5 3e3d68cb 3eb14ba7", "beec835e bf53a9be 3ea45183"]
    );
}
