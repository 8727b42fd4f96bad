#!/usr/bin/env bash
# What ten million inputs take, without the files: names, a list of them, one shard of a thousand, and the reports of all shards,
# merged. Prints a table in Markdown: seconds by the clock, seconds of processors, and the most memory of the process. Then the
# search of a tree of real, empty files in memory.
#
#   scripts/ten-million.sh [--inputs N] [--shards N] [--files N] [--program PATH] [--names PATH]
#
# Without arguments 10,000,000 inputs, 1,000 shards and 1,000,000 files: about five minutes, 6 GB on the disk and 3 GB of memory. Needs GNU
# time (Debian's package time).
set -euo pipefail
cd "$(dirname "$0")/.."

inputs=10000000 shards=1000 files=1000000 program='' names=''
while [ $# -gt 0 ]; do
    case $1 in
    --inputs | --shards | --files | --program | --names)
        [ -n "${2-}" ] || { echo "ten-million.sh: $1 needs a value" >&2; exit 2; }
        printf -v "${1#--}" %s "$2"
        shift
        ;;
    *)
        sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
    esac
    shift
done
if [ -z "$program" ] || [ -z "$names" ]; then
    cargo build --locked --release --quiet --bin rigy-batch --example names
    target=$(realpath "${CARGO_TARGET_DIR:-target}")/release
    : "${program:=$target/rigy-batch}" "${names:=$target/examples/names}"
fi
program=$(realpath "$program") names=$(realpath "$names")
work=$(mktemp -d)
tree=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$work" "$tree"' EXIT
cd "$work"

# Runs a command and prints a row: what it is, seconds, the most memory. The status must be one of two.
row() { # TITLE STATUS COMMAND…
    local title=$1 expected=$2 status=0
    shift 2
    command time -f '%e %U %S %M' -o time "$@" >out 2>err || status=$?
    if [ "$status" != "$expected" ]; then
        echo "ten-million.sh: $* ended with $status" >&2
        head -c 2000 err >&2
        exit 1
    fi
    tail -n 1 time | awk -v title="$title" '{ printf "| %s | %.1f | %.1f | %.0f |\n", title, $1, $2 + $3, $4 / 1024 }'
}

printf 'load %s, %s processors\n\n' "$(cut -d' ' -f1-3 /proc/loadavg)" "$(nproc)"
echo '| step | seconds | of processors | MiB |'
echo '|---|---|---|---|'
row "write a list of $inputs names" 0 "$names" list "$inputs" list
row "read the bytes of the list ($(($(stat -c %s list) / 1000000)) MB)" 0 cat list
row "without a list: keep all names, sort them, choose a shard" 0 "$names" sort "$inputs" "7/$shards"
row "with a list: choose a shard of $shards" 0 "$names" select list "7/$shards"
row "with a list: choose a shard of $((shards / 10))" 0 "$names" select list "7/$((shards / 10))"
# No file of the list is there, so every input of the shard fails, and the run ends with 1.
row "the program: shard 7/$shards, all of whose files are missing" 1 "$program" --inputs-from list --shard "7/$shards" -o o -q
"$names" reports list "$shards" reports
shuf -e reports/*.json >order
row "read the bytes of $shards reports ($(($(du -sb reports | cut -f1) / 1000000)) MB)" 0 xargs cat <order
row "read and write them" 0 sh -c 'xargs cat <order >copy'
rm copy
row "merge-reports" 0 xargs "$program" merge-reports -o merged.json <order
lines=$(grep -c '"status":"written"' merged.json)
[ "$lines" = "$inputs" ] || { echo "ten-million.sh: $lines of $inputs lines" >&2; exit 1; }
rm -r reports merged.json

"$names" files "$files" "$tree/models"
cd "$tree"
row "find $files files and do nothing with them" 0 find models -name '*.rigy.yaml'
row "search for $files files, of which shard 7/100000 is processed" 1 "$program" models --shard 7/100000 -n -q
row "plan, which looks at the lengths and writes a list" 0 "$program" plan models --inputs-to list -q
row "the same shard by the list" 1 "$program" --inputs-from list --shard 7/100000 -n -q
