//! The kernel: solver × instruction set × influences × workload, in vertices per second, beside a copy of the
//! same memory. Each case checks its answer first.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rigy_batch::glb::Posed;
use rigy_batch::kernel::bench::{BYTES_PER_VERTEX, JOINTS, Kind, SOLVERS, Workload};
use rigy_batch::kernel::simd::Isa;
use rigy_batch::kernel::{Job, evaluate};

/// In the nearest caches, and in no cache at all. With `--test`, which checks the answers, only the first.
const VERTICES: [usize; 2] = [8_000, 1_000_000];

fn run(isa: Isa, job: &Job<'_>, posed: &mut Posed) {
    let all = 0..job.rest.vertex_count();
    evaluate(isa, job, all, &mut posed.positions, &mut posed.normals);
}

fn bits(posed: &Posed) -> Vec<u32> {
    let numbers = posed.positions.iter().chain(&posed.normals);
    numbers.map(|number| number.to_bits()).collect()
}

fn kernels(criterion: &mut Criterion) {
    let is_test = std::env::args().any(|argument| argument == "--test");
    let counts = if is_test { &VERTICES[..1] } else { &VERTICES };
    for vertex_count in counts.iter().copied() {
        let mut group = criterion.benchmark_group(format!("kernel/{vertex_count}"));
        group.throughput(Throughput::Elements(vertex_count as u64));
        let source = vec![1u8; BYTES_PER_VERTEX * vertex_count];
        let mut target = vec![0u8; BYTES_PER_VERTEX * vertex_count];
        group.bench_function("memcpy", |bencher| {
            bencher.iter(|| {
                target.copy_from_slice(black_box(&source));
                black_box(&mut target);
            });
        });
        for kind in Kind::ALL {
            let workloads = [
                (4, Workload::with_slots::<4>(kind, vertex_count, JOINTS)),
                (8, Workload::with_slots::<8>(kind, vertex_count, JOINTS)),
            ];
            for solver in SOLVERS {
                for (influences, workload) in &workloads {
                    let job = workload.job(solver);
                    let mut posed = Posed::new(vertex_count);
                    run(Isa::Scalar, &job, &mut posed);
                    let expected = bits(&posed);
                    for isa in Isa::available() {
                        let (solver, kind) = (solver.name(), kind.name());
                        let name = format!("{solver}/{isa}/{influences}-influences/{kind}");
                        posed.positions.fill(f32::NAN);
                        run(isa, &job, &mut posed);
                        assert!(bits(&posed) == expected, "{name} gives other bits");
                        group.bench_function(name, |bencher| {
                            bencher.iter(|| run(isa, &job, black_box(&mut posed)));
                        });
                    }
                }
            }
        }
        group.finish();
    }
}

criterion_group!(benches, kernels);
criterion_main!(benches);
