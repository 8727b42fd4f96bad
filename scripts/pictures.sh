#!/bin/sh
# Remakes the pictures of the README and the book with the program itself. They are the same bytes on every machine, so
# `git status` shows whether the program draws them as before.
#
#   scripts/pictures.sh [PROGRAM]        the program is built if none is named

set -eu
cd "$(dirname "$0")/.."
program=${1:-}
if [ -z "$program" ]; then
    cargo build --release --quiet
    program=${CARGO_TARGET_DIR:-target}/release/rigy-batch
fi
pictures=docs/src/pictures
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

arms=$pictures/arms.rigy.yaml
"$program" preview "$arms" --view front --size 300 --quiet -o "$pictures/arms.png"
# The distance of both poses from the rest pose, by colours.
"$program" "$arms" -o "$work" --poses none --quiet --allow-warnings all
"$program" preview "$arms" --pose twist,bend --heat "$work/arms.glb" --view front --size 300 --quiet -o "$pictures/arms-heat.png"
ls -l "$pictures"/*.png
