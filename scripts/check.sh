#!/usr/bin/env bash
# What must hold before a commit: formatting, lints, all tests, links and citations of the book, licences. `.ci/run` checks the rest.
# What is missing here is named and left out.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/steps.sh
has() { command -v "$1" >/dev/null; }

step cargo fmt --all --check
if has python3; then
    step scripts/check-docs.py
    step bindings/types.py --check
    step scripts/lines.py
else
    echo "there is no python3: links and citations of the book are not checked"
fi
if cargo deny --version >/dev/null 2>&1; then
    step cargo deny check licenses bans sources
else
    echo "cargo deny is not installed: licences are not checked"
fi

# The members of the workspace are compiled by Clippy, which stands in for rustc, so that lints need no build of their own.
export RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings
step cargo test --locked
