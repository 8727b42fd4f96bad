//! Whole batches: documents of L02's size on one and two threads, over writing the same bytes from memory.
//!
//! Only ratios of one run mean anything here, because the cost of a new page in memory changes from minute to minute. So
//! every round does everything in turn, each into a new directory, and the medians of the rounds are compared.
//! `cargo bench --bench batch -- --test` does one small round, to see that it works.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use rigy_batch::io::{Skips, discover};
use rigy_batch::run::batch::{
    Batch, Documents, Options, Outcome, OutputFormat, OutputPlace, PoseFilter, is_document,
    thread_pool_of_at_most,
};

use rigy_documents as documents;

const DOCUMENTS: u64 = 5_000;
const ROUNDS: usize = 5;
const THREADS: [usize; 2] = [1, 2];

/// Names and bytes of files.
type Files = BTreeMap<OsString, Vec<u8>>;

fn main() {
    let test = std::env::args().any(|argument| argument == "--test");
    let (count, rounds) = if test { (20, 1) } else { (DOCUMENTS, ROUNDS) };
    let input = documents_of_l02_size(count);
    let files = checked(input.path(), count);
    let bytes: usize = files.values().map(Vec::len).sum();
    println!("{count} documents, {} files, {bytes} bytes", files.len());
    let mut seconds = [(); 4].map(|()| Vec::new());
    for _ in 0..rounds {
        for (at, threads) in THREADS.into_iter().enumerate() {
            seconds[at].push(timed(|output| write(&files, output, threads)));
            seconds[2 + at].push(timed(|output| run(input.path(), output, threads)));
        }
    }
    let [memory_1, memory_2, batch_1, batch_2] = seconds.map(median);
    println!("threads  from memory  documents  documents / from memory");
    for (threads, memory, batch) in [(1, memory_1, batch_1), (2, memory_2, batch_2)] {
        println!(
            "{threads:>7}  {memory:>9.3} s  {batch:>7.3} s  {:>6.2}",
            batch / memory
        );
    }
    println!("two threads over one: {:.2}", batch_1 / batch_2);
}

fn documents_of_l02_size(count: u64) -> tempfile::TempDir {
    let input = directory();
    for index in 0..count {
        let generated = documents::document(1, index, documents::Size::L02);
        let path = input.path().join(documents::stem(index));
        std::fs::write(path.with_extension("rigy.yaml"), generated.yaml).expect("write");
        for (name, text) in generated.files {
            std::fs::write(input.path().join(name), text).expect("write");
        }
    }
    input
}

/// The outputs of a batch, which are the same on any number of threads.
fn checked(input: &Path, count: u64) -> Files {
    let [one, two] = THREADS.map(|threads| {
        let output = directory();
        run(input, output.path(), threads);
        let entries = std::fs::read_dir(output.path()).expect("list");
        let read = |entry: std::io::Result<std::fs::DirEntry>| {
            let entry = entry.expect("list");
            if entry.path().is_dir() {
                return None; // the private directory
            }
            Some((
                entry.file_name(),
                std::fs::read(entry.path()).expect("read"),
            ))
        };
        entries.filter_map(read).collect::<Files>()
    });
    assert!(one == two, "threads change no byte");
    assert_eq!(one.len() as u64, 2 * count, "an export and a pose of each");
    assert!(one.values().all(|bytes| bytes.starts_with(b"glTF")));
    one
}

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

/// Seconds that filling a new directory takes.
fn timed(fill: impl FnOnce(&Path)) -> f64 {
    let output = directory();
    let start = Instant::now();
    fill(output.path());
    start.elapsed().as_secs_f64()
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

/// Writes all files, in order, each by the next thread that is free.
fn write(files: &Files, output: &Path, threads: usize) {
    let files: Vec<_> = files.iter().collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((name, bytes)) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            std::fs::write(output.join(name), bytes).expect("write");
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
}

/// Does every document, as the program would.
fn run(input: &Path, output: &Path, threads: usize) {
    let found = discover(&[input.to_owned()], &is_document, &Skips::default());
    let found = found.expect("the input is there").found;
    let options = Options {
        output: OutputPlace::Below(output.into()),
        ..Options::default()
    };
    let work = Documents::new(&found, &options, PoseFilter::All, &[OutputFormat::Glb]);
    let work = work.expect("the root is there");
    let batch =
        Batch::new(found, options, work, Arc::default()).expect("the output can be written");
    let pool = thread_pool_of_at_most(threads).expect("threads");
    let prepare = |outcome: Outcome| {
        assert!(!outcome.has_failed(), "{:?}", outcome.errors);
        ((), 0)
    };
    assert!(batch.run(&pool, prepare, drop).is_empty());
}
