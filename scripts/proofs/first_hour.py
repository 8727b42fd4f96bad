"""Plays the first hour: the commands of the README and the guide, as they are written and with what they say, and looks at the files that came of them:
the validator passes GLBs, trimesh and OpenUSD open the others and find triangles, pictures are not blank, pages hold a model and are whole."""

import os

from proofs.common import LIB, call, node, python

NEEDS = "node, Python and the network"
PAGES = ["README.md", "docs-src-guide-baking.md", "docs-src-guide-viewing.md", "docs-src-guide-pictures.md"]


def run(context):
    kept = context.work / "kept"
    call("cargo", "test", "--locked", "--test", "all", "command::documentation::p", env=os.environ | {"RIGY_KEEP": str(kept)})
    assert all((kept / page).is_dir() for page in PAGES), sorted(kept.iterdir())
    files = sorted(path for page in PAGES for path in (kept / page).rglob("*.*"))
    packages = node("gltf-validator@2.0.0-dev.3.10", "three@0.187.0") / "node_modules"
    call("node", LIB / "valid.mjs", *(file for file in files if file.suffix == ".glb"), env=os.environ | {"NODE_PATH": str(packages)})
    interpreter = python("venv", "numpy==2.4.6", "trimesh==5.2.0", "meshio==5.3.5", "numpy-stl==4.1.1", "plyfile==1.1.5", "pypng==0.20220715.0", "usd-core==26.11")
    call(interpreter, LIB / "first_hour.py", *files)
