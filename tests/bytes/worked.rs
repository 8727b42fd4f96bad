//! The worked numbers of `numerics.md`, bit for bit: §2.2, §9.1, §13.1-§13.3.
//! Those of the solvers are in `worked_skinning.rs`.

use crate::oracle::arithmetic::{Vec3, matrix_vector};
use crate::oracle::document::{Armature, Bone};
use crate::oracle::geometry::euler_matrix;
use crate::oracle::json::real;
use crate::oracle::reading::radians_from_degrees;
use crate::oracle::solvers::inverse_bind_matrix;
use crate::oracle::tessellate::{
    Surface, capsule, cylinder, profile_angle, profile_cos, profile_sin, sphere,
};
use crate::oracle::weights::{blend, canonical, gradient_t, sequential_sum};

/// C99 hex floats (normal numbers) and small decimals.
pub fn number(text: &str) -> f64 {
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (1 << 63, rest),
        None => (0, text),
    };
    let Some(hex) = unsigned.strip_prefix("0x1.") else {
        return text.parse().expect("a decimal");
    };
    let (fraction, exponent) = hex.split_once('p').expect("an exponent");
    assert_eq!(fraction.len(), 13);
    let fraction = u64::from_str_radix(fraction, 16).expect("hex digits");
    let exponent: i64 = exponent.parse().expect("an exponent");
    f64::from_bits(sign | ((exponent + 1023) as u64) << 52 | fraction)
}

/// Compares by value, as the contract prints zeros without their sign here.
pub fn assert_numbers(actual: &[f64], expected: &str) {
    let expected: Vec<f64> = expected.split(", ").map(number).collect();
    assert_eq!(actual, expected);
}

/// The three f32 bit patterns of a vector, as the contract prints them.
pub fn f32_text(vector: Vec3) -> String {
    vector
        .map(|x| format!("{:08x}", (x as f32).to_bits()))
        .join(" ")
}

#[test]
fn profile_constants() {
    #[rustfmt::skip] // a row stays a line
    let rows = [
        (0, "0, 0, 1"),
        (3, "0x1.2d97c7f3321d2p-1, 0x1.1c73b39ae68c8p-1, 0x1.a9b66290ea1a3p-1"),
        (8, "0x1.921fb54442d18p+0, 1, 0x1.1a62633145c07p-54"),
        (10, "0x1.f6a7a2955385ep+0, 0x1.d906bcf328d46p-1, -0x1.87de2a6aea962p-2"),
        (11, "0x1.1475cc9eedf00p+1, 0x1.a9b66290ea1a4p-1, -0x1.1c73b39ae68c6p-1"),
        (13, "0x1.46b9c347764a4p+1, 0x1.1c73b39ae68c8p-1, -0x1.a9b66290ea1a4p-1"),
        (16, "0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53, -1"),
        (23, "0x1.2106ca4910069p+2, -0x1.f6297cff75cafp-1, -0x1.8f8b83c69a619p-3"),
        (24, "0x1.2d97c7f3321d2p+2, -1, -0x1.a79394c9e8a0ap-53"),
        (31, "0x1.858eb79a20bafp+2, -0x1.8f8b83c69a61bp-3, 0x1.f6297cff75cafp-1"),
        (32, "0x1.921fb54442d18p+2, -0x1.1a62633145c07p-52, 1"),
    ];
    for (k, expected) in rows {
        let actual = [profile_angle(k), profile_sin(k), profile_cos(k)];
        assert_numbers(&actual, expected);
    }
}

#[test]
fn real_numbers_as_text() {
    let third = f64::from(1.0_f32 / 3.0);
    let rows = [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (1e22, "1e+22"),
        (1e16, "1e+16"),
        (1e15, "1000000000000000.0"),
        (9999999999999998.0, "9999999999999998.0"),
        (1.5e-7, "1.5e-07"),
        (5e-324, "5e-324"),
        (f64::from(0.1_f32), "0.10000000149011612"),
        (third, "0.3333333432674408"),
        (f64::from(1e-8_f32), "9.99999993922529e-09"),
        (f64::from(1e20_f32), "1.0000000200408773e+20"),
        (-123.5, "-123.5"),
        (100.0, "100.0"),
        // exactly ...893.625: half-way, and the even digit wins
        (278256965960893.62, "278256965960893.62"),
    ];
    for (value, text) in rows {
        assert_eq!(real(value), text);
    }
}

/// Compares vertices: their number, the position, and the f32 bits of position and normal.
fn assert_vertices(surface: &Surface, rows: &[(usize, &str, &str, &str)]) {
    for (index, position, p32, n32) in rows {
        assert_numbers(&surface.positions[*index], position);
        assert_eq!(f32_text(surface.positions[*index]), *p32);
        assert_eq!(f32_text(surface.normals[*index]), *n32);
    }
}

#[test]
fn capsule_vertices() {
    let c = capsule(0.08, 0.4);
    assert_eq!((c.positions.len(), c.indices.len()), (858, 4800));
    #[rustfmt::skip] // a row stays a line
    assert_vertices(&c, &[
        (0, "0, 0x1.1eb851eb851ecp-2, 0", "00000000 3e8f5c29 00000000", "00000000 3f800000 00000000"),
        (172, "0x1.a93a69770641fp-7, 0x1.f49fe78dba6a7p-3, 0x1.0b388631a2bddp-4", "3c549d35 3e7a4ff4 3d859c43", "3e261ad1 3f0e39da 3f50c429"),
        (407, "-0x1.6c1937d083431p-5, 0x1.9999999999998p-5, 0x1.1074b9f65862cp-4", "bd360c9c 3d4ccccd 3d883a5d", "bf0e39da 00000000 3f54db31"),
        (660, "0x1.1074b9f65862cp-4, -0x1.f49fe78dba6a6p-3, 0", "3d883a5d be7a4ff4 00000000", "3f54db31 bf0e39da 00000000"),
        (671, "-0x1.2ebca1e34d54ap-5, -0x1.f49fe78dba6a6p-3, 0x1.c513e49d17de4p-5", "bd175e51 be7a4ff4 3d6289f2", "beec835e bf0e39da 3f30fbc5"),
        (857, "0x1.6973b22a96b8ep-57, -0x1.1eb851eb851ecp-2, -0x1.8eb45c9a6ddcdp-109", "2334b9d9 be8f5c29 89475a2e", "250d3132 bf800000 8b1bbe74"),
    ]);
}

#[test]
fn sphere_vertices() {
    let s = sphere(0.3);
    assert_eq!((s.positions.len(), s.indices.len()), (561, 3072));
    #[rustfmt::skip] // a row stays a line
    assert_vertices(&s, &[
        (16, "0, 0x1.3333333333333p-2, 0", "80000000 3e99999a 00000000", "80000000 3f800000 00000000"),
    ]);
    let position = "-0x1.1bd0d7c5187f5p-3, -0x1.5557a4537b0edp-3, 0x1.a8c2a65346605p-3";
    assert_numbers(&s.positions[374], position);
    assert_eq!(f32_text(s.normals[374]), "beec835e bf0e39da 3f30fbc5");
}

#[test]
fn cylinder_vertices() {
    let c = cylinder(0.1, 1.0);
    assert_eq!((c.positions.len(), c.indices.len()), (134, 384));
    assert_eq!(f32_text(c.positions[16]), "bdcccccd 3f000000 2361e84f");
    assert_eq!(f32_text(c.normals[16]), "bf800000 00000000 250d3132");
    assert_eq!(f32_text(c.positions[24]), "a3a96e3c 3f000000 bdcccccd");
    assert_eq!(f32_text(c.positions[66]), "00000000 3f000000 00000000");
}

#[test]
fn rotation() {
    let m = euler_matrix([-2.6, -1.6, 1.6]);
    assert_numbers(
        &m[0],
        "0x1.bf03a8c6894d2p-11, 0x1.aed6204d4ca1fp-1, -0x1.14a11aff4a969p-1",
    );
    assert_numbers(
        &m[1],
        "-0x1.de33739e82d32p-6, 0x1.1485b496340adp-1, 0x1.aea56a398ea91p-1",
    );
    assert_numbers(
        &m[2],
        "0x1.ffc81c7e042c5p-1, 0x1.ed3ca18e0bd33p-7, 0x1.99f0996fa2fd2p-6",
    );
    let product = matrix_vector(&m, &[0.23, -0.53, -0.34]);
    let expected = "-0x1.0c60bc42d9996p-2, -0x1.2869dff03c8c2p-1, 0x1.b514074ce299cp-3";
    assert_numbers(&product, expected);
}

#[test]
fn rotation_in_degrees() {
    assert_eq!(radians_from_degrees(90.0), number("0x1.921fb54442d18p+0"));
    assert_eq!(radians_from_degrees(37.5), number("0x1.4f1a6c638d03fp-1"));
    let m = euler_matrix([radians_from_degrees(90.0), 0.0, 0.0]);
    assert_numbers(
        &matrix_vector(&m, &[1.0, 1.0, 0.0]),
        "1, 0x1.1a62633145c07p-54, 1",
    );
    let zeros = matrix_vector(&m, &[-0.0, -0.0, -0.0]);
    assert_eq!(zeros.map(f64::to_bits), [0, 0, 0]);
}

/// Bones called a, b, c, d, all of them roots.
fn armature() -> Armature {
    let bone = |id: &str| Bone {
        id: id.to_string(),
        parent: "none".to_string(),
        head: [0.0; 3],
    };
    Armature {
        id: "arm".to_string(),
        name: None,
        bones: ["a", "b", "c", "d"].map(bone).into(),
    }
}

#[test]
fn gradient_weights() {
    let t = gradient_t(0.9375, [0.88, 1.02]);
    assert_eq!(t, number("0x1.a492492492491p-2"));
    let single = blend(&[(0, 1.0)], &[], t);
    assert_eq!(single, [(0, number("0x1.2db6db6db6db8p-1"))]);
    let raw = blend(&[(0, 0.7), (1, 0.3), (2, 0.1)], &[(0, 0.2), (1, 0.5)], t);
    let weights: Vec<f64> = raw.iter().map(|(_, weight)| *weight).collect();
    let expected = "0x1.fa83a83a83a85p-2, 0x1.8750750750750p-2, 0x1.e2be2be2be2c0p-5";
    assert_numbers(&weights, expected);
    assert_eq!(sequential_sum(&raw), number("0x1.df15f15f15f16p-1"));
    let [a, b, c, _] = canonical(&raw, &armature()).map(|(_, weight)| weight);
    let expected = "0x1.0ea80fa232cf3p-1, 0x1.a232cf252138ap-2, 0x1.01f44659e4a43p-4";
    assert_numbers(&[a, b, c], expected);
    assert_eq!(f32_text([a, b, c]), "3f075408 3ed11968 3d80fa23");
}

#[test]
fn four_weights() {
    let authored = [(3, 0.1), (2, 0.2), (1, 0.3), (0, 0.4)];
    let slots = canonical(&authored, &armature());
    assert_eq!(slots.map(|(joint, _)| joint), [0, 1, 2, 3]);
    let expected = "0x1.999999999999bp-2, 0x1.3333333333334p-2, \
                    0x1.999999999999bp-3, 0x1.999999999999bp-4";
    assert_numbers(&slots.map(|(_, weight)| weight), expected);
}

#[test]
fn inverse_bind() {
    let rows = inverse_bind_matrix([0.0, 0.8, 0.05]);
    let column = [rows[0][3], rows[1][3], rows[2][3]];
    assert_eq!(f32_text(column), "80000000 bf4ccccd bd4ccccd");
}
