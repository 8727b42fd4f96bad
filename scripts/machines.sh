#!/usr/bin/env bash
# The same bytes on other machines: runs the suites, a thousand generated documents and all bakes on this machine, on aarch64,
# riscv64 and s390x (which is big-endian) under qemu, and as a WebAssembly module (32 bits) under node. Compares the hashes
# of all files with this machine's, and prints a table. Exit status 1 if a byte differs, a test fails or a program has an
# instruction that multiplies and adds with one rounding.
#
#   scripts/machines.sh [--root DIR] [--count N] [--seed S] [--work DIR] [MACHINE…]
#
#   --root DIR   build and run inside this Debian root, which ../shared/tools/foreign-root.sh makes if it is not there.
#                Without it, rustup adds the targets, and the cross compilers and qemu-user of this system are used
#                (Debian: gcc-aarch64-linux-gnu gcc-riscv64-linux-gnu gcc-s390x-linux-gnu qemu-user)
#   --count N    generated documents: 1000, and a tenth of it of later versions and of scenes
#   --work DIR   keep inputs, outputs and lists of hashes there
#   MACHINE      aarch64, riscv64, s390x, wasm32; all of them by default
#
# The published suites and the samples of glTF are those of ../shared, or where RIGY_SUITE points; without them the own suite
# and what is generated remain.
set -euo pipefail
cd "$(dirname "$0")/.."

root= count=1000 seed=1 work=
while [[ ${1-} == -* ]]; do
    case $1 in
    --root) root=$2 ;;
    --count) count=$2 ;;
    --seed) seed=$2 ;;
    --work) work=$2 ;;
    *) sed -n '2,19s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
    shift 2
done
machines=("$@")
[ ${#machines[@]} -gt 0 ] || machines=(aarch64 riscv64 s390x wasm32)

source scripts/machines/build.sh
source scripts/machines/fused.sh
source scripts/machines/runs.sh

suites=${RIGY_SUITE:-../shared}
if [ -z "$work" ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
mkdir -p "$work"
work=$(realpath "$work")

prepare_inputs
check_fused x86_64
rows=("$(columns machine cases files bakes draco forms minutes hash)")
row x86_64
for machine in "${machines[@]}"; do
    echo "building for $machine" >&2
    build "$machine"
    check_fused "$machine"
    row "$machine"
done

printf '%s\n' "${rows[@]}"
[[ ! ${rows[*]} =~ DIFFERS|FAILED ]]
