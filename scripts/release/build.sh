#!/usr/bin/env bash
# build.sh TARGET: builds the stripped program for a target and prints where it is.
# Environment: CARGO_TARGET_<TARGET>_LINKER and CC_<target> name tools for other targets.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=${1:?usage: build.sh TARGET}
mkdir -p "${CARGO_TARGET_DIR:-target}"
built=$(cd "${CARGO_TARGET_DIR:-target}" && pwd)
# Messages of panics name source files. Without these flags, files of crates would be named with directories of this machine.
flags=(
    "--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src=/crates"
    "--remap-path-prefix=$built=/target"
)
case $target in
# Relocations of an executable without a dynamic linker are packed: they take a sixtieth of the room.
*-linux-musl) flags+=("-Clink-arg=-Wl,-z,pack-relative-relocs") ;;
esac
CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f' && echo "${flags[*]}")
export CARGO_ENCODED_RUSTFLAGS
cargo build --locked --profile dist --bins --target "$target" >&2
case $target in
*-windows-*) echo "$built/$target/dist/rigy-batch.exe" ;;
*) echo "$built/$target/dist/rigy-batch" ;;
esac
