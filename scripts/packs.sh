#!/usr/bin/env bash
# Writes outputs as packs and as single files, checks and unpacks them, all taking turns in one run, and prints Markdown: seconds of
# each, in memory and on a disk, and how soon packs of a killed run are refused. All packs of a format must have the same bytes, and
# what is unpacked must be what a run without packs writes.
# Usage: scripts/packs.sh [--documents N] [--rounds N] [--memory DIR] [--disk DIR] [--program PATH] [--generate PATH]
#   --documents N  33,500, which have about 100,000 outputs
#   --rounds N     number of turns of each (3)
#   --memory DIR   a file system in memory (/dev/shm)
#   --disk DIR     a file system on a disk (/tmp)
set -euo pipefail
cd "$(dirname "$0")/.."

documents=33500 rounds=3 memory=/dev/shm disk=/tmp program='' generate=''
while [ $# -gt 0 ]; do
    case $1 in
    --documents | --rounds | --memory | --disk | --program | --generate)
        [ -n "${2-}" ] || { echo "packs.sh: $1 needs a value" >&2; exit 2; }
        printf -v "${1#--}" %s "$2"
        shift
        ;;
    *)
        sed -n '2,10s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
    esac
    shift
done
# shellcheck source=scripts/cluster/programs.sh
. scripts/cluster/programs.sh

places=() pid=
trap 'kill -KILL $pid 2>/dev/null || true; rm -rf "${places[@]}"' EXIT
for directory in "$memory" "$disk"; do
    places+=("$(mktemp -d -p "$directory" rigy-batch-packs.XXXXXX)")
done
docs=${places[0]}/docs
times=${places[0]}/times
"$generate" "$docs" --count "$documents" --seed 22 >/dev/null

# Adds wall and processor seconds of a command to the list of its name.
timed() { # NAME COMMAND...
    local name=$1 TIMEFORMAT='%R %U %S'
    shift
    { time "$@" >/dev/null 2>"$times.err"; } 2>"$times.one" || { cat "$times.err" >&2; exit 1; }
    awk -v name="$name" '{ print name, $1, $2 + $3 }' "$times.one" >>"$times"
}

run() { # OUT OPTIONS...
    local out=$1
    shift
    # One of the generated documents has an error.
    "$program" "$docs" -o "$out" --allow-warnings all --quiet "$@" || [ $? -eq 1 ]
}

hash_all() { # DIR
    (cd "$1" && find . -name '*.glb' -print0 | xargs -0 sha256sum)
}

count() { find "$1" -type f ! -path '*/.rigy-batch/*' | wc -l; }
size() { find "$1" -type f ! -path '*/.rigy-batch/*' -printf '%s\n' | awk '{ sum += $1 } END { printf "%.0f", sum / 1e6 }'; }

for ((round = 0; round < rounds; round++)); do
    for place in "${places[@]}"; do
        at=memory
        [ "$place" = "${docs%/docs}" ] || at=disk
        rm -rf "$place"/{single,tar,zip,files}
        timed "$at-single-write" run "$place/single"
        timed "$at-tar-write" run "$place/tar" --pack tar
        timed "$at-zip-write" run "$place/zip" --pack zip
        timed "$at-single-check" hash_all "$place/single"
        timed "$at-tar-check" "$program" verify "$place/tar" --quiet
        timed "$at-zip-check" "$program" verify "$place/zip" --quiet
        cat "$place"/zip/* | sha256sum >>"$times.zip"
        cat "$place"/tar/* | sha256sum >>"$times.tar"
        zip_files="$(count "$place/zip") files, $(size "$place/zip") MB"
        rm -rf "$place/zip"
        timed "$at-tar-compare" "$program" verify "$place/tar" "$place/single" --quiet
        timed "$at-tar-unpack" "$program" unpack "$place/tar" -o "$place/files" --quiet
        diff -r -q "$place/single" "$place/files" -x .rigy-batch >&2
        # Memory is short: one copy less at a time.
        rm -rf "$place/files"
    done
done
for format in tar zip; do
    [ "$(sort -u "$times.$format" | wc -l)" = 1 ] || { echo "packs.sh: runs made different packs ($format)" >&2; exit 1; }
done

# A run that is killed when half of its packs are in their places.
place=${places[1]}
rm -rf "$place/killed"
mkdir "$place/killed"
"$program" "$docs" -o "$place/killed" --pack tar --pack-size 4M --allow-warnings all --quiet 2>/dev/null &
pid=$!
packs=0
while kill -0 $pid 2>/dev/null && [ "$packs" -lt 5 ]; do
    sleep 0.02
    packs=$(find "$place/killed" -maxdepth 1 -name '*.tar' | wc -l)
done
kill -KILL $pid
wait $pid 2>/dev/null || true
began=$(date +%s%N)
status=0
"$program" verify "$place/killed" 2>"$times.err" || status=$?
took=$((($(date +%s%N) - began) / 1000000))
[ $status -eq 2 ] || { echo "packs.sh: a killed run reads as whole" >&2; exit 1; }

echo "$(count "$place/single") outputs of $documents documents, $(size "$place/single") MB; tar: $(count "$place/tar") files, $(size "$place/tar") MB; zip: $zip_files."
echo "The slowest and the fastest of $rounds turns in seconds, and the least time of processors; load $(cut -d' ' -f1-3 /proc/loadavg) at the end, $(nproc) processors."
echo
echo "| where | what | fastest | slowest | processors |"
echo "|---|---|---|---|---|"
awk '{
    if (!($1 in least)) { order[++n] = $1; least[$1] = $2; work[$1] = $3 }
    if ($2 < least[$1]) least[$1] = $2
    if ($2 > most[$1]) most[$1] = $2
    if ($3 < work[$1]) work[$1] = $3
} END {
    for (i = 1; i <= n; i++) {
        split(order[i], part, "-")
        printf "| %s | %s, %s | %.2f | %.2f | %.2f |\n", part[1], part[2], part[3], least[order[i]], most[order[i]], work[order[i]]
    }
}' "$times"
echo
echo "Killed with $packs packs in their places: refused after $took ms: $(cat "$times.err")"
