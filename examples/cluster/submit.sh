#!/usr/bin/env bash
# Submits a run to Slurm: an array whose tasks each process a part of the inputs below DIR, and a job after it that merges
# their reports, prints a summary and fails if an input has failed.
#
#   examples/cluster/submit.sh [OPTION]... DIR OUT [-- OPTION-OF-RIGY-BATCH...]
#
#   --tasks N         tasks of the array (8)
#   --retries N       how often a task is started again that has failed for a reason that may pass (3)
#   --bake            bake glTF files; without it documents are compiled
#   --cpus N          processors of each task (1), which has as many threads
#   --minutes N       longest time of a task
#   --partition NAME  where tasks run
#   --program PATH    rigy-batch, at a path that all nodes have (the one in PATH)
#   --report FILE     the merged report (report.json beside the reports of the tasks)
#   --wait            wait for the end, print the summary, and exit with 1 if an input has failed or a task has not ended
#
# Other options of sbatch are taken from its environment variables, such as SBATCH_ACCOUNT. DIR and OUT are directories that
# all nodes share. Reports and logs go to a new directory OUT/.rigy-batch-slurm/run-*, whose path is printed.
set -euo pipefail

usage() {
    sed -n '2,19s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

tasks=8 retries=3 cpus=1 minutes='' partition='' program=rigy-batch report='' wait='' command=()
while [[ ${1-} == --?* ]]; do
    case $1 in
    --tasks | --retries | --cpus | --minutes)
        [[ ${2-} =~ ^[0-9]+$ ]] || { echo "submit.sh: $1 needs a number" >&2; exit 2; }
        printf -v "${1#--}" %s "$2"
        shift
        ;;
    --partition | --program | --report)
        [ -n "${2-}" ] || { echo "submit.sh: $1 needs a value" >&2; exit 2; }
        printf -v "${1#--}" %s "$2"
        shift
        ;;
    --bake) command=(bake) ;;
    --wait) wait=yes ;;
    *) usage ;;
    esac
    shift
done
[ $# -ge 2 ] || usage
inputs=$1 out=$2
shift 2
[ $# -eq 0 ] || [ "$1" = -- ] || usage
[ $# -eq 0 ] || shift
[ "$tasks" -gt 0 ] || { echo "submit.sh: --tasks is at least 1" >&2; exit 2; }
[ -d "$inputs" ] || { echo "submit.sh: there is no directory $inputs" >&2; exit 2; }
found=$(command -v "$program") || { echo "submit.sh: there is no program $program" >&2; exit 2; }
program=$(realpath "$found")
scripts=$(cd "$(dirname "$0")" && pwd)

mkdir -p "$out/.rigy-batch-slurm"
run=$(mktemp -d "$(realpath "$out")/.rigy-batch-slurm/run-XXXXXX")
: "${report:=$run/report.json}"
common=(--parsable --open-mode=append --ntasks=1 ${partition:+--partition="$partition"})
array=$(sbatch "${common[@]}" --job-name=rigy-batch --array="0-$((tasks - 1))" --requeue --cpus-per-task="$cpus" \
    ${minutes:+--time="$minutes"} --output="$run/%a.log" \
    "$scripts/task.sh" "$retries" "$run" "$program" "${command[@]}" "$inputs" -o "$out" "$@")
array=${array%%;*} # the name of the cluster may follow
merge=$(sbatch "${common[@]}" --job-name=rigy-merge --dependency="afterany:$array" --requeue --output="$run/merge.log" \
    "$scripts/merge.sh" "$run" "$tasks" "$program" "$report")
merge=${merge%%;*}
echo "array $array of $tasks tasks, then merge $merge; reports and logs: $run"
if [ "$wait" ]; then
    # The job may be gone from the controller's memory, so its last words say how it went.
    while squeue --noheader --jobs="$merge" 2>/dev/null | grep -q .; do sleep 2; done
    cat "$run/merge.log"
    [ -e "$run/good" ]
fi
