"""Makes the archive for Linux, and runs all tests for musl with the program in it: it has another C library and another allocator, and is optimised by
counts."""

from proofs.common import call, debian, run_tests_of

NEEDS = "musl-tools from Debian, which it installs if it has the rights of root, and the network for llvm-tools, which rustup adds"
TRIPLE = "x86_64-unknown-linux-musl"
LEFT_OUT = {"runs need 100 MB of address space, and the test begins with 90": ["reliability::around::limits::models_of_a_page"]}


def run(context):
    debian(["musl-gcc"], ["musl-tools"])
    call("rustup", "--quiet", "target", "add", TRIPLE)
    call("scripts/release/archive.sh", TRIPLE, context.work)
    (archive,) = context.work.glob("*.tar.gz")
    call("tar", "xzf", archive, "-C", context.work)
    (program,) = context.work.glob("rigy-batch-*/rigy-batch")
    run_tests_of(TRIPLE, LEFT_OUT, {"RIGY_BATCH": str(program)})
