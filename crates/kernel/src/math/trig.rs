//! Sine and cosine with one answer on every machine (`numerics.md` §2).
//!
//! The standard library calls the trigonometry of the platform, which differs in last bits, and one published golden
//! depends on such a bit. The crate `libm` computes the same doubles everywhere.

/// Sine of an angle in radians.
pub fn sin(radians: f64) -> f64 {
    libm::sin(radians)
}

/// Cosine of an angle in radians.
pub fn cos(radians: f64) -> f64 {
    libm::cos(radians)
}

/// Tangent of an angle in radians.
pub fn tan(radians: f64) -> f64 {
    libm::tan(radians)
}

/// Angle in radians, from −π to π, of the point (`x`, `y`); signed zeros count.
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// Angle in radians, from 0 to π, of a cosine from −1 to 1.
pub fn acos(cosine: f64) -> f64 {
    libm::acos(cosine)
}

/// Degrees to radians with one multiplication (`numerics.md` §4.3).
pub fn radians(degrees: f64) -> f64 {
    degrees * (std::f64::consts::PI / 180.0)
}

/// Radians to degrees with one multiplication (`extensions.md` §0.1).
pub fn degrees(radians: f64) -> f64 {
    radians * 57.295_779_513_082_32
}

/// Number of steps in a full turn of the tessellation profile.
pub const TURN: usize = 32;

/// Sine and cosine of the profile angle `k·π/16`, `k` in `0..=32` (`numerics.md` §2.2). The constants are
/// embedded so that neither a platform nor a later `libm` can change a vertex; they are not symmetric.
pub const fn profile(k: usize) -> (f64, f64) {
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
    fn angles_beyond_the_profile_are_pinned_too() {
        #[rustfmt::skip]
        let pinned: &[(f64, u64, u64)] = &[
            (1e-300, 0x01a5_6e1f_c2f8_f359, 0x3ff0_0000_0000_0000),
            (5e-324, 0x0000_0000_0000_0001, 0x3ff0_0000_0000_0000),
            (1e-9, 0x3e11_2e0b_e826_d695, 0x3ff0_0000_0000_0000),
            (0.0001, 0x3f1a_36e2_ea60_9cc8, 0x3fef_ffff_fd50_ce24),
            (0.1, 0x3fb9_8eae_cb8b_cb2c, 0x3fef_d712_f9a8_17c1),
            (0.3, 0x3fd2_e9cd_95ba_ba33, 0x3fee_921d_d42f_09ba),
            (0.5, 0x3fde_aee8_744b_05f0, 0x3fec_1528_065b_7d50),
            (0.7, 0x3fe4_9d6e_6946_19b8, 0x3fe8_7996_529f_9d93),
            (0.785, 0x3fe6_9e4f_d79a_c743, 0x3fe6_a2ec_b934_b59a),
            (0.9, 0x3fe9_1103_985d_a841, 0x3fe3_e43a_9692_e21c),
            (1.0, 0x3fea_ed54_8f09_0cee, 0x3fe1_4a28_0fb5_068c),
            (1.1, 0x3fec_84c5_4c2d_6338, 0x3fdd_07b8_06c7_6111),
            (1.3, 0x3fee_d577_f9c5_1e4b, 0x3fd1_1eb3_682a_4c5f),
            (1.5, 0x3fef_eb7a_9b2c_6d8b, 0x3fb2_1bd5_4fc5_f9a7),
            (1.57, 0x3fef_ffff_55c6_7bb1, 0x3f4a_1812_96fa_dbfb),
            (1.6, 0x3fef_fc81_c7e0_42c5, 0xbf9d_e67a_c55f_1633),
            (2.0, 0x3fed_18f6_ead1_b446, 0xbfda_a226_5753_7205),
            (2.2, 0x3fe9_df33_d9aa_d708, 0xbfe2_d500_4b88_ad70),
            (2.5, 0x3fe3_26af_0dcf_cab0, 0xbfe9_a2f7_ef85_8b7d),
            (-2.6, 0xbfe0_7efc_bba0_85bb, 0xbfeb_6ba1_f680_f470),
            (2.8, 0x3fd5_7072_235d_e5c8, 0xbfee_26af_7757_704a),
            (3.0, 0x3fc2_1038_6db6_d55b, 0xbfef_ae04_be85_e5d2),
            (3.3, 0xbfc4_3102_cab7_0c87, 0xbfef_996f_2ca7_0bb6),
            (-3.7, 0x3fe0_f46a_ec2e_1b41, 0xbfeb_23a2_ad7d_d937),
            (4.0, 0xbfe8_37b9_dddc_1eae, 0xbfe4_eaa6_06db_24c1),
            (4.4, 0xbfee_7386_3145_28f0, 0xbfd3_ab57_7c62_c2aa),
            (4.9, 0xbfef_7040_7622_eba4, 0x3fc7_dfa3_277c_1664),
            (5.2, 0xbfec_4542_b2ba_24d7, 0x3fdd_fc2d_5937_6aee),
            (5.7, 0xbfe1_9f37_497a_c7a0, 0x3fea_b5f7_960d_fe2a),
            (6.2, 0xbfb5_4558_dbbe_cd1d, 0x3fef_e3ac_4079_a9ce),
            (6.3, 0x3f91_37a9_c2cb_3e7e, 0x3fef_fed7_89fc_7a41),
            (7.5, 0x3fee_0418_86fc_ae30, 0x3fd6_2f45_e66f_5c2f),
            (10.0, 0xbfe1_689e_f5f3_4f52, 0xbfea_d9ac_890c_6b1f),
            (-31.4, 0x3f90_4ede_8c1c_b30c, 0x3fef_fef6_0790_cc74),
            (100.0, 0xbfe0_3425_b78c_4db8, 0x3feb_981d_bf66_5fdf),
            (1234.5, 0x3fc2_9c53_1dfd_031b, 0xbfef_a8f2_ceb7_8372),
            (1000000.0, 0xbfd6_664b_2568_d867, 0x3fed_f9df_9906_d32c),
            (1000000000000000.0, 0x3feb_76f8_8136_ceba, 0xbfe0_6c15_4609_d33e),
            (1e22, 0xbfeb_453a_b76b_f397, 0x3fe0_be2c_ef01_c8f4),
            (1e300, 0xbfea_2c16_b010_e385, 0xbfe2_6990_22ad_c4c1),
        ];
        for (angle, s, c) in pinned {
            assert_eq!(
                (sin(*angle).to_bits(), cos(*angle).to_bits()),
                (*s, *c),
                "{angle}"
            );
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
