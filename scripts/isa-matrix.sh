#!/usr/bin/env bash
# Every instruction set × 1, 2 and 8 threads: the suites must pass, and a generated tree must have one hash.
# Usage: scripts/isa-matrix.sh [COUNT [SEED]]
set -euo pipefail
cd "$(dirname "$0")/.."
count=${1:-1000} seed=${2:-1}

cargo build --locked --release --bins --example generate --quiet
release=${CARGO_TARGET_DIR:-target}/release
tool=$release/rigy-batch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$release/examples/generate" "$work/in" --count "$count" --seed "$seed"

first=
names=$(sed -n 's/.*NAMES: .* = \[\(.*\)\];/\1/p' crates/kernel/src/simd/isa.rs | tr -d '",')
for isa in $names; do
    if ! "$tool" "$work/in" --isa "$isa" --dry-run --quiet --poses none >/dev/null 2>&1; then
        echo "$isa: not on this machine"
        continue
    fi
    for manifest in conformance/manifest.json "${RIGY_SUITE:-../shared}/conformance-0.5/manifest.json"; do
        if [ -e "$manifest" ]; then
            "$tool" verify "$manifest" --isa "$isa" --quiet
            echo "$isa: passes $manifest"
        else
            echo "skipped: no $manifest"
        fi
    done
    for jobs in 1 2 8; do
        rm -rf "$work/out"
        "$tool" "$work/in" -o "$work/out" --isa "$isa" -j "$jobs" --quiet 2>/dev/null
        hash=$(cd "$work/out" && find . -name .rigy-batch -prune -o -type f -print | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -c1-16)
        echo "$isa, $jobs threads: $hash"
        [ "${first:=$hash}" = "$hash" ] || { echo "differs"; exit 1; }
    done
done
