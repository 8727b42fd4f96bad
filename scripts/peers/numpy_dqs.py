"""Strict f64 dual quaternion skinning (numerics.md §7) in numpy, in chunks that stay in a cache.

Usage: numpy_dqs.py VERTICES [SHA256], where the hash is that of our positions and normals. Takes turns as `turns.py`
describes.
"""

import sys

import numpy as np

from workload import Workload, check_bits, conjugate, product, rotate, take_turns

CHUNK = 2048


def evaluate(work, positions, normals):
    for first in range(0, len(positions), CHUNK):
        part = slice(first, first + CHUNK)
        joints, weights = work.joints[part], work.weights[part]
        real = np.moveaxis(work.real[joints], 2, 0)  # part, vertex, slot
        dual = np.moveaxis(work.dual[joints], 2, 0)
        # Every weight of this workload is positive, so the reference is simply the lowest joint.
        reference = work.real[joints.min(axis=1)].T[:, :, None]
        dot = 0.0 + real[0] * reference[0]
        for i in 1, 2, 3:
            dot = dot + real[i] * reference[i]
        # (-w) * q is exactly w * (-q).
        signed = np.where(dot < 0.0, -weights, weights)
        r, d = np.zeros((4, len(weights))), np.zeros((4, len(weights)))
        for slot in range(4):
            r = r + signed[:, slot] * real[:, :, slot]
            d = d + signed[:, slot] * dual[:, :, slot]
        rn = 1.0 / np.sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3])
        r, s = r * rn, d * rn
        k = 0.0 + r[0] * s[0] + r[1] * s[1] + r[2] * s[2] + r[3] * s[3]
        d = s - k * r
        moved = [2.0 * u for u in product(d, conjugate(r))[1:]]
        turned = rotate(r, list(work.positions[part].astype(np.float64).T))
        positions[part] = np.stack([a + b for a, b in zip(turned, moved)], axis=1)
        normals[part] = np.stack(rotate(r, list(work.normals[part].astype(np.float64).T)), axis=1)


count = int(sys.argv[1])
work = Workload(count)
out = np.empty((count, 3), np.float32), np.empty((count, 3), np.float32)
evaluate(work, *out)
check_bits("numpy", out, sys.argv[2] if len(sys.argv) > 2 else None)
take_turns(f"numpy {np.__version__}, same bits", lambda: evaluate(work, *out))
