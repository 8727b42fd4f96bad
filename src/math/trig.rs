//! Sine and cosine with one answer on every machine (`numerics.md` §2).
//!
//! The standard library's trigonometry calls whatever the platform offers; one published golden hangs on a
//! single last bit of it. The `libm` crate computes the same doubles everywhere.

/// Sine of an angle in radians.
pub fn sin(radians: f64) -> f64 {
    libm::sin(radians)
}

/// Cosine of an angle in radians.
pub fn cos(radians: f64) -> f64 {
    libm::cos(radians)
}

/// Degrees to radians with one multiplication (`numerics.md` §4.3).
pub fn radians(degrees: f64) -> f64 {
    degrees * (std::f64::consts::PI / 180.0)
}

/// Number of steps in a full turn of the tessellation profile.
pub const TURN: usize = 32;

/// Sine and cosine of the profile angle `k·π/16`, `k` in `0..=32` (`numerics.md` §2.2). The constants are
/// embedded so that neither a platform nor a later `libm` can move a vertex; they are not symmetric.
pub fn profile(k: usize) -> (f64, f64) {
    let (sin, cos) = PROFILE[k];
    (f64::from_bits(sin), f64::from_bits(cos))
}

/// Bit patterns of (sine, cosine) for `k` = 0 to 32.
const PROFILE: [(u64, u64); TURN + 1] = [
    (0x0000_0000_0000_0000, 0x3ff0_0000_0000_0000),
    (0x3fc8_f8b8_3c69_a60a, 0x3fef_6297_cff7_5cb0),
    (0x3fd8_7de2_a6ae_a963, 0x3fed_906b_cf32_8d46),
    (0x3fe1_c73b_39ae_68c8, 0x3fea_9b66_290e_a1a3),
    (0x3fe6_a09e_667f_3bcc, 0x3fe6_a09e_667f_3bcd),
    (0x3fea_9b66_290e_a1a3, 0x3fe1_c73b_39ae_68c9),
    (0x3fed_906b_cf32_8d46, 0x3fd8_7de2_a6ae_a964),
    (0x3fef_6297_cff7_5cb0, 0x3fc8_f8b8_3c69_a60d),
    (0x3ff0_0000_0000_0000, 0x3c91_a626_3314_5c07),
    (0x3fef_6297_cff7_5cb0, 0xbfc8_f8b8_3c69_a608),
    (0x3fed_906b_cf32_8d46, 0xbfd8_7de2_a6ae_a962),
    (0x3fea_9b66_290e_a1a4, 0xbfe1_c73b_39ae_68c6),
    (0x3fe6_a09e_667f_3bcd, 0xbfe6_a09e_667f_3bcc),
    (0x3fe1_c73b_39ae_68c8, 0xbfea_9b66_290e_a1a4),
    (0x3fd8_7de2_a6ae_a965, 0xbfed_906b_cf32_8d46),
    (0x3fc8_f8b8_3c69_a617, 0xbfef_6297_cff7_5cb0),
    (0x3ca1_a626_3314_5c07, 0xbff0_0000_0000_0000),
    (0xbfc8_f8b8_3c69_a60e, 0xbfef_6297_cff7_5cb0),
    (0xbfd8_7de2_a6ae_a961, 0xbfed_906b_cf32_8d47),
    (0xbfe1_c73b_39ae_68c6, 0xbfea_9b66_290e_a1a5),
    (0xbfe6_a09e_667f_3bcc, 0xbfe6_a09e_667f_3bce),
    (0xbfea_9b66_290e_a1a3, 0xbfe1_c73b_39ae_68c8),
    (0xbfed_906b_cf32_8d44, 0xbfd8_7de2_a6ae_a96d),
    (0xbfef_6297_cff7_5caf, 0xbfc8_f8b8_3c69_a619),
    (0xbff0_0000_0000_0000, 0xbcaa_7939_4c9e_8a0a),
    (0xbfef_6297_cff7_5cb0, 0x3fc8_f8b8_3c69_a60c),
    (0xbfed_906b_cf32_8d45, 0x3fd8_7de2_a6ae_a967),
    (0xbfea_9b66_290e_a1a5, 0x3fe1_c73b_39ae_68c5),
    (0xbfe6_a09e_667f_3bce, 0x3fe6_a09e_667f_3bcb),
    (0xbfe1_c73b_39ae_68c8, 0x3fea_9b66_290e_a1a3),
    (0xbfd8_7de2_a6ae_a96e, 0x3fed_906b_cf32_8d44),
    (0xbfc8_f8b8_3c69_a61b, 0x3fef_6297_cff7_5caf),
    (0xbcb1_a626_3314_5c07, 0x3ff0_0000_0000_0000),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_profile_is_what_libm_computes() {
        for k in 0..=TURN {
            let angle = (2.0 * std::f64::consts::PI * k as f64) / 32.0;
            let (s, c) = profile(k);
            assert_eq!(sin(angle).to_bits(), s.to_bits(), "sin {k}");
            assert_eq!(cos(angle).to_bits(), c.to_bits(), "cos {k}");
        }
    }

    #[test]
    fn degrees_use_the_rounded_constant() {
        assert_eq!(
            (std::f64::consts::PI / 180.0).to_bits(),
            0x3f91_df46_a252_9d39
        );
        assert_eq!(radians(90.0).to_bits(), 0x3ff9_21fb_5444_2d18);
        assert_eq!(radians(37.5).to_bits(), 0x3fe4_f1a6_c638_d03f);
    }
}
