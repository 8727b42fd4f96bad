use super::*;
use rigy_kernel::math::{affine_inverse, affine_product, trig};
use rigy_kernel::random::Random;

/// A rotation about some axis that grows with `time`.
fn turn(axis: Vec3, time: f64) -> Matrix3 {
    let [x, y, z] = axis;
    rotation_of(
        Quat {
            w: 1.0,
            x: time * x,
            y: time * y,
            z: time * z,
        }
        .normalised(),
    )
}

fn diagonal([x, y, z]: Vec3) -> Matrix3 {
    [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]]
}

/// The largest difference of matrices at all of bind space's points up to 2 away from its origin, nearly.
fn difference(a: &Affine, b: &Affine) -> f64 {
    let pairs = a.as_flattened().iter().zip(b.as_flattened());
    pairs.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()))
}

/// Checks that a path of matrices comes out of single precision nearly as it was, and returns the largest angle in degrees by which
/// the lower node turns in a step.
fn check(path: &[Affine], within: f64) -> f64 {
    let bind = bind([0.3, -0.2, 0.5]);
    let of = |matrix| split(&affine_product(matrix, &bind));
    let nodes: Vec<Nodes> = path.iter().map(of).collect();
    for (nodes, matrix) in nodes.iter().zip(path) {
        let found = affine_product(&joined(nodes), &affine_inverse(&bind));
        assert!(difference(&found, matrix) <= within, "{found:?} {matrix:?}");
    }
    let step = |pair: &[Nodes]| rotation(&pair[0], 10).dot(rotation(&pair[1], 10));
    let angle = |cosine: f64| trig::acos(cosine.abs().min(1.0));
    2.0 * nodes
        .windows(2)
        .map(step)
        .map(angle)
        .fold(0.0, f64::max)
        .to_degrees()
}

fn path(linear: impl Fn(f64) -> Matrix3) -> Vec<Affine> {
    let times = (0..=60).map(|step| f64::from(step) / 30.0);
    times
        .map(|time| affine(&linear(time), [time, -0.1, 3.0]))
        .collect()
}

#[test]
fn equal_stretches_leave_the_lower_node_still() {
    let rigid = path(|time| turn([0.2, 1.0, -0.4], time));
    assert!(check(&rigid, 1e-6) < 0.01);
    let grown = path(|time| turn([0.2, 1.0, -0.4], time).map(|row| row.map(|e| e * (77.0 + time))));
    assert!(check(&grown, 1e-4) < 0.01);
}

#[test]
fn stretches_that_cross_move_it_steadily() {
    let crossing = path(|time| {
        let stretched = matrix_product(
            &diagonal([1.0 + 0.5 * time, 2.0 - 0.5 * time, 1.2]),
            &turn([1.0, 0.5, 0.0], 0.3 * time),
        );
        matrix_product(&turn([0.0, 0.3, 1.0], time), &stretched)
    });
    assert!(check(&crossing, 2e-6) < 5.0);
}

#[test]
fn mirrors_and_flat_matrices_come_out() {
    let mirrored =
        path(|time| matrix_product(&turn([0.2, 1.0, -0.4], time), &diagonal([1.0, -1.2, 0.9])));
    assert!(check(&mirrored, 2e-6) < 5.0);
    check(
        &path(|time| matrix_product(&turn([1.0, 0.1, 0.0], time), &diagonal([time, 1.0, 1.0]))),
        1e-5,
    );
    check(&path(|_| [[0.0; 3]; 3]), 1e-7);
}

#[test]
fn any_matrices_come_out() {
    let mut random = Random::new(7);
    for _ in 0..200 {
        let mut number = || 2.0 * random.unit() - 1.0;
        let path: Vec<Affine> = (0..4)
            .map(|_| std::array::from_fn(|_| std::array::from_fn(|_| number())))
            .collect();
        check(&path, 3e-5);
    }
}
