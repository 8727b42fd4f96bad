"""What Blender imports from exported files, against the baked GLB: usage export_blender.py WORK STEM UP SCALE."""

import pathlib
import sys

import bpy
import numpy as np

from export_expected import Expected, soup

IMPORTS = {
    "obj": lambda path: bpy.ops.wm.obj_import(filepath=path, forward_axis="Y", up_axis="Z"),
    "stl": lambda path: bpy.ops.wm.stl_import(filepath=path),
    "ply": lambda path: bpy.ops.wm.ply_import(filepath=path),
    "usda": lambda path: bpy.ops.wm.usd_import(filepath=path),
}


def triangles():
    """The corners of all triangles, in the axes of the file: importers turn objects and leave meshes as they are."""
    found = []
    for thing in bpy.context.scene.objects:
        if thing.type == "MESH":
            mesh = thing.data
            positions = np.array([vertex.co for vertex in mesh.vertices], "f4").reshape(-1, 3)
            corners = np.array([face.vertices[:] for face in mesh.polygons], int).reshape(-1, 3)
            found.append(positions[corners])
    return np.concatenate(found)


def main():
    work, stem, up, scale = sys.argv[1:]
    expected = Expected(pathlib.Path(work) / "baked.glb", up, float(scale))
    for ending, read in IMPORTS.items():
        bpy.ops.wm.read_factory_settings(use_empty=True)
        path = pathlib.Path(work) / f"{stem}.{ending}"
        assert read(str(path)) == {"FINISHED"}, ending
        # Blender leaves out triangles of equal corners when it imports STL.
        soup(expected, triangles(), distinct=ending == "stl")
        if ending in ("obj", "usda"):
            missing = [image.name for image in bpy.data.images if image.size[0] == 0]
            assert not missing, f"{ending}: images {missing}"
    print("equal")


main()
