"""What readers of OpenVAT find in textures, beside the frames that `rigy-batch bake` writes: usage vat.py PROGRAM WORK FILE... The formulas are those of
the shaders for Godot (antzGames) and Bevy (HK416), in single precision. Exit 1 if a vertex is farther away than the format's step."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import OpenEXR
import png

from gltf import Glb

RATE = 30
STEPS = {"exr": 2.0**-24, "png": 0.5 / 65535}  # of the range of an axis
FAULTS = {"the next frame": {"shift": 1}, "axes of Blender": {"axes": [0, 1, 2]}, "no mesh": {"rest": 0.0}, "normals are positions": {"below": 0.0}}


def run(*arguments):
    subprocess.run([str(argument) for argument in arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def read_texture(path):
    if path.suffix == ".exr":
        return OpenEXR.File(str(path)).channels()["RGB"].pixels
    width, height, rows, info = png.Reader(filename=str(path)).read()
    assert info["bitdepth"] == 16 and info["planes"] == 3
    return (np.array([list(row) for row in rows]).reshape(height, width, 3) / 65535.0).astype("f4")


class Vat:
    """The files of a model."""

    def __init__(self, directory):
        info = json.loads(next(directory.glob("*-remap_info.json")).read_text())
        self.clips, remap = info["animations"], info["os-remap"]
        self.least, self.most = (np.array(remap[name], "f4") for name in ("Min", "Max"))
        self.texture = read_texture(next(directory.glob("*_vat.*")))
        mesh = Glb(next(directory.glob("*.glb")))
        surfaces = [one["attributes"] for one in mesh.json["meshes"][0]["primitives"]]
        self.lookup, self.rest = (np.concatenate([mesh.accessor(one[name]) for one in surfaces]) for name in ("TEXCOORD_1", "POSITION"))

    def shown(self, frame, shift=0, axes=(0, 2, 1), rest=1.0, below=0.5):
        """Positions and normals of a frame, counted from 0, as a shader shows them; the last four make faults."""
        height, width, _ = self.texture.shape
        at = self.lookup + np.array([0.0, np.float32(frame + shift) * np.float32(1 / height)], "f4")
        texel = lambda at: self.texture[((at[:, 1] * np.float32(height)).astype(int)) % height, (at[:, 0] * np.float32(width)).astype(int)]
        turned = lambda rows: rows[:, list(axes)] * np.array([1, 1, -1], "f4")
        moved = turned(self.least + texel(at) * (self.most - self.least))
        return np.float32(rest) * self.rest + moved, turned(2 * texel(at + np.array([0, below], "f4")) - 1)


def baked(file):
    surfaces = [s for s in Glb(file).surfaces() if len(s["triangles"])]
    up = lambda s: np.tile([0.0, 1.0, 0.0], (len(s["positions"]), 1))
    normals = [up(s) if s["normals"] is None else s["normals"] for s in surfaces]
    return np.concatenate([s["positions"] for s in surfaces]), np.concatenate(normals)


def is_found(vat, step, frame, wanted, **fault):
    """True if every vertex is within the step of each axis, and within what single precision adds; y of glTF is z of Blender."""
    positions, normals = vat.shown(frame, **fault)
    ranges = (vat.most - vat.least)[[0, 2, 1]]
    room = 4 * np.spacing(np.float32(max(np.abs(wanted[0]).max(), ranges.max())))
    return (np.abs(positions - wanted[0]) <= step * ranges + room).all() and (np.abs(normals - wanted[1]) <= 2 * step + 1e-6).all()


def check(vat, step, name, frames):
    """Compares all frames of a clip, whose frames are counted from 1."""
    clip = vat.clips[name]
    assert clip["endFrame"] + 1 - clip["startFrame"] == len(frames), f"{name}: {clip}, not {len(frames)} frames"
    for number, wanted in enumerate(frames, clip["startFrame"] - 1):
        assert is_found(vat, step, number, wanted), f"{name}: frame {number} is another"
    return len(frames) * len(vat.rest)


def main(program, work, files):
    failed = 0
    for file in files:
        bakes = {}
        for ending, step in STEPS.items():
            directory = work / f"{file.stem}-{ending}"
            options = ["--frames", f"@{RATE}", "--animation", "all", "--allow-warnings", "all"]
            run(program, "bake", file, "-o", f"{directory}/", "--as", "vat", "--texture-format", ending, *options)
            vat = Vat(directory)
            try:
                for name in vat.clips:
                    if name not in bakes:
                        out = work / f"{file.stem}-bakes-{len(bakes)}"
                        run(program, "bake", file, "-o", f"{out}/", "--animation", name, *options[:2], *options[4:])
                        bakes[name] = [baked(frame) for frame in sorted(out.glob("*.glb"))]
                count = sum(check(vat, step, name, bakes[name]) for name in vat.clips)
                name, clip = max(vat.clips.items(), key=lambda clip: clip[1]["endFrame"] - clip[1]["startFrame"])
                middle = len(bakes[name]) // 2
                for fault, planted in FAULTS.items():
                    seen = is_found(vat, step, clip["startFrame"] - 1 + middle, bakes[name][middle], **planted)
                    assert not seen, f"the fault `{fault}` is not noticed"
                print(f"ok   {file.stem} {ending} {'×'.join(map(str, vat.texture.shape[1::-1]))}: {len(vat.clips)} clips, {count} vertices")
            except AssertionError as error:
                failed += 1
                print(f"FAIL {file.stem} {ending}: {error}")
    return failed


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(1 if main(sys.argv[1], Path(sys.argv[2]), list(map(Path, sys.argv[3:]))) else 0)
