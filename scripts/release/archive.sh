#!/usr/bin/env bash
# archive.sh TARGET [DIRECTORY]: builds the program for a target and puts it, stripped, with completions, manual pages and licences
# into DIRECTORY/rigy-batch-VERSION-TARGET.tar.gz (.zip for Windows), with its checksum beside it. The same commit, compiler and counts
# (see build.sh) give the same archive. DIRECTORY is target/release-archives unless it is given.
#
# The program prints its completions and manual pages. If it does not run on this machine, it is built for this machine, too.
# Environment: RIGY_BATCH_HOST names a program that runs here; CARGO_TARGET_<TARGET>_LINKER and CC_<target> name tools for other targets.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=${1:?usage: archive.sh TARGET [DIRECTORY]}
mkdir -p "${2:-target/release-archives}"
directory=$(cd "${2:-target/release-archives}" && pwd)
version=$(sed -n '/^\[package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' Cargo.toml)
name=rigy-batch-$version-$target
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || echo 0)
export SOURCE_DATE_EPOCH

program=$(scripts/release/build.sh "$target")
if [ -n "${RIGY_BATCH_HOST:-}" ]; then
    host=$RIGY_BATCH_HOST
elif "$program" --version >/dev/null 2>&1; then
    host=$program
else
    host=$(RIGY_BATCH_COUNTS=none scripts/release/build.sh "$(rustc -vV | sed -n 's/^host: //p')")
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
into=$work/$name
mkdir -p "$into"
cp "$program" README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$into/"
scripts/release/papers.sh "$host" "$target" "$into"

# Nothing of the machine, the time or the user goes into the archive.
case $target in
*-windows-*)
    file=$name.zip
    find "$into" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
    rm -f "$directory/$file"
    (cd "$work" && find "$name" | LC_ALL=C sort | TZ=UTC zip -X -q "$directory/$file" -@)
    ;;
*)
    file=$name.tar.gz
    tar --directory "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --mode=go=rX,u+rw \
        --format=gnu -cf - "$name" | gzip -9n >"$directory/$file"
    ;;
esac
(cd "$directory" && sha256sum "$file" >"$file.sha256")
printf '%s: %s bytes, the program %s\n' "$directory/$file" "$(wc -c <"$directory/$file")" "$(wc -c <"$program")"
