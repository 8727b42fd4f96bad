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
# shellcheck source=scripts/cluster/programs.sh
. scripts/cluster/programs.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/data/reports" "$work/bin"
ln -s "$program" "$work/bin/rigy-batch"
"$generate" "$work/data/models" --count "$documents" --seed 7
PYTHONDONTWRITEBYTECODE=1 "$python" scripts/cluster/environments.py "$work"
