//! Bits of placements, as they were when this was written.

use sha2::{Digest, Sha256};

use super::frames::{SORTS, pairs};
use super::{Bits, MODES, Points, attach, bits};

/// Frames in no special position, with the placements that they had when this was written. The digest says the
/// same of thousands.
#[rustfmt::skip] // a row of the matrix stays a line
const PINNED: [(Points, Points, [Bits; 3]); 2] = [
    (
        [[0.31, -1.27, 2.05], [1.13, 0.44, -0.68], [-2.9, 1.61, 0.07]],
        [[-7.3, 4.1, 0.9], [-5.2, 6.7, 3.3], [-9.8, 3.9, 5.6]],
        [
            [
                [0x3fec_4b29_8e51_9fde, 0x3fdd_98a3_603c_1dcd, 0xbfb0_f27e_47fc_8fd8, 0xc01b_6782_6ff8_6bdc],
                [0x3fb9_0fad_60b6_1f2c, 0xbfd4_9b46_a693_b45d, 0xbfee_222e_5eb1_fa18, 0x4016_5d5b_a274_8538],
                [0xbfdd_3bef_9839_4f92, 0x3fea_6f98_d0c3_1955, 0xbfd5_1dfc_733c_fcc6, 0x4006_2332_d045_3b94],
            ],
            [
                [0x3ff1_93e5_f6b0_6c2f, 0x3fe2_6312_f367_5f39, 0xbfb5_0ead_9cec_d961, 0xc01a_f806_21f8_b744],
                [0x3fbf_23a0_9481_c625, 0xbfd9_9aa6_fe9a_22e8, 0xbff2_b886_300c_c352, 0x4017_cfae_37db_7017],
                [0xbfe2_297b_4eb3_e471, 0x3ff0_6c72_a304_584d, 0xbfda_3d10_0dbf_edaa, 0x4009_c29b_43b2_d7a2],
            ],
            [
                [0x3ff1_98ca_e0ba_bc97, 0x3fe2_5cd3_80d6_4dec, 0xbfb4_571d_191e_be70, 0xc01a_ff46_5ff5_81aa],
                [0x3fbe_eaad_36db_0cac, 0xbfd9_cca6_ac4a_0817, 0xbff2_b29d_a58d_cf74, 0x4017_c8f5_af6c_dc4b],
                [0xbfe2_3a9c_d600_8170, 0x3ff0_6bbf_e34a_e514, 0xbfda_126e_7056_78d5, 0x4009_b891_0605_c17f],
            ],
        ],
    ),
    (
        [
            [1203.7, -88.1, 40.3],
            [1203.9, -87.4, 39.9],
            [1204.6, -88.3, 41.7],
        ],
        [
            [0.017, 0.23, -0.41],
            [0.29, 0.11, -0.13],
            [-0.071, 0.37, 0.19],
        ],
        [
            [
                [0xbfe1_f33d_a69c_269a, 0x3fe6_4c12_eac4_fc3d, 0xbfdc_9c13_2adc_5199, 0x4087_9501_03f9_2ffe],
                [0xbfd8_13ad_0173_705e, 0x3fd1_0d9c_3c68_ab41, 0x3fec_658f_5438_094a, 0x407b_8c69_2807_658c],
                [0x3fe7_9919_d920_285a, 0x3fe5_4f77_80be_894f, 0x3fbc_d7a2_c968_f516, 0xc08a_0f7c_1964_4388],
            ],
            [
                [0xbfcb_fbb3_9004_8f2a, 0x3fd1_6145_3273_022a, 0xbfc6_4ce4_dd3c_0199, 0x4072_61d3_c9cb_3ea6],
                [0xbfc2_c465_ed95_7815, 0x3fba_95b8_ab9a_c07b, 0x3fd6_2266_b63a_de10, 0x4065_7da1_b280_252b],
                [0x3fd2_64da_d3d4_80c6, 0x3fd0_9c5e_e93b_7845, 0x3fa6_7b51_eba8_a4ad, 0xc074_5439_212a_9233],
            ],
            [
                [0xbfc5_e59e_95df_5972, 0x3fd4_b502_bbf4_e193, 0xbfc9_d56e_aed9_2ab6, 0x406e_524e_27e1_5b6a],
                [0xbfc2_0361_02d7_bd05, 0x3fac_dade_f960_2dd2, 0x3fd5_023b_b90a_4cd0, 0x4064_2b89_ed90_2c10],
                [0x3fd1_e698_f9ca_24fb, 0x3fd4_2846_fb01_8b29, 0xbf82_6083_14a0_a5ea, 0xc073_4f99_3cf8_3382],
            ],
        ],
    ),
];

const DIGEST: &str = "cc8602e26b41c5f473bfc1c29c7a966a25d4e8f2715ab349a7acc9ced5426fcc";

#[test]
fn placements_keep_their_bits() {
    for (from, to, pinned) in PINNED {
        for (mode, pinned) in MODES.into_iter().zip(pinned) {
            let got = bits(attach(mode, from, to));
            assert_eq!(got, pinned, "{mode:?} {from:?}: {got:#018x?}");
        }
    }
    let mut digest = Sha256::new();
    for (from, to) in SORTS.into_iter().flat_map(|sort| pairs(sort, 1_000)) {
        for mode in MODES {
            for element in attach(mode, from, to).as_flattened() {
                digest.update(element.to_le_bytes());
            }
        }
    }
    let digest: String = digest
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(digest, DIGEST);
}
