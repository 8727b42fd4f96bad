# The work that every machine does, and its comparison; sourced by scripts/machines.sh, which sets `work` and `suites`.
#
# Inputs lie in $work/in, outputs of a machine in $work/out/MACHINE. In a root, both are copied to and from it.

release=${CARGO_TARGET_DIR:-target}/release

prepare_inputs() {
    cargo build --locked --release --quiet --no-default-features --features cli --bin rigy-batch --example generate --example generate_skinned
    rm -rf "$work/in" "$work/out"
    mkdir -p "$work/in/suites" "$work/in/documents" "$work/in/gltf" "$work/out"
    cp -r conformance "$work/in/suites/own"
    for suite in conformance conformance-0.5; do
        if [ -d "$suites/$suite" ]; then cp -r "$suites/$suite" "$work/in/suites/published-$suite"; else echo "skipped: no $suites/$suite" >&2; fi
    done
    local generate=$release/examples/generate
    "$generate" "$work/in/documents/small" --count "$count" --seed "$seed"
    "$generate" "$work/in/documents/later" --count $((count / 10)) --seed "$seed" --series later
    "$generate" "$work/in/documents/scenes" --count $((count / 10)) --seed "$seed" --series scenes
    "$release/examples/generate_skinned" "$work/in/gltf/column.glb" --vertices 3000
    "$release/examples/generate_skinned" "$work/in/gltf/narrow.glb" --vertices 3000 --narrow-joints
    for folder in real made compressed; do
        if [ -d "$suites/gltf-samples/$folder" ]; then cp -r "$suites/gltf-samples/$folder" "$work/in/gltf/"; else echo "skipped: no $suites/gltf-samples/$folder" >&2; fi
    done
    chmod -R u+w "$work/in"
}

# Leaves only the category and the code of refusals: messages name files as the program got them, and a host without directories
# and the sizes of 32 bits have messages of their own.
without_messages() {
    sed -nE '/"id"/ { s/("detail":"refused: [A-Za-z]+( [A-Z][0-9]+)?).*/\1"}/; p }'
}

# Does all work with a command that starts the program: in $1, relative to $work. Prints nothing.
native_work() {
    local out=$1
    shift
    for suite in "$work"/in/suites/*; do
        "$@" verify "in/suites/${suite##*/}/manifest.json" --format json | without_messages >"$work/$out/verdicts/${suite##*/}" || true
    done
    "$@" in/documents -o "$out/documents" --positions --quiet
    for solver in lbs dqs; do
        "$@" bake in/gltf -o "$out/bakes/$solver/rest" --solver $solver --quiet
        "$@" bake in/gltf -o "$out/bakes/$solver/moved" --solver $solver --animation 0 --time 0.25 --missing-animation rest --quiet
    done
} 2>>"$work/messages"

here() {
    env -C "$work" "$(realpath "$release")/rigy-batch" "$@"
}

run_here() { native_work "$1" here; }

# In a root, the inputs go in and the outputs come out.
run_emulated() {
    local machine=$1 out=$2
    if [ -n "$root" ]; then
        rm -rf "$root$inside/work"
        mkdir -p "$root$inside/work/$out"
        cp -r "$work/in" "$root$inside/work/"
    fi
    native_work "$out" emulated "$machine"
    if [ -n "$root" ]; then cp -r "$root$inside/work/$out/." "$work/$out/"; fi
}

run_aarch64() { run_emulated aarch64 "$1"; }
run_riscv64() { run_emulated riscv64 "$1"; }
run_s390x() { run_emulated s390x "$1"; }

run_wasm32() {
    local out=$work/$1
    local module=(node scripts/machines/run.mjs "$(built)/wasm32-unknown-unknown/checked/rigy_batch_js.wasm")
    "${module[@]}" limits >"$work/limits"
    for suite in "$work"/in/suites/*; do
        "${module[@]}" verify "$suite/manifest.json" | without_messages >"$out/verdicts/${suite##*/}"
    done
    "${module[@]}" documents "$work/in/documents" "$out/documents"
    for solver in lbs dqs; do
        "${module[@]}" bake "$work/in/gltf" "$out/bakes/$solver/rest" $solver
        "${module[@]}" bake "$work/in/gltf" "$out/bakes/$solver/moved" $solver 0.25
    done
}

# Writes the hash of every file of a machine's outputs to a list, in order.
list_hashes() {
    (cd "$work/out/$1" && find . -name .rigy-batch -prune -o -type f -print | LC_ALL=C sort | xargs -d '\n' sha256sum) >"$work/$1.sha256"
}

# Runs a machine's work and adds its row to the table: cases that pass, files, bakes, minutes, and the hash of the list.
row() {
    local machine=$1 run=$2 started=$SECONDS out=out/$1 hash equal
    mkdir -p "$work/$out/verdicts"
    "$run" "$out"
    local minutes=$((SECONDS - started))
    list_hashes "$machine"
    hash=$(sha256sum <"$work/$machine.sha256" | cut -c1-16)
    equal=$hash
    if ! cmp -s "$work/x86_64.sha256" "$work/$machine.sha256"; then
        equal="$hash DIFFERS"
        diff "$work/x86_64.sha256" "$work/$machine.sha256" | head -n 10 >&2 || true
    fi
    local passed total files bakes
    total=$(cat "$work/$out"/verdicts/* | wc -l)
    passed=$(cat "$work/$out"/verdicts/* | grep -c '"passed":true' || true)
    [ "$passed" = "$total" ] || equal+=" DIFFERS from the suites"
    files=$(grep -c ' \./documents/' "$work/$machine.sha256" || true)
    bakes=$(grep -c ' \./bakes/' "$work/$machine.sha256" || true)
    rows+=("$(printf '%-8s  %4d/%-4d  %6d  %6d  %4d.%02d  %s' "$machine" "$passed" "$total" "$files" "$bakes" $((minutes / 60)) $((minutes % 60 * 100 / 60)) "$equal")")
}
