"""What other programs read in exported files, against the baked GLB: usage export_clients.py EXAMPLE WORK BLENDER FILE...

trimesh, meshio, numpy-stl, plyfile and OpenUSD must find the same vertices: equal as f32 where no node moves them, within
two units of the last place where numpy multiplies matrices in another order. Triangles, texture coordinates, colours and
materials must be the same, too. BLENDER is a Python that has `bpy`, or empty. Exit 1 if anything differs.
"""

import pathlib
import subprocess
import sys

import meshio
import numpy as np
import plyfile
import stl
import trimesh

import export_frames
import export_made
import export_stage
from export_expected import Expected, soup
from gltf import Glb

LAYOUTS = [("joined", "y", 1.0), ("node", "z", 1000.0)]


def run(*arguments):
    subprocess.run([str(argument) for argument in arguments], check=True, stderr=subprocess.DEVNULL)


def check_obj(expected, path):
    read = meshio.read(path)
    expected.same("points of meshio", read.points, expected.rows("positions"))
    assert np.array_equal(np.concatenate([c.data for c in read.cells]), expected.triangles()), "faces of meshio"
    scene = trimesh.load(path, process=False)
    soup(expected, np.concatenate([m.triangles for m in (scene.dump() if hasattr(scene, "dump") else [scene])]))
    if expected.has("coordinates"):
        found = [line.split()[1:] for line in open(path, encoding="utf-8") if line.startswith("vt ")]
        expected.same("vt", np.array(found, float), expected.rows("coordinates"))


def check_stl(expected, path):
    mesh = stl.mesh.Mesh.from_file(str(path), calculate_normals=False)
    wanted = expected.rows("positions")[expected.triangles()]
    expected.same("vectors of numpy-stl", mesh.vectors, wanted)
    corners = mesh.vectors.astype(float)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    unit = np.divide(normals, length, out=np.zeros_like(normals), where=length > 0.0)
    assert np.abs(mesh.normals - unit).max() < 1e-6, "normals of numpy-stl"
    soup(expected, trimesh.load(path, process=False).triangles)


def check_3mf(expected, path):
    scene = trimesh.load(path, process=False)
    soup(expected, np.concatenate([mesh.triangles for mesh in scene.dump()]), distinct=True)


def check_ply(expected, path):
    vertices = plyfile.PlyData.read(path)
    faces = np.vstack(vertices["face"]["vertex_indices"])
    vertices = vertices["vertex"].data
    columns = lambda *names: np.stack([vertices[name] for name in names], axis=1)
    count = len(expected.rows("positions"))
    is_whole = len(vertices) == count  # no points among them
    if is_whole:
        expected.same("vertices", columns("x", "y", "z"), expected.rows("positions"))
        assert np.array_equal(faces, expected.triangles()), "faces"
        if expected.has("normals"):
            expected.same("normals", columns("nx", "ny", "nz"), expected.rows("normals"))
    if is_whole and expected.has("coordinates"):
        expected.same("s, t", columns("s", "t"), expected.rows("coordinates"))
    if is_whole and expected.has("colors"):
        linear = expected.rows("colors")[:, :3]
        bright = 1.055 * linear ** (1 / 2.4) - 0.055
        srgb = np.where(linear <= 0.0031308, 12.92 * linear, bright)
        assert np.abs(columns("red", "green", "blue") - srgb * 255).max() <= 0.51, "colours"
    soup(expected, np.stack([columns("x", "y", "z")[face] for face in faces]))
    soup(expected, trimesh.load(path, process=False).triangles)
    assert len(meshio.read(path).points) == len(vertices)


def check_arrays(expected, path):
    content = path.read_bytes()
    if path.suffix == ".npz":
        arrays = np.load(path)
        [positions] = arrays["positions"]
        soup(expected, positions[arrays["triangles"]])
    else:
        start, kind = (32, "<f4") if path.suffix == ".pc2" else (12, ">f4")
        positions = np.frombuffer(content[start:], kind).reshape(-1, 3)
    if len(positions) == len(expected.rows("positions")):  # no points among them
        expected.same("positions", positions, expected.rows("positions"))


def main():
    example, work, blender, *files = sys.argv[1:]
    work, failures, checks = pathlib.Path(work), 0, 0
    export_made.write(work / "made.glb")
    for file in [work / "made.glb", *map(pathlib.Path, files)]:
        for join, up, scale in LAYOUTS:
            moment = ["--time", "0.4"] if Glb(file).json.get("animations") else []
            run(example, file, work / "baked.glb", *moment)
            expected = Expected(work / "baked.glb", up, scale)
            layout = ["--join", join, "--up", up, "--scale", scale]
            check_usda = lambda expected, path: export_stage.check(expected, path, join, up)
            for ending, check in [
                ("obj", check_obj), ("stl", check_stl), ("3mf", check_3mf), ("ply", check_ply), ("usda", check_usda), *((ending, check_arrays) for ending in ("npz", "pc2", "mdd")),
            ]:
                path = work / f"{file.stem}-{join}.{ending}"
                checks += 1
                try:
                    run(example, file, path, *moment, *layout)
                    check(expected, path)
                except Exception as error:
                    failures += 1
                    print(f"{file.name} {join} {ending}: {type(error).__name__}: {error}")
            if blender:
                checks += 1
                read = [blender, pathlib.Path(__file__).with_name("export_blender.py"), work, f"{file.stem}-{join}", up, scale]
                read = subprocess.run([str(argument) for argument in read], capture_output=True, text=True)
                if read.returncode:
                    failures += 1
                    print(f"{file.name} {join} Blender: {read.stdout[-300:]} {read.stderr[-300:]}")
        if Glb(file).json.get("skins"):
            checks += 1
            try:
                print(export_frames.check(lambda *arguments: run(example, *arguments), file, work))
            except Exception as error:
                failures += 1
                print(f"{file.name} frames: {type(error).__name__}: {error}")
    print(f"{checks} checks, {failures} failed")
    sys.exit(failures > 0 or checks == 0)


main()
