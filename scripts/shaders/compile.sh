#!/usr/bin/env bash
# Compiles the shaders of the page about palettes with naga (`cargo install naga-cli`), each also to the other language.
set -euo pipefail
cd "$(dirname "$0")/../.."
page=docs/src/reference/palette.md
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
for kind in glsl:vert wgsl:wgsl; do
    block=${kind%:*} file="$directory/shader.${kind#*:}"
    awk -v block="$block" '$0 == "```" { on = 0 } on; $0 == "```" block { on = 1 }' "$page" >"$file"
    test -s "$file"
    naga --input-kind "$block" --shader-stage vertex "$file"
done
naga "$directory/shader.wgsl" "$directory/of-wgsl.spv"
naga --input-kind glsl --shader-stage vertex "$directory/shader.vert" "$directory/of-glsl.spv"
naga --input-kind glsl --shader-stage vertex "$directory/shader.vert" "$directory/of-glsl.wgsl"
echo "both shaders compile"
