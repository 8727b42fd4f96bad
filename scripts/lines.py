#!/usr/bin/env python3
"""Prints how much there is: lines of code, files, options and crates, as the goals of the project count them.

Lines of code have no blank lines and no comments. Modules of unit tests, in files of their own or in `#[cfg(test)]`, are not counted
with the code but with the tests. Usage: scripts/lines.py
"""

import re
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def tracked(*places):
    listed = subprocess.run(["git", "ls-files", "-z", "--", *places], cwd=ROOT, check=True, capture_output=True, text=True)
    return [ROOT / name for name in listed.stdout.split("\0") if name]


def divided(text):
    """The lines of code of a Rust file, and those of its unit tests."""
    code, tests, in_tests, gated = 0, 0, False, False
    for line in text.splitlines():
        bare = line.strip()
        if not bare or bare.startswith("//"):
            continue
        if line == "#[cfg(test)]":
            gated = True
        elif gated and line.startswith("mod ") and line.endswith("{"):
            in_tests = True
        elif gated and not bare.startswith("#["):
            gated = False
        if in_tests or gated:
            tests += 1
        else:
            code += 1
        if in_tests and line == "}":
            in_tests = gated = False
    return code, tests


def is_test(path):
    return path.name == "tests.rs" or "tests" in path.relative_to(ROOT).parts[:-1]


def main():
    rust = [path for path in tracked("src", "crates") if path.suffix == ".rs"]
    code = tests = files = 0
    for path in rust:
        own, of_tests = divided(path.read_text())
        if is_test(path):
            tests += own + of_tests
        else:
            files += 1
            code, tests = code + own, tests + of_tests
    every = sum(len(path.read_text().splitlines()) for path in tracked("tests") if path.suffix == ".rs")
    scripts = [path for path in tracked("scripts") if path.suffix in (".sh", ".py", ".mjs", ".js", ".rs", "")]
    lines_of_scripts = sum(len(path.read_text().splitlines()) for path in scripts)
    options = sum(len(re.findall(r"#\[arg\([^\]]*\blong\b", path.read_text())) for path in tracked("src/cli"))
    crates = len(tomllib.loads((ROOT / "Cargo.lock").read_text())["package"])
    for name, count in [
        ("lines of code in src and crates", code),
        ("files of Rust there", files),
        ("lines of unit tests there", tests),
        ("lines of tests/", every),
        ("lines of scripts/", lines_of_scripts),
        ("options in the definitions of commands", options),
        ("crates in Cargo.lock", crates),
    ]:
        print(f"{count:7} {name}")


main()
