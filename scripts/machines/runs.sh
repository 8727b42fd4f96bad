# The work that every machine does, and its comparison; sourced by scripts/machines.sh, which sets `work` and `suites`.
#
# Inputs lie in $work/in, outputs of a machine in $work/out/MACHINE. In a root, both are copied to and from it. Draco data lie apart,
# since not all machines can decode them.

release=${CARGO_TARGET_DIR:-target}/release

prepare_inputs() {
    cargo build --locked --release --quiet --no-default-features --features "$features" --bin rigy-batch --example generate --example generate_skinned
    rm -rf "$work/in" "$work/out" "$work/messages"
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
    mkdir "$work/in/draco"
    find "$work/in/gltf" -name '*-draco.glb' -exec mv -t "$work/in/draco" {} +
    draco=$(ls "$work/in/draco")
}

# Leaves only the category and the code of refusals: messages name files as the program got them, and a host without directories
# and the sizes of 32 bits have messages of their own.
without_messages() {
    sed -nE '/"id"/ { s/("detail":"refused: [A-Za-z]+( [A-Z][0-9]+)?).*/\1"}/; p }'
}

# Runs a command. If it fails, says so and goes on: what it did not write is missing in the comparison.
attempt() {
    "$@" 2>>"$work/messages" && return
    echo "this failed: $*" >&2
    tail -n 5 "$work/messages" >&2
    failed=1
}

# Does all work with a command that starts the program: in $1, relative to $work.
native_work() {
    local out=$1 moved=(--animation 0 --time 0.25 --missing-animation rest)
    shift
    for suite in "$work"/in/suites/*; do
        { "$@" verify "in/suites/${suite##*/}/manifest.json" --format json 2>>"$work/messages" || true; } |
            without_messages >"$work/$out/verdicts/${suite##*/}"
    done
    attempt "$@" in/documents -o "$out/documents" --positions --quiet
    for solver in lbs dqs; do
        attempt "$@" bake in/gltf -o "$out/bakes/$solver/rest" --solver $solver --quiet
        attempt "$@" bake in/gltf -o "$out/bakes/$solver/moved" --solver $solver "${moved[@]}" --quiet
        [ -z "$draco" ] || attempt "$@" bake in/draco -o "$out/draco/$solver" --solver $solver "${moved[@]}" --quiet
    done
    for format in obj stl ply usda; do
        attempt "$@" bake in/gltf -o "$out/forms/$format" --to $format "${moved[@]}" --quiet
    done
    for form in morph step vat; do
        attempt "$@" bake in/gltf -o "$out/forms/$form" --as $form --animation 0 --missing-animation skip --quiet
    done
    attempt "$@" preview in/gltf -o "$out/forms/pictures" --quiet
}

here() {
    env -C "$work" "$(realpath "$release")/rigy-batch" "$@"
}

run_x86_64() { native_work "$1" here; }

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

# The decoder of Draco needs the lowest byte first, so that s390x must refuse such data.
run_s390x() {
    draco='' run_emulated s390x "$1"
    [ -z "$draco" ] || attempt refuses_draco
}

refuses_draco() {
    local printed
    printed=$(emulated s390x bake in/draco -o refused --quiet 2>&1) && return 1
    [[ $printed == *"lowest byte"* ]] || { echo "$printed" >&2; return 1; }
}

run_wasm32() {
    local out=$work/$1
    local module=(node scripts/machines/run.mjs "$(built)/wasm32-unknown-unknown/checked/rigy_batch_js.wasm")
    attempt "${module[@]}" limits >"$work/limits"
    for suite in "$work"/in/suites/*; do
        "${module[@]}" verify "$suite/manifest.json" | without_messages >"$out/verdicts/${suite##*/}"
    done
    attempt "${module[@]}" documents "$work/in/documents" "$out/documents"
    for solver in lbs dqs; do
        attempt "${module[@]}" bake "$work/in/gltf" "$out/bakes/$solver/rest" $solver
        attempt "${module[@]}" bake "$work/in/gltf" "$out/bakes/$solver/moved" $solver 0.25
        [ -z "$draco" ] || attempt "${module[@]}" bake "$work/in/draco" "$out/draco/$solver" $solver 0.25
    done
}

# Writes the hash of every file of a machine's outputs to a list, in order.
list_hashes() {
    (cd "$work/out/$1" && find . -name .rigy-batch -prune -o -type f -print | LC_ALL=C sort | xargs -d '\n' sha256sum) >"$work/$1.sha256"
}

# Prints what the list of x86-64 has of the groups that a machine can do.
expected_of() {
    local lacks
    case $1 in
    s390x) lacks=draco ;;
    wasm32) lacks=forms ;; # the module bakes to GLB only
    *) lacks=nothing ;;
    esac
    grep -v " \./$lacks/" "$work/x86_64.sha256"
}

# Prints how many files of a group are in a machine's list.
count_of() { grep -c " \./$2/" "$work/$1.sha256" || true; }

# Sets `spent` to the seconds of processor time that the commands of this script have taken so far.
count_spent() {
    times >"$work/times"
    spent=$(awk 'NR == 2 { gsub(/[ms]/, " "); print int(60 * $1 + $2 + 60 * $3 + $4) }' "$work/times")
}

columns() { printf '%-8s  %9s  %6s  %6s  %6s  %6s  %7s  %s' "$@"; }

# Runs a machine's work and adds its row to the table: cases that pass, files of each group, minutes of processor time, and the hash
# of the groups that all machines do.
row() {
    local machine=$1 out=out/$1 verdict before seconds passed total
    failed=
    count_spent
    before=$spent
    mkdir -p "$work/$out/verdicts"
    "run_$machine" "$out"
    count_spent
    seconds=$((spent - before))
    list_hashes "$machine"
    verdict=$(grep -vE ' \./(draco|forms)/' "$work/$machine.sha256" | sha256sum | cut -c1-16)
    if ! diff <(expected_of "$machine") "$work/$machine.sha256" >"$work/difference"; then
        verdict+=" DIFFERS"
        head -n 10 "$work/difference" >&2
    fi
    [ -z "$failed" ] || verdict+=" FAILED"
    total=$(cat "$work/$out"/verdicts/* | wc -l)
    passed=$(cat "$work/$out"/verdicts/* | grep -c '"passed":true' || true)
    [ "$passed" = "$total" ] || verdict+=" DIFFERS from the suites"
    rows+=("$(columns "$machine" "$passed/$total" "$(count_of "$machine" documents)" "$(count_of "$machine" bakes)" \
        "$(count_of "$machine" draco)" "$(count_of "$machine" forms)" $((seconds / 60)).$((seconds % 60 * 10 / 60)) "$verdict")")
}
