#!/usr/bin/env bash
# deb.sh [DIRECTORY]: makes a package of Debian for this machine with `cargo deb`, which it installs if it is not there:
# DIRECTORY/rigy-batch_*.deb, in target/debian unless a directory is given.
set -euo pipefail
cd "$(dirname "$0")/../.."

directory=${1:-target/debian}
mkdir -p "$directory"
cargo deb --version >/dev/null 2>&1 || cargo install --locked cargo-deb
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
target=$(rustc -vV | sed -n 's/^host: //p')
program=$(scripts/release/build.sh "$target")
# `cargo deb` reads the paths of Cargo.toml below target/dist/ as paths below this directory.
scripts/release/papers.sh "$program" "$target" "$(dirname "$program")/packaging"
cargo deb --no-build --locked --target "$target" --output "$directory/"
