"""What several tests need: the repository's documents, and the outputs of the program."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[2]
INPUTS = REPOSITORY / "conformance/inputs"
INVALID = REPOSITORY / "conformance/invalid"


def program() -> str:
    """The program that results are compared with: RIGY_BATCH, by preference a build of cargo, or else that of the wheel."""
    return os.environ.get("RIGY_BATCH") or installed()


def installed() -> str:
    """The program of the wheel."""
    return str(Path(sys.executable).parent / "rigy-batch")


def call(*arguments: object, cwd: Path | None = None, status: int | None = 0) -> str:
    """What the program prints; it must end with this status."""
    command = [program(), *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    assert status is None or done.returncode == status, done.stderr
    return done.stdout


def lines(text: str) -> list[dict]:
    """JSON lines."""
    return [json.loads(line) for line in text.splitlines()]


def files(directory: Path) -> dict[str, bytes]:
    """The outputs in a directory, by their paths below it."""
    found = (path for path in directory.rglob("*") if path.is_file() and ".rigy-batch" not in path.parts)
    return {str(path.relative_to(directory)): path.read_bytes() for path in found}


def documents(directory: Path) -> list[Path]:
    """The documents and scenes of a directory."""
    return sorted([*directory.glob("*.rigy.yaml"), *directory.glob("*.rigs.yaml")])


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str | None, str], bytes]:
    """The outputs of the program for all documents of the repository's suite, by document, pose and ending."""
    directory = tmp_path_factory.mktemp("written")
    text = call(INPUTS, "-o", directory, "--positions", "--allow-warnings", "all", "--format", "json")
    outputs = {}
    for line in lines(text)[:-1]:
        path = Path(line["output"])
        outputs[Path(line["input"]).name, line["pose"], path.suffix] = path.read_bytes()
    return outputs


@pytest.fixture
def copies(tmp_path: Path) -> Path:
    """A thousand documents: copies of the suite."""
    for number in range(14):
        shutil.copytree(INPUTS, tmp_path / "in" / str(number))
    return tmp_path / "in"
