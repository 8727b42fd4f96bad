//! Systems of linear equations with a symmetric positive matrix.

/// The lower factor of a matrix, row after row.
pub struct Cholesky(pub Vec<Vec<f64>>);

impl Cholesky {
    /// Factors a matrix, of which the lower half is read.
    pub fn new(matrix: Vec<f64>, size: usize) -> Self {
        let mut rows: Vec<Vec<f64>> = Vec::with_capacity(size);
        for (i, row) in matrix.chunks(size.max(1)).enumerate() {
            let mut row = row[..=i].to_vec();
            for j in 0..=i {
                let known = rows.get(j).unwrap_or(&row);
                let sum: f64 = row[..j].iter().zip(known).map(|(a, b)| a * b).sum();
                let rest = row[j] - sum;
                row[j] = if j < i { rest / known[j] } else { rest.sqrt() };
            }
            rows.push(row);
        }
        Self(rows)
    }

    /// Solves for some right sides, which it replaces.
    pub fn solve<const N: usize>(&self, sides: &mut [[f64; N]]) {
        for (i, row) in self.0.iter().enumerate() {
            for j in 0..i {
                (0..N).for_each(|side| sides[i][side] -= row[j] * sides[j][side]);
            }
            sides[i] = sides[i].map(|value| value / row[i]);
        }
        for (i, row) in self.0.iter().enumerate().rev() {
            sides[i] = sides[i].map(|value| value / row[i]);
            for j in 0..i {
                (0..N).for_each(|side| sides[j][side] -= row[j] * sides[i][side]);
            }
        }
    }
}
