"""Opens files as programs do that are not ours: first_hour.py FILE... Prints how many of each kind; a file that does not open, or is empty, is a failure."""

import collections
import sys
from pathlib import Path

import numpy as np
import png
import trimesh
from pxr import Usd, UsdGeom


def has_triangles(path):
    scene = trimesh.load_scene(path)
    assert sum(len(mesh.faces) for mesh in scene.geometry.values()) > 0, f"{path}: no triangles"


def has_meshes(path):
    meshes = [prim for prim in Usd.Stage.Open(str(path)).Traverse() if prim.IsA(UsdGeom.Mesh)]
    assert meshes and all(UsdGeom.Mesh(mesh).GetPointsAttr().Get(0) for mesh in meshes), f"{path}: no meshes"


def has_moments(path):
    assert path.suffix != ".npz" or len(np.load(path)["positions"]) > 1, f"{path}: no moments"


def is_no_blank(path):
    width, height, rows, info = png.Reader(str(path)).asDirect()
    colors = collections.Counter(tuple(row[k : k + info["planes"]]) for row in rows for k in range(0, len(row), info["planes"]))
    assert len(colors) > 100 and colors.most_common(1)[0][1] < 0.97 * width * height, f"{path}: blank"


def is_whole_page(path):
    text = path.read_text()
    assert text.startswith("<!doctype html>") and text.rstrip().endswith("</html>"), path
    data = path.with_name(f"{path.name}.data")
    assert data.name not in text or any(data.glob("scene-*.js")), f"{path}: no models beside it"


CHECKS = {**dict.fromkeys([".glb", ".obj", ".stl", ".ply", ".3mf"], has_triangles), ".usda": has_meshes, **dict.fromkeys([".npz", ".pc2", ".mdd"], has_moments), ".png": is_no_blank, ".html": is_whole_page}

counts = collections.Counter()
for path in map(Path, sys.argv[1:]):
    if check := CHECKS.get(path.suffix):
        check(path)
        counts[path.suffix] += 1
assert {".glb", ".png", ".html", ".obj"} <= counts.keys(), counts
print(", ".join(f"{count} {suffix[1:]}" for suffix, count in sorted(counts.items())))
