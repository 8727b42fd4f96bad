"""A plain reader and a plain writer of glTF."""

from __future__ import annotations

import base64
import json
import struct

import numpy as np

TYPES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
NUMBERS = {5123: np.uint16, 5125: np.uint32, 5126: np.float32}


def read(glb: bytes) -> tuple[dict, bytes]:
    """The JSON and the binary chunk of a GLB."""
    magic, version, length = struct.unpack_from("<4sII", glb)
    assert (magic, version, length) == (b"glTF", 2, len(glb))
    (json_length,) = struct.unpack_from("<I", glb, 12)
    return json.loads(glb[20 : 20 + json_length]), glb[28 + json_length :]


def accessor(glb: bytes, index: int) -> np.ndarray:
    """The elements of an accessor, one in each row."""
    tree, chunk = read(glb)
    found = tree["accessors"][index]
    view = tree["bufferViews"][found["bufferView"]]
    start = view.get("byteOffset", 0) + found.get("byteOffset", 0)
    width, number = TYPES[found["type"]], NUMBERS[found["componentType"]]
    numbers = np.frombuffer(chunk, number, width * found["count"], start)
    return numbers.reshape(-1, width)


def attribute(glb: bytes, mesh: int, name: str) -> np.ndarray:
    """An attribute of all primitives of a mesh, one after the other; primitives that share it have it once."""
    primitives = read(glb)[0]["meshes"][mesh]["primitives"]
    indices = dict.fromkeys(primitive["attributes"][name] for primitive in primitives)
    return np.concatenate([accessor(glb, index) for index in indices])


def triangles(glb: bytes, mesh: int) -> np.ndarray:
    """The triangles of all primitives of a mesh, numbered in the rows of `attribute`."""
    primitives = read(glb)[0]["meshes"][mesh]["primitives"]
    first, seen, parts = 0, {}, []
    for primitive in primitives:
        of = primitive["attributes"]["POSITION"]
        if of not in seen:
            seen[of] = first
            first += len(accessor(glb, of))
        parts.append(accessor(glb, primitive["indices"]).reshape(-1, 3).astype(np.uint32) + seen[of])
    return np.concatenate(parts)


PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
"""A PNG of one pixel."""


def wave() -> bytes:
    """A glTF file with a textured triangle that a joint turns, in an animation `Wave` of a second."""
    data = bytearray()
    views, accessors = [], []

    def add(array: np.ndarray, kind: str, **more: object) -> int:
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": array.nbytes})
        component = {np.dtype(number): code for code, number in NUMBERS.items()}[array.dtype]
        count = array.size // TYPES[kind]
        accessors.append({"bufferView": len(views) - 1, "componentType": component, "count": count, "type": kind, **more})
        data.extend(array.tobytes() + bytes(-array.nbytes % 4))
        return len(accessors) - 1

    positions = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float32)
    attributes = {
        "POSITION": add(positions, "VEC3", min=[0, 0, 0], max=[1, 1, 0]),
        "JOINTS_0": add(np.zeros((3, 4), np.uint16), "VEC4"),
        "TEXCOORD_0": add(positions[:, :2].copy(), "VEC2"),
        "WEIGHTS_0": add(np.array([[1, 0, 0, 0]] * 3, np.float32), "VEC4"),
    }
    times = add(np.array([0, 1], np.float32), "SCALAR", min=[0], max=[1])
    turns = add(np.array([[0, 0, 0, 1], [0, 0, 1, 0]], np.float32), "VEC4")
    tree = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0, "skin": 0}, {"name": "joint"}],
        "meshes": [{"name": "sail", "primitives": [{"attributes": attributes, "material": 0}]}],
        "materials": [{"name": "cloth", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        "textures": [{"source": 0}],
        "images": [{"uri": "data:image/png;base64," + PIXEL}],
        "skins": [{"joints": [1]}],
        "animations": [
            {
                "name": "Wave",
                "samplers": [{"input": times, "output": turns}],
                "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}],
            }
        ],
        "bufferViews": views,
        "accessors": accessors,
        "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
    }
    return json.dumps(tree).encode()
