#!/usr/bin/env bash
# Fuzzes the library: every target, or those that are named, one after the other on one processor. Ends with a table of
# what was executed. Findings stay in tests/fuzz/artifacts; the corpus, which begins with the project's fixtures
# and files made on the spot, in tests/fuzz/corpus. Needs cargo-fuzz (`cargo install cargo-fuzz`), and a nightly
# toolchain or leave to use the present one as if it were (RUSTC_BOOTSTRAP).
#
#   scripts/fuzz.sh [--minutes N | --seconds N | --build] [TARGET…]
#
#   --minutes N  for each target (10)
#   --build      only builds them
#   documents    a document, compiled, posed and written in every way, and read back
#   limits       the first look at long documents compared with composing them
#   imports      the same with imports, contracts and weight files
#   scenes       a scene with the documents that it places, as documents are
#   formatter    a text put into canonical layout, twice, and what it compiles to before and after
#   simd         vertices, influences and joints on every instruction set, however the work is cut
#   read_glb     a glTF file through the reader, poses and palettes
#   bake         a glTF file through a whole bake
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=600 build_only= targets=()
while [ $# -gt 0 ]; do
    case $1 in
    --minutes | --seconds)
        [[ ${2-} =~ ^[1-9][0-9]*$ ]] || { echo "fuzz.sh: $1 needs a number" >&2; exit 2; }
        seconds=$2
        [ "$1" = --seconds ] || seconds=$((60 * seconds))
        shift
        ;;
    --build) build_only=yes ;;
    documents | limits | imports | scenes | formatter | simd | read_glb | bake) targets+=("$1") ;;
    *) sed -n '2,19s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
    shift
done
[ ${#targets[@]} -gt 0 ] || targets=(documents limits imports scenes formatter simd read_glb bake)
cargo fuzz --version >/dev/null 2>&1 || { echo "fuzz.sh: there is no cargo-fuzz: cargo install cargo-fuzz" >&2; exit 2; }

if rustup run nightly cargo --version >/dev/null 2>&1; then
    export RUSTUP_TOOLCHAIN=nightly
else
    echo "there is no nightly toolchain: $(rustc --version) is taken for one, by RUSTC_BOOTSTRAP=1"
    export RUSTC_BOOTSTRAP=1
fi

# The fuzz crate has a target directory of its own.
export CARGO_TARGET_DIR=$PWD/tests/fuzz/target
for target in "${targets[@]}"; do
    cargo fuzz build --fuzz-dir tests/fuzz "$target"
done
[ ! $build_only ] || exit 0

table= failed=0
for target in "${targets[@]}"; do
    export FUZZ_SEEDS=$CARGO_TARGET_DIR/seeds/$target # each target writes them when it starts
    corpus=tests/fuzz/corpus/$target log=$CARGO_TARGET_DIR/$target.log
    mkdir -p "$FUZZ_SEEDS" "$corpus"
    echo "== $target"
    found=no
    cargo fuzz run --fuzz-dir tests/fuzz "$target" "$corpus" "$FUZZ_SEEDS" -- \
        -max_total_time="$seconds" -max_len=16384 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 2>&1 |
        tee "$log" | grep --line-buffered -avE '^#[0-9]+.(NEW|REDUCE|RELOAD) ' || { failed=1 found=yes; }
    stat() { sed -n "s/^stat::$1: *//p" "$log" | tail -1; }
    table+=$(printf '%-10s %12s %12s %9s %8s' "$target" "$(stat number_of_executed_units)" \
        "$(stat average_exec_per_sec)" "$(stat peak_rss_mb)" "$found")$'\n'
done
printf '\n%-10s %12s %12s %9s %8s\n%s' target executions 'a second' 'peak MiB' findings "$table"
exit $failed
