"""Writes vertex animation textures of samples in every packing: OpenEXR and pypng must find the vertices of every baked frame as exactly as the
packing says, and the Khronos validator no error in the mesh. `shaders` runs the shaders of the book on them."""

import os
from pathlib import Path

from proofs.common import LIB, call, example, node, program, python, shared

NEEDS = "Python, node, the network, and the published samples"
SAMPLES = ["Fox", "CesiumMan-geometry", "RobotQuaternius"]


def options(parser):
    parser.add_argument("--files", nargs="+", type=Path, help="other .glb files than three samples")


def run(context):
    real = shared("gltf-samples/real")
    files = [file.resolve() for file in context.options.files or [real / f"{name}.glb" for name in SAMPLES]]
    interpreter = python("venv", "numpy==2.4.6", "OpenEXR==3.5.3", "pypng==0.20220715.0")
    call(interpreter, LIB / "vat_clients.py", program(), example("vat"), context.work, *files)
    meshes = sorted(context.work.glob("*/*_mesh.glb"))
    assert meshes
    packages = node("gltf-validator@2.0.0-dev.3.10", "three@0.187.0") / "node_modules"
    call("node", LIB / "valid.mjs", *meshes, env=os.environ | {"NODE_PATH": str(packages)})
