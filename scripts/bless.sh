#!/usr/bin/env bash
# Rewrites conformance/outputs and the hashes in conformance/manifest.json from the scalar oracle, and prints the
# first differing field of every file that changes. Say why in CHANGELOG.md. Then makes the sections of docs/src/reference/codes.md
# from what `rigy-batch explain` says, and writes what commands say into transcripts and pages of the book.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo test --quiet --test all bytes::conformance::bless -- --ignored --nocapture
cargo test --quiet --test all command::explain::bless -- --ignored
readme=the_readme_says_how_its_first_command_ends # which writes README.md, as another test does
RIGY_BLESS=1 cargo test --quiet --test all -- transcripts:: command::documentation --skip "$readme"
RIGY_BLESS=1 cargo test --quiet --test all -- "$readme"
git status --short conformance docs tests/transcripts README.md
