"""Plays point caches in Blender, on the OBJ files beside them: every vertex of every moment must be where the arrays of NPZ have it, as f32."""

import json

from proofs.common import LIB, blender, call, program, shared

NEEDS = "Python, the network, the published samples, and 900 MB for Blender"
CLIPS = {"Fox": 1, "Mannequiny": 5, "CesiumMan-geometry": 0, "RobotQuaternius": 2, "RiggedSimple": 0}
LAYOUTS = [[], ["--up", "z", "--scale", "100"]]


def run(context):
    plan = []
    for sample, animation in CLIPS.items():
        bake = [program(), "bake", "--quiet", "--allow-warnings", "all", shared("gltf-samples/real") / f"{sample}.glb", "--animation", animation, "--frames", "@24", "-o"]
        arrays = context.work / f"{sample}.npz"
        call(*bake, arrays)
        for number, layout in enumerate(LAYOUTS):
            for ending in ("pc2", "mdd"):
                cache = context.work / f"{sample}-{number}-{ending}.{ending}"
                call(*bake, cache, *layout)
                plan.append({"cache": str(cache), "arrays": str(arrays), "is_turned": bool(layout)})
    (context.work / "plan.json").write_text(json.dumps(plan))
    call(blender(), LIB / "point_caches.py", context.work / "plan.json")
