"""Judges `bake --as skin` by arrays of all moments: usage skin.py PROGRAM WORK FILE.glb...

Prints a row for each file: joints and helpers, bytes, time and memory of the bake, and distances and angles from the dual quaternions of the source, as
shares of the size and degrees, of linear blending before and after. Writes WORK/NAME.json with the size. Exit 1 if a file is not within its tolerance.
"""

import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np

RATE = 240
SHARE = 0.003


def gltf(path):
    data = path.read_bytes()
    return json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])


def arrays(tool, file, clip, solver, output):
    """Positions and normals of all moments of a clip."""
    words = [tool, "bake", "--quiet", file, "--animation", str(clip), "--solver", solver, "--frames", f"@{RATE}", "--to", "npz", "-o", output]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with np.load(output) as found:
        return found["positions"], found["normals"]


def diagonal(positions):
    return float(np.median(np.linalg.norm(np.ptp(positions, axis=1), axis=1)))


def apart(a, b):
    return float(np.sqrt(((a.astype("f8") - b) ** 2).sum(axis=2).max()))


def angles(a, b):
    """Degrees between normals at the 99th percentile of the vertices that have some."""
    cosines = (a.astype("f8") * b).sum(axis=2)
    return float(np.degrees(np.quantile(np.arccos(np.clip(cosines, -1, 1)), 0.99)))


def baked(tool, file, output):
    """Bakes a file. Returns the seconds of processor time and the most MB of memory."""
    process = subprocess.Popen([tool, "bake", "--quiet", "--jobs", "1", file, "--as", "skin", "-o", output], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, f"{file}: status {status}"
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def judge(tool, work, file):
    output = work / f"{file.stem}.default.glb"
    seconds, memory = baked(tool, file, output)
    before, after = gltf(file), gltf(output)
    sizes, worst = [], np.zeros(4)  # distance of linear blending before and after, normals before and after
    for clip in range(len(before["animations"])):
        wanted, normals = arrays(tool, file, clip, "dqs", work / "wanted.npz")
        plain, plain_normals = arrays(tool, file, clip, "lbs", work / "plain.npz")
        ours, our_normals = arrays(tool, output, clip, "lbs", work / "ours.npz")
        sizes.append(diagonal(wanted))
        worst = np.maximum(worst, [apart(plain, wanted), apart(ours, wanted), angles(plain_normals, normals), angles(our_normals, normals)])
    size = float(np.median(sizes))
    (work / f"{file.stem}.json").write_text(json.dumps({"size": size}))
    joints = [sum(len(skin["joints"]) for skin in model["skins"]) for model in (before, after)]
    shares = 100 * worst[:2] / size
    print(f"| {file.stem} | {joints[0]} + {joints[1] - joints[0]} | {file.stat().st_size / 1e3:.0f} → {output.stat().st_size / 1e3:.0f} | {shares[0]:.3f} → {shares[1]:.3f} "
          f"| {worst[2]:.2f} → {worst[3]:.2f} | {seconds:.1f} | {memory:.0f} |", flush=True)  # fmt: skip
    wrong = []
    if shares[1] > 100 * SHARE:
        wrong.append(f"{file.stem}: {shares[1]:.4f} % from dual quaternions")
    if worst[3] > worst[2] + 0.01:
        wrong.append(f"{file.stem}: normals {worst[3]:.2f} degrees, linear blending has {worst[2]:.2f}")
    return wrong


def main():
    tool, work = sys.argv[1], Path(sys.argv[2])
    print("| file | joints + helpers | kB | % of the size from dual quaternions | normals, degrees at 99 % | s | MB |\n|---|---|---|---|---|---|---|")
    wrong = [it for file in sys.argv[3:] for it in judge(tool, work, Path(file))]
    for it in wrong:
        print(f"wrong: {it}")
    sys.exit(bool(wrong))


main()
