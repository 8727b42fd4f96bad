#!/usr/bin/env bash
# Merges the reports of all tasks of an array that submit.sh has submitted, prints a summary, and fails if an input has failed
# or a report is missing.
#
#   merge.sh DIRECTORY-OF-REPORTS TASKS PROGRAM REPORT
set -euo pipefail
run=$1 tasks=$2 program=$3 report=$4

rm -f "$run/good"
# A network file system shows what other nodes have written once the directory is opened.
ls "$run" >/dev/null
reports=() missing=()
for ((task = 0; task < tasks; task++)); do
    if [ -s "$run/$task.json" ]; then
        reports+=("$run/$task.json")
    else
        missing+=("$task")
    fi
done
if [ ${#missing[@]} -gt 0 ]; then
    echo "no report of tasks ${missing[*]}: see $run/*.log, and submit the run again, which skips what is done"
    exit 1
fi
"$program" merge-reports "${reports[@]}" -o "$report"
echo "report: $report"
# The last line of a report has its counts.
summary=$(tail -n 1 "$report" | sed 's/.*"summary"://; s/}*$//; s/[{"]//g; s/:/ /g; s/,/, /g')
echo "$summary"
if [[ ! $summary =~ "failed 0"(,|$) ]]; then
    grep -o '^{"input":"[^"]*".*"status":"failed"' "$report" | sed 's/^{"input":"\([^"]*\)".*/failed: \1/' | uniq | head -n 20
    exit 1
fi
touch "$run/good"
