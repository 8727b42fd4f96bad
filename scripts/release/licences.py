#!/usr/bin/env python3
"""Licences of the crates that are compiled into the program, as one text.

    scripts/release/licences.py TARGET [FEATURES] > THIRD-PARTY-LICENCES.txt

The licences of most crates ask that their text goes with each copy. The list comes from `cargo tree`, so it has the crates of one
target and no tests; the texts are the files that each crate's package has.
"""

import json
import pathlib
import subprocess
import sys

NAMES = ("licen", "copying", "notice", "unlicense", "copyright")


def packages():
    """All packages of Cargo.lock, by name and version."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    metadata = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return {(package["name"], package["version"]): package for package in metadata["packages"]}


def compiled(target, features):
    """Names and versions of the crates in the program."""
    command = ["cargo", "tree", "--locked", "--edges", "normal", "--prefix", "none", "--target", target, "--format", "{p}"]
    if features is not None:
        command += ["--no-default-features", "--features", features]
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    words = [line.split() for line in lines if line.strip()]
    return sorted({(name, version.removeprefix("v")) for name, version, *_ in words})


def texts(package):
    """The texts of a package's licences."""
    directory = pathlib.Path(package["manifest_path"]).parent
    files = [file for file in sorted(directory.iterdir()) if file.is_file() and file.name.lower().startswith(NAMES)]
    return [file.read_text(encoding="utf-8", errors="replace").strip() for file in files]


def main():
    """Prints each distinct text once, below the crates that have it."""
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    known, crates_by_text, without = packages(), {}, []
    for crate in compiled(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None):
        if crate[0] == "rigy-batch":
            continue
        package = known[crate]
        name = f"{crate[0]} {crate[1]} ({package['license']})"
        found = texts(package)
        for text in found:
            crates_by_text.setdefault(text, []).append(name)
        if not found:
            without.append(f"{name}: {package['repository'] or 'https://crates.io/crates/' + crate[0]}")
    print("rigy-batch contains the crates below, under the licences whose texts follow their names.")
    for text, crates in sorted(crates_by_text.items(), key=lambda item: item[1]):
        print("\n" + "=" * 80, *crates, "=" * 80, "", text, sep="\n")
    if without:
        print("\n" + "=" * 80, "Crates whose packages have no text of their licence:", *without, sep="\n")


main()
