//! Light and colour: a surface's normal and its linear colour to an sRGB pixel.

use std::sync::OnceLock;

use rigy_kernel::math::{Vec3, dot};

/// The colour of the background.
pub(super) const BACKGROUND: [u8; 3] = [246, 247, 249];
/// The linear colour of surfaces that are white, as those of files without colours are.
const CLAY: [f64; 3] = [0.36, 0.48, 0.62];

/// The part of the light that comes from everywhere.
const AMBIENT: f64 = 0.22;
/// Directions of the two lamps in the space of the viewer, of unit length, and their brightness.
const LAMPS: [(Vec3, f64); 2] = [
    ([-2.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0], 0.8),
    ([8.0 / 9.0, -1.0 / 9.0, 4.0 / 9.0], 0.08),
];
/// The brightness of a lamp at the viewer, which keeps surfaces that face the viewer from being dark.
const HEAD: f64 = 0.2;

/// Number of steps of linear light for which sRGB values are tabulated.
const STEPS: usize = 4096;

/// Returns the linear colour in which a base colour is shown.
pub(super) fn shown(base: [f64; 4]) -> [f64; 3] {
    let [red, green, blue, _] = base;
    match [red, green, blue] {
        [1.0, 1.0, 1.0] => CLAY,
        color => color,
    }
}

/// Returns the brightness of a surface with a unit normal in the space of the viewer.
pub(super) fn brightness(normal: Vec3) -> f64 {
    let mut sum = AMBIENT + HEAD * normal[2].max(0.0);
    for (direction, strength) in LAMPS {
        sum += strength * dot(direction, normal).max(0.0);
    }
    sum
}

/// Returns the pixel of a linear colour times a brightness.
pub(super) fn pixel(color: [f64; 3], brightness: f64) -> [u8; 3] {
    let table = table();
    color.map(|component| {
        let step = (component * brightness).clamp(0.0, 1.0) * (STEPS - 1) as f64;
        table[(step + 0.5) as usize]
    })
}

/// Returns the linear light of an sRGB value.
pub(super) fn linear(value: u8) -> f64 {
    static TABLE: OnceLock<[f64; 256]> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        std::array::from_fn(|value| {
            let encoded = value as f64 / 255.0;
            match encoded <= 0.04045 {
                true => encoded / 12.92,
                false => libm::pow((encoded + 0.055) / 1.055, 2.4),
            }
        })
    });
    table[usize::from(value)]
}

/// Returns sRGB values of linear light from 0 to 1.
fn table() -> &'static [u8; STEPS] {
    static TABLE: OnceLock<[u8; STEPS]> = OnceLock::new();
    TABLE.get_or_init(|| {
        std::array::from_fn(|step| {
            let linear = step as f64 / (STEPS - 1) as f64;
            let encoded = match linear <= 0.003_130_8 {
                true => 12.92 * linear,
                // The power function of `libm` gives one answer everywhere.
                false => 1.055 * libm::pow(linear, 1.0 / 2.4) - 0.055,
            };
            (encoded * 255.0 + 0.5) as u8
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lamps_have_unit_length_and_srgb_has_its_known_values() {
        for (direction, _) in LAMPS {
            assert!((dot(direction, direction) - 1.0).abs() < 1e-15);
        }
        assert_eq!(pixel([0.0, 0.5, 1.0], 1.0), [0, 188, 255]);
        assert_eq!(pixel([2.0, -1.0, f64::NAN], 1.0), [255, 0, 0]);
        for value in 0..=255 {
            assert_eq!(
                pixel([linear(value); 3], 1.0)[0].abs_diff(value),
                0,
                "{value}"
            );
        }
    }
}
