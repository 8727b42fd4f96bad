"""OpenUSD's UsdSkel over the workload `random`, in f32: points and normals, by linear blending or dual quaternions.

It poses points in place, so each evaluation begins with a copy of the rest points and normals; weights are divided by
their sum. Usage: usdskel.py VERTICES lbs|dqs. Takes turns as `turns.py` describes.
"""

import sys

import numpy as np
from pxr import Gf, Usd, UsdSkel, Vt

from workload import JOINTS, Workload, conjugate, product, rotate, take_turns

METHODS = {"lbs": "classicLinear", "dqs": "dualQuaternion"}


def rotations(real):
    """3×3 matrices that multiply a row from the right."""
    axes = np.eye(3)
    rows = [np.stack(rotate(list(real.T), [np.full(JOINTS, part) for part in axis]), axis=1) for axis in axes]
    return np.stack(rows, axis=1)


def matrices(work):
    """4×4 matrices that multiply a row from the right."""
    translation = [2.0 * part for part in product(list(work.dual.T), conjugate(list(work.real.T)))[1:]]
    out = np.zeros((JOINTS, 4, 4))
    out[:, :3, :3], out[:, 3, :3], out[:, 3, 3] = rotations(work.real), np.stack(translation, axis=1), 1.0
    return out


count, solver = int(sys.argv[1]), sys.argv[2]
work = Workload(count)
joints = Vt.IntArray.FromNumpy(work.joints.astype(np.int32).ravel())
shares = work.weights / work.weights.sum(axis=1, keepdims=True)
weights = Vt.FloatArray.FromNumpy(shares.astype(np.float32).ravel())
transforms = Vt.Matrix4fArray.FromNumpy(matrices(work).astype(np.float32))
turns = Vt.Matrix3fArray.FromNumpy(matrices(work)[:, :3, :3].astype(np.float32))
method = METHODS[solver]


def evaluate():
    points, normals = Vt.Vec3fArray.FromNumpy(work.positions), Vt.Vec3fArray.FromNumpy(work.normals)
    UsdSkel.SkinPoints(method, Gf.Matrix4f(1), transforms, joints, weights, 4, points)
    UsdSkel.SkinNormals(method, Gf.Matrix3f(1), turns, joints, weights, 4, normals)
    return np.array(points), np.array(normals)


def expected():
    """The sums of linear blending, or of the parts of dual quaternions, in f64, for the first vertices."""
    few = slice(0, 1000)
    share, joint = shares[few, :, None], work.joints[few]
    rest, rest_normals = work.positions[few].astype(float), work.normals[few].astype(float)
    if solver == "lbs":
        blended = (share[..., None] * matrices(work)[joint]).sum(axis=1)
        turn = blended[:, :3, :3]
        return (np.einsum("vi,vij->vj", rest, turn) + blended[:, 3, :3], np.einsum("vi,vij->vj", rest_normals, turn))
    real, dual = work.real[joint], work.dual[joint]
    # The reference of UsdSkel is the joint of the largest weight. The opposite sign of both sums is the same transform.
    reference = np.take_along_axis(real, share.argmax(axis=1)[:, :, None], axis=1)
    share = np.where((real * reference).sum(axis=2, keepdims=True) < 0.0, -share, share)
    real, dual = (share * real).sum(axis=1), (share * dual).sum(axis=1)
    norm = np.linalg.norm(real, axis=1, keepdims=True)
    real, dual = list((real / norm).T), list((dual / norm).T)
    moved = np.stack([2.0 * part for part in product(dual, conjugate(real))[1:]], axis=1)
    return np.stack(rotate(real, list(rest.T)), axis=1) + moved, np.stack(rotate(real, list(rest_normals.T)), axis=1)


def check():
    """A peer that skins nothing would be fast. UsdSkel normalizes normals."""
    for kind, found, wanted in zip(("points", "normals"), evaluate(), expected()):
        found = found[: len(wanted)]
        if kind == "normals":
            wanted = wanted / np.linalg.norm(wanted, axis=1, keepdims=True)
        far = np.abs(found - wanted).max()
        if not far < 1e-4:
            sys.exit(f"UsdSkel: {kind} are {far} from where they should be")


check()
version = ".".join(str(part) for part in Usd.GetVersion())
take_turns(f"UsdSkel {version}, f32", evaluate)
