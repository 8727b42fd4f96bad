"""What Blender plays of animated files, against the frames: usage blender.py WORK, which is as check.mjs has it.

Prints a line for each file, with the frames that were compared; exit 1 if anything differs.
"""

import json
import pathlib
import sys

import bpy
import numpy as np

FRAMES = 7
"""So many frames of each file are compared, from the first to the last."""

NEAR = 1e-6
"""Of the size: how far a vertex of morph targets may be from its place in a frame, if the file has no tolerance."""


def load(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert bpy.ops.import_scene.gltf(filepath=path) == {"FINISHED"}, path
    return bpy.context.scene


def go_to(scene, seconds):
    """Frames of Blender are numbers with a fraction; the importer puts a key at its time multiplied with the rate."""
    at = seconds * scene.render.fps / scene.render.fps_base
    scene.frame_set(int(at), subframe=at - int(at))


def meshes(scene):
    """World positions of all meshes that are not scaled to nothing, as armatures and shape keys move them."""
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    found = []
    for thing in scene.objects:
        shown = thing.evaluated_get(graph)
        world = np.array(shown.matrix_world, "f8")
        if thing.type != "MESH" or abs(np.linalg.det(world[:3, :3])) == 0.0:
            continue
        mesh = shown.to_mesh()
        positions = np.empty(3 * len(mesh.vertices), "f4")
        mesh.vertices.foreach_get("co", positions)
        found.append(positions.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3])
        shown.to_mesh_clear()
    return found


def visible(scene):
    """The same in an order that does not depend on names."""
    return sorted(meshes(scene), key=lambda positions: (len(positions), *positions.mean(axis=0).round(3)))


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def check(work, number, form, tolerance):
    """Compares one file with frames, and returns what to print and whether it is right."""
    frames = [line for line in lines(work / f"{number}.frames") if line.get("output") and not line.get("beside")]
    line = lines(work / f"{number}.{form}")[0]
    chosen = sorted(set(np.linspace(0, len(frames) - 1, FRAMES).round().astype(int)))
    expected = [visible(load(frames[index]["output"])) for index in chosen]
    scene = load(line["output"])
    worst = share = 0.0
    for index, then in zip(chosen, expected):
        go_to(scene, float(np.float32(frames[index]["time"] - frames[0]["time"])))
        now = visible(scene)
        if [len(positions) for positions in now] != [len(positions) for positions in then]:
            return f"frame {index} shows {[len(it) for it in now]} vertices, not {[len(it) for it in then]}", False
        off = max(np.linalg.norm(a - b, axis=1).max() for a, b in zip(now, then))
        worst = max(worst, off)
        share = max(share, off / np.linalg.norm(np.ptp(np.concatenate(then), axis=0)))
    near = 0.0 if form == "step" else NEAR
    is_right = worst <= tolerance if tolerance > 0 else share <= near
    return f"{len(chosen)} frames, off by {worst:.2e}, {share:.1e} of the size", is_right


def main():
    work = pathlib.Path(sys.argv[1])
    failed = 0
    print(f"Blender {bpy.app.version_string}")
    for line in (work / "plan").read_text().splitlines():
        number, form, tolerance = line.split("\t")
        said, is_right = check(work, number, form, float(tolerance))
        name = pathlib.Path(lines(work / f"{number}.{form}")[0]["input"]).name
        print(f"{'ok  ' if is_right else 'FAIL'} {name}, {form}, tolerance {tolerance}: {said}", flush=True)
        failed += not is_right
    return failed


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
