#!/usr/bin/env python3
"""Runs both shaders of docs/src/reference/palette.md in headless Chromium on the output of `rigy-batch palette --format binary`, and
compares positions, normals and tangents with those of baked files: the WGSL by WebGPU with the parts of the file bound as they
are, the GLSL by transform feedback of WebGL 2 with the same parts as textures. Then each shader runs with faults, which must be
noticed.

usage: run.py PROGRAM
"""

import base64
import http.server
import json
import math
import queue
import re
import struct
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from cases import ROOT, primitives

HERE = Path(__file__).resolve().parent
TOLERANCE = 1e-5  # of size; of normals and tangents ten times that

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
BROWSERS = {
    "wgsl": ("webgpu.js", ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan"]),
    "glsl": ("webgl.js", ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]),
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
    text = replaced(r"\b(matrices|first_stage)\[(\w+)\]\.rows\[(\d)\]", r"texelFetch(\1, texel(3u * \2 + \3u), 0)", text, 6)
    for part, offset in (("real", 0), ("dual", 1)):
        text = replaced(rf"\bduals\[(\w+)\]\.{part}", rf"texelFetch(duals, texel(2u * \1 + {offset}u), 0)", text, 3 - 2 * offset)
    text = replaced(r"\breferences\[gl_VertexID\]", "texelFetch(references, texel(uint(gl_VertexID) / 4u), 0)[gl_VertexID % 4]", text, 1)
    return replaced(r"\b(joints|weights)\[place\]", r"texelFetch(\1, texel(place), 0)", text, 6)


def in_browser(page, profile, options):
    """Serves a page to a browser and returns what the page posts."""
    results = queue.Queue()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page)

        def do_POST(self):
            results.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    command = ["chromium", "--headless", "--no-sandbox", *options, f"--user-data-dir={profile}", f"http://127.0.0.1:{server.server_port}/"]
    browser = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        result = results.get(timeout=240)
    except queue.Empty:
        sys.exit("the page gave no result")
    finally:
        browser.terminate()
        browser.wait()
        server.shutdown()
    if "error" in result:
        sys.exit(result["error"])
    return result["results"]


def farthest(found, expected):
    """Returns the largest distance; infinite if one is no number."""
    distances = [math.dist(a, b) for a, b in zip(found, expected, strict=True)]
    return math.inf if any(map(math.isnan, distances)) else max(distances)


def deviations(text, baked):
    """Returns the largest distances of positions, as a part of the size, of normals and of tangents; 0 without them."""
    content, (positions, normals, tangents) = base64.b64decode(text), baked
    found = [struct.unpack_from("<12f", content, 48 * i) for i in range(len(positions))]
    size = max(max(p[i] for p in positions) - min(p[i] for p in positions) for i in range(3))
    return (
        farthest([f[:3] for f in found], positions) / size,
        farthest([f[4:7] for f in found], normals) if normals else 0.0,
        farthest([f[8:] for f in found], tangents) if tangents else 0.0,
    )


def is_close(of):
    return of[0] <= TOLERANCE and max(of[1:]) <= 10 * TOLERANCE


def run(language, data, expected, profile):
    """Runs the shader of a language and its faulty versions. Returns whether all is as it should be."""
    page = (ROOT / "docs/src/reference/palette.md").read_text()
    shader = re.search(rf"```{language}\n(.*?)```", page, re.S)[1]
    missing = [text for text, _ in FAULTS.values() if text not in shader]
    assert not missing, f"the {language} shader has no {missing}"
    shaders = [shader, *(shader.replace(*fault) for fault in FAULTS.values())]
    shaders = [for_webgl(one) for one in shaders] if language == "glsl" else shaders
    script, options = BROWSERS[language]
    scripts = [f"const data = {json.dumps(data)}, shaders = {json.dumps(shaders)};"]
    scripts += [(HERE / name).read_text() for name in (script, "page.js")]
    content = "<body><script>" + "\n".join(scripts) + "</script></body>"
    right, *faulty = in_browser(content.encode(), profile, options)
    right = [deviations(text, baked) for text, (_, baked) in zip(right, expected, strict=True)]
    good = True
    for of, (name, baked) in zip(right, expected, strict=True):
        passed = is_close(of)
        good &= passed
        print(f"{'ok  ' if passed else 'FAIL'} {language} {name}: {len(baked[0])} vertices, {of[0]:.1e} of size, normals {of[1]:.1e}, tangents {of[2]:.1e}")
    worst = [max(of[i] for of in right) for i in range(3)]
    tangents = sum(1 for _, baked in expected if baked[2])
    print(f"{language}: {len(right)} primitives, {tangents} with tangents; worst {worst[0]:.1e} of size, normals {worst[1]:.1e}, tangents {worst[2]:.1e}")
    for fault, texts in zip(FAULTS, faulty, strict=True):
        noticed = sum(not is_close(deviations(text, baked)) for text, (_, baked) in zip(texts, expected, strict=True))
        good &= noticed > 0
        print(f"{'ok  ' if noticed else 'FAIL'} {language} with {fault}: {noticed} primitives differ")
    return good


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        cases = primitives(str(Path(sys.argv[1]).resolve()), directory)
        results = [run(language, *cases, directory / language) for language in BROWSERS]
    sys.exit(0 if all(results) else 1)
