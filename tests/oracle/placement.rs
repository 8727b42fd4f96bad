//! Where the children of a scene stand (`extensions.md` 12.2).

use super::arithmetic::{Matrix, Vec3, divide, matrix_product, matrix_vector, subtract};

pub struct Frame {
    pub origin: Vec3,
    /// Columns X, Y and Z.
    pub axes: Matrix<3>,
}

pub fn frame([p1, p2, p3]: [Vec3; 3]) -> Frame {
    let d = subtract(&p2, &p1);
    let x = divide(&d, norm(d));
    let c = cross(x, subtract(&p3, &p1));
    let z = divide(&c, norm(c));
    let y = cross(z, x);
    Frame {
        origin: p1,
        axes: std::array::from_fn(|row| [x[row], y[row], z[row]]),
    }
}

fn norm([x, y, z]: Vec3) -> f64 {
    ((x * x + y * y) + z * z).sqrt()
}

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// About the slot's Y, in degrees.
pub fn quarter_turns(rotate: &str) -> Matrix<3> {
    match rotate {
        "0deg" => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        "90deg" => [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]],
        "180deg" => [[-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]],
        "270deg" => [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
        other => panic!("no rotation {other}"),
    }
}

/// The matrix of a child, row after row. `nudge` is east, up and north in metres.
pub fn place(slot: &Frame, mount: &Frame, rotate: &str, nudge: Vec3) -> Matrix<4> {
    let turned = matrix_product(&slot.axes, &quarter_turns(rotate));
    let r = matrix_product(&turned, &inverse(mount.axes));
    let moved = matrix_vector(&r, &mount.origin);
    let [east, up, north] = nudge;
    let t: Vec3 = std::array::from_fn(|i| {
        let [x, y, z] = slot.axes[i];
        (slot.origin[i] + ((east * x + up * y) + north * z)) - moved[i]
    });
    let row = |i: usize| [r[i][0], r[i][1], r[i][2], t[i]];
    [row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]]
}

/// The inverse by LU with partial pivoting and reciprocals.
fn inverse(mut a: Matrix<3>) -> Matrix<3> {
    let mut unit = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut pivot = 0;
    for row in 1..3 {
        if a[row][0].abs() > a[pivot][0].abs() {
            pivot = row;
        }
    }
    a.swap(0, pivot);
    unit.swap(0, pivot);
    let reciprocal = 1.0 / a[0][0];
    for row in 1..3 {
        a[row][0] *= reciprocal;
        a[row][1] -= a[row][0] * a[0][1];
    }
    if a[2][1].abs() > a[1][1].abs() {
        a.swap(1, 2);
        unit.swap(1, 2);
    }
    a[2][1] *= 1.0 / a[1][1];
    a[1][2] -= a[1][0] * a[0][2];
    a[2][2] -= a[2][0] * a[0][2] + a[2][1] * a[1][2];
    let columns = [0, 1, 2].map(|c| solved(&a, [unit[0][c], unit[1][c], unit[2][c]]));
    std::array::from_fn(|row| std::array::from_fn(|c| columns[c][row]))
}

/// Forwards through L, then backwards through U.
fn solved(lu: &Matrix<3>, [b0, b1, b2]: Vec3) -> Vec3 {
    let b1 = (-lu[1][0] * b0) + b1;
    let b2 = (-lu[2][1] * b1) + ((-lu[2][0] * b0) + b2);
    let b2 = b2 * (1.0 / lu[2][2]);
    let b1 = (b1 - lu[1][2] * b2) * (1.0 / lu[1][1]);
    let b0 = ((b0 - lu[0][2] * b2) - lu[0][1] * b1) * (1.0 / lu[0][0]);
    [b0, b1, b2]
}
