"""Runs all tests with the program for musl, which the archive and the image for Linux contain: it has another C library and another allocator."""

from proofs.common import call, debian, run_tests_of

NEEDS = "musl-tools from Debian, which it installs if it has the rights of root"
TRIPLE = "x86_64-unknown-linux-musl"
LEFT_OUT = {
    "the unoptimised program and a heap for each of two threads take more address space than the tests allow": [
        "reliability::around::limits::models_of_a_page", "reliability::around::limits::without_memory_for_all_threads",
    ],
}


def run(context):
    debian(["musl-gcc"], ["musl-tools"])
    call("rustup", "--quiet", "target", "add", TRIPLE)
    run_tests_of(TRIPLE, LEFT_OUT, {})
