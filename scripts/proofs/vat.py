"""Writes OpenVAT textures of samples: a shader with the formulas of those for Godot and Bevy, in headless Chromium, on what OpenEXR and pypng read, must show
every vertex of every frame as exactly as the format says, faults in the shader must be noticed, and the Khronos validator finds no error in the mesh."""

import os
from pathlib import Path

from proofs.common import LIB, SHARED, call, chromium, node, program, python, shared

NEEDS = "Python, node, the network, Chromium, and the published samples"
SAMPLES = ["Fox", "CesiumMan-geometry", "RobotQuaternius", "Mannequiny", "RiggedFigure"]


def options(parser):
    parser.add_argument("--files", nargs="+", type=Path, help="other .glb files than five samples")


def run(context):
    real = shared("gltf-samples/real")
    files = [file.resolve() for file in context.options.files or [real / f"{name}.glb" for name in SAMPLES]]
    interpreter = python("venv", "numpy==2.4.6", "OpenEXR==3.5.3", "pypng==0.20220715.0")
    environment = os.environ | {"CHROMIUM": chromium(), "RIGY_SUITE": str(SHARED)}
    call(interpreter, LIB / "vat.py", program(), context.work, *files, env=environment)
    meshes = sorted(context.work.glob("*-exr/*.glb"))
    assert meshes
    packages = node("gltf-validator@2.0.0-dev.3.10", "three@0.187.0") / "node_modules"
    call("node", LIB / "valid.mjs", *meshes, env=os.environ | {"NODE_PATH": str(packages)})
