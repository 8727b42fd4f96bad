//! ozz-animation-rs over the workload `random` of `src/run/bench/workload.rs`: linear blending in f32, positions and
//! normals, with weights that are divided by their sum, because ozz computes the last from the others.
//!
//! Usage: ozz-peer VERTICES. Takes turns as `scripts/peers/turns.py` describes.

use std::error::Error;
use std::hint::black_box;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use glam::{Mat4, Quat, Vec3};
use ozz_animation_rs::skinning_job::SkinningJobRef;

const JOINTS: usize = 64;
const SLOTS: usize = 4;

/// Numbers from 0 to 1 by SplitMix64.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / 2f64.powi(53)
    }

    fn vector(&mut self) -> Vec3 {
        let [x, y, z] = [(); 3].map(|()| (self.unit() - 0.5) as f32);
        Vec3::new(x, y, z)
    }
}

struct Workload {
    matrices: Vec<Mat4>,
    joints: Vec<u16>,
    /// All but the last of each vertex.
    weights: Vec<f32>,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
}

impl Workload {
    fn new(count: usize) -> Self {
        let mut random = Random(0x5eed);
        let (mut joints, mut weights) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let list = [(); SLOTS].map(|()| {
                let joint = (random.unit() * JOINTS as f64) as u16;
                (joint, 1.0 - random.unit())
            });
            let sum: f64 = list.iter().map(|(_, weight)| weight).sum();
            joints.extend(list.map(|(joint, _)| joint));
            weights.extend(
                list[..SLOTS - 1]
                    .iter()
                    .map(|(_, weight)| (weight / sum) as f32),
            );
        }
        let (positions, normals) = (0..count)
            .map(|_| (random.vector(), random.vector()))
            .unzip();
        let matrices = (0..JOINTS).map(|_| {
            let [w, x, y, z] = [(); 4].map(|()| (random.unit() - 0.5) as f32);
            let rotation = Quat::from_xyzw(x, y, z, w).normalize();
            let pose = Mat4::from_rotation_translation(rotation, random.vector());
            pose * Mat4::from_translation(random.vector())
        });
        let matrices = matrices.collect();
        Self {
            matrices,
            joints,
            weights,
            positions,
            normals,
        }
    }

    fn evaluate(&self, positions: &mut [Vec3], normals: &mut [Vec3]) -> Result<(), Box<dyn Error>> {
        let mut job = SkinningJobRef::default();
        job.set_vertex_count(self.positions.len());
        job.set_influences_count(SLOTS);
        job.set_joint_matrices(&self.matrices);
        job.set_joint_indices(&self.joints);
        job.set_joint_weights(&self.weights);
        job.set_in_positions(&self.positions);
        job.set_in_normals(&self.normals);
        job.set_out_positions(positions);
        job.set_out_normals(normals);
        Ok(job.run()?)
    }

    /// Compares with a plain sum: a peer that skins nothing would be fast.
    fn check(&self, positions: &[Vec3], normals: &[Vec3]) -> Result<(), Box<dyn Error>> {
        for vertex in 0..self.positions.len() {
            let listed = &self.weights[(SLOTS - 1) * vertex..][..SLOTS - 1];
            let weights = [
                listed[0],
                listed[1],
                listed[2],
                1.0 - listed.iter().sum::<f32>(),
            ];
            let (mut position, mut normal) = (Vec3::ZERO, Vec3::ZERO);
            for (joint, weight) in self.joints[SLOTS * vertex..][..SLOTS].iter().zip(weights) {
                let matrix = &self.matrices[usize::from(*joint)];
                position += weight * matrix.transform_point3(self.positions[vertex]);
                normal += weight * matrix.transform_vector3(self.normals[vertex]);
            }
            if position.distance(positions[vertex]) > 1e-5
                || normal.distance(normals[vertex]) > 1e-5
            {
                return Err(format!("ozz: vertex {vertex} is not where it should be").into());
            }
        }
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let count = std::env::args()
        .nth(1)
        .ok_or("usage: ozz-peer VERTICES")?
        .parse()?;
    let work = Workload::new(count);
    let (mut positions, mut normals) = (vec![Vec3::ZERO; count], vec![Vec3::ZERO; count]);
    work.evaluate(&mut positions, &mut normals)?;
    work.check(&positions, &normals)?;
    let mut out = io::stdout();
    writeln!(out, "ozz-animation-rs 0.11.0, f32")?;
    for line in io::stdin().lines() {
        line?;
        work.evaluate(&mut positions, &mut normals)?;
        let (mut turns, start) = (0u32, Instant::now());
        while start.elapsed() < Duration::from_millis(10) {
            work.evaluate(black_box(&mut positions), black_box(&mut normals))?;
            turns += 1;
        }
        writeln!(
            out,
            "{:e}",
            start.elapsed().as_secs_f64() / f64::from(turns)
        )?;
    }
    Ok(())
}
