//! The `rigy-batch` program; everything it does is in the library.

#[cfg(target_env = "musl")]
mod allocator;

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: allocator::BySize = allocator::BySize;

fn main() -> std::process::ExitCode {
    rigy_batch::cli::main()
}
