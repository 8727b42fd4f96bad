"""The program of the wheel: arguments, streams, exit statuses, signals."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import INPUTS, INVALID, installed

import rigy_batch

BOTH = [[installed()], [sys.executable, "-m", "rigy_batch"]]


def call(command: list[str], *arguments: object, **more: object) -> subprocess.CompletedProcess:
    return subprocess.run([*command, *map(str, arguments)], capture_output=True, **more)


@pytest.mark.parametrize("command", BOTH, ids=["script", "module"])
def test_version_and_help(command: list[str]) -> None:
    done = call(command, "--version")
    release, commit, *machine = done.stdout.decode().splitlines()
    assert (done.returncode, release) == (0, f"rigy-batch {rigy_batch.__version__}")
    assert re.fullmatch(r"commit: ([0-9a-f]{12}(-dirty)?|not known)", commit)
    assert [line.split(": ")[0] for line in machine] == ["built for", "instruction sets"]
    assert b"Usage: rigy-batch [OPTIONS]" in call(command, "--help").stdout


@pytest.mark.parametrize("command", BOTH, ids=["script", "module"])
def test_exit_statuses(command: list[str], tmp_path: Path) -> None:
    assert call(command, INPUTS / "J01_box.rigy.yaml", "-o", tmp_path).returncode == 0
    failed = call(command, INVALID / "V01_duplicate_mesh_id.rigy.yaml", "-o", tmp_path)
    assert failed.returncode == 1 and b"error[V01]" in failed.stderr
    assert call(command, tmp_path / "absent").returncode == 2
    assert call(command, "--no-such-option").returncode == 2


def test_streams(written: dict) -> None:
    document = (INPUTS / "J01_box.rigy.yaml").read_bytes()
    done = call([installed()], "-", "-o", "-", "--quiet", input=document)
    assert done.returncode == 0 and done.stdout == written["J01_box.rigy.yaml", None, ".glb"]


def test_a_reader_that_closes_its_end(tmp_path: Path) -> None:
    command = f"{installed()} explain V11 | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True)
    assert done.returncode == 0 and done.stderr == b""


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_program_with_130(copies: Path, tmp_path: Path, sent: signal.Signals) -> None:
    command = [installed(), copies, "-o", tmp_path / "out", "--format", "json", "--allow-warnings", "all"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout and process.stdout.readline()
    process.send_signal(sent)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and b'"interrupted":true' in output.splitlines()[-1]
    assert b"Traceback" not in errors
