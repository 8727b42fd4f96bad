"""Vertex animation textures of a model as other programs read them, beside the same frames as `rigy-batch bake` writes them."""

import json
import subprocess

import numpy as np
import OpenEXR
import png

from gltf import Glb

RATE = 30
PACKINGS = ["float", "half", "unorm16"]


def run(*arguments):
    subprocess.run([str(argument) for argument in arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def read_texture(path):
    """The texels of a file as rows of RGB; those of integers from 0 to 1."""
    if path.suffix == ".exr":
        return OpenEXR.File(str(path)).channels()["RGB"].pixels
    width, height, rows, info = png.Reader(filename=str(path)).read()
    assert info["bitdepth"] == 16 and info["planes"] == 4
    return np.array([list(row) for row in rows], "<u2").reshape(height, width, 4)[:, :, :3] / 65535.0


class Vat:
    """The files of a model in a packing."""

    def __init__(self, example, file, packing, directory, width=8192):
        run(example, file, directory, "--packing", packing, "--frames", f"@{RATE}", "--max-width", width)
        self.data = json.loads(next(directory.glob("*_data.json")).read_text())
        self.packing, self.mesh = packing, Glb(directory / self.data["mesh"])
        self.textures = {}
        for kind in ("positions", "normals"):
            if self.data[kind]:
                self.textures[kind] = read_texture(directory / self.data[kind]["file"])
        surfaces = self.mesh.json["meshes"][0]["primitives"]
        self.lookup = np.concatenate([self.mesh.accessor(one["attributes"]["TEXCOORD_1"]) for one in surfaces])
        self.rest = np.concatenate([self.mesh.accessor(one["attributes"]["POSITION"]) for one in surfaces]).astype(float)

    def vectors(self, kind, clip, frame):
        """The decoded vectors of a frame, in the order of the mesh's vertices."""
        texels = self.textures[kind]
        size = np.array([self.data["width"], self.data["height"]], "f4")
        assert texels.shape[:2] == (size[1], size[0])
        column, row = np.floor(self.lookup * size).astype(int).T
        row = row + clip["first_row"] + frame * self.data["rows_per_frame"]
        offset, scale = self.decoding(kind)
        moved = offset + scale * texels[row, column].astype(float)
        return self.rest + moved if self.is_relative(kind) else moved

    def is_relative(self, kind):
        return self.data["relative"] and kind == "positions"

    def decoding(self, kind):
        """Offset and scale: the texts of the file are those of numbers in single precision."""
        return [np.array(self.data[kind][name], "f4").astype(float) for name in ("offset", "scale")]

    def allowed(self, kind, wanted):
        """The largest distances of components that the packing may have."""
        if self.packing == "float":
            return np.zeros_like(wanted)
        if self.packing == "half":
            distances = wanted - self.rest if self.is_relative(kind) else wanted
            return np.spacing(np.abs(distances).astype("f2")).astype(float) * 0.5001
        return np.broadcast_to(self.decoding(kind)[1] / 65535.0 * 0.501, wanted.shape)


class Bakes:
    """The frames of a clip, baked."""

    def __init__(self, program, file, clip, directory):
        run(program, "bake", file, "--animation", clip["name"], "--frames", f"@{RATE}", "-o", directory, "--allow-warnings", "all")
        self.files = sorted(directory.glob("*.glb"))
        assert len(self.files) == clip["frames"], f"{len(self.files)} frames, not {clip['frames']}"

    def vectors(self, kind, frame):
        """The vectors of the surfaces with triangles, and whether nodes have moved them in another arithmetic than numpy's."""
        surfaces = [s for s in Glb(self.files[frame]).surfaces() if len(s["triangles"])]
        rows = [np.zeros_like(s["positions"]) if s[kind] is None else s[kind] for s in surfaces]
        return np.concatenate(rows).astype("f4").astype(float), any(s["is_placed"] for s in surfaces)
