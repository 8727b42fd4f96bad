#!/usr/bin/env bash
# Compares what Draco streams are decoded to with Google's decoder: copies of the files without skins, morph targets and
# animations are baked, so that all attributes come out as they were decoded, and each is compared byte for byte with what draco3d
# gives for the same stream. Prints a line for each file; exit 1 if anything differs. Needs node; run by hand.
# Usage: scripts/draco-client.sh [--install] [FILE...]
#   --install  install draco3d into a folder of its own in the user's cache
#   FILE       .glb files; the sample of the published suites if none is given
set -euo pipefail
cd "$(dirname "$0")/.."

install= files=()
while [ $# -gt 0 ]; do
    case $1 in
    --install) install=1 ;;
    -*) sed -n '2,8s/^# //p' "$0" >&2; exit 2 ;;
    *) files+=("$1") ;;
    esac
    shift
done
[ ${#files[@]} -gt 0 ] || files=("${RIGY_SUITE:-../shared}/gltf-samples/compressed/Fox-draco.glb")

peers=${XDG_CACHE_HOME:-$HOME/.cache}/rigy-batch-peers
[ -z "$install" ] || npm install --silent --no-audit --no-fund --prefix "$peers" draco3d@1.5.7 >&2
[ -d "$peers/node_modules/draco3d" ] || { echo "there is no draco3d: try --install" >&2; exit 2; }

cargo build --locked --quiet
program=${CARGO_TARGET_DIR:-target}/debug/rigy-batch
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
node scripts/draco/compare.mjs "$peers" "$program" "$work" "${files[@]}"
