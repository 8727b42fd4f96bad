"""Markdown tables from the JSON lines of `rigy-batch bench --format json`.

Usage: tables.py kernel LINES | tables.py sizes LINES
"""

import json
import sys


def read(path):
    with open(path) as lines:
        return [json.loads(line) for line in lines]


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|---" + "|---:" * (len(head) - 1) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def unique(values):
    return list(dict.fromkeys(values))


def by_case(lines):
    return {(l["solver"], l["workload"], l["isa"], l["threads"]): l for l in lines}


def kernel(lines):
    """Three tables with the same shape: solver and workload down, instruction sets across."""
    cases = by_case(lines)
    skins = [line for line in lines if line["solver"] != "memcpy"]
    isas = unique(line["isa"] for line in skins)
    names = unique((line["solver"], line["workload"]) for line in skins)
    threads = unique(line["threads"] for line in lines)
    one, most = min(threads), max(threads)

    def across(title, cell, isas=isas):
        print(f"{title}\n")
        table(["", *isas], [[" ".join(name), *(cell(name, isa) for isa in isas)] for name in names])

    for n in threads:
        plural = "thread" if n == 1 else "threads"
        copy = cases["memcpy", "copy", None, n]
        speed = 88 * copy["vertices"] / copy["seconds"] / 1e9
        across(f"Time over memcpy, {n} {plural} (memcpy: {copy['seconds'] * 1e3:.2f} ms, {speed:.1f} GB/s)",
               lambda name, isa: f"{cases[*name, isa, n]['over_memcpy']:.2f}")
    across(f"Cycles a vertex, {one} thread", lambda name, isa: f"{cases[*name, isa, one]['cycles_per_vertex']:.1f}")
    across(f"ns a vertex, {one} thread", lambda name, isa: f"{nanoseconds(cases[*name, isa, one]):.2f}")
    if "scalar" in isas and len(isas) > 1:
        faster = lambda name, isa: cases[*name, "scalar", one]["seconds"] / cases[*name, isa, one]["seconds"]
        across("Speed over the scalar path, 1 thread", lambda name, isa: f"{faster(name, isa):.2f}×", isas[1:])
    if most > one:
        gain = lambda name, isa: cases[*name, isa, one]["seconds"] / cases[*name, isa, most]["seconds"]
        across(f"Speed of {most} threads over 1", lambda name, isa: f"{gain(name, isa):.2f}×")


def sizes(lines):
    """One thread: ns a vertex and ratios, sizes across. In a cache memcpy is another thing than in memory."""
    lines = [line for line in lines if line["threads"] == 1]
    counts = unique(line["vertices"] for line in lines)
    skins = {(l["solver"], l["workload"], l["vertices"]): l for l in lines}
    names = unique((line["solver"], line["workload"]) for line in lines)
    isa = next(line["isa"] for line in lines if line["isa"])

    def across(title, cell, names):
        print(f"{title} by number of vertices, {isa}, 1 thread\n")
        table(["", *(f"{count:,}" for count in counts)],
              [[" ".join(name).removesuffix(" copy"), *(f"{cell(skins[*name, count]):.2f}" for count in counts)] for name in names])

    across("ns a vertex", nanoseconds, names)
    across("Cycles a vertex, by the measured clock", lambda line: line["cycles_per_vertex"], names)
    across("Time over memcpy", lambda line: line["over_memcpy"], names[1:])


def nanoseconds(line):
    return line["seconds"] / line["vertices"] * 1e9


if __name__ == "__main__":
    {"kernel": kernel, "sizes": sizes}[sys.argv[1]](*map(read, sys.argv[2:]))
