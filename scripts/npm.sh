#!/usr/bin/env bash
# Builds the npm package of bindings/js, packs it, and tests the tarball in a fresh project: types, the examples of the README, all
# suites and samples against the bytes and findings of the program. Prints sizes, times beside the program, and the time of a
# vertex with and without the vectors of WebAssembly. Exit 1 if anything differs, or if the module has more than 1.5 MB
# compressed. Needs rustup, node 20 and the network.
# Usage: scripts/npm.sh [--no-figures] [--quick]
#   --no-figures  test and do not measure
#   --quick       compiled in less time: neither sizes nor times are checked
# RIGY_BATCH may name a build of the program; without it the program is built, too. RIGY_SUITE may say where the published suites and
# the samples are, by default ../shared. The tarball is left in npm/ of cargo's target directory.
set -euo pipefail
cd "$(dirname "$0")/.."

figures=1 profile=module directory=module
for option; do
    case $option in
    --no-figures) figures= ;;
    --quick) figures= profile=dev directory=debug ;;
    *) sed -n '2,11s/^# //p' "$0" >&2; exit 2 ;;
    esac
done

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
export CARGO_TARGET_DIR=$target
rustup --quiet target add wasm32-unknown-unknown 2>/dev/null || rustup target list --installed | grep -qx wasm32-unknown-unknown
built=$target/wasm32-unknown-unknown/$directory/rigy_batch_js.wasm
(cd bindings/js && cargo build --locked --profile $profile --quiet)
if [ -z "${RIGY_BATCH:-}" ]; then
    cargo build --locked --release --quiet
    RIGY_BATCH=$target/release/rigy-batch
fi
export RIGY_BATCH RIGY_REPOSITORY=$PWD RIGY_SUITE=${RIGY_SUITE:-$PWD/../shared}

package=$target/npm/package
rm -rf "$target/npm"
mkdir -p "$package"
cp -rL bindings/js/{*.js,*.d.ts,lib,package.json,README.md,LICENSE-*} "$package"
cp "$built" "$package/rigy_batch.wasm"
tarball=$(cd "$target/npm" && npm pack --silent ./package)

fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
cp bindings/js/test/* "$fresh"
cd "$fresh"
echo '{"private": true, "type": "module"}' >package.json
npm install --silent --no-audit --no-fund "$target/npm/$tarball" typescript@5.9.3 >&2
npx tsc --noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --target es2022 --module nodenext types.ts
node --test --test-reporter=dot ./*.test.js
[ $profile = dev ] || node "$RIGY_REPOSITORY/scripts/npm/sizes.mjs" "$target/npm/$tarball"
[ -z "$figures" ] || {
    cd "$RIGY_REPOSITORY/bindings/js"
    cp "$built" "$fresh/vectors.wasm"
    # The flags of the environment take the place of those in .cargo/config.toml.
    RUSTFLAGS="-C target-feature=-simd128" CARGO_TARGET_DIR=$target/scalar cargo build --locked --profile module --quiet
    cp "$target/scalar/wasm32-unknown-unknown/module/rigy_batch_js.wasm" "$fresh/scalar.wasm"
    cd "$fresh"
    node "$RIGY_REPOSITORY/scripts/npm/figures.mjs" "$fresh"
}
