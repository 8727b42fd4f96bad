//! Colours: linear light to sRGB values and back, by tables, and colours over others.

use std::sync::LazyLock;

use super::coverage::{Halves, SAMPLES};
use rigy_models::mesh::srgb;

/// Red, green, blue and opacity in sRGB.
pub type Color = [u8; 4];

/// Number of steps of linear light for which sRGB values are tabulated.
const STEPS: usize = 4096;

/// Returns the sRGB values of a linear colour from 0 to 1.
pub fn encoded(color: [f64; 3]) -> [u8; 3] {
    static TABLE: LazyLock<[u8; STEPS]> = LazyLock::new(|| {
        std::array::from_fn(|step| {
            let linear = step as f64 / (STEPS - 1) as f64;
            (srgb(linear) * 255.0 + 0.5) as u8
        })
    });
    let table = &*TABLE;
    color.map(|component| {
        let step = (component * (STEPS - 1) as f64 + 0.5) as i32;
        table[step.clamp(0, STEPS as i32 - 1) as usize]
    })
}

/// The linear light of an sRGB value.
pub fn linear(value: u8) -> f64 {
    static TABLE: LazyLock<[f64; 256]> = LazyLock::new(|| {
        std::array::from_fn(|value| {
            let encoded = value as f64 / 255.0;
            if encoded <= 0.04045 {
                encoded / 12.92
            } else {
                libm::pow((encoded + 0.055) / 1.055, 2.4)
            }
        })
    });
    TABLE[usize::from(value)]
}

/// A colour over another, as browsers mix them: sRGB values by opacity.
pub fn mixed(under: Color, over: Color) -> Color {
    let [opacity, below] = [over[3], under[3]].map(u32::from);
    let rest = below * (255 - opacity);
    // 255 times the opacity of both together.
    let whole = 255 * opacity + rest;
    if whole == 0 {
        return under;
    }
    let part = |k: usize| {
        let sum = u32::from(over[k]) * opacity * 255 + u32::from(under[k]) * rest;
        ((sum + whole / 2) / whole) as u8
    };
    [part(0), part(1), part(2), ((whole + 127) / 255) as u8]
}

/// The mean of the samples of a pixel, each with the bytes of a colour, by their opacity.
pub fn mean(samples: &Halves<u32>) -> Color {
    let first = samples[0][0];
    let others = samples.as_flattened().iter();
    if others.fold(0, |bits, other| bits | (other ^ first)) == 0 {
        return first.to_le_bytes();
    }
    let mut sums = [0; 3];
    let mut opacity = 0;
    for sample in samples.as_flattened() {
        let sample = sample.to_le_bytes().map(u32::from);
        opacity += sample[3];
        for (sum, component) in sums.iter_mut().zip(sample) {
            *sum += component * sample[3];
        }
    }
    if opacity == 0 {
        return [0; 4];
    }
    let [red, green, blue] = sums.map(|sum| ((sum + opacity / 2) / opacity) as u8);
    let count = SAMPLES as u32;
    [red, green, blue, ((opacity + count / 2) / count) as u8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn srgb_has_its_known_values() {
        assert_eq!(encoded([0.0, 0.5, 1.0]), [0, 188, 255]);
        assert_eq!(encoded([2.0, -1.0, f64::NAN]), [255, 0, 0]);
        for value in 0..=255 {
            assert_eq!(encoded([linear(value); 3]), [value; 3]);
        }
    }

    #[test]
    fn colours_are_mixed_by_their_opacity() {
        for (under, over, expected) in [
            ([10, 20, 30, 255], [200, 100, 0, 255], [200, 100, 0, 255]),
            ([10, 20, 30, 255], [200, 100, 0, 0], [10, 20, 30, 255]),
            ([0, 100, 200, 255], [255, 100, 0, 51], [51, 100, 160, 255]),
            ([9, 9, 9, 0], [200, 100, 0, 128], [200, 100, 0, 128]),
            ([0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]),
        ] {
            assert_eq!(mixed(under, over), expected);
        }
        let samples = [[0; 4], [200, 100, 0, 255]].map(|half| [u32::from_le_bytes(half); 8]);
        assert_eq!(mean(&samples), [200, 100, 0, 128]);
    }
}
