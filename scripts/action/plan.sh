#!/usr/bin/env bash
# Says what the later steps of the GitHub action need, as outputs of the step: `program`, the path of the program; `program-key`,
# which changes with the program's source; `run-key`, which differs between runs with other inputs; `cache-paths`, the
# directories with the cache of runs.
set -euo pipefail
# shellcheck source=scripts/action/common.sh
. "$(dirname "$0")/common.sh"

# All that the program is compiled from.
source_files=(Cargo.toml Cargo.lock src crates viewer/dist conformance/invalid)

# Prints the names of the source files in an order that is the same everywhere.
source_names() {
    find "${source_files[@]}" -type f | LC_ALL=C sort
}

# Prints a hash of names and contents of the source files.
source_hash() {
    cd "$GITHUB_ACTION_PATH"
    { source_names && source_names | git hash-object --stdin-paths --no-filters; } | git hash-object --stdin
}

# Prints the private directory of each output root.
private_directories() {
    local path=$INPUT_OUTPUT
    if [ -n "$path" ]; then
        # A name with an ending is a file, unless a directory has it or `/` is at its end.
        [[ ${path##*/} != ?*.* || -d $path ]] || path=$(dirname -- "$path")
        printf '%s/.rigy-batch\n' "$path"
        return
    fi
    for path in ${lines[@]+"${lines[@]}"}; do
        [ -d "$path" ] || path=$(dirname -- "$path")
        printf '%s/.rigy-batch\n' "${path%/}"
    done
}

cd "$GITHUB_WORKSPACE"
read_lines "$INPUT_PATHS"
put cache-paths "$(private_directories)"
inputs=$(printf '%s\n' "$INPUT_COMMAND" "$INPUT_PATHS" "$INPUT_OUTPUT" "$INPUT_ARGS" | cksum)
put run-key "rigy-batch-run-$RUNNER_OS-${inputs%% *}"
put program-key "rigy-batch-program-$RUNNER_OS-$RUNNER_ARCH-$(source_hash)"
put program "${INPUT_PROGRAM:-$RUNNER_TEMP/rigy-batch/bin/rigy-batch}"
