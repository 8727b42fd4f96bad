#!/usr/bin/env python3
"""Bakes all documents below DIR on a Ray cluster: the outputs and the report are those of one machine.

Every node has the program, and sees DIR and OUT under the same path. The inputs are divided by `--shard I/N` into N parts;
each part is one task, which has all processors of a node and runs the program there. The reports come back through Ray and are
merged into one.

A part whose node or process is lost is tried again, and so is one that ends with status 75 (a reason that may pass) or 130 (told to end).
A further attempt has `--force`, so that the report counts what the lost attempt has written as written by this run.
Started again, the driver resumes: the program skips what its cache below OUT knows.

Exit status: 0 all good; 1 an input failed; 2 could not start; 75 a part has failed in every attempt; 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import ray
from ray.exceptions import RayError, RayTaskError

COULD_NOT_START, TRY_AGAIN, INTERRUPTED = 2, 75, 130


class Done(NamedTuple):
    """What an attempt at a part has come to."""

    status: int  # of the program; negative for a signal
    report: bytes
    messages: str  # the end of standard error
    node: str
    seconds: float


class Attempt(NamedTuple):
    part: int
    number: int  # from 1


def executable(program: str) -> str:
    """Returns the program beside this Python, where a wheel puts it, or else its name for PATH."""
    beside = Path(sys.executable).parent / program
    return str(beside) if beside.exists() else program


# Ray's own attempts would neither add --force nor be told of.
@ray.remote(max_retries=0)
def bake(command: list[str], directory: str) -> Done:
    start = time.monotonic()
    with tempfile.TemporaryFile() as messages:
        command = [executable(command[0]), *command[1:]]
        ended = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE, stderr=messages, check=False)
        messages.seek(max(0, messages.tell() - 4000))
        end = messages.read().decode(errors="replace")
    node = ray.util.get_node_ip_address()
    return Done(ended.returncode, ended.stdout, end, node, time.monotonic() - start)


class Fatal(Exception):
    """A reason to give up, and the exit status."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def outcome(ref: ray.ObjectRef) -> Done | str:
    """Returns what the program has done, or the reason to try again."""
    try:
        done: Done = ray.get(ref)
    except RayTaskError as error:
        raise Fatal(COULD_NOT_START, f"the program cannot be run: {error.cause}") from None
    except RayError as error:
        return f"{type(error).__name__}: node or process lost"
    if done.status in (0, 1):
        return done
    if done.status in (TRY_AGAIN, INTERRUPTED) or done.status < 0:
        return f"status {done.status} on {done.node}\n{done.messages}".rstrip()
    raise Fatal(COULD_NOT_START, f"status {done.status} on {done.node}\n{done.messages}")


def bake_all(args: argparse.Namespace, count: int, cpus: int, reports: Path) -> int:
    """Bakes all parts and keeps their reports. Returns 1 if an input failed, else 0."""
    writes = not {"-n", "--dry-run", "--check"} & set(args.options)
    fixed = [args.program, *(["bake"] if args.gltf else []), args.directory, "-o", args.output]
    fixed += ["--report", "-", "--jobs", str(cpus), *args.options]

    def started(attempt: Attempt) -> ray.ObjectRef:
        again = ["--force"] if attempt.number > 1 and writes else []
        command = [*fixed, "--shard", f"{attempt.part}/{count}", *again]
        return bake.options(num_cpus=cpus).remote(command, os.getcwd())

    running = {started(attempt): attempt for attempt in (Attempt(part, 1) for part in range(count))}
    failed = finished = 0
    try:
        while running:
            ref = ray.wait(list(running))[0][0]
            part, number = running.pop(ref)
            done = outcome(ref)
            if isinstance(done, Done):
                (reports / f"{part}.json").write_bytes(done.report)
                failed |= done.status
                finished += 1
                print(f"part {part}/{count}: {done.seconds:.1f} s on {done.node}; {finished} done", file=sys.stderr)
            elif number < args.attempts:
                print(f"part {part}/{count} is tried again: {done}", file=sys.stderr)
                attempt = Attempt(part, number + 1)
                running[started(attempt)] = attempt
            else:
                raise Fatal(TRY_AGAIN, f"part {part}/{count} has failed {number} times: {done}")
    finally:
        if running:  # interrupted, or given up: what still runs is ended
            for ref in running:
                ray.cancel(ref)
            ray.wait(list(running), num_returns=len(running), timeout=10)
    return failed


def summarize(report: str) -> None:
    """Prints the first inputs that failed, and the summary."""
    shown = 0
    with open(report, encoding="utf-8") as lines:
        for line in lines:
            if '"status":"failed"' in line and shown < 10:
                shown += 1
                output = json.loads(line.rstrip(",\n"))
                print(f"{output['input']}: {output['errors'][0]['message']}", file=sys.stderr)
    # The last line closes the list of outputs and has the summary.
    print(line.removeprefix("],").removesuffix("}\n"))


def run(args: argparse.Namespace) -> int:
    if not Path(args.report).absolute().parent.is_dir():
        raise Fatal(COULD_NOT_START, f"there is no directory for `{args.report}`")
    ray.init(args.address, log_to_driver=False, logging_level="warning")
    nodes = [node["Resources"].get("CPU", 0) for node in ray.nodes() if node["Alive"]]
    nodes = [int(cpus) for cpus in nodes if cpus >= 1]
    cpus = args.cpus or min(nodes, default=0)
    count = args.parts or 4 * len(nodes)
    if not cpus or not count:
        raise Fatal(COULD_NOT_START, "no node has processors yet; give --cpus and --parts")
    print(f"{count} parts, each on {cpus} of a node's processors; {len(nodes)} nodes", file=sys.stderr)
    with tempfile.TemporaryDirectory() as reports:
        failed = bake_all(args, count, cpus, Path(reports))
        parts = [f"{reports}/{part}.json" for part in range(count)]
        merge = [executable(args.program), "merge-reports", *parts, "-o", args.report]
        if subprocess.run(merge, check=False).returncode != 0:
            raise Fatal(COULD_NOT_START, "the reports cannot be merged")
    summarize(args.report)
    return failed


def arguments() -> argparse.Namespace:
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    own, options = sys.argv[1:end], sys.argv[end + 1 :]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.usage = "%(prog)s DIR OUT [OPTION ...] [-- OPTION-OF-THE-PROGRAM ...]"
    parser.add_argument("directory", metavar="DIR", help="where the documents are, seen by all nodes")
    parser.add_argument("output", metavar="OUT", help="where the outputs go, written by all nodes")
    parser.add_argument("--gltf", action="store_true", help="bake glTF files (`rigy-batch bake`), not documents")
    parser.add_argument("--report", metavar="FILE", default="report.json", help="the merged report (default: report.json)")
    parser.add_argument("--parts", type=int, metavar="N", help="number of parts (default: 4 for each node)")
    parser.add_argument("--cpus", type=int, metavar="N", help="processors of a part (default: those of the smallest node)")
    parser.add_argument("--attempts", type=int, metavar="N", default=5, help="most attempts at a part (default: 5)")
    parser.add_argument("--program", default="rigy-batch", help="the program on the nodes (default: rigy-batch)")
    parser.add_argument("--address", help="the cluster (default: RAY_ADDRESS, the one of this host, or a new one)")
    return parser.parse_args(own, argparse.Namespace(options=options))


def main() -> int:
    try:
        return run(arguments())
    except Fatal as fatal:
        print(f"error: {fatal}", file=sys.stderr)
        return fatal.status
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
