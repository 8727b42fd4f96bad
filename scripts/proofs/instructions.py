"""Counts the instructions that the kernel takes per vertex, which shows a slower kernel on a busy machine, too: none may grow by more than 2 % over
benches/instructions.txt. With another compiler than the table's, differences are only noted."""

import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

from proofs.common import ROOT, Missing, example, printed, status

NEEDS = "valgrind, or perf and a processor that counts instructions"
QUICK = []
TABLE = ROOT / "benches/instructions.txt"
VERTICES, REPEATS = 4096, 4  # below the size from which memory is asked for ahead of time
GROWTH = 1.02


def options(parser):
    parser.add_argument("--bless", action="store_true", help="rewrite the table")


def counter():
    """The command that counts, the pattern of its figure, its name, and the instruction sets that it knows."""
    perf = ["perf", "stat", "-x,", "-e", "instructions:u"]
    if shutil.which("valgrind"):
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        return command, r"Collected *: (\d+)", "callgrind", ["scalar", "baseline", "avx2"]
    if shutil.which("perf") and re.search(r"^\d+,", subprocess.run([*perf, "true"], capture_output=True, text=True).stderr, re.M):
        return perf, r"^(\d+),", "perf", ["scalar", "baseline", "avx2", "avx512"]
    raise Missing("there is neither valgrind nor a counter of instructions")


def counts(program, command, pattern, sets):
    """The instructions of each case. Two runs are subtracted, so that making the workload is not counted."""

    def instructions(case, repeats):
        words = [*command, str(program), *case, str(VERTICES), str(repeats)]
        ended = subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        return int(re.search(pattern, ended.stderr, re.M)[1])

    def per_vertex(case):
        return (instructions(case, 1 + REPEATS) - instructions(case, 1)) / (REPEATS * VERTICES)

    # More than 64 joints have another table of signs.
    workloads = ("random", "random:200", "ring", "mix")
    cases = sorted((solver, workload, isa) for solver in ("lbs", "dqs") for workload in workloads for isa in sets)
    cases += [(solver, "random", isa) for solver in ("glb-dqs", "glb-lbs") for isa in sets]
    with ThreadPoolExecutor() as pool:
        return dict(zip(cases, pool.map(per_vertex, cases)))


def compare(found, sets, is_same_compiler):
    rows = [line.split() for line in TABLE.read_text().splitlines() if not line.startswith("#")]
    table = {tuple(row[:3]): float(row[3]) for row in rows}
    missing = [case for case in table if case not in found and case[2] in sets]
    grown = 0
    for case, count in found.items():
        before = table.get(case)
        note = "not in the table" if before is None else f"{100 * (round(count, 1) / before - 1):+.1f} %"
        print(f"{case[0]:<6} {case[1]:<10} {case[2]:<9} {count:8.1f}   {note}")
        grown += before is not None and round(count, 1) > GROWTH * before
    assert not missing, f"in the table, not counted: {missing}"
    if grown:
        print(f"{grown} of these take more instructions than the table allows; if that is meant: --bless")
    assert not (grown and is_same_compiler), "the kernel has grown"


def run(context):
    command, pattern, name, sets = counter()
    program = example("evaluate_workload")
    # A workload without vertices is made at once: does this machine have the instruction set?
    sets = [isa for isa in sets if status(program, "dqs", "mix", isa, 0, 0) == 0]
    assert "scalar" in sets, f"{program} does not run"
    found = counts(program, command, pattern, sets)
    host = re.search(r"^host: (.*)$", printed("rustc", "-vV"), re.M)[1]
    compiler = f"# {name}, {printed('rustc', '--version')}, {host}"
    if context.options.bless:
        lines = [f"# Instructions per vertex ({VERTICES} vertices). Made by scripts/prove instructions --bless.", compiler]
        lines += [f"{case[0]:<6} {case[1]:<10} {case[2]:<9} {count:8.1f}" for case, count in found.items()]
        TABLE.write_text("\n".join(lines) + "\n")
        return
    in_table = TABLE.read_text().splitlines()[1]
    if in_table != compiler:
        print(f"the table is of another compiler or counter: {in_table[2:]}; differences are only noted")
    compare(found, sets, in_table == compiler)
