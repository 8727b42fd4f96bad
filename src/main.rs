//! The `rigy-batch` program; everything it does is in the library.

/// The allocator of musl has one lock for all threads: two threads are no faster than one.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    rigy_batch::cli::main()
}
