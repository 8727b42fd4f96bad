"""What the modifier Mesh Cache of Blender makes of point caches, beside arrays: usage point_caches.py PLAN."""

import json
import pathlib
import sys

import bpy
import numpy as np


def played(cache, count):
    """The positions of all moments."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.obj_import(filepath=str(cache.with_suffix(".obj")))
    [thing] = [thing for thing in bpy.data.objects if thing.type == "MESH"]
    modifier = thing.modifiers.new("cache", "MESH_CACHE")
    modifier.cache_format, modifier.filepath = cache.suffix[1:].upper(), str(cache)
    for frame in range(count):
        bpy.context.scene.frame_set(frame)
        mesh = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
        numbers = np.empty(3 * len(mesh.vertices), np.float32)
        mesh.vertices.foreach_get("co", numbers)
        yield numbers.reshape(-1, 3)


for case in json.loads(pathlib.Path(sys.argv[1]).read_text()):
    cache, wanted = pathlib.Path(case["cache"]), np.load(case["arrays"])["positions"]
    if case["is_turned"]:
        wanted = np.stack([wanted[..., 0], -wanted[..., 2], wanted[..., 1]], -1) * np.float32(100)
    assert len(wanted) > 10 and not np.array_equal(wanted[0], wanted[-2])
    for found, moment in zip(played(cache, len(wanted)), wanted):
        assert found.shape == moment.shape and np.abs(found - moment).max() <= 1.2e-7 * np.abs(wanted).max(), cache
    print(f"{cache.name}: {len(wanted)} moments of {wanted.shape[1]} vertices")
