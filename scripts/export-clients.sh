#!/usr/bin/env bash
# Exports every glTF sample, and a made file with hostile names, as OBJ, STL, PLY and USD, and has others read them: trimesh,
# meshio, numpy-stl, plyfile and OpenUSD must find the vertices of the baked GLB, as f32, and so must Blender. Frames in USD are compared with
# single bakes and with UsdSkelBakeSkinning of the same model. Exit 1 if anything differs. Run by hand.
# Usage: scripts/export-clients.sh [--install] [--blender] [--debug] [FILE...]
#   --install  install the clients into a folder of their own in the user's cache
#   --blender  have Blender import the files, too; with --install, install it: 900 MB
#   --debug    use a debug build of the example
#   FILE       other .glb files instead of the samples
set -euo pipefail
cd "$(dirname "$0")/.."

install= blender= profile=release files=()
while [ $# -gt 0 ]; do
    case $1 in
    --install) install=1 ;;
    --blender) blender=1 ;;
    --debug) profile=debug ;;
    -*) sed -n '2,9s/^# //p' "$0" >&2; exit 2 ;;
    *) files+=("$1") ;;
    esac
    shift
done

peers=${XDG_CACHE_HOME:-$HOME/.cache}/rigy-batch-peers
python=$peers/venv/bin/python
samples=${RIGY_SUITE:-../shared}/gltf-samples
[ ${#files[@]} -gt 0 ] || files=("$samples"/made/*.glb "$samples"/real/*.glb)

if [ -n "$install" ]; then
    mkdir -p "$peers"
    [ -x "$python" ] || python3 -m venv "$peers/venv"
    "$python" -m pip install --quiet numpy==2.4.6 trimesh==5.2.0 meshio==5.3.5 numpy-stl==4.1.1 plyfile==1.1.5 \
        usd-core==26.11 >&2
fi
if [ -n "$blender" ]; then
    blender=$peers/blender/bin/python
    if [ -n "$install" ]; then
        [ -x "$blender" ] || python3 -m venv "$peers/blender"
        "$blender" -m pip install --quiet bpy==5.0.1 'numpy<2' >&2
    fi
    "$blender" -c 'import bpy' || { echo "Blender is missing: try --install" >&2; exit 2; }
fi
"$python" -c 'import meshio, plyfile, pxr, stl, trimesh' || { echo "clients are missing: try --install" >&2; exit 2; }

release=$([ "$profile" = debug ] || echo --release)
cargo build --locked --quiet $release --example export
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1
"$python" scripts/export/clients.py "${CARGO_TARGET_DIR:-target}/$profile/examples/export" "$work" "$blender" "${files[@]}"
