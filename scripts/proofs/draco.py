"""Compares what Draco data are decoded to with Google's decoder, byte for byte: files without skins, morph targets and animations are baked, so that
attributes come out as they were decoded."""

import os
from pathlib import Path

from proofs.common import LIB, call, node, program, shared

NEEDS = "node, the network, and the published samples"


def options(parser):
    parser.add_argument("--files", nargs="+", type=Path, help="other .glb files than the sample")


def run(context):
    files = context.options.files or [shared("gltf-samples/compressed/Fox-draco.glb")]
    packages = node("draco3d@1.5.7") / "node_modules"
    call("node", LIB / "draco.mjs", program("debug"), context.work, *map(Path.resolve, files), env=os.environ | {"NODE_PATH": str(packages)})
