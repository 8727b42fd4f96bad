//! Number text: the program's against the oracle's, and against the round trip.

use proptest::prelude::*;
use rigy_batch::glb::number::write_repr;

use crate::oracle;

fn agree(value: f64) {
    let mut text = Vec::new();
    write_repr(&mut text, value).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(text, oracle::json::real(value), "{:016x}", value.to_bits());
    assert_eq!(text.parse::<f64>().unwrap().to_bits(), value.to_bits());
}

#[test]
fn powers_of_two_and_ten_and_their_neighbours() {
    for exponent in -1074..1024 {
        let power = 2f64.powi(exponent);
        if power > 0.0 {
            for value in [power.next_down(), power, power.next_up()] {
                agree(value);
            }
        }
    }
    for exponent in -323..309 {
        let power: f64 = format!("1e{exponent}").parse().unwrap();
        for value in [power.next_down(), power, power.next_up(), -power] {
            agree(value);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(20_000) })]

    #[test]
    fn any_double(bits: u64) {
        let value = f64::from_bits(bits);
        prop_assume!(value.is_finite());
        agree(value);
    }

    #[test]
    fn any_widened_single(value in -4.0..4.0f32) {
        agree(f64::from(value));
    }
}
