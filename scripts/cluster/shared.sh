#!/usr/bin/env bash
# Two shards at the same time that share an output root and its cache and nothing else, again and again. In every other run one
# of them is killed at a random moment and started again. After each run all outputs must be those of one machine, the merged
# report, too, no private file may be left, and a run over everything must find nothing to do.
#
#   scripts/cluster/shared.sh [--runs N] [--documents N] [--program PATH] [--generate PATH] [--seed S]
#
# Without arguments 100 runs over 300 documents, with the program of this repository: some minutes.
set -euo pipefail
cd "$(dirname "$0")/../.."

runs=100 documents=300 program='' generate='' seed=$RANDOM
while [ $# -gt 0 ]; do
    case $1 in
    --runs | --documents | --program | --generate | --seed)
        [ -n "${2-}" ] || { echo "shared.sh: $1 needs a value" >&2; exit 2; }
        printf -v "${1#--}" %s "$2"
        shift
        ;;
    *)
        sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
    esac
    shift
done
# shellcheck source=scripts/cluster/programs.sh
. scripts/cluster/programs.sh
# shellcheck source=scripts/cluster/compare.sh
. scripts/cluster/compare.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
RANDOM=$seed
"$generate" docs --count "$documents" --seed "$seed" >generate.log

# Processes one of two parts of the documents.
shard() { # NUMBER
    exec "$program" docs -o out --shard "$1/2" --report "$1.json" -j 1 --allow-warnings all >"$1.log" 2>&1
}

fail() { # MESSAGE
    echo "shared.sh: run $run (--seed $seed): $1" >&2
    exit 1
}

"$program" docs -o out --report one.json --allow-warnings all >one.log
wanted=$(outputs_of out)
# The time that a shard takes beside another, in milliseconds: kills are spread over all of it.
rm -rf out
began=$(date +%s%N)
shard 0 & shard 1 & wait
length=$((($(date +%s%N) - began) / 1000000))

hit=0 again=0
for ((run = 1; run <= runs; run++)); do
    rm -rf out [01].json
    shard 0 & first=$!
    shard 1 & second=$!
    if ((run % 2 == 0)); then
        milliseconds=$((RANDOM % length))
        sleep "$((milliseconds / 1000)).$(printf %03d $((milliseconds % 1000)))"
        # The other shard goes on, and is often done when this one begins again.
        kill -KILL $first 2>/dev/null || true
        status=0
        wait $first 2>/dev/null || status=$?
        if [ $status -ne 0 ]; then
            hit=$((hit + 1))
            shard 0 & first=$!
        fi
    fi
    if ! wait $first || ! wait $second; then fail "a shard fails: $(cat [01].log)"; fi
    [ "$(outputs_of out)" = "$wanted" ] || fail "outputs differ"
    "$program" merge-reports 0.json 1.json -o all.json
    cmp -s <(as_if_new one.json) <(as_if_new all.json) || fail "the merged report differs"
    again=$((again + $(grep -c '"status":"unchanged"' all.json || true)))
    rm all.json
    left=$("$program" docs -o out --check --allow-warnings all) || fail "not all is there: $left"
    "$program" docs -o out --allow-warnings all >last.log
    left=$(find out -path '*/.rigy-batch/tmp-*')
    [ -z "$left" ] || fail "left over: $left"
done
echo "$runs runs of two shards over $documents documents: nothing lost, nothing torn; $hit shards were killed and started again, and" \
    "found $again outputs there"
