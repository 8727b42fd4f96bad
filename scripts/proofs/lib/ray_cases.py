"""The cases of the proof `ray`: a cluster on this host, bake.py on it, and one machine to compare with."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ray
from ray.cluster_utils import Cluster

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from proofs.common import ROOT, outputs_hash as outputs  # noqa: E402

import psutil  # Ray has its own and makes it importable

DRIVER = ROOT / "examples/cluster/ray_bake.py"
PROGRAM, WORK = Path(sys.argv[1]), Path(sys.argv[2])
NODE = {"num_cpus": 1, "object_store_memory": 100 << 20}
PARTS = 8


def fresh(name: str) -> Path:
    directory = WORK / name
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()
    return directory


def print_case(name: str, seconds: float) -> None:
    print(f"{name:32} {seconds:7.1f} s", flush=True)


def one_machine(name: str, docs: str, *, into: Path, status: int = 0) -> tuple[str, bytes]:
    """Runs the program alone, with two threads. Returns the hash of its outputs, and its report."""
    start = time.monotonic()
    command = [str(PROGRAM), docs, "-o", "out", "--report", "report.json", "-j", "2", "-q", "--allow-warnings", "all"]
    ended = subprocess.run(command, cwd=into, stderr=subprocess.DEVNULL, check=False)
    assert ended.returncode == status, f"{name}: status {ended.returncode}"
    print_case(name, time.monotonic() - start)
    return outputs(into / "out"), (into / "report.json").read_bytes()


class Runs:
    """Runs of the driver on a cluster, in directories whose relative paths are those of one machine's run."""

    def __init__(self) -> None:
        head = {**NODE, "num_cpus": 0, "include_dashboard": False}
        self.cluster = Cluster(initialize_head=True, head_node_args=head)
        self.workers: list[Any] = []
        for _ in range(2):
            self.heal()

    def driver(
        self, name: str, docs: str, *, into: Path, program: str = str(PROGRAM), event: Callable[[int, str], None] | None = None
    ) -> tuple[int, str]:
        """Runs the driver, and calls `event` with its process id at each line. Returns its status and messages."""
        start = time.monotonic()
        command = [sys.executable, str(DRIVER), docs, "out", "--address", self.cluster.address]
        command += ["--parts", str(PARTS), "--program", program, "--", "--allow-warnings", "all"]
        said = ""
        with subprocess.Popen(command, cwd=into, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
            assert process.stderr
            for line in process.stderr:
                said += line
                if event:
                    event(process.pid, line)
        print_case(name, time.monotonic() - start)
        return process.returncode, said

    def kill_worker(self) -> None:
        """Kills a node with all its processes as soon as the program has worked there for a moment."""
        worker = self.workers.pop()
        raylet = psutil.Process(worker.all_processes["raylet"][0].process.pid)
        while True:
            children = raylet.children(recursive=True)
            if any(child.name() == PROGRAM.name and time.time() - child.create_time() > 0.3 for child in children):
                break
            time.sleep(0.02)
        for process in [raylet, *children]:
            process.kill()

    def heal(self) -> None:
        """Starts another worker. Ray gives one 30 seconds, which can be too few on a busy host."""
        for _ in range(5):
            try:
                self.workers.append(self.cluster.add_node(**NODE))
                return
            except Exception as error:  # Ray raises no other type
                print(f"no worker yet: {error}", flush=True)
        raise SystemExit("a worker cannot be started")


def running_programs() -> list[psutil.Process]:
    return [process for process in psutil.process_iter(["cmdline"]) if (process.info["cmdline"] or [])[:1] == [str(PROGRAM)]]


def large(runs: Runs) -> None:
    """20,000 documents: clean, with a lost node, and interrupted."""
    docs = "../docs"
    hashes, report = one_machine("one machine", docs, into=fresh("one"))

    into = fresh("clean")
    status, said = runs.driver("Ray, two workers", docs, into=into)
    assert (status, outputs(into / "out")) == (0, hashes), said
    assert (into / "report.json").read_bytes() == report, "another report, clean"
    unchanged = one_machine("one machine, unchanged", docs, into=WORK / "one")[1]
    status, said = runs.driver("Ray, unchanged", docs, into=into)
    assert status == 0 and (into / "report.json").read_bytes() == unchanged, said
    assert unchanged != report

    killed = 0.0

    def kill(_driver: int, line: str) -> None:
        nonlocal killed
        if "; 2 done" in line:
            runs.kill_worker()
            killed = time.monotonic()
        if "is tried again" in line:
            print(f"the loss was noticed after {time.monotonic() - killed:.1f} s", flush=True)

    into = fresh("killed")
    status, said = runs.driver("Ray, one of two killed", docs, into=into, event=kill)
    assert "is tried again" in said, f"no part was lost:\n{said}"
    assert (status, outputs(into / "out")) == (0, hashes), said
    assert (into / "report.json").read_bytes() == report, "another report, after a kill"
    runs.heal()

    into = fresh("interrupted")
    interrupt = lambda driver, line: os.kill(driver, signal.SIGINT) if "; 3 done" in line else None
    status, said = runs.driver("Ray, interrupted", docs, into=into, event=interrupt)
    assert status == 130 and not (into / "report.json").exists(), said
    start = time.monotonic()
    while running_programs():
        assert time.monotonic() - start < 10, f"the program outlives the driver: {running_programs()}"
        time.sleep(0.1)
    print(f"the program has ended {time.monotonic() - start:.1f} s after the driver", flush=True)
    status, said = runs.driver("Ray, resumed", docs, into=into)
    assert (status, outputs(into / "out")) == (0, hashes), said
    assert b'"status":"unchanged"' in (into / "report.json").read_bytes(), "nothing was resumed"
    one_machine("one machine, again", docs, into=fresh("again"))


FAILING = f"""#!{sys.executable}
import os, subprocess, sys
arguments = ["{PROGRAM}", *sys.argv[1:]]
if "--shard" not in arguments:
    os.execv(arguments[0], arguments)
mark = "{WORK}/seen-" + arguments[arguments.index("--shard") + 1].replace("/", "-")
first = not os.path.exists(mark)
open(mark, "w").close()
status = subprocess.run(arguments).returncode
"""

# What such a program does after its run, the status of the driver, and the number of further attempts.
FAILURES = {
    "as usual": ("sys.exit(status)", 1, 0),
    "first with 75": ("sys.exit(75 if first else status)", 1, PARTS),
    "first by SIGKILL": ("os.kill(os.getpid(), 9) if first else sys.exit(status)", 1, PARTS),
    "always with 75": ("sys.exit(75)", 75, None),
    "with 2": ("sys.exit(2)", 2, 0),
    "not at all, as it is missing": (None, 2, 0),
}


def failures(runs: Runs) -> None:
    """Every way in which a part can fail, with documents half of which are wrong."""
    shutil.copytree(ROOT / "conformance", WORK / "both")
    hashes, report = one_machine("one machine, failures", "../both", into=fresh("one"), status=1)
    for name, (end, expected, again) in FAILURES.items():
        for mark in WORK.glob("seen-*"):
            mark.unlink()
        program = WORK / "failing"
        program.unlink(missing_ok=True)
        if end:
            program.write_text(FAILING + end)
            program.chmod(0o755)
        into = fresh("failures")
        status, said = runs.driver(name, "../both", into=into, program=str(program))
        attempts = said.count("is tried again")
        assert status == expected and again in (None, attempts), f"{name}: status {status}\n{said}"
        if expected == 1:
            assert outputs(into / "out") == hashes, name
            assert (into / "report.json").read_bytes() == report, f"another report: {name}"
        else:
            assert not (into / "report.json").exists(), name
        print(f"programs that end {name}: status {status}, {attempts} further attempts", flush=True)


def wheel(runs: Runs) -> None:
    """The program that the wheel brings, found beside Python, and its module with texts as objects of Ray."""
    if not (Path(sys.executable).parent / "rigy-batch").exists():
        print("the wheel is not installed: not tried")
        return
    report = one_machine("one machine, failures", "../both", into=fresh("one"), status=1)[1]
    into = fresh("failures")
    status, said = runs.driver("the wheel", "../both", into=into, program="rigy-batch")
    assert status == 1 and (into / "report.json").read_bytes() == report, said

    one_machine("one machine, texts", "../texts", into=fresh("one"))
    texts = {path: path.read_text() for path in sorted((WORK / "texts/0000").glob("*.rigy.yaml"))}
    ray.init(runs.cluster.address, log_to_driver=False, logging_level="error")
    glbs = ray.get([compile_text.remote(text) for text in texts.values()])
    for path, glb in zip(texts, glbs):
        output = WORK / "one/out/0000" / path.name.replace(".rigy.yaml", ".glb")
        assert glb == output.read_bytes(), f"another GLB: {path.name}"
    print(f"the wheel: the report of one machine; {len(texts)} texts as objects, the GLBs of the program", flush=True)


@ray.remote
def compile_text(text: str) -> bytes:
    import rigy_batch

    return rigy_batch.compile(text=text).glb


def main() -> None:
    token = os.environ.get("RAY_AUTH_TOKEN_PATH")
    if token:
        Path(token).write_text(secrets.token_hex(32))
    runs = Runs()
    try:
        large(runs)
        failures(runs)
        wheel(runs)
    finally:
        ray.shutdown()
        runs.cluster.shutdown()


main()
