#!/usr/bin/env bash
# build.sh TARGET: builds the stripped program for a target and prints where it is.
#
# A program for Linux that runs on this machine is built twice. The first build counts how often each piece of code runs while
# scripts/release/train.sh uses the program, and the second is optimised by these counts; without them a batch of documents takes 7 %
# more of the processor's time. What is counted and never runs is optimised for size. Two things have no counts and are optimised as
# always: the kernel, because this machine may not have all instruction sets, and decoders, because nothing in the repository needs them.
#
# Environment: CARGO_TARGET_<TARGET>_LINKER and CC_<target> name tools for other targets. RIGY_BATCH_COUNTS names a file of counts that
# is used if it is there, and written if not: two trainings differ in a few counts, so only the same file gives the same program again.
# RIGY_BATCH_COUNTS=none builds once, without counts.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=${1:?usage: build.sh TARGET}
counts=${RIGY_BATCH_COUNTS:-}
mkdir -p "${CARGO_TARGET_DIR:-target}"
built=$(cd "${CARGO_TARGET_DIR:-target}" && pwd)
host=$(rustc -vV | sed -n 's/^host: //p')
# Compilers of C write this time in place of that of the build.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
export SOURCE_DATE_EPOCH
# Messages of panics name source files. Without these flags, files of crates would be named with directories of this machine.
flags=(
    "--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src=/crates"
    "--remap-path-prefix=$built=/target"
)
case $target in
# Relocations of an executable without a dynamic linker are packed: they take a sixtieth of the room.
*-linux-musl) flags+=("-Clink-arg=-Wl,-z,pack-relative-relocs") ;;
esac
case $target in
*-windows-*) program=dist/rigy-batch.exe ;;
*) program=dist/rigy-batch ;;
esac

# build DIRECTORY FLAG...: builds with these flags and puts results into a directory.
build() {
    local all=("${flags[@]}" "${@:2}")
    CARGO_ENCODED_RUSTFLAGS=$(IFS=$'\x1f' && echo "${all[*]}") \
        cargo build --locked --profile dist --package rigy-batch --bins --target "$target" --target-dir "$1" >&2
}

# count FILE: builds a program that counts, trains it, and writes the counts into a file.
count() {
    local merge raw
    merge=$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata
    [ -e "$merge" ] || rustup --quiet component add llvm-tools >&2
    raw=$built/counting/raw
    rm -rf "$raw"
    build "$built/counting" "-Cprofile-generate=$raw"
    scripts/release/train.sh "$built/counting/$target/$program" >&2
    "$merge" merge --no-function="rigy_kernel|draco|meshopt|webp|zune_jpeg" -o "$1" "$raw" >&2
}

# True for programs for Linux and this machine's processor, with the C library of this machine or without one.
runs_here() {
    [[ $host == *-linux-* ]] && { [ "$target" = "$host" ] || [ "$target" = "${host%-gnu}-musl" ]; }
}

if [ -z "$counts" ] && runs_here; then
    mkdir -p "$built/counting"
    counts=$built/counting/counts.profdata
    rm -f "$counts"
elif [ -z "$counts" ]; then
    echo "$target is built without counts: they are made on Linux, by programs that run there" >&2
    counts=none
fi
if [ "$counts" = none ]; then
    build "$built"
else
    counts=$(cd "$(dirname "$counts")" && pwd)/$(basename "$counts")
    [ -e "$counts" ] || count "$counts"
    build "$built" "-Cprofile-use=$counts"
fi
echo "$built/$target/$program"
