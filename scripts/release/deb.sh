#!/usr/bin/env bash
# Makes a package of Debian with `cargo deb`, which it installs if it is not there: target/debian/rigy-batch_*.deb.
set -euo pipefail
cd "$(dirname "$0")/../.."

# The paths in Cargo.toml are below target/.
unset CARGO_TARGET_DIR
cargo deb --version >/dev/null 2>&1 || cargo install --locked cargo-deb
RIGY_BATCH_COMMIT=$(git rev-parse --short=12 HEAD)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export RIGY_BATCH_COMMIT SOURCE_DATE_EPOCH
cargo build --locked --profile dist --bins
scripts/release/papers.sh target/dist/rigy-batch "$(rustc -vV | sed -n 's/^host: //p')" target/packaging
cargo deb --no-build --locked
