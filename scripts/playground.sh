#!/usr/bin/env bash
# Builds the book with the playground in it: target/book/playground. With --prove it then tests the page in headless Chromium: examples,
# findings, proposals, poses, saved files against the program's bytes, links, dropped files, hostile documents, requests,
# accessibility, sizes, and the time from a key stroke to the picture. Exit status 1 if anything fails.
#
#   scripts/playground.sh [--prove] [--out DIR]
#
#   --out DIR   build the page there, and no book
#
# Needs rustup, node 20 and the network. mdbook is used if it is installed; --prove installs playwright and axe from npm, and Chromium
# by apt if it is not there. RIGY_BATCH may name a build of the program; without it the program is built for --prove.
set -euo pipefail
cd "$(dirname "$0")/.."

prove="" out=""
while [ $# -gt 0 ]; do
    case $1 in
    --prove) prove=1 ;;
    --out) out=$2; shift ;;
    *) sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
    shift
done

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
export CARGO_TARGET_DIR=$target
if [ -z "$out" ]; then
    if command -v mdbook >/dev/null; then mdbook build docs; else echo "mdbook is not installed: only the playground is built" >&2; fi
    out=target/book/playground
fi
mkdir -p "$out"
out=$(realpath "$out")

rustup --quiet target add wasm32-unknown-unknown
(cd bindings/js && cargo build --locked --profile module --quiet --features editor)
(cd playground && npm ci --silent --no-audit --no-fund && node build.mjs "$out")
cp "$target/wasm32-unknown-unknown/module/rigy_batch_js.wasm" "$out/rigy_batch.wasm"
echo "$out/index.html: serve the folder, for example with python3 -m http.server --directory $out"
[ -n "$prove" ] || exit 0

tools=${PLAYGROUND_TOOLS:-$target/playground-tools}
if ! command -v chromium >/dev/null; then
    apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null
fi
if [ ! -d "$tools/node_modules/playwright-core" ] || [ ! -d "$tools/node_modules/axe-core" ]; then
    npm install --silent --no-audit --no-fund --prefix "$tools" playwright-core axe-core
fi
if [ -z "${RIGY_BATCH:-}" ]; then
    cargo build --locked --release --quiet
    RIGY_BATCH=$target/release/rigy-batch
fi
export RIGY_BATCH RIGY_SUITE=${RIGY_SUITE:-$PWD/../shared}
NODE_PATH="$tools/node_modules" node scripts/playground/prove.mjs "$out" "$target/playground-pictures"
