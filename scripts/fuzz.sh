#!/usr/bin/env bash
# Fuzzes the library: every target, or the one that is named, for some minutes on one processor. What is found stays in
# tests/fuzz/artifacts; the corpus, which begins with files made on the spot, in tests/fuzz/corpus. Needs a nightly
# toolchain and cargo-fuzz (`cargo install cargo-fuzz`).
# Usage: scripts/fuzz.sh [--minutes N] [TARGET]
#   --minutes N  for each target (10)
#   TARGET       bake or read_glb
set -euo pipefail
cd "$(dirname "$0")/.."

minutes=10 target=
while [ $# -gt 0 ]; do
    case $1 in
    --minutes) minutes=${2:?how many}; shift ;;
    -*) sed -n '2,7s/^# //p' "$0" >&2; exit 2 ;;
    *) target=$1 ;;
    esac
    shift
done
cargo fuzz --version >/dev/null 2>&1 || { echo "there is no cargo-fuzz: cargo install cargo-fuzz" >&2; exit 2; }

# Everything belongs to the fuzz crate, whatever directory other builds go to.
export CARGO_TARGET_DIR=$PWD/tests/fuzz/target
export FUZZ_SEEDS=$CARGO_TARGET_DIR/seeds # each target writes them when it starts
mkdir -p "$FUZZ_SEEDS"
failed=0
for target in ${target:-$(cargo fuzz list --fuzz-dir tests/fuzz)}; do
    mkdir -p "tests/fuzz/corpus/$target"
    echo "== $target"
    cargo +nightly fuzz run --fuzz-dir tests/fuzz "$target" "tests/fuzz/corpus/$target" "$FUZZ_SEEDS" -- \
        -max_total_time=$((60 * minutes)) -max_len=16384 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 || failed=1
done
exit $failed
