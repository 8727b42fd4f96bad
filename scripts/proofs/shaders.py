"""Compiles the shaders of the book with naga, and runs them in headless Chromium, by WebGPU and WebGL 2, on palettes:
vertices must be those of baked files, and faults in the shaders must be noticed."""

import os
import re
import shutil

from proofs.common import LIB, ROOT, SHARED, call, chromium, program, python, shared

NEEDS = "Python, the network, Chromium, the published samples; naga (`cargo install naga-cli`) is used if it is there"


def compile_by_naga(work):
    """Compiles the shaders of the page about palettes, each also to the other language."""
    page = (ROOT / "docs/src/reference/palette.md").read_text()
    for language, ending in (("glsl", "vert"), ("wgsl", "wgsl")):
        file = work / f"shader.{ending}"
        file.write_text(re.search(rf"```{language}\n(.*?)```", page, re.S)[1])
        for out in ([], [work / "out.spv"], [work / "out.wgsl"]):
            call("naga", "--input-kind", language, "--shader-stage", "vertex", file, *out)
    print("both shaders compile")


def run(context):
    shared("gltf-samples")
    if shutil.which("naga"):
        compile_by_naga(context.work)
    else:
        print("there is no naga: the shaders are not compiled by it")
    interpreter = python("venv", "numpy==2.4.6")
    environment = os.environ | {"CHROMIUM": chromium(), "RIGY_SUITE": str(SHARED)}
    call(interpreter, LIB / "shaders_palette.py", program(), env=environment)
