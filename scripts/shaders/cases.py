"""What run.py runs: primitives with a palette, rest vertices, and the vertices that rigy-batch has baked."""

import base64
import json
import struct
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SAMPLES = ROOT.parent / "shared/gltf-samples"

DOCUMENTS = [  # stem, pose, dual quaternions
    ("L02_two_bone_dqs_twist", "twist60", 1),
    ("B01_two_bone_blend", "bent", 0),
    ("N01_opposite_hemispheres", "opposite", 1),
    ("N03_reference_bone", "p", 1),
    ("D01_four_influences", "spread", 0),
]
FILES = [
    "real/Fox", "real/Greenman", "real/CesiumMan-geometry", "real/Lumberjack-geometry", "real/RiggedFigure", "real/Mannequiny",
    "made/eight_influences_f32", "made/eight_influences_u8n", "made/spline_step_jointscale", "made/multi_skin_shared_mesh",
]
SCALES = [  # file, options of `palette` and `bake`
    ("made/spline_step_jointscale", ["--scale", "local"]),
    ("made/spline_step_jointscale", ["--scale-local", "j2"]),
]


class Glb:
    """The vertices of a GLB whose positions, normals and tangents are f32."""

    def __init__(self, path):
        data = path.read_bytes()
        length = struct.unpack_from("<I", data, 12)[0]
        self.json = json.loads(data[20 : 20 + length])
        self.bin = data[28 + length :]

    def vectors(self, mesh, primitive, name, components):
        index = self.json["meshes"][mesh]["primitives"][primitive]["attributes"].get(name)
        if index is None:
            return None
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        assert accessor["componentType"] == 5126 and "sparse" not in accessor
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        step = view.get("byteStride", 4 * components)
        return [struct.unpack_from(f"<{components}f", self.bin, start + step * i) for i in range(accessor["count"])]

    def frames(self, mesh, primitive):
        """Positions, and normals and tangents or None."""
        return tuple(self.vectors(mesh, primitive, *of) for of in (("POSITION", 3), ("NORMAL", 3), ("TANGENT", 4)))


def models(program, directory):
    """Yields a name, a rest GLB, a baked GLB, a palette, and whether dual quaternions are used."""
    run = lambda *arguments: subprocess.run([program, *map(str, arguments)], check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    quiet = ["--quiet", "--allow-warnings", "all"]
    for stem, pose, dual in DOCUMENTS:
        source, palette = ROOT / f"conformance/inputs/{stem}.rigy.yaml", directory / f"{stem}.palette"
        run(source, "-o", directory, *quiet)
        run("palette", source, "--pose", pose, "--format", "binary", "-o", palette)
        yield f"{stem} {pose}", directory / f"{stem}.glb", directory / f"{stem}.{pose}.glb", palette, dual
    solvers = [(name, solver, []) for name in FILES for solver in ("lbs", "dqs")]
    for number, (name, solver, scale) in enumerate(solvers + [(name, "dqs", scale) for name, scale in SCALES]):
        source, out, palette = SAMPLES / f"{name}.glb", directory / str(number), directory / f"{number}.palette"
        run("palette", source, "--time", "0.5", *scale, "--format", "binary", "-o", palette)
        run("bake", source, "--time", "0.5", "--solver", solver, *scale, "-o", out, *quiet)
        yield " ".join([name, solver, *scale]), source, out / source.name, palette, int(solver == "dqs")


def primitives(program, directory):
    """Returns what the page is given, and for each element of it a name and the baked frames."""
    data, expected = [], []
    for name, rest, baked, palette, dual in models(program, directory):
        content, rest, baked = palette.read_bytes(), Glb(rest), Glb(baked)
        word = lambda at: struct.unpack_from("<I", content, at)[0]
        nodes = rest.json["nodes"]
        skinned = [index for index, node in enumerate(nodes) if "skin" in node and "mesh" in node]
        for index in range(word(20)):
            record = [word(word(24) + 64 * index + 4 * place) for place in range(16)]
            skin = [word(word(16) + 64 * record[2] + 4 * place) for place in range(16)]
            mesh, primitive, _, vertices, sets, joints, weights, first_node = record[:8]
            references = [record[11], 4 * vertices]
            matrices = [skin[4], 48 * skin[1]]
            duals = [skin[5], 32 * skin[1]] if skin[2] & 1 else matrices
            first = [skin[6], 48 * skin[1]] if skin[2] & 2 else matrices
            influences = [[joints, 16 * sets * vertices], [weights, 16 * sets * vertices]]
            positions, normals, tangents = rest.frames(mesh, primitive)
            normals, tangents = normals or [(0.0,) * 3] * vertices, tangents or [(1.0, 0.0, 0.0, 1.0)] * vertices
            frames = b"".join(struct.pack("<12f", *p, 0, *n, 0, *t) for p, n, t in zip(positions, normals, tangents))
            target = mesh
            if len(baked.json["nodes"]) > len(nodes):  # the roots that `bake` appends, one for each skinned node
                target = baked.json["nodes"][len(nodes) + skinned.index(word(first_node))]["mesh"]
            encode = lambda part: base64.b64encode(part).decode()
            data.append({"palette": encode(content), "rest": encode(frames), "sets": sets, "flags": skin[2], "dual": dual, "vertices": vertices, "parts": [matrices, duals, first, *influences, references]})
            expected.append((f"{name} mesh {mesh}.{primitive}", baked.frames(target, primitive)))
    return data, expected
