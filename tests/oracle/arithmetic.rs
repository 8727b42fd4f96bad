//! Plain f64 arithmetic with a written order: sums start from +0.0 and run left to right (§1.1).
//! Nothing here is fused, reassociated or skipped because a factor is zero or one.

pub type Vec3 = [f64; 3];
pub type Matrix<const N: usize> = [[f64; N]; N];

/// §1.1: `s = +0.0; s = s + (a[i] * b[i])` for each i in order.
pub fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    let mut sum = 0.0;
    for (x, y) in a.iter().zip(b) {
        sum += x * y;
    }
    sum
}

/// §1.1: element (r, c) is the dot of row r of `a` and column c of `b`.
pub fn matrix_product<const N: usize>(a: &Matrix<N>, b: &Matrix<N>) -> Matrix<N> {
    let column = |c: usize| std::array::from_fn(|r| b[r][c]);
    std::array::from_fn(|r| std::array::from_fn(|c| dot(&a[r], &column(c))))
}

/// §1.1: element r is the dot of row r and the vector.
pub fn matrix_vector<const N: usize>(m: &Matrix<N>, v: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|r| dot(&m[r], v))
}

pub fn add<const N: usize>(a: &[f64; N], b: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|i| a[i] + b[i])
}

pub fn subtract<const N: usize>(a: &[f64; N], b: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|i| a[i] - b[i])
}

pub fn scale<const N: usize>(a: &[f64; N], factor: f64) -> [f64; N] {
    std::array::from_fn(|i| a[i] * factor)
}

pub fn divide<const N: usize>(a: &[f64; N], divisor: f64) -> [f64; N] {
    std::array::from_fn(|i| a[i] / divisor)
}

/// Exact negation: the sign bit flips, so 0.0 becomes -0.0.
pub fn negate<const N: usize>(a: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|i| -a[i])
}
