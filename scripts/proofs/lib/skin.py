"""Judges `bake --as skin` by arrays of all moments: usage skin.py PROGRAM WORK FILE.glb...

Prints a row for each file: joints and helpers, bytes, time and memory of the bake, and distances and angles from the dual quaternions of the source, as
shares of the size and degrees, of linear blending before and after. Writes WORK/NAME.json with the size. Exit 1 if a file is not within its tolerance
and the bake did not say so (W26), if more than a twentieth of the files are not, or if normals are worse than those of linear blending.
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
    """Degrees between normals at the 99th percentile of the vertices that have some, 0 if none has."""
    cosines = (a.astype("f8") * b).sum(axis=2)[np.any(a, axis=2)]
    return float(np.degrees(np.quantile(np.arccos(np.clip(cosines, -1, 1)), 0.99))) if cosines.size else 0.0


def baked(tool, file, output):
    """Bakes a file. Returns the seconds of processor time, the most MB of memory, and whether the bake said that it misses the tolerance."""
    log = output.with_suffix(".log")
    with open(log, "w") as said:
        process = subprocess.Popen([tool, "bake", "--jobs", "1", file, "--as", "skin", "-o", output], stdout=subprocess.DEVNULL, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, f"{file}: status {status}"
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, "W26" in log.read_text()


def judge(tool, work, file, output, cost):
    seconds, memory, is_told = cost
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
    wrong, missed = [], []
    if shares[1] > 100 * SHARE:
        (missed if is_told else wrong).append(f"{file.stem}: {shares[1]:.4f} % from dual quaternions")
    if worst[3] > worst[2] + 0.01:
        wrong.append(f"{file.stem}: normals {worst[3]:.2f} degrees, linear blending has {worst[2]:.2f}")
    return wrong, missed


def main():
    tool, work, files = sys.argv[1], Path(sys.argv[2]), [Path(file) for file in sys.argv[3:]]
    outputs = [work / f"{file.stem}.default.glb" for file in files]
    # Before arrays are loaded: a process that has not begun counts the memory of the one that starts it.
    costs = [baked(tool, *pair) for pair in zip(files, outputs)]
    print("| file | joints + helpers | kB | % of the size from dual quaternions | normals, degrees at 99 % | s | MB |\n|---|---|---|---|---|---|---|")
    found = [judge(tool, work, *each) for each in zip(files, outputs, costs)]
    wrong, missed = ([it for pair in found for it in pair[at]] for at in (0, 1))
    for word, them in (("wrong", wrong), ("told by W26", missed)):
        for it in them:
            print(f"{word}: {it}")
    sys.exit(bool(wrong) or len(missed) > max(1, len(files) / 20))


main()
