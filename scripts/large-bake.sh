#!/usr/bin/env bash
# Bakes one large file in memory (no disk takes part) and prints Markdown: time over `cp` of the same file, for 1 and 2
# threads, all taking turns in one run; the memory the bake needs for itself; and whether the outputs are identical and
# their vertices where they should be. Needs about twice the file's size of free memory: 4 GB for the default.
# Usage: scripts/large-bake.sh [--vertices N] [--rounds N] [--solver lbs|dqs] [--on DIR]
#   --vertices N  40,000,000, a file of 1.9 GB
#   --rounds N    number of turns of each (5)
#   --solver S    only this one; both otherwise
#   --on DIR      a file system in memory (/dev/shm)
set -euo pipefail
cd "$(dirname "$0")/.."

vertices=40000000 rounds=5 solvers="lbs dqs" on=/dev/shm
while [ $# -gt 0 ]; do
    case $1 in
    --vertices) vertices=${2:?how many}; shift ;;
    --rounds) rounds=${2:?how many}; shift ;;
    --solver) solvers=${2:?which}; shift ;;
    --on) on=${2:?where}; shift ;;
    *) sed -n '2,9s/^# //p' "$0" >&2; exit 2 ;;
    esac
    shift
done

release=${CARGO_TARGET_DIR:-target}/release
[ "$(stat -f -c %T "$on")" = tmpfs ] || echo "**$on is not in memory**: a disk takes part in what follows."

baking=
work=$(mktemp -d -p "$on" rigy-batch-large.XXXXXX)
cleanup() {
    [ -z "$baking" ] || kill "$baking" 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

say() { printf '%s\n' "$*" >&2; }

say "building"
cargo build --locked --release --quiet --bins --example generate_skinned
tool=$(realpath "$release/rigy-batch")
say "generating"
"$release/examples/generate_skinned" "$work/column.glb" --vertices "$vertices"

bake() { # SOLVER SECOND THREADS DIRECTORY
    "$tool" bake --solver "$1" --animation coil --time "$2" -j "$3" -o "$4" --quiet "$work/column.glb"
}

# Adds the wall and processor time of a command, in seconds, to a list: NAME COMMAND...
timed() {
    local name=$1 TIMEFORMAT='%R %U %S'
    shift
    { time "$@" 2>&3; } 3>&2 2>>"$work/times.$name"
}

# The median of a list: NAME wall|processor
median() {
    awk -v what="$2" '{ print what == "wall" ? $1 : $2 + $3 }' "$work/times.$1" | sort -n |
        awk '{ t[NR] = $1 } END { print (t[int((NR + 1) / 2)] + t[int(NR / 2) + 1]) / 2 }'
}

# Peak of what a process keeps for itself, in KiB, while it runs by itself. `Anonymous` of smaps_rollup: resident pages
# that no file stands behind, which is heap, stacks and written private pages. The input that is mapped is not in it,
# nor is the output, which in a file system in memory belongs to that. `Rss` is with the mapped input.
memory() { # SOLVER THREADS
    local anonymous rss own=0 whole=0 samples=0
    "$tool" bake --solver "$1" --animation coil --time 2 -j "$2" -o "$work/memory" --quiet "$work/column.glb" &
    baking=$!
    while kill -0 "$baking" 2>/dev/null; do
        # Before it is the program it is a copy of this shell; when it has ended there is nothing to read.
        if [ "/proc/$baking/exe" -ef "$tool" ] && read -r anonymous rss < <(awk \
            '/^(Anonymous|Rss):/ { v[$1] = $2 } END { if (NR) print v["Anonymous:"], v["Rss:"] }' \
            "/proc/$baking/smaps_rollup" 2>/dev/null); then
            [ "$anonymous" -le "$own" ] || own=$anonymous
            [ "$rss" -le "$whole" ] || whole=$rss
            samples=$((samples + 1))
        fi
        sleep 0.005
    done
    wait "$baking"
    baking=
    rm -rf "$work/memory"
    echo "$own $whole $samples"
}

same() { cmp "$work/first/column.glb" "$1/column.glb" || { say "outputs differ"; exit 1; }; }

bytes=$(stat -c %s "$work/column.glb")
echo "$vertices vertices, $bytes bytes in; medians of $rounds rounds; $(rustc --version); $(nproc) cores," \
    "load average $(cut -d' ' -f1-3 /proc/loadavg)"
echo
echo "| solver | bytes out | cp, s | 1 thread, s | 2 threads, s | 1 thread / cp | 2 threads / cp | 1 / 2 threads | processor time: cp, 1, 2 threads, s | peak memory of its own, 1 and 2 threads, MiB |"
echo "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
for solver in $solvers; do
    say "$solver: where vertices are"
    bake "$solver" 1 2 "$work/turned"
    python3 scripts/large/check.py "$work/column.glb" "$work/turned/column.glb" >&2
    rm -rf "$work/turned" "$work/first"
    bake "$solver" 2 2 "$work/first" # also warms up
    rm -f "$work"/times.*
    for round in $(seq "$rounds"); do
        say "$solver: round $round"
        timed cp cp "$work/column.glb" "$work/copy.glb"
        rm "$work/copy.glb"
        for threads in 1 2; do
            timed "$threads" bake "$solver" 2 "$threads" "$work/out"
            same "$work/out"
            rm -rf "$work/out"
        done
    done
    read -r own1 _ samples1 <<<"$(memory "$solver" 1)"
    read -r own2 _ samples2 <<<"$(memory "$solver" 2)"
    say "memory: $samples1 and $samples2 samples"
    awk -v solver="$solver" -v out="$(stat -c %s "$work/first/column.glb")" \
        -v cp="$(median cp wall)" -v one="$(median 1 wall)" -v two="$(median 2 wall)" \
        -v work_cp="$(median cp processor)" -v work_one="$(median 1 processor)" -v work_two="$(median 2 processor)" \
        -v own1="$own1" -v own2="$own2" 'BEGIN {
            printf "| %s | %d | %.3f | %.3f | %.3f | %.2f | %.2f | %.2f | %.2f, %.2f, %.2f | %.1f, %.1f |\n", solver, out,
                cp, one, two, one / cp, two / cp, one / two, work_cp, work_one, work_two, own1 / 1024, own2 / 1024
        }'
done
echo
echo "All outputs of a solver are identical."
