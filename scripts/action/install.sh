#!/usr/bin/env bash
# Compiles the program from the source of the GitHub action, with the dependencies of Cargo.lock, into $RUNNER_TEMP/rigy-batch.
set -euo pipefail
# shellcheck source=scripts/action/common.sh
. "$(dirname "$0")/common.sh"

command -v cargo >/dev/null ||
    fail "there is no \`cargo\` to compile rigy-batch with; install Rust before this step, or name a program by the input \`path-to-program\`"
export CARGO_TARGET_DIR=$RUNNER_TEMP/rigy-batch/target
cargo install --locked --path "$GITHUB_ACTION_PATH" --root "$RUNNER_TEMP/rigy-batch"
rm -rf "$CARGO_TARGET_DIR"
