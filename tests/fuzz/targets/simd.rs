//! Vertices, influences and joint poses out of any bytes: every instruction set, however the work is cut, must give the
//! bits of the scalar path.

#![no_main]

use fuzz::{lanes, seeds};
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: seeds::write(seeds::numbers), |bytes: &[u8]| lanes::evaluate(bytes));
