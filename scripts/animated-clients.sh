#!/usr/bin/env bash
# Bakes clips of glTF samples as one animated file each (`--as morph`, `--as step`) and as single frames, and has others look at
# them: the Khronos validator, which may find no error and no warning that a frame does not have, and three.js, Babylon.js and,
# on request, Blender, which play the file to the times of frames; all visible vertices must be where the frame has them, within
# 1e-6 of the size, or within the tolerance. Prints tables; exit 1 if anything is wrong. Needs node; run by hand.
# Usage: scripts/animated-clients.sh [--install] [--blender]
#   --install  install the validator, three.js and Babylon.js into a folder of their own in the user's cache
#   --blender  have Blender import the files, too; with --install, install it: 900 MB
set -euo pipefail
cd "$(dirname "$0")/.."

install= blender=
while [ $# -gt 0 ]; do
    case $1 in
    --install) install=1 ;;
    --blender) blender=1 ;;
    *) sed -n '2,8s/^# //p' "$0" >&2; exit 2 ;;
    esac
    shift
done

bin=${RIGY_BATCH:-${CARGO_TARGET_DIR:-target}/release/rigy-batch}
peers=${XDG_CACHE_HOME:-$HOME/.cache}/rigy-batch-peers
samples=${RIGY_SUITE:-../shared}/gltf-samples
[ -d "$samples" ] || { echo "there is no $samples" >&2; exit 2; }
if [ -n "$install" ]; then
    mkdir -p "$peers"
    npm install --silent --prefix "$peers" gltf-validator@2.0.0-dev.3.10 three@0.187.0 babylonjs@9.28.0 \
        babylonjs-loaders@9.28.0 >&2
fi
for package in gltf-validator three babylonjs babylonjs-loaders; do
    [ -d "$peers/node_modules/$package" ] || { echo "there is no $package: try --install" >&2; exit 2; }
done
if [ -n "$blender" ]; then
    blender=$peers/blender/bin/python
    if [ -n "$install" ]; then
        [ -x "$blender" ] || python3 -m venv "$peers/blender"
        "$blender" -m pip install --quiet bpy==5.0.1 'numpy<2' >&2
    fi
    "$blender" -c 'import bpy' || { echo "Blender is missing: try --install" >&2; exit 2; }
fi
[ -n "${RIGY_BATCH-}" ] || cargo build --locked --release --quiet --bins
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# File, animation, frames, tolerance.
clips="
real/Fox.glb Run 0..47@41 0
real/Fox.glb Survey 0..81@24 0.18
real/RobotQuaternius.glb 0 0..11@10 0
real/RobotQuaternius.glb 0 0..23@24 0.01
real/CesiumMan-geometry.glb 0 1..20@12 0
made/morph_plus_skin.glb 0 0..12@12 0
made/multi_skin_shared_mesh.glb 0 0..12@12 0
made/spline_step_jointscale.glb 0 0..12@12 0
"
id=0
while read -r file animation frames tolerance; do
    [ -n "$file" ] || continue
    id=$((id + 1))
    bake=("$bin" bake --format json "$samples/$file" --animation "$animation" --frames "$frames")
    "${bake[@]}" -o "$work/$id/frames" >"$work/$id.frames"
    for form in morph step; do
        [ "$form" = morph ] && within=(--tolerance "$tolerance") || within=()
        [ "$form" = step ] && [ "$tolerance" != 0 ] && continue
        "${bake[@]}" --as "$form" "${within[@]}" -o "$work/$id/$form" >"$work/$id.$form"
        printf '%s\t%s\t%s\n' "$id" "$form" "$tolerance" >>"$work/plan"
    done
done <<<"$clips" 2>/dev/null
export PYTHONDONTWRITEBYTECODE=1
status=0
node scripts/animated/check.mjs "$peers" "$work" || status=1
[ -z "$blender" ] || "$blender" scripts/animated/blender.py "$work" || status=1
exit $status
