#!/usr/bin/env bash
# Builds the Python wheels of bindings/python for x86-64 and aarch64, and tests the one for this machine in a fresh virtual environment:
# its suite, which compares it with the program, the examples of its README and its notebook. Prints sizes, the time of an import,
# what a call costs beside the program, and the time of 5,000 documents over that of the program. Exit 1 if anything differs, or if
# 5,000 documents take 1.2 times as long as the program. Run by hand; needs rustup, Python and the network.
# Usage: scripts/wheels.sh [--native] [--no-figures] [--quick]
#   --native      build for this machine only, with its own linker and for its glibc and later ones
#   --no-figures  test and do not measure
#   --quick       the same as both, and compiled without optimisations
# RIGY_BATCH may name a build of the program; without it the program is built, too.
set -euo pipefail
cd "$(dirname "$0")/.."

native= figures=1 profile=release
while [ $# -gt 0 ]; do
    case $1 in
    --native) native=1 ;;
    --no-figures) figures= ;;
    --quick) native=1 figures= profile=dev ;;
    *) sed -n '2,11s/^# //p' "$0" >&2; exit 2 ;;
    esac
    shift
done

peers=${XDG_CACHE_HOME:-$HOME/.cache}/rigy-batch-peers/wheels
dist=${CARGO_TARGET_DIR:-$PWD/target}/wheels
[ -x "$peers/bin/python" ] || python3 -m venv "$peers"
tools=(maturin==1.16.0)
[ -n "$native" ] || tools+=(ziglang==0.17.1)
"$peers/bin/python" -m pip install --quiet "${tools[@]}" >&2

export PATH=$peers/bin:$PATH CARGO_PROFILE_RELEASE_DEBUG=0
mkdir -p "$dist"
rm -f "$dist"/*.whl
# Wheels contain the licences of what is compiled into them, as archives do.
package=bindings/python/python/rigy_batch
fresh=$(mktemp -d)
trap 'rm -rf "$fresh" "$package"/*-LICENCES.*' EXIT
licences() {
    scripts/release/licences.py "$1" bindings/python/Cargo.toml >"$package/THIRD-PARTY-LICENCES.txt"
    cp "$(rustc --print sysroot)/share/doc/rust/COPYRIGHT-library.html" "$package/RUST-LIBRARY-LICENCES.html"
}
build=(maturin build --profile "$profile" --locked --quiet --out "$dist" --manifest-path bindings/python/Cargo.toml)
if [ -n "$native" ]; then
    licences "$(rustc -vV | sed -n 's/^host: //p')"
    "${build[@]}"
else
    # zig links against an old glibc, so that the wheels run on distributions since 2018.
    for target in x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu; do
        rustup target add "$target"
        licences "$target"
        "${build[@]}" --zig --compatibility manylinux_2_28 --target "$target"
    done
fi
if [ -z "${RIGY_BATCH:-}" ]; then
    cargo build --locked --release --quiet
    RIGY_BATCH=$(realpath "${CARGO_TARGET_DIR:-target}/release/rigy-batch")
fi
export RIGY_BATCH PYTHONDONTWRITEBYTECODE=1

python3 -m venv "$fresh"
wheel=$(echo "$dist"/*"$(uname -m)".whl)
"$fresh/bin/python" -m pip install --quiet "${wheel}[test]"
"$fresh/bin/python" -m pytest -q -p no:cacheprovider bindings/python/tests
[ -z "$figures" ] || "$fresh/bin/python" scripts/wheels/figures.py "$RIGY_BATCH" "$dist"/*.whl
