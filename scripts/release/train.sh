#!/usr/bin/env bash
# train.sh PROGRAM: runs an instrumented program on files of this repository, as its users run it, so that its profile counts usual
# work. Outputs are thrown away.
set -euo pipefail
program=$(realpath "${1:?usage: train.sh PROGRAM}")
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
documents=conformance/inputs
fish=docs/src/pictures/fish.glb
quiet=(--quiet --allow-warnings all --no-config)

# Runs a command that ends with status 1 when it has found something.
finds() { "$@" || [ $? -eq 1 ]; }

# Batches of documents, then the same again with nothing to do. Several threads would count one another's work wrongly.
for round in $(seq 20); do
    "$program" "$documents" -o "$work/documents$round" -j 1 "${quiet[@]}"
done
"$program" "$documents" -o "$work/documents1" --report "$work/report.json" --html "$work/page.html" -j 1 "${quiet[@]}"

# Bakes: static files, frames of a character, and files of other tools.
# The two that are left out have views of no bytes, which glTF does not allow.
for solver in lbs dqs; do
    "$program" bake "$work/documents1" --exclude "T0[35]*" -o "$work/static-$solver" --solver "$solver" -j 1 "${quiet[@]}"
    "$program" bake "$fish" -o "$work/frames-$solver" --solver "$solver" --animation all --frames @60 -j 1 "${quiet[@]}"
done
for form in morph vat; do
    "$program" bake "$fish" -o "$work/$form" --animation all --frames @30 --as "$form" -j 1 "${quiet[@]}"
done
for format in obj stl 3mf ply usda npz pc2 mdd; do
    "$program" bake "$fish" -o "$work/$format" --frames @30 --to "$format" -j 1 "${quiet[@]}"
done

# What else one does with documents and models.
"$program" verify conformance/manifest.json >"$work/verified"
finds "$program" fmt --check "$documents" >"$work/layout" 2>&1
"$program" inspect "$documents" "$fish" >"$work/inspected" 2>&1
finds "$program" diff "$work/static-lbs" "$work/static-dqs" >"$work/differences"
"$program" preview docs/src/pictures/arms.rigy.yaml "$fish" -o "$work/pictures" -j 1 --quiet
