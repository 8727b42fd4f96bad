"""Runs both shaders of docs/src/reference/palette.md on the output of `rigy-batch palette`, and compares positions, normals and tangents with those
of baked files: the WGSL by WebGPU with buffers as the page describes them, the GLSL by transform feedback of WebGL 2 with the same buffers as textures. Usage: shaders_palette.py PROGRAM, with CHROMIUM and RIGY_SUITE in the environment."""

import base64
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from gltf import Glb
from shaders_browser import BROWSERS, ROOT, SAMPLES, encode, in_browser, judge, shader_of

TOLERANCE = 1e-5  # of size; of normals and tangents ten times that

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
    ("made/spline_step_jointscale", ["--joint-scale", "local"]),
    ("made/spline_step_jointscale", ["--local-scale-joints", "j2"]),
]

FAULTS = {  # text of both shaders, and what takes its place
    "hemisphere not applied": ("hemisphere) < 0.0", "hemisphere) < -2.0"),
    "hemisphere of joint 0": ("duals[reference]", "duals[0u]"),
    "rotation with another sign": ("v + 2.0 * cross", "v - 2.0 * cross"),
    "translation with another sign": ("r.x * d.yzw - d.x * r.yzw", "r.x * d.yzw + d.x * r.yzw"),
    "normals by the matrix": ("flags & 4u", "flags & 8u"),
    "no first stage": ("flags & 2u", "flags & 8u"),
    "three influences of a set": ("slot < 4", "slot < 3"),
    "tangents as normals": ("along, t)", "turned, t)"),
}
TEXEL = """ivec2 texel(uint index) { return ivec2(index % 1024u, index / 1024u); }
"""


def replaced(pattern, by, text, count):
    """Replaces a pattern that must occur `count` times."""
    text, found = re.subn(pattern, by, text)
    assert found == count, f"{pattern} occurs {found} times"
    return text


def for_webgl(glsl):
    """Returns the GLSL of the page for WebGL 2: its storage buffers are textures with a texel for each vec4; no formula changes."""
    precision = "".join(f"precision highp {kind};\n" for kind in ("float", "int", "sampler2D", "usampler2D"))
    text = replaced("#version 450", "#version 300 es\n" + precision, glsl, 1)
    text = replaced(r"layout\(std430.*buffer \w+ \{ (?:Matrix|Dual|vec4) (\w+)\[\]; \};", r"uniform sampler2D \1;", text, 4)
    text = replaced(r"layout\(std430.*buffer \w+ \{ uvec4 (\w+)\[\]; \};", r"uniform usampler2D \1;", text, 1)
    text = replaced(r"layout\(std430.*buffer \w+ \{ uint (\w+)\[\]; \};", r"uniform usampler2D \1;", text, 1)
    text = replaced(r"layout\(std140, binding = 6\)", "layout(std140)", text, 1)
    text = replaced(r"layout\(location = \d\) out", "out", text, 2)
    text = replaced(r"struct Frame", TEXEL + "struct Frame", text, 1)
    text = replaced("gl_VertexIndex", "gl_VertexID", text, 2)
    text = replaced(r"\b(matrices|first_stage)\[(\w+)\]\.rows\[(\d)\]", r"texelFetch(\1, texel(3u * \2 + \3u), 0)", text, 9)
    for part, offset in (("real", 0), ("dual", 1)):
        text = replaced(rf"\bduals\[(\w+)\]\.{part}", rf"texelFetch(duals, texel(2u * \1 + {offset}u), 0)", text, 2 - offset)
    text = replaced(r"\breferences\[gl_VertexID\]", "texelFetch(references, texel(uint(gl_VertexID) / 4u), 0)[gl_VertexID % 4]", text, 1)
    return replaced(r"\b(joints|weights)\[place\]", r"texelFetch(\1, texel(place), 0)", text, 6)


def vertices_of(glb, mesh, primitive):
    """Positions, and normals and tangents or None."""
    attributes = glb.json["meshes"][mesh]["primitives"][primitive]["attributes"]
    return [glb.accessor(attributes[name]) if name in attributes else None for name in ("POSITION", "NORMAL", "TANGENT")]


def models(program, directory):
    """Yields a name, a rest GLB, a baked GLB, a palette, and whether dual quaternions are used."""
    run = lambda *arguments: subprocess.run([program, *map(str, arguments)], check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    quiet = ["--quiet", "--allow-warnings", "all"]
    for stem, pose, dual in DOCUMENTS:
        source, palette = ROOT / f"conformance/inputs/{stem}.rigy.yaml", directory / f"{stem}.json"
        run(source, "-o", directory, *quiet)
        run("palette", source, "--pose", pose, "-o", palette)
        yield f"{stem} {pose}", directory / f"{stem}.glb", directory / f"{stem}.{pose}.glb", palette, dual
    solvers = [(name, solver, []) for name in FILES for solver in ("lbs", "dqs")]
    for number, (name, solver, scale) in enumerate(solvers + [(name, "dqs", scale) for name, scale in SCALES]):
        source, out, palette = SAMPLES / f"{name}.glb", directory / str(number), directory / f"{number}.json"
        run("palette", source, "--time", "0.5", *scale, "-o", palette)
        run("bake", source, "--time", "0.5", "--solver", solver, *scale, "-o", out, *quiet)
        yield " ".join([name, solver, *scale]), source, out / source.name, palette, int(solver == "dqs")


def buffers(skin, mesh):
    """The buffers of the shader, one after the other at multiples of 256 bytes, and the place of each."""
    duals = skin["dual_quaternions"] and [[one["real"], one["dual"]] for one in skin["dual_quaternions"]]
    numbers = [skin["matrices"], duals or skin["matrices"], skin["first_stage"] or skin["matrices"], mesh["joints"], mesh["weights"], mesh["references"]]
    content, parts = b"", []
    for values, kind in zip(numbers, ("<f4", "<f4", "<f4", "<u4", "<f4", "<u4")):
        packed = np.array(values, kind).tobytes()
        parts.append([len(content), len(packed)])
        content += packed + bytes(-len(packed) % 256)
    return content, parts


def case(palette, rest, number, dual):
    """What the page is given of a primitive of a palette, its mesh and primitive, and its first node."""
    record = palette["meshes"][number]
    skin, mesh, primitive, vertices = palette["skins"][record["skin"]], record["mesh"], record["primitive"], record["vertices"]
    content, parts = buffers(skin, record)
    flags = 2 * (skin["first_stage"] is not None) + 4 * (skin["normals"] == "cofactors")
    rows = np.zeros((vertices, 12), "<f4")
    rows[:, [8, 11]] = 1.0  # a tangent, where the file has none
    for values, at in zip(vertices_of(rest, mesh, primitive), (0, 4, 8)):
        if values is not None:
            rows[:, at : at + values.shape[1]] = values
    given = {"palette": encode(content), "rest": encode(rows.tobytes()), "sets": record["sets"], "flags": flags, "dual": dual, "vertices": vertices}
    return given | {"parts": parts}, mesh, primitive, record["nodes"][0]


def primitives(program, directory):
    """Returns what the page is given, names, and the vertices of baked files."""
    data, names, expected = [], [], []
    for name, rest, baked, palette, dual in models(program, directory):
        palette, rest, baked = json.loads(palette.read_text()), Glb(rest), Glb(baked)
        skinned = [index for index, node in enumerate(rest.nodes) if "skin" in node and "mesh" in node]
        for number in range(len(palette["meshes"])):
            given, mesh, primitive, first_node = case(palette, rest, number, dual)
            # `bake` appends roots, one for each skinned node.
            target = baked.nodes[skinned.index(first_node) - len(skinned)].get("mesh", mesh)
            data.append(given)
            names.append(f"{name} mesh {mesh}.{primitive}")
            expected.append(vertices_of(baked, target, primitive))
    return data, names, expected


def deviations(text, baked):
    """The largest distances of positions, as a part of the size, of normals and of tangents."""
    positions, normals, tangents = baked
    found = np.frombuffer(base64.b64decode(text), "<f4").reshape(-1, 12).astype(float)
    apart = lambda first, rows: 0.0 if rows is None else np.linalg.norm(found[:, first : first + rows.shape[1]] - rows, axis=1).max()
    off = apart(0, positions) / np.ptp(positions.astype(float), axis=0).max(), apart(4, normals), apart(8, tangents)
    is_near = off[0] <= TOLERANCE and max(off[1:]) <= 10 * TOLERANCE  # which NaN is not
    return f"{len(positions)} vertices, {off[0]:.1e} of size, normals {off[1]:.1e}, tangents {off[2]:.1e}", bool(is_near)


def run(language, data, names, expected):
    shader = shader_of("palette.md", language)
    missing = [text for text, _ in FAULTS.values() if text not in shader]
    assert not missing, f"the {language} shader has no {missing}"
    shaders = [shader, *(shader.replace(*fault) for fault in FAULTS.values())]
    if language == "glsl":
        shaders = list(map(for_webgl, shaders))
    results = in_browser("shaders_palette.js", language, {"cases": data, "shaders": shaders})
    return judge(language, FAULTS, results, names, expected, deviations)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        cases = primitives(sys.argv[1], Path(name))
    sys.exit(0 if all([run(language, *cases) for language in BROWSERS]) else 1)
