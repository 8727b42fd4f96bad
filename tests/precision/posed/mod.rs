//! Poses and palettes of skinned glTF (`bake.md` §1–§3, §5), whole: vertices skinned with our palettes against the
//! same mathematics in 192 bits, and properties that hold for all numbers.

mod forms;
mod interpolation;
mod palettes;
mod properties;
mod rig;
mod scaling;

use std::array::from_fn;

use rigy_batch::bake::gltf::{DualForm, Rigid};
use rigy_batch::kernel::math::{Affine, DualQuat, Quat, Vec3};
use rigy_batch::kernel::random::Random;

use super::exact::{Big3, Influences, big, near};
use super::numbers;

const ALLOWED: f64 = 1e-12;

fn image(m: &Affine, p: Vec3) -> Vec3 {
    m.map(|[a, b, c, d]| a * p[0] + b * p[1] + c * p[2] + d)
}

fn linear(joints: &[Affine], influences: &Influences, p: Vec3) -> Vec3 {
    let mut sum = [0.0; 3];
    for (joint, weight) in influences {
        let moved = image(&joints[*joint], p);
        sum = from_fn(|i| sum[i] + weight * moved[i]);
    }
    sum
}

/// By dual quaternions; of joints that are scaled, in place.
fn dual(joints: &[Rigid], first: Option<&[Affine]>, influences: &Influences, p: Vec3) -> Vec3 {
    let used = || influences.iter().filter(|(_, weight)| *weight > 0.0);
    let reference = joints[used().map(|(joint, _)| *joint).min().unwrap()].0;
    let (mut r, mut d) = ([0.0; 4], [0.0; 4]);
    for (joint, weight) in used() {
        let (q, t) = joints[*joint];
        let weight = if q.dot(reference) < 0.0 {
            -weight
        } else {
            *weight
        };
        let DualQuat { real, mut dual } = DualQuat::new(q, t);
        if let Some(first) = first {
            let image = image(&first[*joint], p);
            let carried = real.product(Quat::pure(from_fn(|i| image[i] - p[i])));
            let sum = |i| dual.wxyz()[i] + 0.5 * carried.wxyz()[i];
            dual = Quat::from_wxyz(from_fn(sum));
        }
        r = from_fn(|i| r[i] + weight * real.wxyz()[i]);
        d = from_fn(|i| d[i] + weight * dual.wxyz()[i]);
    }
    let length = r.iter().map(|c| c * c).sum::<f64>().sqrt();
    let (r, s) = (r.map(|c| c / length), d.map(|c| c / length));
    let along: f64 = (0..4).map(|i| r[i] * s[i]).sum();
    let d = Quat::from_wxyz(from_fn(|i| s[i] - along * r[i]));
    let r = Quat::from_wxyz(r);
    let (turned, moved) = (r.rotate(p), d.product(r.conjugate()).vector());
    from_fn(|i| turned[i] + 2.0 * moved[i])
}

fn skinned(form: &DualForm, influences: &Influences, p: Vec3) -> Vec3 {
    match form {
        DualForm::Rigid(joints) => dual(joints, None, influences, p),
        DualForm::Scaled { first, rigid } => dual(rigid, Some(first), influences, p),
    }
}

/// Vertices with one to four influences, weights summing to 1 as nearly as doubles do.
fn vertices(random: &mut Random) -> Vec<(Vec3, Vec<(usize, f64)>)> {
    let vertex = |i: usize, random: &mut Random| {
        let weights: Vec<f64> = (0..i % 4 + 1).map(|_| random.unit() + 0.05).collect();
        let sum: f64 = weights.iter().sum();
        let slots = weights.iter().enumerate();
        let influences = slots.map(|(slot, w)| ((i * 3 + slot * 2) % 5, w / sum));
        (numbers(random, 2.0), influences.collect())
    };
    (0..20).map(|i| vertex(i, random)).collect()
}

/// The largest error over all vertices, relative to the largest coordinate.
fn worst(
    seed: u64,
    mut ours: impl FnMut(&Influences, Vec3) -> Vec3,
    mut exact: impl FnMut(&Influences, Vec3) -> Big3,
) -> f64 {
    let (mut miss, mut size) = (0.0f64, 1.0f64);
    for (p, influences) in vertices(&mut Random::new(seed ^ 0xabcd)) {
        let (got, want) = (ours(&influences, p), exact(&influences, p));
        for i in 0..3 {
            miss = miss.max(near(&(big(got[i]) - &want[i])).abs());
            size = size.max(near(&want[i]).abs());
        }
    }
    miss / size
}

fn distance(a: Vec3, b: Vec3) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).abs()).fold(0.0, f64::max)
}
