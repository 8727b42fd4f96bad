#!/usr/bin/env bash
# Builds the Python wheels of bindings/python for x86-64 and aarch64, and tests the one for this machine in a fresh virtual environment:
# its suite, which compares it with the program, the examples of its README and its notebook. Prints sizes, the time of an import,
# what a call costs beside the program, and the time of 5,000 documents over that of the program. Exit 1 if anything differs, or if
# 5,000 documents take 1.2 times as long as the program. Run by hand; needs rustup, Python and the network.
# Usage: scripts/wheels.sh [--native] [--no-figures]
#   --native      build for this machine only
#   --no-figures  test and do not measure
set -euo pipefail
cd "$(dirname "$0")/.."

targets=(x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu) figures=1
while [ $# -gt 0 ]; do
    case $1 in
    --native) targets=("$(rustc -vV | sed -n 's/^host: //p')") ;;
    --no-figures) figures= ;;
    *) sed -n '2,9s/^# //p' "$0" >&2; exit 2 ;;
    esac
    shift
done

peers=${XDG_CACHE_HOME:-$HOME/.cache}/rigy-batch-peers/wheels
dist=${CARGO_TARGET_DIR:-$PWD/target}/wheels
[ -x "$peers/bin/python" ] || python3 -m venv "$peers"
"$peers/bin/python" -m pip install --quiet maturin==1.16.0 ziglang==0.17.1 >&2

# zig links against an old glibc, so that the wheels run on distributions since 2018 (manylinux 2.28).
export PATH=$peers/bin:$PATH CARGO_PROFILE_RELEASE_DEBUG=0
mkdir -p "$dist"
rm -f "$dist"/*.whl
for target in "${targets[@]}"; do
    rustup target add "$target" 2>/dev/null
    maturin build --release --locked --zig --compatibility manylinux_2_28 --target "$target" --out "$dist" \
        --manifest-path bindings/python/Cargo.toml
done
cargo build --locked --release --quiet
program=$(realpath "${CARGO_TARGET_DIR:-target}/release/rigy-batch")

fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
python3 -m venv "$fresh/venv"
wheel=$(echo "$dist"/*"$(uname -m)".whl)
"$fresh/venv/bin/python" -m pip install --quiet "$wheel[test]"
export PYTHONDONTWRITEBYTECODE=1
RIGY_BATCH=$program "$fresh/venv/bin/python" -m pytest -q -p no:cacheprovider bindings/python/tests
[ -z "$figures" ] || "$fresh/venv/bin/python" scripts/wheels/figures.py "$program" "$dist"/*.whl
