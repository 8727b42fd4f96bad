//! Weights by least squares: at most four, none negative, with the sum 1.

use super::cholesky::Cholesky;

/// Influences that a vertex has after a fit.
pub const SLOTS: usize = 4;

/// Joints, and from the number of joints on helpers, with weights.
pub type Slots = [(u16, f32); SLOTS];

/// Least share that counts.
const LEAST: f64 = 1e-9;

/// The first four of some weights in single precision, with the sum 1.
pub fn single(weights: &[(u16, f64)]) -> Slots {
    let sum: f64 = weights.iter().take(SLOTS).map(|(_, weight)| weight).sum();
    let mut slots = Slots::default();
    for (slot, (column, weight)) in slots
        .iter_mut()
        .zip(weights)
        .filter(|(_, (_, weight))| *weight > 0.0)
    {
        *slot = (*column, (weight / sum) as f32);
    }
    let rest: f64 = wide(&slots).skip(1).map(|(_, weight)| weight).sum();
    slots[0].1 = (1.0 - rest) as f32;
    slots
}

/// The slots of positive weight, with the weight in double precision.
pub fn wide(slots: &Slots) -> impl Iterator<Item = (u16, f64)> {
    let positive = slots.iter().filter(|(_, weight)| *weight > 0.0);
    positive.map(|(column, weight)| (*column, f64::from(*weight)))
}

/// The places and weights of columns for which their weighted sum is least: negative ones are taken out one after the other, then the
/// smallest until four are left.
pub fn least(columns: &[Vec<[f64; 12]>]) -> Slots {
    let gram: Vec<Vec<f64>> = columns
        .iter()
        .map(|a| columns.iter().map(|b| product(a, b)).collect())
        .collect();
    let trace: f64 = (0..columns.len()).map(|i| gram[i][i]).sum();
    let mut active: Vec<usize> = (0..columns.len()).collect();
    loop {
        let count = active.len();
        let mut matrix: Vec<f64> = active
            .iter()
            .flat_map(|i| active.iter().map(|j| gram[*i][*j]))
            .collect();
        matrix
            .iter_mut()
            .step_by(count + 1)
            .for_each(|square| *square += LEAST * trace + 1e-200);
        let mut shares = vec![[1.0]; count];
        Cholesky::new(matrix, count).solve(&mut shares);
        let sum: f64 = shares.iter().flatten().sum();
        let mut found: Vec<(u16, f64)> = active
            .iter()
            .zip(&shares)
            .map(|(i, [share])| (*i as u16, share / sum))
            .collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        let is_over = found.get(SLOTS).is_some_and(|(_, weight)| *weight > LEAST);
        match found.last() {
            Some((last, weight)) if count > 1 && (is_over || *weight < -LEAST) => {
                active.retain(|i| *i != usize::from(*last))
            }
            _ => return single(&found),
        }
    }
}

/// The sum of products.
fn product(a: &[[f64; 12]], b: &[[f64; 12]]) -> f64 {
    let mut sums = [0.0; 12];
    for (a, b) in a.iter().zip(b) {
        (0..12).for_each(|lane| sums[lane] += a[lane] * b[lane]);
    }
    sums.iter().sum()
}
