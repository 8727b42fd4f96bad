#!/usr/bin/env bash
# Kills the program and changes its inputs under it, at random moments, and fuzzes the library, for longer than tests
# do every day. Prints counts; fails on any crash, partial file, wrong output, leftover or finding of a fuzzer.
#
#   scripts/soak.sh [--minutes M] [--kills N] [--races N] [--documents N] [--no-fuzz]
#
# Without arguments, what the design promises: 1,000 kills of a run over 2,000 documents, 10,000 changes of inputs, a
# thousand runs under faults of the system around them (scripts/around.sh, as root), and ten minutes of each fuzz target.
# With --minutes, so long in all once everything is built: one half small rounds of kills and changes (the last one is
# finished), the other half divided among the fuzz targets.
# --no-fuzz leaves the fuzzing out, which needs cargo-fuzz: `cargo install cargo-fuzz`.
set -euo pipefail
cd "$(dirname "$0")/.."

minutes=0 kills='' races='' documents='' fuzz=yes
while [ $# -gt 0 ]; do
    case $1 in
    --kills | --races | --documents | --minutes)
        [[ ${2-} =~ ^[1-9][0-9]*$ ]] || { echo "soak.sh: $1 needs a number" >&2; exit 2; }
        printf -v "${1#--}" %s "$2"
        shift
        ;;
    --no-fuzz) fuzz= ;;
    *)
        sed -n '2,11s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
    esac
    shift
done
# Told now, not when hours of the rest are over; a soak that leaves fuzzing out unasked would seem to be whole.
if [ $fuzz ] && ! cargo fuzz --version >/dev/null 2>&1; then
    echo "soak.sh: there is no cargo-fuzz: cargo install cargo-fuzz, or leave fuzzing out by --no-fuzz" >&2
    exit 2
fi

targets=8 fuzz_seconds=600 rounds_seconds=0 around_runs=1000
if [ "$minutes" -gt 0 ]; then
    around_runs=$((10 * minutes < 1000 ? 10 * minutes : 1000))
    : "${kills:=50}" "${races:=500}" "${documents:=200}"
    rounds_seconds=$((60 * minutes / (${#fuzz} > 0 ? 2 : 1)))
    fuzz_seconds=$((30 * minutes / targets))
fi
export RIGY_SOAK_KILLS=${kills:-1000} RIGY_SOAK_RACES=${races:-10000} RIGY_SOAK_DOCUMENTS=${documents:-2000}

cargo test --locked --release --quiet --test all --no-run
[ ! $fuzz ] || scripts/fuzz.sh --build
failed=0 round=0 end=$((SECONDS + rounds_seconds))
while [ $round -eq 0 ] || [ $SECONDS -lt $end ]; do
    round=$((round + 1))
    echo "== round $round: $RIGY_SOAK_KILLS kills, $RIGY_SOAK_RACES changes of inputs"
    cargo test --locked --release --quiet --test all -- reliability::kills reliability::races --nocapture --test-threads 1 |
        grep -vE '^(running|test result|\.*$)' || { failed=1; break; }
done
if [ "$(id -u)" -eq 0 ]; then
    scripts/around.sh --runs "$around_runs" || failed=1
else
    echo "soak.sh: not root: scripts/around.sh is left out"
fi
[ ! $fuzz ] || scripts/fuzz.sh --seconds "$fuzz_seconds" || failed=1
if [ $failed -eq 1 ]; then
    echo "== something was found: see above" >&2
    exit 1
fi
echo "== $round rounds${fuzz:+, and the fuzzers,} without a finding"
