#!/usr/bin/env bash
# Runs submit.sh under Slurm on this host, with a controller and two nodes of one processor each on the loopback: without
# disturbance; with a worker that is killed; with a node that fails; again over what is done; and with a disk that is full for a
# while. Compares the outputs and the merged report of each run with those of one machine. Prints a table of times.
#
#   scripts/cluster/slurm/test.sh [--documents N] [--tasks N] [--program PATH] [--generate PATH] [--keep]
#
# Without arguments 20,000 documents in 16 tasks, with the program of this repository; about 3 GB below $TMPDIR. Needs root,
# and installs Slurm from Debian's packages. --generate names the compiled example of this name; --keep leaves all files.
set -euo pipefail
cd "$(dirname "$0")/../../.."

documents=20000 tasks=16 program='' generate='' keep=''
while [ $# -gt 0 ]; do
    case $1 in
    --documents | --tasks | --program | --generate)
        [ -n "${2-}" ] || { echo "test.sh: $1 needs a value" >&2; exit 2; }
        printf -v "${1#--}" %s "$2"
        shift
        ;;
    --keep) keep=yes ;;
    *)
        sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
    esac
    shift
done
[ "$(id -u)" -eq 0 ] || { echo "test.sh: installing and starting Slurm needs root" >&2; exit 2; }
# shellcheck source=scripts/cluster/programs.sh
. scripts/cluster/programs.sh
submit=$PWD/scripts/cluster/slurm/submit.sh
# shellcheck source=scripts/cluster/slurm/site.sh
. scripts/cluster/slurm/site.sh
# shellcheck source=scripts/cluster/compare.sh
. scripts/cluster/compare.sh

work=$(mktemp -d)
chmod 755 "$work" # munge insists that everybody can reach its socket
site=$work/site small='' daemons=()
declare -A node=()
clean_up() {
    stop_slurm
    [ -z "$small" ] || umount "$small" || true
    cd /
    if [ "$keep" ]; then echo "all files: $work"; else rm -rf "$work"; fi
}
trap clean_up EXIT
cd "$work"

seconds_since() { awk "BEGIN {printf \"%.1f\", $(date +%s.%N) - $1}"; }

failures=0
# Prints a row of the table, and judges a run by its outputs, its report, and what merge.sh says of the input that fails.
judge() { # NAME SECONDS REPORT-OF-ONE-MACHINE
    local bytes=other report=other
    [ "$(outputs_of out)" = "$wanted" ] && bytes=same
    if cmp -s "$3" "$run/report.json"; then
        report=same
    elif cmp -s <(as_if_new "$3") <(as_if_new "$run/report.json"); then
        report="same but for $(grep -c '"status":"unchanged"' "$run/report.json") outputs that were there when a task began anew"
    fi
    printf '%-24s %8s s   %2d restarts   outputs: %s   report: %s\n' "$1" "$2" "$(restarts)" $bytes "$report"
    [ $bytes = same ] && [ "$report" != other ] && grep -qx "failed: $inputs/bad.rigy.yaml" "$run/merge.log" &&
        [ ! -e "$run/good" ] || failures=$((failures + 1))
}

restarts() { scontrol show job "$array" 2>/dev/null | grep -o 'Restarts=[0-9]*' | awk -F= '{n += $2} END {print n + 0}'; }
has_restarted() { [ "$(restarts)" -gt 0 ]; }
has_reports() { [ "$(find "$run" -name '[0-9]*.json' | wc -l)" -ge "$1" ]; }
has_ended() { ! squeue --noheader --jobs="$merge" 2>/dev/null | grep -q .; }

# Submits a run, disturbs it by a command, and waits for its end.
cluster() { # COMMAND OPTION...
    local said disturb=$1
    shift
    began=$(date +%s.%N)
    # With --wait it is 1, because an input fails.
    said=$("$submit" --tasks "$tasks" --program "$program" "$@" "$inputs" out -- --allow-warnings all) || [[ $? = 1 && $* = *--wait* ]]
    read -r array merge run < <(sed -nE 's/^array ([0-9]+) .* merge ([0-9]+); .*: (.*)$/\1 \2 \3/p' <<<"$said")
    "$disturb"
    wait_for 3600 "the run does not end" has_ended
    took=$(seconds_since "$began")
}

undisturbed() { :; }

# The oldest process of the program that works for the present run.
worker() { pgrep -of "^$program .*--report $run/"; }

kill_worker() {
    wait_for 3600 "the first third does not end" has_reports $((tasks / 3))
    wait_for 60 "there is no worker" worker >/dev/null
    kill -KILL "$(worker)"
}

has_task() { [ "$(squeue --noheader --states=running --nodelist="$1" | wc -l)" -gt 0 ]; }

fail_node() {
    wait_for 3600 "the first third does not end" has_reports $((tasks / 3))
    wait_for 60 "there is no task on the node" has_task n2
    kill -KILL "${node[n2]}"
    wait "${node[n2]}" 2>/dev/null || true
}

make_room() {
    wait_for 600 "no task is started again" has_restarted
    mount -o remount,size=50% "$small"
}

# What one machine makes of the inputs: the report, and the hash of the outputs.
one_machine() { # REPORT
    began=$(date +%s.%N)
    "$program" "$inputs" -o out --report "$1" --allow-warnings all >one.log 2>&1 || [ $? -eq 1 ]
    took=$(seconds_since "$began")
    wanted=$(outputs_of out)
}

install_slurm
"$generate" docs --count "$documents" --seed 1 >generate.log
# One that fails, in each of the directories below: its status does not start a task again.
for inputs in docs docs/0000; do printf 'version: "0.5"\nmeshes: 1\n' >"$inputs/bad.rigy.yaml"; done
# A node sees what is mounted before it starts.
mkdir small
mount -t tmpfs -o size=2m none small
small=$work/small
configure_slurm
start_slurm

say_one() { printf '%-24s %8s s   with %s threads: the ideal of two nodes that share these processors\n' "one machine" "$took" "$(nproc)"; }

inputs=docs
echo "== $documents documents, $tasks tasks"
one_machine one.json
say_one
one_machine again.json
rm -rf out
cluster undisturbed
judge "two nodes" "$took" one.json
cluster undisturbed --wait
judge "again, all is done" "$took" again.json
rm -rf out
cluster kill_worker
judge "a worker killed" "$took" one.json
rm -rf out
cluster fail_node
judge "a node failed" "$took" one.json
start_node n2
wait_for 60 "the node does not come back" nodes_are_idle
# Once more, in case other work slows this host.
rm -rf out
one_machine one.json
say_one

inputs=docs/0000 tasks=4
rm -rf out
one_machine few.json
rm -rf out
ln -s "$small" out
echo "== the documents of one directory, $tasks tasks, and a disk of 2 MiB, which then grows"
cluster make_room
judge "disk full for a while" "$took" few.json
[ $failures -eq 0 ] || { echo "test.sh: $failures runs differ from one machine's" >&2; exit 1; }
