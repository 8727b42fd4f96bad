//! The `rigy-batch` program; everything it does is in the library.

fn main() -> std::process::ExitCode {
    rigy_batch::cli::main()
}
