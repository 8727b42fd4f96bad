#!/usr/bin/env bash
# papers.sh PROGRAM TARGET DIRECTORY: writes what goes with the program into DIRECTORY: completions/ and man/, as PROGRAM prints them,
# THIRD-PARTY-LICENCES.txt for TARGET, and RUST-LIBRARY-LICENCES.html.
set -euo pipefail
program=$(realpath "${1:?usage: papers.sh PROGRAM TARGET DIRECTORY}")
target=${2:?usage: papers.sh PROGRAM TARGET DIRECTORY}
mkdir -p "${3:?usage: papers.sh PROGRAM TARGET DIRECTORY}"
into=$(realpath "$3")
cd "$(dirname "$0")/../.."

mkdir -p "$into/completions" "$into/man"
for shell in bash zsh fish powershell elvish; do
    "$program" --completions "$shell" >"$into/completions/rigy-batch.$shell"
done
"$program" --man >"$into/man/rigy-batch.1"
for command in $("$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\)  *.*/\1/p'); do
    [ "$command" = help ] || "$program" --man "$command" >"$into/man/rigy-batch-$command.1"
done
PYTHONUTF8=1 scripts/release/licences.py "$target" >"$into/THIRD-PARTY-LICENCES.txt"
cp "$(rustc --print sysroot)/share/doc/rust/COPYRIGHT-library.html" "$into/RUST-LIBRARY-LICENCES.html"
