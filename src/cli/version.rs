//! The answer of `--version`: the release, the commit, and the instruction sets of this machine.

use std::sync::LazyLock;

use crate::kernel::simd::Isa;

/// Returns the text after the name of the program.
pub fn long() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let release = env!("CARGO_PKG_VERSION");
        let commit = option_env!("RIGY_BATCH_COMMIT").unwrap_or("not known");
        let sets: Vec<&str> = Isa::available().into_iter().map(Isa::name).collect();
        let (sets, used) = (sets.join(", "), Isa::best().name());
        let (system, machine) = (std::env::consts::OS, std::env::consts::ARCH);
        format!(
            "{release}\ncommit: {commit}\nbuilt for: {machine}, {system}\ninstruction sets: {sets}; {used} is used"
        )
    });
    &TEXT
}
