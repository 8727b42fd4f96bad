#!/usr/bin/env python3
"""Runs both shaders of docs/src/reference/vat.md in headless Chromium on vertex animation textures, which OpenEXR and pypng have read, and
compares positions and normals with those of baked frames, at frames and half way between two. Then each shader runs with
faults, which must be noticed.

usage: vat.py PROGRAM EXAMPLE
"""

import base64
import json
import re
import sys
import tempfile
from pathlib import Path

import numpy as np

from run import BROWSERS, HERE, ROOT, in_browser

sys.path.insert(0, str(ROOT / "scripts/vat"))

from bakes import PACKINGS, Bakes, Vat  # noqa: E402

SAMPLES = ROOT.parent / "shared/gltf-samples/real"
FILES = [("Fox", 1000), ("CesiumMan-geometry", 8192)]  # and the largest width
SCRIPTS = {"glsl": "vat_webgl.js", "wgsl": "vat_webgpu.js"}
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


def encode(rows):
    return base64.b64encode(np.ascontiguousarray(rows, "<f4").tobytes()).decode()


def texels(texture, shape):
    """A texture as RGBA; of zeros where a model has none."""
    rows = np.ones((*shape, 4), "<f4")
    rows[:, :, :3] = 0.0 if texture is None else texture
    return encode(rows)


def model(vat):
    data = vat.data
    shape = (data["height"], data["width"])
    found = {"width": data["width"], "height": data["height"], "vertices": data["vertices"], "lookup": encode(vat.lookup), "rest": encode(np.pad(vat.rest, ((0, 0), (0, 1)))), "relative": float(data["relative"])}
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
            vat = Vat(example, SAMPLES / f"{name}.glb", packing, directory / f"{name}-{packing}", width)
            models.append(model(vat))
            for clip in vat.data["clips"]:
                if clip["name"] not in bakes:
                    bakes[clip["name"]] = Bakes(program, SAMPLES / f"{name}.glb", clip, directory / f"{name}-{len(bakes)}")
                last = clip["frames"] - 1
                for frame in sorted({0, last // 2 + 0.5, last}):
                    one, wanted = case(vat, clip, bakes[clip["name"]], len(models) - 1, frame)
                    found.append(one)
                    expected.append(wanted)
                    names.append(f"{name} {packing} {clip['name']} frame {frame:g}")
    return models, found, names, expected


def deviations(text, wanted):
    """The largest distance of a position, as a multiple of what is allowed beyond nothing, and of a normal; whether both are good."""
    positions, allowed, normals, tolerance = wanted
    found = np.frombuffer(base64.b64decode(text), "<f4").reshape(-1, 8).astype(float)
    apart = np.abs(found[:, :3] - positions)
    turned = 0.0 if normals is None else np.abs(found[:, 4:7] - normals).max()
    return apart.max(), turned, bool((apart <= allowed).all() and turned <= tolerance)


def run(language, models, found, names, expected, profile):
    """Runs the shader of a language and its faulty versions. Returns whether all is as it should be."""
    page = (ROOT / "docs/src/reference/vat.md").read_text()
    shader = re.search(rf"```{language}\n(.*?)```", page, re.S)[1]
    shaders = [shader]
    for fault, (pattern, by) in FAULTS.items():
        text, count = re.subn(pattern, by, shader)
        assert count, f"the {language} shader has no place for the fault {fault}"
        shaders.append(text)
    data = f"const models = {json.dumps(models)}, cases = {json.dumps(found)}, shaders = {json.dumps(shaders)};"
    scripts = [data, *((HERE / name).read_text() for name in (SCRIPTS[language], "vat_page.js"))]
    content = "<body><script>" + "\n".join(scripts) + "</script></body>"
    right, *faulty = in_browser(content.encode(), profile, BROWSERS[language][1])
    good = True
    for text, name, wanted in zip(right, names, expected, strict=True):
        apart, turned, passed = deviations(text, wanted)
        good &= passed
        print(f"{'ok  ' if passed else 'FAIL'} {language} {name}: {len(wanted[0])} vertices, {apart:.1e} apart, normals {turned:.1e}")
    for fault, texts in zip(FAULTS, faulty, strict=True):
        noticed = sum(not deviations(text, wanted)[2] for text, wanted in zip(texts, expected, strict=True))
        good &= noticed > 0
        print(f"{'ok  ' if noticed else 'FAIL'} {language} with {fault}: {noticed} of {len(texts)} cases differ")
    return good


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        program, example = (str(Path(path).resolve()) for path in sys.argv[1:])
        prepared = cases(program, example, directory)
        results = [run(language, *prepared, directory / language) for language in SCRIPTS]
    sys.exit(0 if all(results) else 1)
