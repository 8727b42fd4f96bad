//! Calculations against the same mathematics in 192 bits.

mod attach;
mod exact;
mod posed;

use rigy_batch::kernel::random::Random;

/// Draws `N` numbers in `[-size, size)`.
fn numbers<const N: usize>(random: &mut Random, size: f64) -> [f64; N] {
    std::array::from_fn(|_| (2.0 * random.unit() - 1.0) * size)
}
