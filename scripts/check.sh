#!/usr/bin/env bash
# Everything that CI checks: formatting, lints, documentation, links and citations of the book, all tests, benches run once, the README's
# first run, instructions of the kernel, and the build and the suite of each thing that is shipped: program, wheel, npm package, book, viewer,
# playground, and the program for Windows as far as a compiler can check it. Each step prints its time: on the wall, and of the
# processors. Needs what `.ci/run` installs; what is missing here is named and left out.
set -euo pipefail
cd "$(dirname "$0")/.."

TIMEFORMAT='== %R s, %U s user, %S s system'
step() {
    printf '\n== %s\n' "$*"
    time "$@"
}
has() { command -v "$1" >/dev/null; }
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
program=$target/debug/rigy-batch
output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT

step cargo fmt --all --check
if has python3; then
    step scripts/check-docs.py
    step scripts/lines.py
else
    echo "there is no python3: links and citations of the book are not checked"
fi
if has node; then
    for folder in viewer playground; do
        [ -d $folder/node_modules ] || step npm ci --prefix $folder --silent --no-audit --no-fund
    done
    step viewer/check.sh
    step node playground/build.mjs "$output/playground"
else
    echo "there is no node: the viewer, the playground and the npm package are not built"
fi

# The members of the workspace are compiled by Clippy from here on, which stands in for rustc, so that lints need no build of their own.
export RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings

RUSTDOCFLAGS="-D warnings" step cargo doc --locked --no-deps --quiet
if has c++; then
    step cargo check --locked --package rigy-batch-fuzz --all-targets
else
    echo "there is no C++ compiler: the fuzz targets are not checked"
fi
step cargo check --locked --workspace --exclude rigy-batch-fuzz --exclude rigy-batch-python --lib --no-default-features
has_target() { rustup target list --installed 2>/dev/null | grep -qx "$1"; }
# Windows with its tests, which `scripts/prove windows` runs. Nothing is linked,
# so any compiler of C will do for musl.
export CC_x86_64_unknown_linux_musl=${CC_x86_64_unknown_linux_musl:-cc}
for system in "x86_64-pc-windows-gnu --tests" "aarch64-apple-darwin --bins" "x86_64-unknown-linux-musl --bins"; do
    read -ra words <<<"$system"
    if has_target "${words[0]}"; then
        step cargo check --locked --target "${words[@]}"
    else
        echo "rustup has no ${words[0]}: the program for it is not checked"
    fi
done
# What a release on crates.io would hold; compiling it once more would show little.
step cargo package --locked --offline --no-verify --allow-dirty --quiet --workspace --exclude rigy-batch-benches --exclude rigy-batch-fuzz --exclude rigy-batch-js --exclude rigy-batch-python
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
step "$program" conformance/inputs -o "$output/outputs" --quiet
step scripts/release/train.sh "$program"
if has python3; then
    RIGY_BATCH=$program step scripts/prove quick
else
    echo "there is no python3: the book, the report page, the wheel, the npm package and the instructions of the kernel are not checked"
fi
