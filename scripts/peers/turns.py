"""Has rigy-batch and other programs evaluate the same workload in turns, and prints who takes how long as Markdown.

Usage: turns.py VERTICES TURNS SOLVER ISA EVALUATE_WORKLOAD [COMMAND …]

Each program is started once. It makes the workload, checks its answer, writes a line with its name, and then for each
line of standard input evaluates for about 10 ms and writes the seconds of one evaluation. Ours writes its clock in
hertz, too. A turn asks every program once, one after the other, ours before each of the others; a ratio is the median
of the ratios of all turns, so what slows the whole machine for a while does not change it.
"""

import shlex
import statistics
import subprocess
import sys


class Program:
    """A program that takes turns; `name` is None if it failed to start."""

    def __init__(self, command):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
        self.name = self.process.stdout.readline().strip() or None

    def turn(self):
        print(file=self.process.stdin, flush=True)
        return [float(number) for number in self.process.stdout.readline().split()]


def median_row(name, seconds, ratios, count, clock):
    each = statistics.median(seconds) / count
    least = min(seconds) / count
    return (f"| {name} | {each * 1e9:.2f} | {each * clock:.1f} | {least * clock:.1f} "
            f"| {statistics.median(ratios):.2f} |")


def main():
    count, turns, solver, isa, ours_path = sys.argv[1:6]
    count, turns = int(count), int(turns)
    ours = Program([ours_path, solver, "random", isa, str(count), "turns"])
    peers = [Program(shlex.split(command)) for command in sys.argv[6:]]
    peers = [peer for peer in peers if peer.name]
    own_seconds, clocks = [], []
    seconds, ratios = [[] for _ in peers], [[] for _ in peers]
    for _ in range(turns):
        for number, peer in enumerate(peers):
            own, clock = ours.turn()
            (other,) = peer.turn()
            own_seconds.append(own)
            clocks.append(clock)
            seconds[number].append(other)
            ratios[number].append(other / own)
    if not peers:
        sys.exit("no peer could be started")
    clock = statistics.median(clocks)
    print(f"Workload *random*, {solver.upper()}, {count:,} vertices, 1 thread, {turns} turns, clock {clock / 1e9:.2f} GHz\n")
    print("| | ns a vertex | cycles a vertex | the least | time over ours |")
    print("|---|---:|---:|---:|---:|")
    print(median_row(f"{ours.name}, f64", own_seconds, [1.0], count, clock))
    for peer, times, quotients in zip(peers, seconds, ratios):
        print(median_row(peer.name, times, quotients, count, clock))
    print()


main()
