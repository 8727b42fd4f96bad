# shellcheck shell=bash
# Sourced by scripts/check.sh and .ci/run. `step COMMAND…` runs a command and prints its time: on the wall, and of the processors. When the
# outer of both ends, a table has all steps.
if [ -z "${STEPS:-}" ]; then
    STEPS=$(mktemp)
    export STEPS
    trap print_steps EXIT
fi
TIMEFORMAT='%R %U %S'

step() {
    local status=0 wall user sys
    printf '\n== %s\n' "$*"
    { time "$@" 2>&3 3>&-; } 3>&2 2>"$STEPS.last" || status=$?
    read -r wall user sys <"$STEPS.last"
    awk -v wall="$wall" -v user="$user" -v sys="$sys" -v words="$*" -v status="$status" \
        'BEGIN { printf "%8.1f %10.1f  %s%s\n", wall, user + sys, substr(words, 1, 110), status ? " (failed)" : "" }' >>"$STEPS"
    printf '== %s s, %s s user, %s s system\n' "$wall" "$user" "$sys"
    return "$status"
}

print_steps() {
    printf '\n%8s %10s  %s\n' wall processor step
    awk '{ print; wall += $1; processor += $2 } END { printf "%8.1f %10.1f  all\n", wall, processor }' "$STEPS"
    rm -f "$STEPS" "$STEPS.last"
}
