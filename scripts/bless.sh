#!/usr/bin/env bash
# Rewrites conformance/outputs and the hashes in conformance/manifest.json from the scalar oracle, and prints the
# first differing field of every file that changes. Say why in CHANGELOG.md.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo test --quiet --test all bytes::conformance::bless -- --ignored --nocapture
git status --short conformance
