#!/usr/bin/env bash
# Checks that viewer/dist is what the sources give. Needs node and `npm ci` in viewer/.
set -euo pipefail
cd "$(dirname "$0")"
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
node build.mjs "$made"
diff -rq "$made" dist
