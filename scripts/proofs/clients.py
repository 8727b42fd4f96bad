"""Runs the commands of the book's page about smaller files on baked samples: gltfpack and gltf-transform must read them, make them smaller, and
keep their bounds."""

import json
import os
import re
import subprocess

from proofs.common import ROOT, call, node, program, shared

NEEDS = "node, the network, and the published samples"
PAGE = ROOT / "docs/src/guide/smaller.md"
SAMPLES = ["RobotQuaternius", "Mannequiny", "Fox"]
FEWER = "simple.glb"  # has fewer triangles, and so other bounds


def bounds(tool, file):
    ended = subprocess.run([tool, "inspect", "--format", "json", file], check=True, capture_output=True, text=True)
    found = json.loads(ended.stdout)["bounds"]
    return found["min"] + found["max"]


def run(context):
    real, tool = shared("gltf-samples/real"), program()
    folder = node("gltfpack@1.1.0", "@gltf-transform/cli@4.4.0") / "node_modules/.bin"
    commands = "".join(re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.S)).replace("npx ", "")
    environment = os.environ | {"PATH": f"{tool.parent}:{folder}:{os.environ['PATH']}"}
    for sample in SAMPLES:
        work = context.work / sample
        work.mkdir()
        (work / "model.glb").symlink_to(real / f"{sample}.glb")
        call("bash", "-ec", commands, cwd=work, env=environment, stdout=subprocess.DEVNULL)
        whole = work / "baked.glb"
        before, size = bounds(tool, whole), whole.stat().st_size
        extent = max(high - low for low, high in zip(before[:3], before[3:]))
        made = {file.name: file.stat().st_size for file in sorted(work.glob("*.glb")) if file not in (whole, work / "model.glb")}
        assert len(made) == 4, made
        for name, smaller in made.items():
            apart = max(abs(a - b) for a, b in zip(before, bounds(tool, work / name))) / extent
            assert smaller < size, f"{sample}: {name} has {smaller} bytes, {whole.name} {size}"
            assert apart <= (0.05 if name == FEWER else 0.01), f"{sample}: the bounds of {name} are off by {apart:.4f} of the size"
        print(f"{sample}: {size} bytes, {', '.join(f'{name} {smaller}' for name, smaller in made.items())}")
