"""Compares dual quaternion bakes of samples with Preserve Volume of Blender, and linear ones with its plain armature: linear blending must agree;
for dual quaternions the distances are printed, of the rule in place and of --two-stage, because Blender has rules of its own."""

import json

from proofs.common import LIB, blender, call, program, shared
from proofs.validate import gltf_json

NEEDS = "Python, the network, the published samples, and 900 MB for Blender"
MOMENTS = [("Fox", 1, 0.5), ("CesiumMan-geometry", 0, 0.5), ("Greenman", 3, 0.5), ("Mannequiny", 0, 0.5), ("RobotQuaternius", 0, 0.5), ("RiggedSimple", 0, 1.0416669845581055)]
WAYS = {"lbs": [], "dqs": ["--solver", "dqs"], "two-stage": ["--solver", "dqs", "--two-stage"]}


def run(context):
    real, tool, plan = shared("gltf-samples/real"), program(), []
    for sample, animation, time in MOMENTS:
        source = real / f"{sample}.glb"
        names, outputs = [one.get("name") for one in gltf_json(source)["animations"]], {}
        for way, options in WAYS.items():
            outputs[way] = str(context.work / f"{sample}.{way}.glb")
            call(tool, "bake", "--quiet", source, "--animation", animation, "--time", time, *options, "-o", outputs[way])
        plan.append({"source": str(source), "animation": names[animation], "time": time, "outputs": outputs})
    (context.work / "plan.json").write_text(json.dumps(plan))
    call(blender(), LIB / "preserve_volume.py", context.work / "plan.json")
