#!/usr/bin/env bash
# Runs the program over object storage: a server on the loopback (moto, from PyPI), and a proxy in front of it that lets requests
# fail: answers of 503, connections that end before or in the middle of the answer, late answers. 5,000 generated documents, whose
# outputs and reports must be those of a run on the disk: without failures, with 1 % and 10 % of them, with two writers at the same
# place, in shards, after being killed. Prints times beside the run on the disk. Exit 1 if anything differs. Needs Python and the
# network.
# Usage: scripts/object-store/test.sh [--documents N]
# RIGY_BATCH, with the feature `object-store`, and GENERATE may name builds of the program and of the example `generate`; without
# them they are built.
set -euo pipefail
cd "$(dirname "$0")/../.."

documents=5000
case ${1-} in
--documents) documents=$2 ;;
'') ;;
*) sed -n '2,10s/^# //p' "$0" >&2; exit 2 ;;
esac

if [ -z "${RIGY_BATCH-}" ]; then
    cargo build --locked --release --quiet --features object-store --bin rigy-batch
    RIGY_BATCH=${CARGO_TARGET_DIR:-target}/release/rigy-batch
fi
# shellcheck source=scripts/cluster/programs.sh
. scripts/cluster/programs.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check 'moto[s3,server]==5.2.5' boto3==1.44.5
"$generate" "$work/docs" --count "$documents" --seed 7
printf 'version: "0.5"\nmeshes: 1\n' >"$work/docs/bad.rigy.yaml"
PYTHONDONTWRITEBYTECODE=1 TMPDIR=$work "$work/venv/bin/python" scripts/object-store/cases.py "$program" "$work"
