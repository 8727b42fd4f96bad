#!/usr/bin/env bash
# Writes vertex animation textures of glTF samples in every packing, and has others read them: OpenEXR and pypng must find the
# vertices of every baked frame as exactly as the packing says, and in Chromium the shaders of the book must move the mesh there. The
# Khronos validator must find no error in the mesh. Exit 1 if anything differs. Run by hand.
# Usage: scripts/vat-clients.sh [--install] [--browser] [--debug] [FILE...]
#   --install  install the clients into a folder of their own in the user's cache
#   --browser  run the shaders, too; needs chromium
#   --debug    use debug builds
#   FILE       other .glb files instead of the samples
set -euo pipefail
cd "$(dirname "$0")/.."

install= browser= profile=release files=()
while [ $# -gt 0 ]; do
    case $1 in
    --install) install=1 ;;
    --browser) browser=1 ;;
    --debug) profile=debug ;;
    -*) sed -n '2,10s/^# //p' "$0" >&2; exit 2 ;;
    *) files+=("$1") ;;
    esac
    shift
done

peers=${XDG_CACHE_HOME:-$HOME/.cache}/rigy-batch-peers
python=$peers/venv/bin/python
samples=${RIGY_SUITE:-../shared}/gltf-samples/real
if [ ${#files[@]} -eq 0 ]; then
    for name in Fox CesiumMan-geometry RobotQuaternius; do files+=("$samples/$name.glb"); done
fi

if [ -n "$install" ]; then
    mkdir -p "$peers"
    [ -x "$python" ] || python3 -m venv "$peers/venv"
    "$python" -m pip install --quiet numpy==2.4.6 OpenEXR==3.5.3 pypng==0.20220715.0 >&2
    npm install --silent --prefix "$peers" gltf-validator@2.0.0-dev.3.10 >&2
fi
"$python" -c 'import OpenEXR, png' || { echo "clients are missing: try --install" >&2; exit 2; }
[ -d "$peers/node_modules/gltf-validator" ] || { echo "there is no gltf-validator: try --install" >&2; exit 2; }

release=$([ "$profile" = debug ] || echo --release)
cargo build --locked --quiet $release --example vat --bins
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1
built=${CARGO_TARGET_DIR:-target}/$profile
"$python" scripts/vat/clients.py "$built/rigy-batch" "$built/examples/vat" "$work" "${files[@]}"
NODE_PATH=$peers/node_modules node scripts/vat/validate.cjs "$work"/*/*_mesh.glb
[ -z "$browser" ] || "$python" scripts/shaders/vat.py "$built/rigy-batch" "$built/examples/vat"
