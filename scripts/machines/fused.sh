# No fused multiplication and addition in a program; sourced by scripts/machines.sh.
#
# A fused instruction rounds once where the kernel must round twice. The whole program is searched, since functions of the kernel
# are inlined anywhere. The C library is not part of it: it is linked when the program starts.

# Mnemonics of the disassembler, in this order: aarch64, riscv64 and x86-64; vectors of aarch64; vectors of riscv64; s390x; vectors
# of s390x.
FUSED='v?fn?m(add|sub).*|fml[as].*|vfw?n?m(acc|sac|add|sub).*|m[as][de]b?r?|[vw]fn?m[as][ds]b'
# A multiplication of floats: the program has some, so that without any the disassembler has not read it.
PRODUCT='v?fmul.*|v?mul[sp]d|m[de]e?br?|[vw]fm[ds]b'

# Prints the functions of a program that have fused instructions; status 1 if it has one. $1 is the program and what follows is a
# disassembler.
find_fused() {
    local program=$1
    shift
    "$@" --disassemble --demangle --no-show-raw-insn "$program" | awk -F '\t' -v fused="^($FUSED)\$" -v product="^($PRODUCT)\$" '
        /^[0-9a-f]+ <.*>:$/ { name = $0; sub(/^[0-9a-f]+ /, "", name) }
        NF > 1 { split($2, words, " ") }
        NF > 1 && words[1] ~ product { products++ }
        NF > 1 && words[1] ~ fused { print name " " $2 " " $3; found++ }
        END {
            if (!products) print "no multiplication is in the disassembly"
            exit found || !products
        }'
}

# The same for the program that was built for a machine.
check_fused() {
    local machine=$1 functions
    case $machine in
    wasm32) return ;; # WebAssembly has none, except in its relaxed vectors, which are not turned on
    x86_64) functions=$(find_fused "$release/rigy-batch" objdump) ;;
    *) functions=$(find_fused "$(program_of "$machine")" there "$machine-linux-gnu-objdump") ;;
    esac && return
    echo "fused instructions in the program for $machine:" >&2
    head -n 10 <<<"$functions" >&2
    return 1
}
