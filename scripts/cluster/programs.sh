# Sets `program` and `generate` to the paths of the program and of the example `generate`: those that are set already, else those that
# RIGY_BATCH and GENERATE name, else builds of this tree.
# shellcheck shell=bash

: "${program:=${RIGY_BATCH-}}" "${generate:=${GENERATE-}}"
if [ -z "$program" ] || [ -z "$generate" ]; then
    cargo build --locked --release --quiet --bin rigy-batch --example generate
    target=$(realpath "${CARGO_TARGET_DIR:-target}")/release
    : "${program:=$target/rigy-batch}" "${generate:=$target/examples/generate}"
fi
program=$(realpath "$program") generate=$(realpath "$generate")
