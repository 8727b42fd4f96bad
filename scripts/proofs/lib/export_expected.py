"""The scene of a baked GLB, as files in a layout must have it."""

import numpy as np

from gltf import Glb, laid_out


class Expected:
    """The scene of a GLB as a file in a layout has it."""

    def __init__(self, path, up, scale):
        self.glb = Glb(path)
        self.scale = scale
        self.surfaces = self.glb.surfaces()
        for surface in self.surfaces:
            surface["positions"] = laid_out(surface["positions"] * scale, up).astype("f4")
            if surface["normals"] is not None:
                surface["normals"] = laid_out(surface["normals"], up).astype("f4")
        self.exact = not any(surface["is_placed"] for surface in self.surfaces)

    def rows(self, name, of=None):
        return np.concatenate([surface[name] for surface in of or self.surfaces])

    def triangles(self, of=None):
        lists, first = [], 0
        for surface in of or self.surfaces:
            lists.append(surface["triangles"] + first)
            first += len(surface["positions"])
        return np.concatenate(lists)

    def has(self, name, of=None):
        return all(surface[name] is not None for surface in of or self.surfaces)

    def same(self, what, found, wanted):
        """Checks numbers: as f32, bit for bit but for the sign of zero, unless a node moves them."""
        found, wanted = np.asarray(found).astype("f4"), np.asarray(wanted).astype("f4")
        if found.shape != wanted.shape:
            raise AssertionError(f"{what}: {found.shape}, not {wanted.shape}")
        apart = np.abs(found.astype(float) - wanted)
        allowed = 0.0 if self.exact else 2 * np.spacing(np.abs(wanted).max())
        if not (apart <= allowed).all():
            raise AssertionError(f"{what}: {(apart > allowed).sum()} of {apart.size} differ, by {apart.max()} at most")


def soup(expected, found, distinct=False):
    """Checks triangles as three corners each, in any order; as sets of corners if they are to be `distinct`."""
    wanted = expected.rows("positions")[expected.triangles()].reshape(-1, 9)
    wanted, found = in_order(wanted, distinct), in_order(np.asarray(found).astype("f4").reshape(-1, 9), distinct)
    assert found.shape == wanted.shape, f"{len(found)} triangles, not {len(wanted)}"
    expected.same("triangles", found, wanted)


def in_order(rows, distinct):
    """Triangles in the order of their numbers, each beginning with its least corner, whichever a reader begins with."""
    corners = rows.reshape(-1, 3, 3)
    if distinct:
        corners = np.stack([corner[np.lexsort(corner.T[::-1])] for corner in corners])
        is_flat = (corners[:, 0] == corners[:, 1]).all(axis=1) | (corners[:, 1] == corners[:, 2]).all(axis=1)
        return np.unique(corners[~is_flat].reshape(-1, 9), axis=0)
    rows = np.stack([np.roll(corner, -np.lexsort(corner.T[::-1])[0], axis=0).ravel() for corner in corners])
    return rows[np.lexsort(np.round(rows.astype(float), 4).T[::-1])]
