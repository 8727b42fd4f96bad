//! Worked numbers of `attach3` (`language.md` 4.4). The exact cases can be followed on paper; those
//! of a general pair of frames were worked out a second time outside this program.

use super::arithmetic::{Matrix, Vec3};
use super::attach::{attach3, frame};
use super::document::Mode;
use super::worked::assert_numbers;

const UNIT: [Vec3; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

fn assert_bits(actual: Matrix<4>, rows: [[f64; 4]; 3]) {
    let [r0, r1, r2] = rows;
    let expected = [r0, r1, r2, [0.0, 0.0, 0.0, 1.0]];
    let bits = |m: Matrix<4>| m.map(|row| row.map(f64::to_bits));
    assert_eq!(bits(actual), bits(expected), "{actual:?}");
}

#[test]
fn rigid_and_axis_aligned() {
    let from = [[1.0, 0.0, 0.0], [3.0, 0.0, 0.0], [1.0, 0.5, 0.0]];
    let to = [[1.0, 2.0, 3.0], [1.0, 5.0, 3.0], [-1.0, 2.0, 3.0]];
    let rows = [
        [0.0, -1.0, 0.0, 1.0],
        [1.0, 0.0, 0.0, 1.0],
        [0.0, 0.0, 1.0, 3.0],
    ];
    assert_bits(attach3(from, to, Mode::Rigid), rows);
}

#[test]
fn uniform_of_scale_two() {
    let from = [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 1.0, 0.0]];
    let to = [[0.0, 0.0, 0.0], [0.0, 2.0, 0.0], [-2.0, 0.0, 0.0]];
    let rows = [
        [0.0, -2.0, 0.0, 0.0],
        [2.0, 0.0, 0.0, -2.0],
        [0.0, 0.0, 2.0, 0.0],
    ];
    assert_bits(attach3(from, to, Mode::Uniform), rows);
}

#[test]
fn the_uniform_scale_moves_the_origin_too() {
    // Legs once and eight times as long: the cube root of 1 * 8 * 8.
    let from = [[1.0, 2.0, 3.0], [2.0, 2.0, 3.0], [1.0, 3.0, 3.0]];
    let to = [[5.0, 6.0, 7.0], [6.0, 6.0, 7.0], [5.0, 14.0, 7.0]];
    let rows = [
        [4.0, 0.0, 0.0, 1.0],
        [0.0, 4.0, 0.0, -2.0],
        [0.0, 0.0, 4.0, -5.0],
    ];
    assert_bits(attach3(from, to, Mode::Uniform), rows);
}

#[test]
fn affine_scales_y_and_z_alike() {
    let to = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [7.0, 0.5, 0.0]];
    let rows = [
        [3.0, 0.0, 0.0, 0.0],
        [0.0, 0.5, 0.0, 0.0],
        [0.0, 0.0, 0.5, 0.0],
    ];
    assert_bits(attach3(UNIT, to, Mode::Affine), rows);
}

#[test]
fn only_a_translation_may_be_negative_zero() {
    let to = [[-0.0, 0.0, -0.0], [-1.0, 0.0, -0.0], [-0.0, -1.0, -0.0]];
    for mode in [Mode::Rigid, Mode::Uniform, Mode::Affine] {
        let rows = [
            [-1.0, 0.0, 0.0, -0.0],
            [0.0, -1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, -0.0],
        ];
        assert_bits(attach3(UNIT, to, mode), rows);
    }
}

const FROM: [Vec3; 3] = [[0.1, -0.4, 0.25], [0.7, 0.3, 0.2], [-0.3, 0.5, 0.9]];
const TO: [Vec3; 3] = [[1.5, 0.2, -0.6], [1.1, 1.3, 0.4], [2.3, 0.9, -1.7]];

#[test]
fn legs_of_general_frames() {
    let (from, to) = (frame(FROM), frame(TO));
    let legs = [from.length, from.height, to.length, to.height];
    assert_numbers(
        &legs,
        "0x1.d8bbfdf7f523fp-1, 0x1.1d5db376723f0p+0, \
         0x1.8a1b63bb8f2c3p+0, 0x1.78646b3fdcc37p+0",
    );
}

#[test]
fn general_frames() {
    let rows = [
        (
            Mode::Rigid,
            "-0x1.b4db01eaca142p-1, 0x1.727a9d09c6fd2p-2, -0x1.80a4ac9d5053bp-2, 0x1.d2ee4dc9bfd2cp+0",
            "0x1.258ea865ea6b8p-3, 0x1.b5db268c8fff6p-1, 0x1.fe0f23e42f2cap-2, 0x1.9ce4670be87bep-2",
            "0x1.00bd5e1c2b8d0p-1, 0x1.7c10b7b5783e8p-2, -0x1.9025364b9b594p-1, -0x1.39a62e30d7bcfp-2",
        ),
        (
            Mode::Uniform,
            "-0x1.3783403b77eccp+0, 0x1.082e52b6710d1p-1, -0x1.1247fe243c850p-1, 0x1.f645c9eef6f7cp+0",
            "0x1.a2a8c95c102efp-3, 0x1.3839e6bb50c9ep+0, 0x1.6bb6748fc2719p-1, 0x1.f5929338d26e5p-2",
            "0x1.6e26d2fdce217p-1, 0x1.0f044b6290069p-1, -0x1.1d55e02d42c0cp+0, -0x1.72f681d3b34e2p-3",
        ),
        (
            Mode::Affine,
            "-0x1.2f28fc1931f04p+0, 0x1.a26223ac0fc52p-2, -0x1.f65151508045ep-2, 0x1.e78c98425b635p+0",
            "0x1.673ccc1faf7e0p-2, 0x1.5112c403471e2p+0, 0x1.497a3919e43abp-1, 0x1.0fba37875d766p-1",
            "0x1.9dece1d48faaap-1, 0x1.527d09612b634p-1, -0x1.0b07735c724aep+0, -0x1.3ebafe33dc42ep-3",
        ),
    ];
    for (mode, x, y, z) in rows {
        let matrix = attach3(FROM, TO, mode);
        assert_numbers(&matrix[0], x);
        assert_numbers(&matrix[1], y);
        assert_numbers(&matrix[2], z);
        assert_eq!(matrix[3], [0.0, 0.0, 0.0, 1.0]);
    }
}
