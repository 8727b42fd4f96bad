#!/usr/bin/env bash
# archive.sh TARGET [DIRECTORY]: builds the program for a target and puts it, stripped, with completions, manual pages and licences
# into DIRECTORY/rigy-batch-VERSION-TARGET.tar.gz (.zip for Windows), with its checksum beside it. The same commit and compiler give
# the same archive. DIRECTORY is target/release-archives unless it is given.
#
# Completions and manual pages are printed by the program of this machine, which is built first if the target is another one.
# Environment: RIGY_BATCH_HOST names such a program; CARGO_TARGET_<TARGET>_LINKER and CC_<target> name tools for other targets.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=${1:?usage: archive.sh TARGET [DIRECTORY]}
mkdir -p "${2:-target/release-archives}"
directory=$(cd "${2:-target/release-archives}" && pwd)
version=$(sed -n '/^\[package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' Cargo.toml)
name=rigy-batch-$version-$target
built=${CARGO_TARGET_DIR:-target}
host_target=$(rustc -vV | sed -n 's/^host: //p')
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || echo 0)
RIGY_BATCH_COMMIT=$(git rev-parse --short=12 HEAD 2>/dev/null || echo)
export SOURCE_DATE_EPOCH RIGY_BATCH_COMMIT

build() {
    cargo build --locked --profile dist --bins --target "$1"
}
build "$target"
case $target in
*-windows-*) program=$built/$target/dist/rigy-batch.exe ;;
*) program=$built/$target/dist/rigy-batch ;;
esac
host=${RIGY_BATCH_HOST:-$built/$host_target/dist/rigy-batch}
[ -x "$host" ] || build "$host_target"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
into=$work/$name
mkdir -p "$into"
cp "$program" README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$into/"
scripts/release/papers.sh "$host" "$target" "$into"

# Nothing of the machine, the time or the user goes into the archive.
find "$into" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
case $target in
*-windows-*)
    file=$name.zip
    (cd "$work" && find "$name" | LC_ALL=C sort | TZ=UTC zip -X -q "$directory/$file.new" -@)
    mv "$directory/$file.new" "$directory/$file"
    ;;
*)
    file=$name.tar.gz
    tar --directory "$work" --sort=name --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw --format=gnu -cf - "$name" |
        gzip -9n >"$directory/$file"
    ;;
esac
(cd "$directory" && sha256sum "$file" >"$file.sha256")
printf '%s: %s bytes, the program %s\n' "$directory/$file" "$(wc -c <"$directory/$file")" "$(wc -c <"$program")"
