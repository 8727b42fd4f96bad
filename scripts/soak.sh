#!/usr/bin/env bash
# Kills the program and changes its inputs under it, at random moments, for longer than tests do every day. Prints
# counts; fails on any crash, partial file, wrong output or leftover.
#
#   scripts/soak.sh [--kills N] [--races N] [--documents N] [--minutes M]
#
# Without arguments, what the design promises: 1,000 kills of a run over 2,000 documents and 10,000 changes of inputs.
# With --minutes, round after round until they are over.
set -euo pipefail
cd "$(dirname "$0")/.."

kills=1000 races=10000 documents=2000 minutes=0
while [ $# -gt 0 ]; do
    case $1 in
    --kills | --races | --documents | --minutes)
        [[ ${2-} =~ ^[0-9]+$ ]] || { echo "soak.sh: $1 needs a number" >&2; exit 2; }
        printf -v "${1#--}" %s "$2"
        shift 2
        ;;
    *)
        sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
    esac
done

export RIGY_SOAK_KILLS=$kills RIGY_SOAK_RACES=$races RIGY_SOAK_DOCUMENTS=$documents
end=$((SECONDS + minutes * 60))
round=0
while [ $round -eq 0 ] || [ $SECONDS -lt $end ]; do
    round=$((round + 1))
    echo "== round $round"
    cargo test --locked --release --quiet --test kills --test races -- --nocapture --test-threads 1 |
        grep -vE '^(running|test result|\.*$)'
done
echo "== $round rounds without a finding"
