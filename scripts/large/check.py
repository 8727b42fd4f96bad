"""Whether a bake of the generated column at second 1 is where it should be: x, y, z has gone to 1 - y, 2 + x, 3 + z.

Usage: check.py COLUMN BAKED. Looks at every thousandth vertex, at the bounds, and at the vertices that are there.
"""

import json
import mmap
import struct
import sys


class Glb:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        magic, version, length, json_len, kind = struct.unpack_from("<4sII I4s", self.bytes)
        assert (magic, version, length, kind) == (b"glTF", 2, len(self.bytes), b"JSON"), f"{path}: no GLB"
        self.json = json.loads(self.bytes[20 : 20 + json_len])
        self.bin = 28 + json_len

    def attribute(self, mesh, name):
        """An attribute's accessor, and where its vectors of three floats begin and how far apart they are."""
        accessor = self.json["accessors"][self.json["meshes"][mesh]["primitives"][0]["attributes"][name]]
        view = self.json["bufferViews"][accessor["bufferView"]]
        assert accessor["componentType"] == 5126 and accessor["type"] == "VEC3"
        offset = self.bin + view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        return accessor, offset, view.get("byteStride", 12)

    def vector(self, attribute, vertex):
        _, offset, stride = attribute
        return struct.unpack_from("<3f", self.bytes, offset + vertex * stride)


def main(column, baked):
    column, baked = Glb(column), Glb(baked)
    left = [key for key in ("skins", "animations") if key in baked.json]
    assert not left, f"{left} are still there"
    (node,) = [node for node in baked.json["nodes"] if "mesh" in node]
    worst = 0.0
    for name, moved in ("POSITION", (1, 2, 3)), ("NORMAL", (0, 0, 0)):
        before, after = column.attribute(0, name), baked.attribute(node["mesh"], name)
        count = before[0]["count"]
        assert after[0]["count"] == count, f"{after[0]['count']} vertices, not {count}"
        for vertex in {*range(0, count, 1000), count - 1}:
            x, y, z = column.vector(before, vertex)
            expected = [a + b for a, b in zip((-y, x, z), moved)]
            off = max(abs(a - b) for a, b in zip(baked.vector(after, vertex), expected))
            worst = max(worst, off / 64)
            if off > 64e-7:
                sys.exit(f"{name} of vertex {vertex} is {baked.vector(after, vertex)}, not {expected}")
    (least, most) = (column.attribute(0, "POSITION")[0][key] for key in ("min", "max"))
    bounds = [1 - most[1], 2 + least[0], 3 + least[2]], [1 - least[1], 2 + most[0], 3 + most[2]]
    for key, expected in zip(("min", "max"), bounds):
        found = baked.attribute(node["mesh"], "POSITION")[0][key]
        if max(abs(a - b) for a, b in zip(found, expected)) > 64e-7:
            sys.exit(f"{key} is {found}, not {expected}")
    print(f"every thousandth of {count} vertices is where it should be, within {worst:.1e} of the model's size")


if __name__ == "__main__":
    main(*sys.argv[1:])
