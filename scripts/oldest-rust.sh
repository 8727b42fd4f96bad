#!/usr/bin/env bash
# Checks with the oldest Rust that Cargo.toml permits that the program compiles, with all features and with `cli` alone, and the library
# without features. Installs that Rust with rustup.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
rustup toolchain install "$version" --profile minimal --no-self-update
# Every release of Rust has its own format of compiled crates.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/rust-$version"
cargo "+$version" check --locked --bins --lib
cargo "+$version" check --locked --bins --no-default-features --features cli
cargo "+$version" check --locked --lib --no-default-features
echo "Rust $version compiles the program and the library"
