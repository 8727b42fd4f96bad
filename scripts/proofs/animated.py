"""Bakes clips of samples as animated files (`--as morph` and `--as step`) and as single frames: the validator may find nothing that a frame does
not have, and three.js, Babylon.js and, on request, Blender must play each vertex to where the frame has it, within 1e-6 of the size or the tolerance."""

import os
import subprocess

from proofs.common import LIB, blender, call, node, program, shared

NEEDS = "node, the network, the published samples, and 900 MB for --blender"
CLIPS = [  # file, animation, frames, tolerance
    ("real/Fox.glb", "Run", "0..47@41", "0"),
    ("real/Fox.glb", "Survey", "0..81@24", "0.18"),
    ("real/RobotQuaternius.glb", "0", "0..11@10", "0"),
    ("real/RobotQuaternius.glb", "0", "0..23@24", "0.01"),
    ("real/CesiumMan-geometry.glb", "0", "1..20@12", "0"),
    ("made/morph_plus_skin.glb", "0", "0..12@12", "0"),
    ("made/multi_skin_shared_mesh.glb", "0", "0..12@12", "0"),
    ("made/spline_step_jointscale.glb", "0", "0..12@12", "0"),
]


def options(parser):
    parser.add_argument("--blender", action="store_true", help="have Blender import the files, too")


def run(context):
    samples, tool, work, plan = shared("gltf-samples"), program(), context.work, []
    for number, (file, animation, frames, tolerance) in enumerate(CLIPS):
        bake = [tool, "bake", "--format", "json", samples / file, "--animation", animation, "--frames", frames]
        forms = {"frames": [], "morph": ["--as", "morph", "--tolerance", tolerance]}
        if tolerance == "0":
            forms["step"] = ["--as", "step"]
        for form, words in forms.items():
            with open(work / f"{number}.{form}", "w") as said:
                call(*bake, *words, "-o", work / str(number) / form, stdout=said, stderr=subprocess.DEVNULL)
            if form != "frames":
                plan.append(f"{number}\t{form}\t{tolerance}\n")
    (work / "plan").write_text("".join(plan))
    packages = node("gltf-validator@2.0.0-dev.3.10", "three@0.187.0", "babylonjs@9.28.0", "babylonjs-loaders@9.28.0") / "node_modules"
    call("node", LIB / "animated.mjs", work, env=os.environ | {"NODE_PATH": str(packages)})
    if context.options.blender:
        call(blender(), LIB / "animated_blender.py", work)
