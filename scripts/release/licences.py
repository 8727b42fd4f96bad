#!/usr/bin/env python3
"""Licences of what is compiled into the program, as one text.

    scripts/release/licences.py TARGET [MANIFEST] > THIRD-PARTY-LICENCES.txt

Most licences ask that their text goes with each copy. The list of crates comes from `cargo tree`, so it has those of one target and
no tests; the texts are the files that each crate's package has. The script of the viewer begins with the licence of three.js, and
beside the letters of pictures lies that of their font. The standard library's licences are a file of each release of Rust, which `papers.sh` copies. MANIFEST is the Cargo.toml of another package
of the repository, which contains the program.
"""

import json
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAMES = ("licen", "copying", "notice", "unlicense", "copyright")


def cargo(manifest, command, *arguments):
    """What a command of cargo prints."""
    command = ["cargo", command, "--locked", "--manifest-path", manifest, *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def packages(target, manifest):
    """All packages of Cargo.lock that a target may need, by name and version."""
    metadata = json.loads(cargo(manifest, "metadata", "--format-version", "1", "--filter-platform", target))
    return {(package["name"], package["version"]): package for package in metadata["packages"]}


def compiled(target, manifest):
    """Names and versions of the crates in the program."""
    name = tomllib.loads(pathlib.Path(manifest).read_text(encoding="utf-8"))["package"]["name"]  # not all default members
    tree = cargo(manifest, "tree", "--package", name, "--edges", "normal", "--prefix", "none", "--target", target, "--format", "{p}")
    words = [line.split() for line in tree.splitlines() if line.strip()]
    return sorted({(name, version.removeprefix("v")) for name, version, *_ in words})


def texts(package):
    """The texts of a package's licences, and of those of sources in C that lie in it."""
    directory = pathlib.Path(package["manifest_path"]).parent
    found = [*sorted(directory.iterdir()), *sorted(directory.glob("c_src/**/LICENSE"))]
    files = [file for file in found if file.is_file() and file.name.lower().startswith(NAMES)]
    return list(dict.fromkeys(file.read_text(encoding="utf-8", errors="replace").strip() for file in files))


def others(target):
    """Texts about what is no crate, by name."""
    script = (ROOT / "viewer/dist/view.js").read_text(encoding="utf-8")
    font = (ROOT / "crates/view/src/picture/font/LICENSE").read_text(encoding="utf-8").strip()
    found = {"three.js (MIT), in the viewer": re.match(r"/\*!(.*?)\*/", script, re.S)[1].strip(), "DejaVu Sans Mono, in pictures": font}
    if target.endswith("-musl"):
        found["musl (MIT), the C library"] = (ROOT / "packaging/musl.txt").read_text(encoding="utf-8").strip()
    return found


def main():
    """Prints each distinct text once, below the names of what has it."""
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    target = sys.argv[1]
    manifest = sys.argv[2] if len(sys.argv) > 2 else str(ROOT / "Cargo.toml")
    known, crates_by_text, without = packages(target, manifest), {}, []
    for name, text in others(target).items():
        crates_by_text[text] = [name]
    for crate in compiled(target, manifest):
        package = known[crate]
        if package["source"] is None:  # a package of this repository
            continue
        name = f"{crate[0]} {crate[1]} ({package['license']})"
        found = texts(package)
        for text in found:
            crates_by_text.setdefault(text, []).append(name)
        if not found:
            without.append(f"{name}: {package['repository'] or 'https://crates.io/crates/' + crate[0]}")
    print("rigy-batch contains what is named below, under the licences whose texts follow the names.")
    for text, crates in sorted(crates_by_text.items(), key=lambda item: item[1]):
        print("\n" + "=" * 80, *crates, "=" * 80, "", text, sep="\n")
    if without:
        print("\n" + "=" * 80, "Crates whose packages have no text of their licence:", *without, sep="\n")


main()
