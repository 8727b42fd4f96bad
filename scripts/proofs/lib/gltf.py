"""Reading GLBs with numpy alone: the surfaces of a scene, and the animations of a skin."""

import json
import struct

import numpy as np

TYPES = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Glb:
    def __init__(self, path):
        data = open(path, "rb").read()
        length = struct.unpack_from("<I", data, 12)[0]
        self.json = json.loads(data[20 : 20 + length])
        self.binary = data[28 + length :]
        self.nodes = self.json.get("nodes", [])
        self.parents = {child: n for n, node in enumerate(self.nodes) for child in node.get("children", [])}

    def accessor(self, index):
        """The elements of an accessor without sparse values as rows, integers as fractions where they are normalized."""
        accessor = self.json["accessors"][index]
        kind, width = np.dtype(TYPES[accessor["componentType"]]), WIDTHS[accessor["type"]]
        view = self.json["bufferViews"][accessor["bufferView"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride", kind.itemsize * width)
        shape, strides = (accessor["count"], width), (stride, kind.itemsize)
        rows = np.ndarray(shape, kind, self.binary, start, strides)
        if accessor.get("normalized"):
            return rows.astype(float) / np.iinfo(kind).max
        return rows

    def local(self, node):
        """The matrix of a node, for columns."""
        if "matrix" in node:
            return np.array(node["matrix"], float).reshape(4, 4).T
        matrix = np.eye(4)
        scale = np.diag(node.get("scale", [1.0] * 3))
        matrix[:3, :3] = rotation(node.get("rotation", [0.0, 0.0, 0.0, 1.0])) @ scale
        matrix[:3, 3] = node.get("translation", [0.0] * 3)
        return matrix

    def to_scene(self, index, nodes=None):
        """The matrix from a node to the scene."""
        matrix = self.local((nodes or self.nodes)[index])
        while (index := self.parents.get(index)) is not None:
            matrix = self.local((nodes or self.nodes)[index]) @ matrix
        return matrix

    def shown(self):
        """The nodes of the scene, in file order."""
        if "scenes" not in self.json:
            return range(len(self.nodes))
        found, left = set(), list(self.json["scenes"][self.json.get("scene", 0)].get("nodes", []))
        while left:
            found.add(node := left.pop())
            left += self.nodes[node].get("children", [])
        return sorted(found)

    def surfaces(self):
        """The primitives of triangles in the scene, as dictionaries of f64 rows."""
        found = []
        for index in self.shown():
            for primitive in self.primitives(index):
                if primitive.get("mode", 4) == 4:
                    found.append(self.surface(index, primitive))
        return found

    def primitives(self, node):
        mesh = self.nodes[node].get("mesh")
        return [] if mesh is None else self.json["meshes"][mesh]["primitives"]

    def surface(self, node, primitive):
        attributes, matrix = primitive["attributes"], self.to_scene(node)
        read = lambda name: self.accessor(attributes[name]).astype(float) if name in attributes else None
        positions, normals = read("POSITION"), read("NORMAL")
        is_placed = not np.array_equal(matrix, np.eye(4))
        if is_placed:
            positions = positions @ matrix[:3, :3].T + matrix[:3, 3]
        if is_placed and normals is not None:
            normals = normals @ np.linalg.inv(matrix[:3, :3])
            normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        if "indices" in primitive:
            corners = self.accessor(primitive["indices"]).ravel().astype(np.int64)
        else:
            corners = np.arange(len(positions))
        triangles = corners.reshape(-1, 3)
        if np.linalg.det(matrix[:3, :3]) < 0.0:
            triangles = triangles[:, [0, 2, 1]]
        return {
            "node": node, "is_placed": is_placed, "positions": positions, "normals": normals,
            "coordinates": self.placed(read("TEXCOORD_0"), primitive.get("material")),
            "colors": read("COLOR_0"), "triangles": triangles, "material": primitive.get("material"),
        }

    def placed(self, coordinates, material):
        """Texture coordinates as the texture lies, V up."""
        if coordinates is None:
            return None
        u, v = coordinates.T
        pbr = {} if material is None else self.json["materials"][material].get("pbrMetallicRoughness", {})
        extensions = pbr.get("baseColorTexture", {}).get("extensions", {})
        if moved := extensions.get("KHR_texture_transform"):
            (x, y), (wide, high), turn = moved["offset"], moved["scale"], moved["rotation"]
            c, s = np.cos(turn), np.sin(turn)
            u, v = c * wide * u + s * high * v + x, -s * wide * u + c * high * v + y
        return np.stack([u, 1.0 - v], axis=1)


def rotation(quaternion):
    x, y, z, w = np.array(quaternion, float) / np.linalg.norm(quaternion)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])


def laid_out(rows, up):
    """Vectors in the axes of a file."""
    x, y, z = rows.T
    return rows if up == "y" else np.stack([x, 0.0 - z, y], axis=1)
