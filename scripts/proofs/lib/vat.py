"""What a shader shows of OpenVAT textures, beside the frames that `rigy-batch bake` writes: usage vat.py PROGRAM WORK FILE... Its formulas are those of the
shaders for Godot (antzGames) and Bevy (HK416); WebGL 2 of a headless Chromium runs it. Exit 1 if a vertex is farther away than the format's step."""

import base64
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import OpenEXR
import png

from gltf import Glb
from shaders_browser import encode, in_browser

RATE = 30
MOST = 500_000  # vertices of a page
STEPS = {"exr": 2.0**-24, "png": 0.5 / 65535}  # of the range of an axis
SHADER = """#version 300 es
precision highp float;
layout(location = 0) in vec3 place;
layout(location = 1) in vec2 uv2;
uniform highp sampler2D vat;
uniform vec3 least, most;
uniform float frame;
out vec3 shown, normal;
vec3 turned(vec3 of_blender) { return of_blender.xzy * vec3(1.0, 1.0, -1.0); }
void main() {
  float height = float(textureSize(vat, 0).y);
  vec2 at = uv2 + vec2(0.0, frame / height);
  shown = place + turned(least + textureLod(vat, at, 0.0).rgb * (most - least));
  normal = turned(textureLod(vat, at + vec2(0.0, 0.5), 0.0).rgb * 2.0 - 1.0);
  gl_Position = vec4(shown, 1.0);
}
"""
FAULTS = {"the next frame": ("frame /", "(frame + 1.0) /"), "axes of Blender": (".xzy", ".xyz"), "no mesh": ("place +", ""), "normals are positions": ("0.5)", "0.0)")}


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
        self.frames = remap["Frames"]
        self.least, self.most = (np.array(remap[name], "f4") for name in ("Min", "Max"))
        self.texture = read_texture(next(directory.glob("*_vat.*")))
        mesh = Glb(next(directory.glob("*.glb")))
        surfaces = [one["attributes"] for one in mesh.json["meshes"][0]["primitives"]]
        self.lookup, self.rest = (np.concatenate([mesh.accessor(one[name]) for one in surfaces]) for name in ("TEXCOORD_1", "POSITION"))

    def shown(self, frames):
        """What the shader shows, positions and normals of each of some frames, counted from 0, and what it shows of the first with each fault."""
        height, width, _ = self.texture.shape
        padded = lambda rows, columns: np.pad(rows, [(0, 0)] * (rows.ndim - 1) + [(0, columns - rows.shape[-1])]).astype("f4")
        vertices = np.concatenate([padded(self.rest, 4), padded(self.lookup, 4)], axis=1)
        data = {
            "shaders": [SHADER, *(SHADER.replace(*fault) for fault in FAULTS.values())],
            "width": width, "height": height, "vertices": encode(vertices.tobytes()),
            "least": self.least.tolist(), "most": self.most.tolist(), "frames": list(frames),
        }
        frames, *faulty = in_browser("vat.js", "glsl", data, {"/texels": padded(self.texture, 4).tobytes()})
        frame = lambda text: np.frombuffer(base64.b64decode(text), "f4").reshape(-1, 2, 4)[:, :, :3].swapaxes(0, 1)
        return [frame(text) for text in frames], [frame(text) for text in faulty]


def baked(file):
    surfaces = [s for s in Glb(file).surfaces() if len(s["triangles"])]
    up = lambda s: np.tile([0.0, 1.0, 0.0], (len(s["positions"]), 1))
    normals = [up(s) if s["normals"] is None else s["normals"] for s in surfaces]
    return np.concatenate([s["positions"] for s in surfaces]), np.concatenate(normals)


def is_found(vat, step, shown, wanted):
    """True if every vertex is within the step of each axis, and within what single precision adds; y of glTF is z of Blender."""
    ranges = (vat.most - vat.least)[[0, 2, 1]]
    room = 4 * np.spacing(np.float32(max(np.abs(wanted[0]).max(), ranges.max())))
    return (np.abs(shown[0] - wanted[0]) <= step * ranges + room).all() and (np.abs(shown[1] - wanted[1]) <= 2 * step + 1e-6).all()


def check(vat, step, bakes):
    """Compares all frames of all clips, which follow each other, and are counted from 1. Returns the number of vertices."""
    assert vat.frames == len(bakes) == sum(clip["endFrame"] + 1 - clip["startFrame"] for clip in vat.clips.values())
    noticed = set()
    for numbers in np.array_split(range(vat.frames), len(bakes) * len(vat.rest) // MOST + 1):
        frames, faulty = vat.shown(numbers.tolist())
        for number, shown in zip(numbers, frames, strict=True):
            assert is_found(vat, step, shown, bakes[number]), f"frame {number} is another"
        noticed |= {fault for fault, shown in zip(FAULTS, faulty, strict=True) if not is_found(vat, step, shown, bakes[numbers[0]])}
    assert noticed == set(FAULTS), f"noticed is only {sorted(noticed)}"
    return vat.frames * len(vat.rest)


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
                clips = sorted(vat.clips, key=lambda name: vat.clips[name]["startFrame"])
                for name in clips:
                    if name not in bakes:
                        out = work / f"{file.stem}-bakes-{len(bakes)}"
                        run(program, "bake", file, "-o", f"{out}/", "--animation", name, *options[:2], *options[4:])
                        bakes[name] = [baked(frame) for frame in sorted(out.glob("*.glb"))]
                count = check(vat, step, [frame for name in clips for frame in bakes[name]])
                print(f"ok   {file.stem} {ending} {'×'.join(map(str, vat.texture.shape[1::-1]))}: {len(vat.clips)} clips, {count} vertices")
            except AssertionError as error:
                failed += 1
                print(f"FAIL {file.stem} {ending}: {error}")
    return failed


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(1 if main(sys.argv[1], Path(sys.argv[2]), list(map(Path, sys.argv[3:]))) else 0)
