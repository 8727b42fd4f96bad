# Building the program for another machine, and starting it there; sourced by scripts/machines.sh, which sets `root`.

# What the program is built with: all that writes files, except pages for a browser, which are copies.
features=cli,preview,vat

# Where the sources lie inside the root, and what cargo writes there; where it writes without a root.
inside=/machines
outside=$(realpath -m "${CARGO_TARGET_DIR:-target}")/machines

# The target of a machine, and the prefix of its compiler.
target_of() {
    case $1 in
    aarch64) echo aarch64-unknown-linux-gnu ;;
    riscv64) echo riscv64gc-unknown-linux-gnu ;;
    s390x) echo s390x-unknown-linux-gnu ;;
    wasm32) echo wasm32-unknown-unknown ;;
    *) echo "there is no machine $1" >&2; exit 2 ;;
    esac
}

# Runs a command where the other machines' compilers are: in the root, or on this system. Paths are relative to the sources.
there() {
    if [ -n "$root" ]; then
        chroot "$root" env -C $inside/source CARGO_TARGET_DIR=$inside/target "$@"
    else
        env CARGO_TARGET_DIR="$outside" "$@"
    fi
}

# Where cargo writes, as this system sees it.
built() {
    if [ -n "$root" ]; then echo "$root$inside/target"; else echo "$outside"; fi
}

# Copies the sources into the root, with all crates, since there is no network inside.
copy_sources() {
    if [ ! -x "$root/usr/bin/cargo" ]; then
        bash "$suites/tools/foreign-root.sh" "$root" >&2
    fi
    mkdir -p "$root$inside/source"
    git ls-files -z --cached --others --exclude-standard | xargs -0 ls -d 2>/dev/null |
        tar cf - --no-recursion -T - | tar xf - -C "$root$inside/source"
    mkdir -p "$root$inside/source/.cargo"
    cargo vendor --locked --quiet "$root$inside/vendor" 2>/dev/null |
        sed "s#$root##" >"$root$inside/source/.cargo/config.toml"
}

# Builds the program for a machine; in the case of wasm32, the module.
build() {
    local machine=$1 target triple options=(build --release --locked)
    target=$(target_of "$machine")
    if [ -n "$root" ]; then
        [ -n "${copied-}" ] || copy_sources
        copied=1
        options+=(--offline)
    else
        rustup target add "$target" >&2
    fi
    export CARGO_INCREMENTAL=0 CARGO_PROFILE_RELEASE_DEBUG=0
    if [ "$machine" = wasm32 ]; then
        # Debian's Rust has no linker of its own for it. The configuration of cargo in the folder has the vectors.
        there env -C bindings/js ${root:+CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld} \
            cargo build --profile checked "${options[@]:2}" --target "$target" >&2
        return
    fi
    triple=$machine-linux-gnu
    local name=${target//-/_}
    there env "CARGO_TARGET_${name^^}_LINKER=$triple-gcc" "CC_$name=$triple-gcc" \
        cargo "${options[@]}" --target "$target" --no-default-features --features "$features" --bin rigy-batch >&2
}

# The program of a machine, as what `there` starts sees it.
program_of() {
    local folder=$outside
    [ -z "$root" ] || folder=$inside/target
    echo "$folder/$(target_of "$1")/release/rigy-batch"
}

# Starts the program of a machine under qemu. Inside the root the work lies at $inside/work.
emulated() {
    local machine=$1 emulator
    shift
    emulator=("QEMU_LD_PREFIX=/usr/$machine-linux-gnu" "qemu-$machine" "$(program_of "$machine")")
    if [ -n "$root" ]; then
        chroot "$root" env -C $inside/work "${emulator[@]}" "$@"
    else
        env -C "$work" "${emulator[@]}" "$@"
    fi
}
