"""A GLB with what samples lack: colours, moved textures of every kind, WebP, mirrored nodes, points, names that would break a careless file."""

import json
import struct
import zlib

import numpy as np

NAMES = ['a "b"\nv 9 9 9\n', "</path>\\@@", "", "7 up \u6f22\u5b57", 'a "b"\nv 9 9 9\n']

# A picture of 5 × 3 pixels as WebP without losses, and its pixels.
WEBP = bytes.fromhex(
    "5249464642000000574542505650384c360000002f048000107740906d33ac03d51fe30cc333800ad2366071f70cad073900d65f0006012011a85852"
    "4821b814561835a2ffe121c7be00"
)
WEBP_PIXELS = [[[column * 60, row * 100, 128, column * 50 + 5] for column in range(5)] for row in range(3)]


def png(color):
    """A picture of one pixel."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    rows = zlib.compress(b"\0" + bytes(color), 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def write(path):
    random = np.random.default_rng(7)
    binary, views, accessors = b"", [], []

    def view(data):
        nonlocal binary
        binary += b"\0" * (-len(binary) % 4)
        views.append({"buffer": 0, "byteOffset": len(binary), "byteLength": len(data)})
        binary += data
        return len(views) - 1

    def accessor(rows, component, kind, **more):
        data = {"bufferView": view(rows.tobytes()), "componentType": component, "count": len(rows), "type": kind}
        accessors.append(data | more)
        return len(accessors) - 1

    positions = random.normal(size=(9, 3)).astype("<f4")
    normals = random.normal(size=(9, 3))
    normals = (normals / np.linalg.norm(normals, axis=1, keepdims=True)).astype("<f4")
    box = {"min": positions.min(axis=0).tolist(), "max": positions.max(axis=0).tolist()}
    attributes = {
        "POSITION": accessor(positions, 5126, "VEC3", **box),
        "NORMAL": accessor(normals, 5126, "VEC3"),
        "TEXCOORD_0": accessor(random.random((9, 2)).astype("<f4"), 5126, "VEC2"),
        "COLOR_0": accessor(random.integers(0, 256, (9, 4), "u1"), 5121, "VEC4", normalized=True),
    }
    moved = {"offset": [0.25, 0.5], "rotation": 0.5, "scale": [2, 3]}
    textures = [{"index": index, "extensions": {"KHR_texture_transform": moved}} for index in range(4)]
    materials = [{"name": name, "alphaMode": "BLEND"} for name in NAMES]
    base, bumps, glow, rough = textures
    materials[0] |= {"normalTexture": bumps | {"scale": 0.5}, "emissiveTexture": glow, "occlusionTexture": rough | {"strength": 0.25}}
    materials[0] |= {"emissiveFactor": [1, 0.5, 0.25]}
    of_light = {"baseColorTexture": base, "baseColorFactor": [0.5, 1, 1, 0.75], "metallicRoughnessTexture": rough}
    materials[0]["pbrMetallicRoughness"] = of_light
    meshes = [{"name": name, "primitives": [{"attributes": attributes, "material": n}]} for n, name in enumerate(NAMES)]
    meshes[1]["primitives"].append({"attributes": {"POSITION": attributes["POSITION"]}, "mode": 0})
    nodes = [{"name": name, "mesh": n} for n, name in enumerate(NAMES)]
    nodes[1]["translation"] = [5, 0, 0]
    nodes[2] |= {"rotation": [0.5, 0.5, 0.5, 0.5], "scale": [-2, 1, 1]}
    images = [png([255, 128, 0]), WEBP, png([0, 255, 0]), png([1, 2, 3])]
    names = [{"name": 'a "b"\n@c.png'}, {"name": "</path>"}, {"name": 'A "b"\n@c'}, {}]
    images = [name | {"bufferView": view(image), "mimeType": f"image/{'webp' if image == WEBP else 'png'}"} for name, image in zip(names, images)]
    sources = [{"source": 0}, {"extensions": {"EXT_texture_webp": {"source": 1}}}, {"source": 2}, {"source": 3}]
    gltf = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": list(range(len(nodes)))}], "nodes": nodes,
        "meshes": meshes, "materials": materials, "textures": sources, "images": images,
        "extensionsUsed": ["KHR_texture_transform", "EXT_texture_webp"], "accessors": accessors, "bufferViews": views,
        "buffers": [{"byteLength": len(binary)}],
    }
    text = json.dumps(gltf).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    length = 28 + len(text) + len(binary)
    with open(path, "wb") as out:
        out.write(struct.pack("<4sIIII", b"glTF", 2, length, len(text), 0x4E4F534A) + text)
        out.write(struct.pack("<II", len(binary), 0x004E4942) + binary)
