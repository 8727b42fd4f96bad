"""Strict f64 dual quaternion skinning (numerics.md §7) as a plain loop, compiled by numba; one thread.

Usage: numba_dqs.py VERTICES [SHA256], where the hash is that of our positions and normals. Takes turns as `turns.py`
describes.
"""

import math
import sys

import numba
import numpy as np

from workload import Workload, check_bits, take_turns

# Without fastmath nothing is reordered or estimated, and products and sums are not fused.
strict = numba.njit(fastmath=False, error_model="numpy", inline="always")


@strict
def product(aw, ax, ay, az, bw, bx, by, bz):
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


@strict
def rotate(w, x, y, z, a, b, c):
    tw, tx, ty, tz = product(w, x, y, z, 0.0, a, b, c)
    _, u, v, t = product(tw, tx, ty, tz, w, -x, -y, -z)
    return u, v, t


@numba.njit(fastmath=False, error_model="numpy")
def evaluate(joints, weights, real, dual, rest, rest_normals, positions, normals):
    for vertex in range(len(joints)):
        reference = joints[vertex, 0]
        for slot in range(1, 4):
            reference = min(reference, joints[vertex, slot])
        ew, ex, ey, ez = real[reference, 0], real[reference, 1], real[reference, 2], real[reference, 3]
        rw = rx = ry = rz = dw = dx = dy = dz = 0.0
        for slot in range(4):
            joint, weight = joints[vertex, slot], weights[vertex, slot]
            w, x, y, z = real[joint, 0], real[joint, 1], real[joint, 2], real[joint, 3]
            if 0.0 + w * ew + x * ex + y * ey + z * ez < 0.0:
                weight = -weight  # (-w) * q is exactly w * (-q)
            rw, rx, ry, rz = rw + weight * w, rx + weight * x, ry + weight * y, rz + weight * z
            dw, dx = dw + weight * dual[joint, 0], dx + weight * dual[joint, 1]
            dy, dz = dy + weight * dual[joint, 2], dz + weight * dual[joint, 3]
        rn = 1.0 / math.sqrt(rw * rw + rx * rx + ry * ry + rz * rz)
        rw, rx, ry, rz = rw * rn, rx * rn, ry * rn, rz * rn
        dw, dx, dy, dz = dw * rn, dx * rn, dy * rn, dz * rn
        k = 0.0 + rw * dw + rx * dx + ry * dy + rz * dz
        dw, dx, dy, dz = dw - k * rw, dx - k * rx, dy - k * ry, dz - k * rz
        _, tx, ty, tz = product(dw, dx, dy, dz, rw, -rx, -ry, -rz)
        p = rest[vertex]
        x, y, z = rotate(rw, rx, ry, rz, np.float64(p[0]), np.float64(p[1]), np.float64(p[2]))
        positions[vertex, 0], positions[vertex, 1], positions[vertex, 2] = x + 2.0 * tx, y + 2.0 * ty, z + 2.0 * tz
        n = rest_normals[vertex]
        x, y, z = rotate(rw, rx, ry, rz, np.float64(n[0]), np.float64(n[1]), np.float64(n[2]))
        normals[vertex, 0], normals[vertex, 1], normals[vertex, 2] = x, y, z


count = int(sys.argv[1])
work = Workload(count)
out = np.empty((count, 3), np.float32), np.empty((count, 3), np.float32)
given = work.joints, work.weights, work.real, work.dual, work.positions, work.normals
evaluate(*given, *out)
check_bits("numba", out, sys.argv[2] if len(sys.argv) > 2 else None)
take_turns(f"numba {numba.__version__}, same bits", lambda: evaluate(*given, *out))
