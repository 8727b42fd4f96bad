#!/usr/bin/env bash
# Runs rigy-batch once, as the inputs of the GitHub action say, and ends with its exit status. Findings become annotations, the
# end of the run becomes a part of the job's summary, and the report page is written into a directory of its own.
#
# In: INPUT_PROGRAM, INPUT_COMMAND, INPUT_PATHS, INPUT_OUTPUT, INPUT_ARGS, INPUT_REPORT_PAGE, INPUT_ANNOTATE, INPUT_CHECK,
# and GITHUB_WORKSPACE, GITHUB_OUTPUT, GITHUB_STEP_SUMMARY, RUNNER_TEMP.
# Out: `status` and `page-directory` as outputs of the step.
set -euo pipefail
# shellcheck source=scripts/action/common.sh
. "$(dirname "$0")/common.sh"

# Puts the arguments for the program into the array `arguments`.
collect_arguments() {
    arguments=()
    case $INPUT_COMMAND in
    documents) ;;
    bake) arguments+=(bake) ;;
    *) fail "the input \`command\` is \`$INPUT_COMMAND\`; write \`documents\` or \`bake\`" ;;
    esac
    add_options
    [ -z "$INPUT_OUTPUT" ] || arguments+=("--output=$INPUT_OUTPUT")
    if is_true annotate "$INPUT_ANNOTATE"; then arguments+=(--format github); fi
    if is_true check "$INPUT_CHECK"; then arguments+=(--check); fi
    if is_true report-page "$INPUT_REPORT_PAGE"; then arguments+=("--html=$pages/rigy-batch.html"); fi
    read_lines "$INPUT_PATHS"
    [ ${#lines[@]} -gt 0 ] || fail "the input \`paths\` is empty; name a file or a directory on each line"
    arguments+=(-- "${lines[@]}")
}

# Adds the lines of the input `args`, each as one argument.
add_options() {
    read_lines "$INPUT_ARGS"
    local line option
    for line in ${lines[@]+"${lines[@]}"}; do
        option=${line%%[[:blank:]]*}
        case $option in
        "$line" | *=* | [!-]*) arguments+=("$line") ;;
        *) fail "each line of the input \`args\` is one argument; write \`$option=…\` in place of \`$line\`" ;;
        esac
    done
}

# Prints what a command prints, while the runner takes no line of it for a workflow command: it may quote any file.
quoted() {
    local end
    end=$(token)
    printf '::stop-commands::%s\n' "$end"
    "$@" || true
    printf '::%s::\n' "$end"
}

# Runs the program. Messages for people are shown at once and kept in `messages`, standard output is kept in `printed`.
# shellcheck disable=SC2329 # `quoted` calls it
run_program() {
    "$INPUT_PROGRAM" "${arguments[@]}" 2>&1 >"$work/printed" | tee "$work/messages"
    status=${PIPESTATUS[0]}
}

# Prints the annotations. Without `--format github` a line of standard output that looks like one is text from a file.
annotations() {
    if is_true annotate "$INPUT_ANNOTATE"; then LC_ALL=C sed -n '/^::[a-z]* /p' "$work/printed"; fi
}

# Prints the lines of standard output that are no annotations.
other_lines() {
    if is_true annotate "$INPUT_ANNOTATE"; then LC_ALL=C sed '/^::[a-z]* /d' "$work/printed"; else cat "$work/printed"; fi
}

# Says in a few words how the run has ended.
verdict() {
    case $status in
    0) echo "nothing failed" ;;
    1) if is_true check "$INPUT_CHECK"; then echo "an input failed, or an output would change"; else echo "an input failed"; fi ;;
    2) echo "the run could not start" ;;
    75) echo "something failed for a reason that may pass, such as a full disk" ;;
    *) echo "the run ended early, with status $status" ;;
    esac
}

# Prints the part of the job's summary. In an indented block no line can end the block or be read as Markdown.
summary() {
    printf '### rigy-batch: %s\n\n' "$(verdict)"
    { other_lines | tail -n 50 && echo && head -c 200000 "$work/messages"; } | LC_ALL=C sed 's/^/    /'
    [ ! -f "$pages/rigy-batch.html" ] || printf '\nThe report page is an artifact of the run.\n'
}

cd "$GITHUB_WORKSPACE"
command -v -- "$INPUT_PROGRAM" >/dev/null ||
    fail "there is no program \`$INPUT_PROGRAM\`; name another by the input \`path-to-program\`, or leave the input out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pages=$(mktemp -d "$RUNNER_TEMP/rigy-batch-page.XXXXXX")
collect_arguments
quoted run_program
annotations
quoted other_lines
[ "$status" -lt 2 ] || show_error "$(head -c 2000 "$work/messages")"
summary >>"$GITHUB_STEP_SUMMARY"
put status "$status"
[ ! -f "$pages/rigy-batch.html" ] || put page-directory "$pages"
exit "$status"
