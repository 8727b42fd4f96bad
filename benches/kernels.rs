//! The kernel: solver × instruction set × size, in vertices per second. Each case checks its answer first.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rigy_batch::kernel::{Influences, Job, JointPose, Palette, evaluate};
use rigy_batch::math::Quat;
use rigy_batch::scene::{Geometry, Slots};
use rigy_batch::simd::Isa;

const JOINTS: u16 = 64;
const SEED: u64 = 0x5eed;

/// Numbers from a fixed seed, between -0.5 and 0.5.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    }

    fn vector(&mut self) -> [f64; 3] {
        [self.next(), self.next(), self.next()]
    }
}

/// Random joints and weights for every vertex: the hardest case, no two neighbours alike.
fn workload(vertex_count: usize) -> (Geometry, Influences, Vec<(JointPose, [f64; 3])>) {
    let mut random = Random(SEED);
    let mut geometry = Geometry::default();
    let mut slots: Vec<Slots> = Vec::new();
    for _ in 0..vertex_count {
        geometry.positions.push(random.vector());
        geometry.normals.push(random.vector());
        slots.push(std::array::from_fn(|_| {
            let joint = ((random.next() + 0.5) * f64::from(JOINTS)) as u16;
            (joint, random.next() + 0.5)
        }));
    }
    let joints = (0..JOINTS).map(|_| {
        let q = [random.next(), random.next(), random.next(), random.next()];
        let norm = q.iter().map(|c| c * c).sum::<f64>().sqrt();
        let rotation = Quat::from_wxyz(q.map(|c| c / norm));
        let translation = random.vector();
        (
            JointPose {
                rotation,
                translation,
            },
            random.vector(),
        )
    });
    let joints = joints.collect();
    (geometry, Influences::bind(&slots), joints)
}

fn kernels(criterion: &mut Criterion) {
    for vertex_count in [1_000, 100_000, 1_000_000] {
        let (geometry, influences, joints) = workload(vertex_count);
        let rest = geometry.rest();
        let palettes = [
            (
                "lbs",
                Palette::linear(joints.iter().map(|(pose, bind)| (pose.matrix(), *bind))),
            ),
            ("dqs", Palette::dual(joints.iter().copied())),
        ];
        let mut group = criterion.benchmark_group(format!("kernel/{vertex_count}"));
        group.throughput(Throughput::Elements(vertex_count as u64));
        let mut source = vec![1u8; 88 * vertex_count];
        let mut target = vec![0u8; 88 * vertex_count];
        group.bench_function("memcpy of 88 bytes a vertex", |bencher| {
            bencher.iter(|| {
                target.copy_from_slice(black_box(&source));
                black_box(&mut target);
            });
        });
        source.clear();
        for (solver, palette) in &palettes {
            let job = Job {
                palette,
                influences: &influences,
                rest: &rest,
            };
            let run = |isa, positions: &mut [f32], normals: &mut [f32]| {
                evaluate(isa, &job, 0..vertex_count, positions, normals);
            };
            let (mut p, mut n) = (vec![0.0; 3 * vertex_count], vec![0.0; 3 * vertex_count]);
            run(Isa::Scalar, &mut p, &mut n);
            for isa in Isa::available() {
                let (mut positions, mut normals) = (p.clone(), n.clone());
                positions.fill(0.0);
                run(isa, &mut positions, &mut normals);
                assert!(
                    positions == p && normals == n,
                    "{solver} differs with {isa}"
                );
                group.bench_function(BenchmarkId::new(*solver, isa), |bencher| {
                    bencher.iter(|| run(isa, black_box(&mut positions), black_box(&mut normals)));
                });
            }
        }
        group.finish();
    }
}

criterion_group!(benches, kernels);
criterion_main!(benches);
