"""The workload `random` of src/run/bench/workload.rs, number for number, and how the peers in Python take turns."""

import hashlib
import sys
import time

import numpy as np

JOINTS = 64
DRAWS = 4 * 2 + 3 + 3  # of a vertex: joint and weight four times, position, normal


def units(first, count):
    """Draws of SplitMix64, from the one numbered `first`: its state is a sum, so they need not come in order."""
    z = np.uint64(0x5EED) + np.arange(first + 1, first + count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(11)).astype(np.float64) / 2.0**53


def product(a, b):
    """Quaternions w, x, y, z, each part from left to right."""
    (aw, ax, ay, az), (bw, bx, by, bz) = a, b
    return [
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    ]


def conjugate(q):
    return [q[0], -q[1], -q[2], -q[3]]


def rotate(q, v):
    return product(product(q, [np.zeros_like(v[0]), *v]), conjugate(q))[1:]


class Workload:
    """Joints and weights by vertex, f32 rest vertices, dual quaternions by joint (parts along the last axis)."""

    def __init__(self, count):
        slots = units(0, 8 * count).reshape(count, 4, 2)
        self.joints = (slots[:, :, 0] * JOINTS).astype(np.uint16)
        self.weights = 1.0 - slots[:, :, 1]
        rest = (units(8 * count, 6 * count).reshape(count, 6) - 0.5).astype(np.float32)
        self.positions, self.normals = rest[:, :3].copy(), rest[:, 3:].copy()
        pose = (units(DRAWS * count, 10 * JOINTS) - 0.5).reshape(JOINTS, 10).T
        norm = np.sqrt(((pose[0] * pose[0] + pose[1] * pose[1]) + pose[2] * pose[2]) + pose[3] * pose[3])
        real = [part / norm for part in pose[:4]]
        turned = rotate(real, list(pose[7:]))
        moved = [a + b for a, b in zip(turned, pose[4:7])]
        dual = [0.5 * part for part in product([np.zeros(JOINTS), *moved], real)]
        self.real, self.dual = np.stack(real, axis=1), np.stack(dual, axis=1)


def check_bits(peer, out, expected):
    """Stops unless `out` has the SHA-256 `expected`."""
    found = hashlib.sha256(b"".join(part.tobytes() for part in out)).hexdigest()
    if expected and found != expected:
        sys.exit(f"{peer} gives other bits: {found}, not {expected}")


def take_turns(peer, evaluate):
    """Writes the name, then for each line of standard input the seconds of an evaluation (`turns.py`)."""
    print(peer, flush=True)
    for _ in sys.stdin:
        evaluate()
        count, start = 0, time.perf_counter()
        while time.perf_counter() - start < 0.01:
            evaluate()
            count += 1
        print((time.perf_counter() - start) / count, flush=True)
