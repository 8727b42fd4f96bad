//! UV sets (`extensions.md` 5): one pair for each vertex, from the transformed positions at rest.

use super::arithmetic::Vec3;
use super::tessellate::{profile_cos, profile_sin};

/// The pairs of one primitive.
pub fn coordinates(generator: &str, positions: &[Vec3]) -> Vec<[f64; 2]> {
    let each = |(index, position): (usize, &Vec3)| pair(generator, index, *position);
    positions.iter().enumerate().map(each).collect()
}

fn pair(generator: &str, index: usize, [x, y, z]: Vec3) -> [f64; 2] {
    let (row, segment) = (index / 33, (index % 33) as f64 / 32.0);
    match generator {
        "planar_xy@1" => [x, y],
        "box_project@1" => match index / 4 {
            0 => [-z, y],
            1 => [z, y],
            2 => [x, -z],
            3 => [x, z],
            4 => [x, y],
            _ => [-x, y],
        },
        "sphere_latlong@1" => [segment, row as f64 / 16.0],
        "cylindrical@1" if row < 2 => [segment, row as f64],
        "cylindrical@1" => cap((index - 66) % 34),
        "capsule_cyl_latlong@1" => [segment, capsule_row(row) as f64 / 24.0],
        _ => panic!("no generator {generator}"),
    }
}

/// The centre of a cap, then its rim.
fn cap(index: usize) -> [f64; 2] {
    match index {
        0 => [0.5, 0.5],
        k => [
            0.5 + 0.5 * profile_cos(k - 1),
            0.5 + 0.5 * profile_sin(k - 1),
        ],
    }
}

/// The last ring of the upper cap and the first row of the middle share a number.
fn capsule_row(row: usize) -> usize {
    if row <= 8 { row } else { row - 1 }
}
