"""Runs both shaders of docs/src/reference/vat.md on vertex animation textures, which OpenEXR and pypng have read, and compares positions and normals
with those of baked frames, at frames and half way between two. Usage: shaders_vat.py PROGRAM EXAMPLE, with CHROMIUM and RIGY_SUITE in the
environment."""

import base64
import re
import sys
import tempfile
from pathlib import Path

import numpy as np

from shaders_browser import BROWSERS, SAMPLES, encode, in_browser, judge, shader_of
from vat_bakes import PACKINGS, Bakes, Vat

FILES = [("Fox", 1000), ("CesiumMan-geometry", 8192)]  # and the largest width
NORMALS = {"float": 1e-6, "half": 1e-3, "unorm16": 1e-4}  # largest distances of unit normals

FAULTS = {  # a pattern of both shaders, and what takes its place
    "the first clip": (r"(settings\.)?first_row \+ ", ""),
    "one row a frame": (r"number \* (settings\.)?rows_per_frame", "number"),
    "no blending": (r"share = at - f(loat|32)\(before\)", "share = 0.0"),
    "no offset": (r"(settings\.)?position_offset \+ ", ""),
    "no mesh": (r"(settings\.)?relative \* ", "0.0 * "),
    "no scale": (r"(settings\.)?position_scale \* ", ""),
    "the wrong texture": (r"normals, b", "positions, b"),
    "the frame before": (r"min\(before \+ 1", "min(before + 0"),
}


def texels(texture, shape):
    """A texture as RGBA; of zeros where a model has none."""
    rows = np.ones((*shape, 4), "<f4")
    rows[:, :, :3] = 0.0 if texture is None else texture
    return encode(rows.tobytes())


def model(vat):
    data = vat.data
    shape = (data["height"], data["width"])
    found = {"width": data["width"], "height": data["height"], "vertices": data["vertices"], "lookup": encode(vat.lookup.astype("<f4").tobytes()), "rest": encode(np.pad(vat.rest, ((0, 0), (0, 1))).astype("<f4").tobytes()), "relative": float(data["relative"])}
    for kind in ("positions", "normals"):
        decoding = data[kind] or {"offset": [0] * 3, "scale": [0] * 3}
        found |= {kind: texels(vat.textures.get(kind), shape), f"{kind[:-1]}_offset": decoding["offset"], f"{kind[:-1]}_scale": decoding["scale"]}
    return found


def unit(rows):
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, length, out=np.zeros_like(rows), where=length > 0.0)


def case(vat, clip, bakes, number, frame):
    """What the shader gets at a frame, and what it must give: positions, the distances they may have, and normals."""
    one = {"model": number, "rows_per_frame": vat.data["rows_per_frame"], "first_row": clip["first_row"], "frames": clip["frames"], "frame": frame}
    numbers = [int(np.floor(frame)), int(np.ceil(frame))]
    (a, is_placed), (b, _) = (bakes.vectors("positions", number) for number in numbers)
    size = (np.array(vat.data["bounds"]["max"]) - vat.data["bounds"]["min"]).max()
    is_exact = vat.packing == "float" and numbers[0] == numbers[1] and not is_placed
    allowed = np.maximum(vat.allowed("positions", a), vat.allowed("positions", b)) + (0.0 if is_exact else 3e-7 * size)
    normals = None
    if vat.data["normals"]:
        normals = unit(sum(bakes.vectors("normals", number)[0] for number in numbers) / 2.0)
    return one, ((a + b) / 2.0, allowed, normals, NORMALS[vat.packing])


def cases(program, example, directory):
    """Returns models, cases, their names, and what is expected of them."""
    models, found, names, expected = [], [], [], []
    for name, width in FILES:
        bakes = {}
        for packing in PACKINGS:
            vat = Vat(example, SAMPLES / f"real/{name}.glb", packing, directory / f"{name}-{packing}", width)
            models.append(model(vat))
            for clip in vat.data["clips"]:
                if clip["name"] not in bakes:
                    bakes[clip["name"]] = Bakes(program, SAMPLES / f"real/{name}.glb", clip, directory / f"{name}-{len(bakes)}")
                last = clip["frames"] - 1
                for frame in sorted({0, last // 2 + 0.5, last}):
                    one, wanted = case(vat, clip, bakes[clip["name"]], len(models) - 1, frame)
                    found.append(one)
                    expected.append(wanted)
                    names.append(f"{name} {packing} {clip['name']} frame {frame:g}")
    return models, found, names, expected


def deviations(text, wanted):
    """The largest distances of positions and of normals, and whether both are good."""
    positions, allowed, normals, tolerance = wanted
    found = np.frombuffer(base64.b64decode(text), "<f4").reshape(-1, 8).astype(float)
    apart = np.abs(found[:, :3] - positions)
    turned = 0.0 if normals is None else np.abs(found[:, 4:7] - normals).max()
    return f"{len(positions)} vertices, {apart.max():.1e} apart, normals {turned:.1e}", bool((apart <= allowed).all() and turned <= tolerance)


def run(language, models, found, names, expected):
    shader = shader_of("vat.md", language)
    shaders = [shader]
    for fault, (pattern, by) in FAULTS.items():
        text, count = re.subn(pattern, by, shader)
        assert count, f"the {language} shader has no place for the fault {fault}"
        shaders.append(text)
    results = in_browser("shaders_vat.js", language, {"models": models, "cases": found, "shaders": shaders})
    return judge(language, FAULTS, results, names, expected, deviations)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        prepared = cases(*sys.argv[1:], Path(name))
    sys.exit(0 if all([run(language, *prepared) for language in BROWSERS]) else 1)
