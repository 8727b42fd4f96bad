//! Colours as bytes of a display.

/// Returns red, green and blue in sRGB and the opacity, of a linear colour; components beyond 0 to 1 are brought there.
pub(super) fn bytes([red, green, blue, opacity]: [f32; 4]) -> [u8; 4] {
    let [red, green, blue] = [red, green, blue].map(|linear| byte(srgb(unit(linear))));
    [red, green, blue, byte(unit(opacity))]
}

fn unit(value: f32) -> f64 {
    f64::from(value).clamp(0.0, 1.0)
}

fn byte(value: f64) -> u8 {
    (value * 255.0 + 0.5) as u8
}

/// Returns the sRGB value of linear light from 0 to 1.
fn srgb(linear: f64) -> f64 {
    match linear <= 0.003_130_8 {
        true => 12.92 * linear,
        // The power function of `libm` gives one answer everywhere.
        false => 1.055 * libm::pow(linear, 1.0 / 2.4) - 0.055,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_colors() {
        assert_eq!(bytes([0.0, 0.5, 1.0, 0.5]), [0, 188, 255, 128]);
        assert_eq!(bytes([-1.0, 7.0, 0.214_041_14, 2.0]), [0, 255, 128, 255]);
    }
}
