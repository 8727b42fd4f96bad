#!/usr/bin/env python3
"""Prints how much there is: tokens of code, files, options and crates. Fails if there are more tokens than scripts/most-tokens has.

A commit may lower that number. It may raise it with a sentence in its body that says what left for what came. Comments and modules of
unit tests, in files of their own or in `#[cfg(test)]`, are no code. Usage: scripts/lines.py
"""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST = ROOT / "scripts/most-tokens"
TOKEN = re.compile(
    r"""
    //[^\n]* | /\*.*?\*/                              # comments
  | r(\#*)"(?:.*?)"\1 | b?"(?:\\.|[^"\\])*"           # strings
  | b?'(?:\\.[^']*|[^'\\])'                          # characters
  | '?[A-Za-z_]\w* | \d[\w.]*                        # names, lifetimes, numbers
  | [-+*/%^!&|=<>.:?~@$\#]+ | [()\[\]{},;]
    """,
    re.X | re.S,
)
UNIT_TESTS = re.compile(r"^#\[cfg\((?:test|all\(test[^\n]*)\)\]\n(?:#\[[^\n]*\n)*mod \w+ \{\n.*?^\}\n", re.M | re.S)


def tracked(*places):
    listed = subprocess.run(["git", "ls-files", "-z", "--", *places], cwd=ROOT, check=True, capture_output=True, text=True)
    return [ROOT / name for name in listed.stdout.split("\0") if name]


def tokens(text):
    """The tokens of a Rust file, without those of comments and unit tests: names, lifetimes, numbers, strings, runs of operators, brackets,
    commas and semicolons. Layout and the length of lines change nothing."""
    return sum(not found[0].startswith(("//", "/*")) for found in TOKEN.finditer(UNIT_TESTS.sub("", text)))


def is_code(path):
    return path.name != "tests.rs" and not {"tests", "benches", "examples"} & set(path.relative_to(ROOT).parts)


def main():
    code = [path for path in tracked("src", "crates") if path.suffix == ".rs" and is_code(path)]
    texts = [path.read_text() for path in code]
    count = sum(map(tokens, texts))
    every = sum(len(path.read_text().splitlines()) for path in tracked("tests") if path.suffix in (".rs", ".md"))
    scripts = [path for path in tracked("scripts") if path.suffix in (".sh", ".py", ".mjs", ".js", ".rs", "")]
    lines_of_scripts = sum(len(path.read_text().splitlines()) for path in scripts)
    options = sum(len(re.findall(r"\barg\([^\]]*\blong\b", path.read_text())) for path in tracked("src"))
    crates = len(tomllib.loads((ROOT / "Cargo.lock").read_text())["package"])
    for number, name in [
        (count, "tokens of code in src and crates"),
        (len(code), "files of Rust there"),
        (every, "lines of tests/"),
        (lines_of_scripts, "lines of scripts/"),
        (options, "options in the definitions of commands"),
        (crates, "crates in Cargo.lock"),
    ]:
        print(f"{number:7} {name}")
    most = int(MOST.read_text())
    if count > most:
        sys.exit(f"{count} tokens are more than the {most} of {MOST.relative_to(ROOT)}: take something out, or raise that number in a commit that says what left")


main()
