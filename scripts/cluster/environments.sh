#!/usr/bin/env bash
# Runs the commands of the manifests for Kubernetes and AWS Batch with the environment that each engine sets, every index in turn, and merges
# the reports by their commands. Hashes of all outputs and the merged report must be those of one machine. Then the same with a
# container killed or told to end, with documents that fail, and with an environment that is wrong. Exit 1 if anything differs.
# Needs Python with PyYAML, which check.sh installs.
# Usage: scripts/cluster/environments.sh [--documents N]
# RIGY_BATCH and GENERATE may name builds of the program and of the example `generate`; without them they are built.
set -euo pipefail
cd "$(dirname "$0")/../.."

documents=4000
case ${1-} in
--documents) documents=$2 ;;
'') ;;
*) sed -n '2,7s/^# //p' "$0" >&2; exit 2 ;;
esac

python=${XDG_CACHE_HOME:-$HOME/.cache}/rigy-batch-peers/cluster/bin/python
[ -x "$python" ] || { echo "there is no $python: run scripts/cluster/check.sh first" >&2; exit 2; }
if [ -z "${RIGY_BATCH-}" ] || [ -z "${GENERATE-}" ]; then
    cargo build --locked --release --quiet --bin rigy-batch --example generate
    target=$(realpath "${CARGO_TARGET_DIR:-target}")/release
    RIGY_BATCH=${RIGY_BATCH:-$target/rigy-batch} GENERATE=${GENERATE:-$target/examples/generate}
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/data/reports" "$work/bin"
ln -s "$(realpath "$RIGY_BATCH")" "$work/bin/rigy-batch"
"$GENERATE" "$work/data/models" --count "$documents" --seed 7
PYTHONDONTWRITEBYTECODE=1 "$python" scripts/cluster/environments.py "$work"
