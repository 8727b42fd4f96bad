#!/usr/bin/env bash
# Formatting, lints, documentation, links and citations of the book, tests, benches run once, the README's first run, and instructions
# of the kernel. Each step prints its time: on the wall, and of the processors.
set -euo pipefail
cd "$(dirname "$0")/.."

TIMEFORMAT='== %R s, %U s user, %S s system'
step() {
    printf '\n== %s\n' "$*"
    time "$@"
}

step cargo fmt --check
step cargo fmt --check --manifest-path bindings/python/Cargo.toml
if command -v python3 >/dev/null; then
    step scripts/check-docs.py
else
    echo "there is no python3: links and citations of the book are not checked"
fi
if [ -d viewer/node_modules ] && command -v node >/dev/null; then
    step viewer/check.sh
else
    echo "viewer/node_modules or node is not there: the bundle of the viewer is not compared with its sources"
fi
step cargo clippy --locked --all-targets -- -D warnings
if command -v c++ >/dev/null; then
    # Dependencies that both have in common are compiled once.
    step cargo clippy --locked --target-dir target --manifest-path tests/fuzz/Cargo.toml --all-targets -- -D warnings
    step cargo fmt --check --manifest-path tests/fuzz/Cargo.toml
else
    echo "there is no C++ compiler: the fuzz targets are not checked"
fi
step cargo clippy --locked --lib --no-default-features -- -D warnings
step cargo clippy --locked --bins --no-default-features --features cli -- -D warnings
step cargo clippy --locked --target-dir target --manifest-path bindings/js/Cargo.toml --features editor -- -D warnings
step cargo fmt --check --manifest-path bindings/js/Cargo.toml
# The wheel did not compile for a day, and nothing noticed.
step cargo clippy --locked -p rigy-batch-python -- -D warnings
RUSTDOCFLAGS="-D warnings" step cargo doc --locked --no-deps --quiet
# What a release on crates.io would hold; compiling it once more would show little.
step cargo package --locked --offline --no-verify --allow-dirty --quiet
if cargo deny --version >/dev/null 2>&1; then
    # The advisory database lies on a server; without it licences and sources are still checked.
    step cargo deny check licenses bans sources
    cargo deny check advisories || echo "advisories: not checked, or found something (see above)"
else
    echo "cargo deny is not installed: licences and advisories not checked"
fi
step cargo test --locked
# Compiled like the tests, so the library and all dependencies are there already.
step cargo test --locked --benches --quiet -- --test
# The program is the one of the tests. An optimised one would take a quarter of all the time here, and writes the same bytes.
output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT
step "${CARGO_TARGET_DIR:-target}/debug/rigy-batch" conformance/inputs -o "$output" --quiet
step scripts/instructions.sh
