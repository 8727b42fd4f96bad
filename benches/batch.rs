//! Whole batches: documents × threads, against writing the same bytes from memory.

use std::path::Path;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rigy_batch::batch::{Batch, Options, PoseFilter, document_suffixes, thread_pool};
use rigy_batch::diag::WarningPolicy;
use rigy_batch::io::discover;
use rigy_batch::simd::Isa;

#[path = "../examples/generate/documents.rs"]
mod documents;

const COUNT: u64 = 200;

/// A directory on a file system in memory, where there is one.
fn directory() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() {
        tempfile::tempdir_in(memory)
    } else {
        tempfile::tempdir()
    };
    made.expect("a temporary directory")
}

fn run(input: &Path, output: &Path, jobs: usize) -> usize {
    let (found, _) =
        discover(&[input.to_owned()], document_suffixes()).expect("the input is there");
    let options = Options {
        positions: false,
        warnings: WarningPolicy::default(),
        poses: PoseFilter::All,
        output: Some(output.to_owned()),
        root: None,
        force: true,
        dry_run: false,
        fail_fast: false,
        hash: false,
        map: true,
        isa: Isa::best(),
    };
    let batch = Batch::new(found, options).expect("the output can be written");
    let mut failed = 0;
    let pool = thread_pool(Some(jobs)).expect("threads");
    batch.run(&pool, |outcome| failed += usize::from(outcome.has_failed()));
    failed
}

fn batches(criterion: &mut Criterion) {
    let (input, output) = (directory(), directory());
    for index in 0..COUNT {
        let generated = documents::document(1, index, documents::Size::L02);
        let path = input.path().join(documents::stem(index));
        std::fs::write(path.with_extension("rigy.yaml"), generated.yaml).expect("write");
        for (name, text) in generated.files {
            std::fs::write(input.path().join(name), text).expect("write");
        }
    }
    assert_eq!(
        run(input.path(), output.path(), 2),
        0,
        "every document compiles"
    );
    let files: Vec<(std::path::PathBuf, Vec<u8>)> = std::fs::read_dir(output.path())
        .expect("list")
        .map(|entry| entry.expect("list").path())
        .map(|path| (path.clone(), std::fs::read(path).expect("read")))
        .collect();

    let mut group = criterion.benchmark_group("batch");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(COUNT));
    group.bench_function("writing the same bytes from memory", |bencher| {
        bencher.iter(|| {
            files
                .iter()
                .for_each(|(path, bytes)| std::fs::write(path, bytes).expect("write"))
        });
    });
    for jobs in [1, 2] {
        group.bench_function(
            BenchmarkId::new("documents", format!("{jobs} threads")),
            |bencher| {
                bencher.iter(|| run(input.path(), output.path(), jobs));
            },
        );
    }
    group.finish();
}

criterion_group!(benches, batches);
criterion_main!(benches);
