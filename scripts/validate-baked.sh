#!/usr/bin/env bash
# Bakes every glTF sample, both solvers, at rest and at some times, and has others look at what comes out: the Khronos
# validator (input and output; an output may have no error that its input does not have), and three.js, which must load
# it, find nothing skinned, and have its vertices where the samples' expected lists say (bake.md §8). Prints a table;
# exit 1 if anything is wrong. Needs node; run by hand.
# Usage: scripts/validate-baked.sh [--install] [DIR...]
#   --install  install the validator and three.js into a folder of their own in the user's cache
#   DIR        further directories of .glb and .gltf files
set -euo pipefail
cd "$(dirname "$0")/.."

install= dirs=()
while [ $# -gt 0 ]; do
    case $1 in
    --install) install=1 ;;
    -*) sed -n '2,7s/^# //p' "$0" >&2; exit 2 ;;
    *) dirs+=("$1") ;;
    esac
    shift
done

release=${CARGO_TARGET_DIR:-target}/release
peers=${XDG_CACHE_HOME:-$HOME/.cache}/rigy-batch-peers
samples=${RIGY_SUITE:-../shared}/gltf-samples
for folder in real made compressed; do
    if [ -d "$samples/$folder" ]; then dirs+=("$samples/$folder"); else echo "skipped: no $samples/$folder" >&2; fi
done
[ ${#dirs[@]} -gt 0 ] || { echo "nothing to bake" >&2; exit 2; }

if [ -n "$install" ]; then
    mkdir -p "$peers"
    npm install --silent --prefix "$peers" gltf-validator@2.0.0-dev.3.10 three@0.187.0 >&2
fi
for package in gltf-validator three; do
    [ -d "$peers/node_modules/$package" ] || { echo "there is no $package: try --install" >&2; exit 2; }
done

cargo build --locked --release --quiet --bins
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

node scripts/validate/plan.mjs "$samples/expected" "${dirs[@]}" >"$work/plan"
# A line of the plan: number, file, solver, animation and time, the last two `-` for a bake at rest.
while IFS=$'\t' read -r id file solver animation time; do
    pose=()
    [ "$animation" = - ] || pose=(--animation "$animation" --time "$time")
    status=0
    "$release/rigy-batch" bake --quiet --solver "$solver" "${pose[@]}" -o "$work/$id" "$file" \
        >/dev/null 2>"$work/$id.err" </dev/null || status=$?
    echo "$status" >"$work/$id.status"
done <"$work/plan"
node scripts/validate/check.mjs "$peers" "$samples/expected" "$work"
