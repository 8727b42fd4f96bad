#!/bin/sh
# Remakes the pictures of the README and the book. Those that the program draws are the same bytes on every machine, so `git status` shows
# whether it draws them as before. With --pages also those of pages in Chromium are made, which change with its version and fonts.
#
#   scripts/pictures.sh [--pages] [PROGRAM]        the program is built if none is named

set -eu
cd "$(dirname "$0")/.."
pages=
if [ "${1:-}" = --pages ]; then
    pages=yes
    shift
fi
program=${1:-}
if [ -z "$program" ]; then
    cargo build --release --quiet
    program=${CARGO_TARGET_DIR:-target}/release/rigy-batch
fi
pictures=docs/src/pictures
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
draw() { "$program" preview --quiet "$@"; }
# Prints a YAML block of a page of the guide, by its number from 1.
example() { awk -v number="$2" '/^```yaml$/ { shown = ++count == number; next } /^```/ { shown = 0 } shown' "docs/src/guide/$1.md"; }

arms=$pictures/arms.rigy.yaml
draw "$arms" --view front --size 300 -o "$pictures/arms.png"
# The distance of both poses from the rest pose, by colours.
"$program" "$arms" -o "$work" --poses none --quiet --allow-warnings all
draw "$arms" --pose twist,bend --heat "$work/arms.glb" --view front --size 300 -o "$pictures/arms-heat.png"

fish=$pictures/fish.glb
draw "$fish" --animation Swim --time 0,0.25,0.5,0.75 --size 240 -o "$pictures/swim.png"
draw "$fish" --animation Swim --frames 0..11@12 --size 160 -o "$pictures/swimming.png"
"$program" bake "$fish" --animation Swim --frames 0..3@4 -o "$work/frames" --quiet
draw "$work"/frames/*.glb --view top --size 200 -o "$pictures/frames.png"
for solver in lbs dqs; do
    "$program" bake "$fish" --animation Twist --time 0.5 --solver $solver -o "$work/$solver.glb" --quiet
done
draw "$work/lbs.glb" "$work/dqs.glb" --view front --size 300 -o "$pictures/solvers.png"
"$program" bake "$fish" --as skin -o "$work/skin/" --quiet
"$program" bake "$work/skin/fish.glb" --animation Twist --time 0.5 -o "$work/helpers.glb" --quiet
draw "$work/lbs.glb" "$work/helpers.glb" "$work/dqs.glb" --view front --size 300 -o "$pictures/twisted.png"
draw "$work/dqs.glb" --heat "$work/lbs.glb" --view front --size 300 -o "$pictures/solvers-heat.png"

mkdir "$work/parts"
example authoring 3 >"$work/arm.rigy.yaml"
example authoring 10 >"$work/bean.rigy.yaml"
example parts 1 >"$work/parts/wheel.part.yaml"
example parts 2 >"$work/parts/wheel.ricy.yaml"
example parts 3 >"$work/cart.rigy.yaml"
draw "$work/arm.rigy.yaml" --view front --size 200 -o "$pictures/arm.png"
draw "$work/bean.rigy.yaml" --size 240 -o "$pictures/bean.png"
draw "$work/cart.rigy.yaml" --size 300 -o "$pictures/cart.png"

if [ -n "$pages" ]; then
    "$program" view "$fish" --no-open -o "$work/" >/dev/null
    "$program" conformance/inputs -o "$work/out" --html "$work/report.html" --quiet --allow-warnings all
    "$program" diff "$work/lbs.glb" "$work/dqs.glb" --html "$work/difference.html" >/dev/null || [ $? = 1 ]
    scripts/prove playground --build "$work/playground"
    PYTHONPATH=scripts python3 -B -c 'import sys; from proofs.common import in_browser; in_browser("screenshots.mjs", *sys.argv[1:])' "$work" "$(pwd)/$pictures"
fi
ls -l "$pictures"/*.png
