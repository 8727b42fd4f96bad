"""Bakes every glTF sample by both solvers, at rest and at some times: the Khronos validator may find no error that the input does not have, and
three.js must find nothing skinned and have its vertices where the samples' lists say (bake.md §8)."""

import json
import os
import re
import subprocess

from proofs.common import LIB, SHARED, Missing, call, node, program

NEEDS = "node, the network, and the published samples"


def gltf_json(file):
    content = file.read_bytes()
    return json.loads(content[20 : 20 + int.from_bytes(content[12:16], "little")] if content[:4] == b"glTF" else content)


def expected_lists():
    lists = []
    for path in sorted((SHARED / "gltf-samples/expected").glob("*.json")):
        one = json.loads(path.read_text())
        lists.append({**one, "path": str(path), "solver": "dqs" if one["solver"].startswith("dqs") else "lbs"})
    return lists


def animation_index(gltf, name):
    """The number of the animation that a list names: three.js makes up names for those that have none."""
    names = [animation.get("name") for animation in gltf.get("animations", [])]
    made_up = re.fullmatch(r"(?:animation_)?(\d+)", name)
    return names.index(name) if name in names else int(made_up[1]) if made_up else None


def plan(file, lists):
    """What to bake of a file: solver, animation, time, and the lists that say where its vertices are then."""
    gltf = gltf_json(file)
    last = len(gltf.get("animations", [])) - 1
    for solver in ("lbs", "dqs"):
        own = [(animation_index(gltf, one["animation"]), one["t"], one["path"]) for one in lists if (one["source"], one["solver"]) == (file.name, solver)]
        moments = [(None, None), *([(0, 0.25), (last, 0.8)] if last >= 0 else []), *((animation, time) for animation, time, _ in own)]
        for moment in dict.fromkeys(moments):
            yield solver, *moment, [path for *of, path in own if tuple(of) == moment]


def run(context):
    tool, lists, entries = program(), expected_lists(), []
    folders = [SHARED / "gltf-samples" / name for name in ("real", "made", "compressed")]
    files = [path for folder in folders if folder.exists() for path in sorted(folder.iterdir()) if path.suffix in (".glb", ".gltf")]
    if not files:
        raise Missing(f"there are no samples in {SHARED}")
    for file in files:
        for solver, animation, time, paths in plan(file, lists):
            out = context.work / str(len(entries))
            moment = [] if animation is None else ["--animation", str(animation), "--time", str(time)]
            ended = subprocess.run([tool, "bake", "--quiet", "--solver", solver, *moment, "-o", out, file], capture_output=True, text=True)
            assert ended.returncode == 0, f"{file.name}, {solver} {moment}: {ended.stderr}"
            entries.append({"file": str(file), "solver": solver, "animation": animation, "time": time, "lists": paths, "output": str(out / f"{file.stem}.glb")})
    (context.work / "plan.json").write_text(json.dumps(entries))
    packages = node("gltf-validator@2.0.0-dev.3.10", "three@0.187.0") / "node_modules"
    call("node", LIB / "baked.mjs", context.work / "plan.json", env=os.environ | {"NODE_PATH": str(packages)})
