#!/usr/bin/env bash
# Runs bake.py on a Ray cluster of this host: a head and two workers with one processor each. 20,000 generated documents
# clean, with a node killed, and interrupted and started again; and programs that fail in each way. Hashes of all outputs and
# merged reports must be those of one machine. Prints times beside one machine's. Exit 1 if anything differs. Needs Python and
# the network; installs Ray into a temporary directory.
# Usage: scripts/cluster/ray/test.sh [--documents N]
# RIGY_BATCH and GENERATE may name builds of the program and of the example `generate`; without them they are built. WHEEL may name a Python
# wheel, which is tried as well. RAY_PYTHON may name a Python that has Ray already.
set -euo pipefail
cd "$(dirname "$0")/../../.."

documents=20000
case ${1-} in
--documents) documents=$2 ;;
'') ;;
*) sed -n '2,9s/^# //p' "$0" >&2; exit 2 ;;
esac

# shellcheck source=scripts/cluster/programs.sh
. scripts/cluster/programs.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "${RAY_PYTHON-}" ]; then
    python3 -m venv "$work/venv"
    RAY_PYTHON=$work/venv/bin/python
    before=$(du -sm "$work/venv" | cut -f1)
    "$RAY_PYTHON" -m pip install --quiet --disable-pip-version-check ray==2.60.0
    echo "Ray takes $(($(du -sm "$work/venv" | cut -f1) - before)) MiB"
fi
[ -z "${WHEEL-}" ] || "$RAY_PYTHON" -m pip install --quiet --disable-pip-version-check "$WHEEL"
"$generate" "$work/docs" --count "$documents" --seed 7
"$generate" "$work/texts" --count 100 --seed 7 --size l02 # documents that refer to no files
PYTHONDONTWRITEBYTECODE=1 RAY_TMPDIR=$work RAY_AUTH_TOKEN_PATH=$work/token \
    "$RAY_PYTHON" scripts/cluster/ray/cases.py "$program" "$work"
