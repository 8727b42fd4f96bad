#!/usr/bin/env bash
# The machine, the compiler, the commit, and measured speeds: Markdown on stdout. About three minutes once built;
# nothing else should run meanwhile.
# Usage: scripts/bench-report.sh [--write] [--install] [--large] [--seconds N]
#   --write      put the report into benches/README.md as well
#   --install    install the peers (numpy, numba, usd-core, three, ozz-animation-rs) into a folder of their own in the user's cache
#   --large      10,000,000 vertices too
#   --seconds N  duration of the measurement of the kernel in seconds (10; a third of it for each other size)
set -euo pipefail
cd "$(dirname "$0")/.."

write= install= sizes="1000 10000 100000 1000000" seconds=10
while [ $# -gt 0 ]; do
    case $1 in
    --write) write=1 ;;
    --install) install=1 ;;
    --large) sizes="$sizes 10000000" ;;
    --seconds) seconds=${2:?how many}; shift ;;
    *) sed -n '4,8s/^# //p' "$0" >&2; exit 2 ;;
    esac
    shift
done

release=${CARGO_TARGET_DIR:-target}/release
peers=${XDG_CACHE_HOME:-$HOME/.cache}/rigy-batch-peers
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1

load=$(cut -d' ' -f1-3 /proc/loadavg) # before building adds to it

say() { printf '%s\n' "$*" >&2; }

header() {
    local commit
    commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
    # Changes to the report itself do not count as uncommitted.
    git diff --quiet HEAD -- . ':!benches/README.md' 2>/dev/null || commit="$commit, with local changes"
    cpu() { LC_ALL=C lscpu | sed -n "s/^$1: *//p" | head -1; }
    echo "| | |"
    echo "|---|---|"
    echo "| processor | $(cpu 'Model name'), family $(cpu 'CPU family') model $(cpu Model); $(nproc) cores |"
    echo "| caches | L1d $(cpu L1d.*), L2 $(cpu L2.*), L3 $(cpu L3.*) |"
    echo "| memory | $(awk '/MemTotal/ { printf "%.1f GiB", $2 / 1048576 }' /proc/meminfo) |"
    echo "| system | $(uname -s) $(uname -r | cut -d- -f1) |"
    echo "| compiler | $(rustc --version) |"
    echo "| commit | $commit |"
    echo "| when | $(date -u +'%Y-%m-%d %H:%M UTC'), load average $load |"
    echo
    if awk -v load="$load" 'BEGIN { exit !(load + 0 > 0.5) }'; then
        echo "**Not a quiet machine**: something else ran before this and perhaps during it; threads that had to share" \
            "the cores gain nothing."
        echo
    fi
}

kernel() {
    say "kernel"
    "$release/rigy-batch" bench --format json --quiet --vertices 1000000 --seconds "$seconds" >"$work/kernel"
    echo "### Kernel, 1,000,000 vertices"
    echo
    python3 scripts/report/tables.py kernel "$work/kernel"
}

by_size() {
    local widest count
    widest=$(python3 -c 'import json,sys; print(json.loads(sys.stdin.readlines()[-1])["isa"])' <"$work/kernel")
    for count in $sizes; do
        say "$count vertices"
        "$release/rigy-batch" bench --format json --quiet --isa "$widest" --vertices "$count" \
            --seconds $(((seconds + 2) / 3)) >>"$work/sizes"
    done
    echo "### From small to large"
    echo
    python3 scripts/report/tables.py sizes "$work/sizes"
}

# 5,000 documents against writing the same files from memory: the bench says it in its own words.
batch() {
    say "whole batches"
    echo "### Whole batches"
    echo
    echo '```'
    cargo bench --locked --quiet --bench batch
    echo '```'
    echo
}

# Adds the command of a peer to `commands`, or says why there is none.
peer() {
    local name=$1 needs=$2
    shift 2
    if (eval "$needs") >/dev/null 2>&1; then
        commands+=("$*")
    else
        echo "- $name: not present, skipped" >>"$work/absent"
    fi
}

install_peers() {
    mkdir -p "$peers"
    if command -v python3 >/dev/null; then
        [ -x "$peers/venv/bin/python" ] || python3 -m venv "$peers/venv"
        "$peers/venv/bin/python" -m pip install --quiet numpy==2.4.6 numba==0.68.1 usd-core==26.11 >&2 ||
            say "numpy, numba, usd-core: not installed"
    fi
    if command -v npm >/dev/null; then
        npm install --silent --prefix "$peers" three@0.187 >&2 || say "three.js: not installed"
    fi
    if rustup run nightly rustc --version >/dev/null 2>&1; then
        install_ozz >&2 || say "ozz-animation-rs: not installed"
    fi
}

# ozz-animation-rs 0.11 calls a method of masks that the standard library has given another name since.
install_ozz() {
    local registry source
    rm -rf "$peers/ozz"
    cp -r scripts/peers/ozz "$peers/ozz"
    (
        cd "$peers/ozz"
        cargo +nightly fetch --quiet
        registry=${CARGO_HOME:-$HOME/.cargo}/registry/src
        source=$(ls -d "$registry"/*/ozz-animation-rs-0.11.0 | head -1)
        cp -r "$source" patched
        sed -i 's/\.to_int()/.to_simd()/' patched/src/math.rs
        RUSTFLAGS="-C target-cpu=native" CARGO_TARGET_DIR=target cargo +nightly build --release --quiet \
            --config 'patch.crates-io.ozz-animation-rs.path="patched"'
    )
}

# Has ours and the peers of a solver take turns.
turns() {
    local vertices=$1 solver=$2 turns=$3
    shift 3
    say "peers, $solver, $vertices vertices"
    python3 scripts/peers/turns.py "$vertices" "$turns" "$solver" widest "$release/examples/evaluate_workload" "$@"
}

compare() {
    local python=python3 expected commands vertices
    [ -z "$install" ] || install_peers
    [ ! -x "$peers/venv/bin/python" ] || python=$peers/venv/bin/python
    echo "### Peers"
    echo
    for vertices in 10000 1000000; do
        : >"$work/absent"
        commands=()
        peer ozz-animation-rs "[ -x '$peers/ozz/target/release/ozz-peer' ]" "$peers/ozz/target/release/ozz-peer" $vertices
        peer UsdSkel "$python -c 'import pxr, numpy'" "$python" scripts/peers/usdskel.py $vertices lbs
        peer three.js "command -v node && [ -d '$peers/node_modules/three' ]" \
            node scripts/peers/three_lbs.mjs $vertices "$peers"
        turns $vertices lbs 21 "${commands[@]}" || true
        commands=()
        expected=$("$release/examples/evaluate_workload" dqs random scalar $vertices 1 | sha256sum | cut -d' ' -f1)
        peer ozz-animation-rs "[ -x '$peers/ozz/target/release/ozz-peer' ]" "$peers/ozz/target/release/ozz-peer" $vertices
        peer UsdSkel "$python -c 'import pxr, numpy'" "$python" scripts/peers/usdskel.py $vertices dqs
        peer numba "$python -c 'import numba'" "$python" scripts/peers/numba_dqs.py $vertices "$expected"
        peer numpy "$python -c 'import numpy'" "$python" scripts/peers/numpy_dqs.py $vertices "$expected"
        turns $vertices dqs 21 "${commands[@]}" || true
    done
    sort -u "$work/absent"
}

report() {
    header
    kernel
    by_size
    batch
    compare
}

say "building"
cargo build --locked --release --quiet --bins
cargo build --locked --release --quiet -p rigy-kernel --example evaluate_workload
cargo bench --locked --quiet --bench batch --no-run >&2
report | tee "$work/report"

if [ -n "$write" ]; then
    python3 scripts/report/paste.py benches/README.md "$work/report"
fi
