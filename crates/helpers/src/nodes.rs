//! The matrix of a helper as that of two nodes, one below the other, so that engines interpolate translations, rotations and scales and
//! not matrices.

use rigy_kernel::math::{
    Affine, Matrix3, Quat, Vec3, affine, cross, dot, length, linear_part, matrix_product,
    rotation_of, translation_part, transpose,
};

/// The properties of both nodes at one moment, in single precision: of the upper one translation, rotation (as x, y, z, w) and scale, of
/// the lower one the rotation.
pub type Nodes = [f64; 14];

const ONE: Matrix3 = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The bind matrix of the lower node, if the vertices of the helper are near `centre`. It stretches space so that the three factors of
/// the upper node's scale are far apart and their axes move steadily with the helper.
pub fn bind(centre: Vec3) -> Affine {
    let [x, y, z] = ONE;
    affine(
        &[x, y.map(|e| 4.0 * e), z.map(|e| 16.0 * e)],
        centre.map(single),
    )
}

/// The nodes that have this matrix, in the space above the upper one.
pub fn split(matrix: &Affine) -> Nodes {
    let (columns, turned) = orthogonal(&linear_part(matrix));
    let lengths = columns.map(length);
    let mut axes = ONE;
    let mut short = 0;
    for axis in 0..3 {
        if lengths[axis] > 0.0 {
            axes[axis] = columns[axis].map(|part| part / lengths[axis]);
        }
        if lengths[axis] < lengths[short] {
            short = axis;
        }
    }
    axes[short] = cross(axes[(short + 1) % 3], axes[(short + 2) % 3]);
    let a = Quat::of_rotation(&transpose(&axes));
    let b = Quat::of_rotation(&turned);
    let [x, y, z] = translation_part(matrix);
    let [u, v, w] = [0, 1, 2].map(|axis| dot(axes[axis], columns[axis]));
    [x, y, z, a.x, a.y, a.z, a.w, u, v, w, b.x, b.y, b.z, b.w].map(single)
}

/// The matrix of the lower node, in the space above the upper one.
pub fn joined(nodes: &Nodes) -> Affine {
    let [x, y, z, .., u, v, w, _, _, _, _] = *nodes;
    let [upper, lower] = [3, 10].map(|at| rotation_of(rotation(nodes, at)));
    let scaled = upper.map(|[a, b, c]| [a * u, b * v, c * w]);
    affine(&matrix_product(&scaled, &lower), [x, y, z])
}

/// The rotation whose x is at an index.
pub fn rotation(nodes: &Nodes, at: usize) -> Quat {
    let [x, y, z, w] = [0, 1, 2, 3].map(|part| nodes[at + part]);
    Quat { w, x, y, z }.normalised()
}

/// Times that two columns are turned; a few for each pair are enough.
const TURNS: usize = 60;

/// Columns count as orthogonal from this cosine on.
const ORTHOGONAL: f64 = 1e-15;

/// Turns the columns of a matrix, two at a time and by 45 degrees at most, until they are orthogonal (the method of Hestenes). Returns
/// the columns, and the columns of the rotation R for which they are the columns of the matrix times R.
fn orthogonal(matrix: &Matrix3) -> (Matrix3, Matrix3) {
    let (mut columns, mut turned) = (transpose(matrix), ONE);
    for turn in 0..TURNS {
        let (a, b) = [(0, 1), (0, 2), (1, 2)][turn % 3];
        let [first, second] = [a, b].map(|at| dot(columns[at], columns[at]));
        let product = dot(columns[a], columns[b]);
        if product.abs() <= ORTHOGONAL * (first.sqrt() * second.sqrt()) {
            continue;
        }
        let ratio = (second - first) / (2.0 * product);
        let tangent = 1.0_f64.copysign(ratio) / (ratio.abs() + (1.0 + ratio * ratio).sqrt());
        let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
        for rows in [&mut columns, &mut turned] {
            let (left, right) = (rows[a], rows[b]);
            rows[a] = [0, 1, 2].map(|at| cosine * (left[at] - tangent * right[at]));
            rows[b] = [0, 1, 2].map(|at| cosine * (tangent * left[at] + right[at]));
        }
    }
    (columns, turned)
}

fn single(number: f64) -> f64 {
    f64::from(number as f32)
}

#[cfg(test)]
mod tests;
