//! Linear light to sRGB values and back, by tables.

use std::sync::LazyLock;

use rigy_models::mesh::srgb;

/// Number of steps of linear light for which sRGB values are tabulated.
const STEPS: usize = 4096;

/// Returns the sRGB values of a linear colour from 0 to 1.
pub(super) fn encoded(color: [f64; 3]) -> [u8; 3] {
    static TABLE: LazyLock<[u8; STEPS]> = LazyLock::new(|| {
        std::array::from_fn(|step| {
            let linear = step as f64 / (STEPS - 1) as f64;
            (srgb(linear) * 255.0 + 0.5) as u8
        })
    });
    let table = &*TABLE;
    color.map(|component| {
        let step = component.clamp(0.0, 1.0) * (STEPS - 1) as f64;
        table[(step + 0.5) as usize]
    })
}

/// The linear light of an sRGB value.
pub(super) fn linear(value: u8) -> f64 {
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
}
