#!/usr/bin/env bash
# Runs the program under faults of the system around it, chosen at random, and kills half of the runs: bind mounts,
# overlays, FUSE with failing operations, small file systems, one whose times are whole seconds, limits, links and devices as reports, users of one group,
# other times. Prints counts; fails if a file of the user is lost, an output is partial, a run crashes or hangs, or the
# clean run that follows is wrong or leaves a file behind.
#
#   scripts/around.sh [--runs N] [--documents N] [--seed S]
#
# Without arguments: 1,000 runs around 200 documents, about twenty minutes. Needs root, and installs the missing tools:
# fusepy, and from Debian's packages libfuse2, fuse and faketime.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(id -u)" -ne 0 ]; then
    echo "around.sh: mounting file systems and acting as other users needs root" >&2
    exit 2
fi
if ! command -v fusermount >/dev/null || ! command -v faketime >/dev/null; then
    apt-get install -qq -y fuse libfuse2 faketime >/dev/null || { apt-get update -qq; apt-get install -qq -y fuse libfuse2 faketime >/dev/null; }
fi
modules=$(mktemp -d)
trap 'rm -rf "$modules"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target "$modules" fusepy

cargo build --locked --release --quiet --bin rigy-batch --example generate
target=${CARGO_TARGET_DIR:-target}/release
PYTHONPATH=$modules unshare --mount python3 scripts/around/around.py \
    "$target/rigy-batch" "$target/examples/generate" "$@"
