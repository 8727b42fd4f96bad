#!/usr/bin/env bash
# Instructions the kernel takes per vertex, counted and not timed: a slower kernel shows on a busy machine too.
# Compares with benches/instructions.txt and fails where a count grew by more than 2 %; with another compiler than
# the table's it only notes what differs.
# Usage: scripts/instructions.sh [--bless]     --bless rewrites the table
set -euo pipefail
cd "$(dirname "$0")/.."
table=benches/instructions.txt
vertices=4096 repeats=4 # below the size from which memory is asked for ahead of time

# Valgrind counts alike everywhere but knows no AVX-512; the processor's own counter is for machines without it.
if command -v valgrind >/dev/null; then
    counter=callgrind sets="scalar baseline avx2"
elif perf stat -e instructions:u true 2>&1 | grep -q '[0-9] *instructions:u'; then
    counter=perf sets="scalar baseline avx2 avx512"
else
    echo "neither valgrind nor a counter of instructions here: not checked"
    exit 0
fi

cargo build --locked --release --quiet -p rigy-kernel --example evaluate_workload
program=$(realpath "${CARGO_TARGET_DIR:-target}")/release/examples/evaluate_workload
export program counter vertices repeats

# Prints the instructions of a whole run: solver, workload, instruction set, repeats.
count() {
    if [ "$counter" = callgrind ]; then
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$1" "$2" "$3" "$vertices" "$4" 2>&1 >/dev/null |
            awk '/Collected *:/ { print $4 }'
    else
        perf stat -x, -e instructions:u "$program" "$1" "$2" "$3" "$vertices" "$4" 2>&1 >/dev/null |
            awk -F, '/instructions/ { print $1 }'
    fi
}

# Prints one line of the table. Two runs are subtracted, so that making the workload is not counted, nor is what
# only the first evaluation does.
line() {
    local once more
    once=$(count "$@" 1)
    more=$(count "$@" $((1 + repeats)))
    [ -n "$once" ] && [ -n "$more" ] || { echo "$*: nothing counted" >&2; return 1; }
    awk -v once="$once" -v more="$more" -v n=$((repeats * vertices)) -v case="$*" \
        'BEGIN { split(case, c, " "); printf "%-6s %-8s %-9s %8.1f\n", c[1], c[2], c[3], (more - once) / n }'
}
export -f count line

cases() {
    for isa in $sets; do
        # A workload without vertices is made at once: does this machine have the instruction set?
        if ! "$program" dqs mix "$isa" 0 0 >/dev/null 2>&1; then
            [ "$isa" != scalar ] || { echo "$program does not run" >&2; exit 1; }
            echo "$isa: not on this machine" >&2
            echo "$isa" >>"$absent"
            continue
        fi
        for solver in lbs dqs; do
            for workload in random ring mix; do echo "$solver $workload $isa"; done
        done
    done
}

compiler="# $counter, $(rustc --version), $(rustc -vV | sed -n 's/^host: //p')"
new=$(mktemp) absent=$(mktemp)
trap 'rm -f "$new" "$absent"' EXIT
{
    echo "# Instructions per vertex ($vertices vertices). Made by scripts/instructions.sh --bless."
    echo "$compiler"
    cases | xargs -P "$(nproc)" -I{} bash -c 'line {}' | LC_ALL=C sort
} >"$new"

if [ "${1:-}" = --bless ]; then
    cp "$new" "$table"
    cat "$table"
    exit 0
fi

fatal=1
if [ "$(sed -n 2p "$table")" != "$compiler" ]; then
    fatal=0
    echo "the table is of another compiler or counter: $(sed -n 2p "$table" | cut -c3-); differences are only noted"
fi
awk -v fatal=$fatal -v absent="$(paste -sd'|' "$absent" | sed 's/^$/^$/')" '
    /^#/ { next }
    { key = $1 " " $2 " " $3 }
    NR == FNR { old[key] = $4; next }
    !(key in old) { note = "not in the table" }
    key in old {
        note = old[key] == $4 ? "" : sprintf("%+.1f %% from %s", 100 * ($4 / old[key] - 1), old[key])
        if ($4 > 1.02 * old[key]) { note = note ": grew"; grown++ }
    }
    { print $0 (note == "" ? "" : "   " note) }
    { seen[key] = 1 }
    END {
        for (key in old) if (!(key in seen) && key !~ absent) { print key ": in the table, not counted"; missing++ }
        if (missing) exit 1
        if (grown) print grown " of these take more instructions than the table allows; if that is meant: --bless"
        exit grown && fatal
    }' "$table" "$new"
