"""The cases of environments.sh: the commands of the manifests, as containers of each engine would run them."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).resolve().parent
INVALID = HERE.parents[1] / "conformance/invalid"
WORK = Path(sys.argv[1])
DATA = WORK / "data"


class Engine(ABC):
    """The containers that an engine starts. They see WORK/data as /data, and no other variables than the engine and its manifest set."""

    name: str
    count: int
    missing: str  # the variable without which a container cannot know its part

    @abstractmethod
    def container(self, index: int, attempt: int = 1) -> tuple[list[str], dict[str, str]]:
        """Returns the command and the environment of an index, and of an attempt from 1."""

    @abstractmethod
    def merge(self) -> list[str]:
        """Returns the command that merges the reports."""


class Kubernetes(Engine):
    name, missing = "Kubernetes", "JOB_COMPLETIONS"

    def __init__(self) -> None:
        self.job: Any = yaml.safe_load((HERE / "kubernetes/job.yaml").read_text())["spec"]
        self.merging: Any = yaml.safe_load((HERE / "kubernetes/merge.yaml").read_text())["spec"]
        self.count = self.job["completions"]

    @staticmethod
    def arguments(spec: Any, environment: dict[str, str]) -> list[str]:
        # Kubernetes replaces $(NAME), and leaves what it does not know as it is.
        known = lambda match: environment.get(match[1], match[0])
        arguments = spec["template"]["spec"]["containers"][0]["args"]
        return ["rigy-batch", *(re.sub(r"\$\((\w+)\)", known, argument) for argument in arguments)]

    def container(self, index: int, attempt: int = 1) -> tuple[list[str], dict[str, str]]:
        variables = self.job["template"]["spec"]["containers"][0]["env"]
        environment = {variable["name"]: variable["value"] for variable in variables}
        environment["JOB_COMPLETION_INDEX"] = str(index)
        return self.arguments(self.job, environment), environment

    def merge(self) -> list[str]:
        return self.arguments(self.merging, {})

    def decision(self, status: int) -> str:
        """Returns what the policy of the job does about a pod that ends with a status."""
        for rule in self.job["podFailurePolicy"]["rules"]:
            if status in rule.get("onExitCodes", {}).get("values", []):
                return rule["action"]
        return "Count"


class AwsBatch(Engine):
    name, missing = "AWS Batch", "AWS_BATCH_JOB_ARRAY_SIZE"

    def __init__(self) -> None:
        load = lambda name: json.loads((HERE / "aws-batch" / name).read_text())
        self.definition, self.array, self.merging = load("job-definition.json"), load("array.json"), load("merge.json")
        self.count = self.array["arrayProperties"]["size"]

    def container(self, index: int, attempt: int = 1) -> tuple[list[str], dict[str, str]]:
        environment = {
            "AWS_BATCH_JOB_ARRAY_INDEX": str(index),
            "AWS_BATCH_JOB_ARRAY_SIZE": str(self.count),
            "AWS_BATCH_JOB_ATTEMPT": str(attempt),
        }
        return self.definition["containerProperties"]["command"], environment

    def merge(self) -> list[str]:
        return self.merging["containerOverrides"]["command"]


def start(command: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
    command = [argument.replace("/data", str(DATA)) for argument in command]
    environment = {**environment, "PATH": f"{WORK}/bin:/usr/bin:/bin"}
    command[0] = shutil.which(command[0], path=environment["PATH"]) or command[0]
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0)


def run(command: list[str], environment: dict[str, str]) -> int:
    return start(command, environment).wait()


def outputs() -> str:
    """Returns a hash of the names and bytes of all outputs."""
    total = hashlib.sha256()
    for path in sorted((DATA / "out").rglob("*")):
        if path.is_file() and ".rigy-batch" not in path.parts:
            total.update(str(path.relative_to(DATA)).encode() + b"\0")
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def clear() -> None:
    shutil.rmtree(DATA / "out", ignore_errors=True)
    for report in DATA.glob("**/*.json"):
        if report.parent in (DATA, DATA / "reports"):
            report.unlink()


def merged(engine: Engine, status: int = 0) -> bytes:
    assert run(engine.merge(), {}) == status, f"{engine.name}: the reports are not merged"
    return (DATA / "report.json").read_bytes()


def rewritten(report: bytes) -> bytes:
    """A report that calls unchanged outputs written, without the summary."""
    lines, _, _summary = report.replace(b'"status":"unchanged"', b'"status":"written"').rpartition(b"\n],")
    return lines


def stopped(engine: Engine, number: signal.Signals) -> int:
    """Starts the container of index 1, sends it a signal when it has written outputs, and returns its status."""
    first = DATA / "out/0000"  # the outputs of the first thousand documents
    count = lambda: len(os.listdir(first)) if first.exists() else 0
    before = count()
    process = start(*engine.container(1))
    while process.poll() is None and count() < before + 20:
        time.sleep(0.01)
    # A kill of a container is one of all its processes; a request to end is for the first.
    send = os.kill if number == signal.SIGTERM else os.killpg
    send(process.pid, number)
    return process.wait()


def whole(engine: Engine, expected: tuple[str, bytes]) -> None:
    """All indices, then the same with the container of index 1 killed."""
    clear()
    statuses = [run(*engine.container(index)) for index in range(engine.count)]
    assert statuses == [0] * engine.count, f"{engine.name}: {statuses}"
    report = merged(engine)
    assert (outputs(), report) == expected, f"{engine.name}: other outputs, or another report"
    print(f"{engine.name}: {engine.count} indices, the outputs and the report of one machine")

    clear()
    assert run(*engine.container(0)) == 0
    assert stopped(engine, signal.SIGKILL) == -signal.SIGKILL
    assert run(engine.merge(), {}) != 0, "merged without all reports"
    statuses = [run(*engine.container(index, attempt=2 if index == 1 else 1)) for index in range(1, engine.count)]
    assert statuses == [0] * (engine.count - 1), f"{engine.name}: {statuses}"
    report = merged(engine)
    assert outputs() == expected[0], f"{engine.name}: other outputs after a kill"
    assert rewritten(report) == rewritten(expected[1]), f"{engine.name}: another report after a kill"
    same = "the same report" if report == expected[1] else "a report that calls some outputs unchanged"
    assert report == expected[1] or isinstance(engine, Kubernetes), "an attempt of AWS Batch is known, and has --force"
    print(f"{engine.name}: one container killed: the same outputs, {same}")


def wrong(engine: Engine) -> None:
    """Documents that fail, and environments that determine no part."""
    clear()
    command, environment = engine.container(0)
    del environment[engine.missing]
    unknown = run(command, environment)
    assert unknown == 2 and not (DATA / "out").exists(), f"{engine.name}: status {unknown} without {engine.missing}"
    shutil.copytree(INVALID, DATA / "models/invalid")
    failed = {run(*engine.container(index)) for index in range(engine.count)}
    # AWS Batch would not start the merging job after a failure, so there the command hides it from the array.
    expected = {1} if isinstance(engine, Kubernetes) else {0}
    assert failed == expected, f"{engine.name}: statuses {failed}"
    merged(engine, status=0 if isinstance(engine, Kubernetes) else 1)
    shutil.rmtree(DATA / "models/invalid")
    print(f"{engine.name}: status 2 without {engine.missing}; {failed} for invalid documents")
    if isinstance(engine, Kubernetes):
        clear()
        assert stopped(engine, signal.SIGTERM) == 130
        decisions = {status: engine.decision(status) for status in (1, 2, 75, 137)}
        assert decisions == {1: "FailIndex", 2: "FailJob", 75: "Count", 137: "Count"}, decisions
        print(f"{engine.name}: status 130 after SIGTERM; what is done: {decisions}")


def main() -> None:
    command = ["rigy-batch", "/data/models", "-o", "/data/out", "-q", "--report", "/data/report.json"]
    assert run(command, {}) == 0
    expected = outputs(), (DATA / "report.json").read_bytes()
    for engine in (Kubernetes(), AwsBatch()):
        whole(engine, expected)
        wrong(engine)


main()
