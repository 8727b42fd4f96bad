"""The stubs, the README and the notebook are true."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from conftest import HERE
from nbclient import NotebookClient

import rigy_batch
from rigy_batch import _rigy_batch

PACKAGE = Path(rigy_batch.__file__).parent
README = HERE.parent / "README.md"


def mypy(module: str, *arguments: object, cwd: Path) -> str:
    done = subprocess.run([sys.executable, "-m", module, *map(str, arguments)], capture_output=True, text=True, cwd=cwd)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_stubs_describe_the_module(tmp_path: Path) -> None:
    mypy("mypy.stubtest", "rigy_batch", "--ignore-disjoint-bases", cwd=tmp_path)


def test_the_examples_have_types(tmp_path: Path) -> None:
    (tmp_path / "readme.py").write_text("\n".join(blocks()))
    mypy("mypy", "--strict", "readme.py", cwd=tmp_path)
    mypy("mypy", "--strict", "-p", "rigy_batch", cwd=tmp_path)


def documented() -> list[tuple[str, str]]:
    """Each name of the stubs of the extension that has a docstring, with the docstring."""
    found = []
    for node in ast.parse((PACKAGE / "_rigy_batch.pyi").read_text()).body:
        parts = [(node.name, node)] if isinstance(node, (ast.ClassDef, ast.FunctionDef)) else []
        if isinstance(node, ast.ClassDef):
            parts += [(f"{node.name}.{part.name}", part) for part in node.body if isinstance(part, ast.FunctionDef)]
        found += [(name, text) for name, part in parts if (text := ast.get_docstring(part))]
    return found


def joined(text: str | None) -> list[str]:
    """The paragraphs of a text, without its line breaks."""
    return [" ".join(paragraph.split()) for paragraph in (text or "").split("\n\n")]


@pytest.mark.parametrize("name, text", documented(), ids=lambda value: value if "\n" not in value else "")
def test_docstrings_of_the_stubs_are_those_of_the_module(name: str, text: str) -> None:
    thing: object = _rigy_batch
    for part in name.split("."):
        thing = inspect.getattr_static(thing, part) if inspect.isclass(thing) else getattr(thing, part)
    assert joined(inspect.cleandoc(getattr(thing, "__doc__") or "")) == joined(text)


def test_everything_public_is_documented() -> None:
    names = [name for name, _ in documented()]
    for name in rigy_batch.__all__:
        thing = getattr(rigy_batch, name)
        if callable(thing):
            assert inspect.getdoc(thing), name
        if inspect.isbuiltin(thing):
            assert name in names


def blocks() -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.M | re.S)


def test_the_examples_of_the_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks():
        exec(compile(block, str(README), "exec"), names)
    assert len(blocks()) == 6


@pytest.mark.parametrize("path", sorted((HERE.parent / "examples").glob("*.ipynb")), ids=lambda path: path.name)
def test_the_notebook(path: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(path, 4)
    nbformat.validate(notebook)
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
