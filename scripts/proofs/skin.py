"""Brings dual quaternions into plain skins (`bake --as skin`): at 240 moments a second linear blending of the result must be within the tolerance of
the source's dual quaternions, with normals no worse than linear blending gives them; at 0.1 % of the size three.js and Babylon.js must play each
vertex within that, and the validator finds nothing that the source has not. On request, Blender imports the files."""

import json
import os
import subprocess
from pathlib import Path

from proofs.common import LIB, blender, call, node, program, python, shared
from proofs.validate import gltf_json

NEEDS = "Python, node, the network, the published samples, and 900 MB for --blender"
SAMPLES = ["real/CesiumMan-geometry", "real/Fox", "real/Greenman", "real/Lumberjack-geometry", "real/Mannequiny", "real/RiggedFigure", "real/RiggedSimple",
           "real/RobotQuaternius", "made/eight_influences_f32", "made/eight_influences_u8n", "made/morph_plus_skin", "made/multi_skin_shared_mesh",
           "made/spline_step_jointscale"]  # fmt: skip
PLAYED = ["CesiumMan-geometry", "Fox", "Greenman", "Mannequiny", "RobotQuaternius"]
SHARE = 0.001
"""Of the size: the tolerance of the files that clients play."""


def options(parser):
    parser.add_argument("--files", nargs="+", type=Path, help="other .glb files than the samples")
    parser.add_argument("--blender", action="store_true", help="have Blender import the files, too")


def run(context):
    samples, tool = shared("gltf-samples"), program()
    files = [file.resolve() for file in context.options.files or [samples / f"{name}.glb" for name in SAMPLES]]
    call(python("venv", "numpy==2.4.6"), LIB / "skin.py", tool, context.work, *files)
    plan = [line for file in files if context.options.files or file.stem in PLAYED for line in clips(context.work, tool, file)]
    (context.work / "plan").write_text("".join(plan))
    packages = node("gltf-validator@2.0.0-dev.3.10", "three@0.187.0", "babylonjs@9.28.0", "babylonjs-loaders@9.28.0") / "node_modules"
    call("node", LIB / "animated.mjs", context.work, env=os.environ | {"NODE_PATH": str(packages)})
    if context.options.blender:
        call(blender(), LIB / "skin_blender.py", *sorted(context.work.glob("*.skin.glb")))


def clips(work, tool, file):
    """Bakes a file for the clients, and eleven frames of the first clips by dual quaternions. Returns lines of the plan."""
    size = json.loads((work / f"{file.stem}.json").read_text())["size"]
    output = work / f"{file.stem}.skin.glb"
    call(tool, "bake", "--quiet", file, "--as", "skin", "--tolerance", repr(SHARE * size), "-o", output)
    plan = []
    for clip in range(min(3, len(gltf_json(file)["animations"]))):
        name = f"{file.stem}-{clip}"
        bake = [tool, "bake", "--format", "json", file, "--animation", clip, "--solver", "dqs", "--frames", "0..10@13", "-o", work / name]
        with open(work / f"{name}.frames", "w") as said:
            call(*bake, stdout=said, stderr=subprocess.DEVNULL)
        (work / f"{name}.skin").write_text(json.dumps({"input": str(file), "output": str(output), "bytes": output.stat().st_size}))
        plan.append(f"{name}\tskin\t{SHARE}\t{clip}\n")
    return plan
