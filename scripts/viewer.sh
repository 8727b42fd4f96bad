#!/usr/bin/env bash
# Proof of the viewer in a real browser: vertices read back from the shader of the page against the baked ones, for every
# sample and document; then the page itself: console, requests, accessibility, keyboard, narrow windows, screenshots.
# Needs node, and the network once: playwright and axe-core from npm, and chromium from apt unless it is there.
# Usage: scripts/viewer.sh [DIRECTORY FOR PAGES AND SCREENSHOTS]
set -euo pipefail
cd "$(dirname "$0")/.."

out=$(mkdir -p "${1:-target/viewer}" && cd "${1:-target/viewer}" && pwd)
shared=${RIGY_SUITE:-../shared}
tools=${VIEWER_TOOLS:-$out/tools}
mkdir -p "$tools" "$out/pages" "$out/pictures"

if ! command -v chromium >/dev/null; then
    apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null
fi
if [ ! -d "$tools/node_modules/playwright-core" ] || [ ! -d "$tools/node_modules/axe-core" ]; then
    npm install --silent --no-audit --no-fund --prefix "$tools" playwright-core axe-core
fi
cargo build --locked --quiet
program=${CARGO_TARGET_DIR:-target}/debug/rigy-batch

rm -rf "$out/pages"
models=("$shared"/gltf-samples/real/*.gl* "$shared"/gltf-samples/made/*.gl* "$shared"/gltf-samples/compressed/*.glb)
documents=(conformance/inputs/*.rigy.yaml "$shared"/conformance/inputs/*.rigy.yaml "$shared"/conformance-0.5/inputs/*.rigy.yaml)
count=0
for file in "${models[@]}" "${documents[@]}"; do
    count=$((count + 1))
    if ! "$program" view "$file" --no-open -o "$out/pages/$(printf %03d $count)" >/dev/null 2>"$out/errors"; then
        echo "$(head -1 "$out/errors") $file"
    fi
done >"$out/refused"
# Fixtures that must be refused, and documents of later versions, have no page.
echo "$(wc -l <"$out/refused") files are refused, of which models:"
grep gltf-samples "$out/refused" || true
node scripts/viewer/pages.mjs "$program" "$out/pages/hostile"
# Comparisons: one whose meshes pair vertex by vertex, and one whose meshes do not.
fox=$shared/gltf-samples/real/Fox.glb
for solver in lbs dqs; do
    "$program" bake "$fox" --animation Walk --time 0.35 --solver "$solver" -q -o "$out/pages/$solver"
done
compare() { "$program" diff "$@" >"$out/difference" || [ $? -eq 1 ]; }
compare "$out/pages/lbs/Fox.glb" "$out/pages/dqs/Fox.glb" --html "$out/pages/compared.html"
compare "$shared"/gltf-samples/real/{RiggedFigure,CesiumMan-geometry}.glb --html "$out/pages/nearest.html"
NODE_PATH="$tools/node_modules" node scripts/viewer/prove.mjs "$out"
