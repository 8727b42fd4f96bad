#!/usr/bin/env python3
"""Runs the WGSL shader of docs/src/reference/palette.md in headless Chromium (WebGPU on SwiftShader) on the output of
`rigy-batch palette --format binary`, bound as it is, and compares positions and normals with those of baked files.

usage: run.py PROGRAM [--break OLD NEW]   with --break, OLD is replaced by NEW in the shader, and the run is to fail
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

ROOT = Path(__file__).resolve().parent.parent.parent
SAMPLES = ROOT.parent / "shared/gltf-samples"
TOLERANCE = 1e-5  # of size; of normals ten times that

ENTRY = """
@group(1) @binding(0) var<storage, read> rest_in: array<vec4f>;
@group(1) @binding(1) var<storage, read_write> posed_out: array<vec4f>;

@compute @workgroup_size(64)
fn run(@builtin(global_invocation_id) id: vec3u) {
    if 2u * id.x >= arrayLength(&posed_out) { return; }
    let posed = main(Rest(id.x, rest_in[2u * id.x].xyz, rest_in[2u * id.x + 1u].xyz, vec4f(1.0, 0.0, 0.0, 1.0)));
    posed_out[2u * id.x] = posed.position;
    posed_out[2u * id.x + 1u] = vec4f(posed.normal, 0.0);
}
"""

PAGE = """<body><script>
const data = DATA, shader = SHADER;
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const text = (array) => { let out = ""; for (const byte of array) out += String.fromCharCode(byte); return btoa(out); };
async function main() {
  const device = await (await navigator.gpu.requestAdapter()).requestDevice();
  device.pushErrorScope("validation");
  const module = device.createShaderModule({ code: shader });
  const pipeline = device.createComputePipeline({ layout: "auto", compute: { module, entryPoint: "run" } });
  const buffer = (content, usage) => {
    const made = device.createBuffer({ size: content.byteLength, usage: usage | GPUBufferUsage.COPY_DST });
    device.queue.writeBuffer(made, 0, content);
    return made;
  };
  const results = [];
  for (const one of data) {
    const file = buffer(bytes(one.palette), GPUBufferUsage.STORAGE);
    const rest = buffer(bytes(one.rest), GPUBufferUsage.STORAGE);
    const settings = new ArrayBuffer(80);
    [0, 5, 10, 15].forEach((at) => new Float32Array(settings, 0, 16)[at] = 1);
    new Uint32Array(settings, 64).set([one.sets, one.flags, one.dual, 0]);
    const uniform = buffer(settings, GPUBufferUsage.UNIFORM);
    const out = device.createBuffer({ size: 32 * one.vertices, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
    const back = device.createBuffer({ size: out.size, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
    const part = ([offset, size], binding) => ({ binding, resource: { buffer: file, offset, size } });
    const group = (index, entries) => device.createBindGroup({ layout: pipeline.getBindGroupLayout(index), entries });
    const whole = (buffer, binding) => ({ binding, resource: { buffer } });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group(0, [...one.parts.map(part), whole(uniform, 5)]));
    pass.setBindGroup(1, group(1, [whole(rest, 0), whole(out, 1)]));
    pass.dispatchWorkgroups(Math.ceil(one.vertices / 64));
    pass.end();
    encoder.copyBufferToBuffer(out, 0, back, 0, out.size);
    device.queue.submit([encoder.finish()]);
    await back.mapAsync(GPUMapMode.READ);
    results.push(text(new Uint8Array(back.getMappedRange())));
  }
  const error = await device.popErrorScope();
  return error ? { error: error.message } : { results };
}
main().catch((error) => ({ error: String(error) })).then((result) => {
  fetch("/result", { method: "POST", body: JSON.stringify(result) });
});
</script></body>"""


class Glb:
    """The vertices of a GLB whose positions and normals are f32."""

    def __init__(self, path):
        data = path.read_bytes()
        length = struct.unpack_from("<I", data, 12)[0]
        self.json = json.loads(data[20 : 20 + length])
        self.bin = data[28 + length :]

    def vectors(self, mesh, primitive, name):
        index = self.json["meshes"][mesh]["primitives"][primitive]["attributes"].get(name)
        if index is None:
            return None
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        assert accessor["componentType"] == 5126
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        step = view.get("byteStride", 12)
        return [struct.unpack_from("<3f", self.bin, start + step * i) for i in range(accessor["count"])]


def program(*arguments):
    subprocess.run([PROGRAM, *map(str, arguments)], check=True, stderr=subprocess.DEVNULL)


def cases(directory):
    """Pairs of a name, a rest GLB, a baked GLB, a palette, dual or not, and the mesh of the baked file of each mesh."""
    document = ROOT / "conformance/inputs"
    for stem, pose, dual in [("L02_two_bone_dqs_twist", "twist60", 1), ("B01_two_bone_blend", "bent", 0), ("N01_opposite_hemispheres", "opposite", 1), ("N03_reference_bone", "p", 1), ("D01_four_influences", "spread", 0)]:
        source, palette = document / f"{stem}.rigy.yaml", directory / f"{stem}.palette"
        program(source, "-o", directory, "--quiet", "--allow-warnings", "all")
        program("palette", source, "--pose", pose, "--format", "binary", "-o", palette)
        yield f"{stem} {pose}", directory / f"{stem}.glb", directory / f"{stem}.{pose}.glb", palette, dual
    for name in ["real/Fox", "real/Greenman", "real/CesiumMan-geometry", "real/RiggedFigure", "real/Mannequiny", "made/eight_influences_f32", "made/eight_influences_u8n", "made/spline_step_jointscale", "made/multi_skin_shared_mesh"]:
        for dual, solver in enumerate(["lbs", "dqs"]):
            source = SAMPLES / f"{name}.glb"
            stem = f"{source.stem}-{solver}"
            palette = directory / f"{stem}.palette"
            program("palette", source, "--time", "0.5", "--format", "binary", "-o", palette)
            program("bake", source, "--time", "0.5", "--solver", solver, "-o", directory / stem, "--quiet", "--allow-warnings", "all")
            yield f"{name} {solver}", source, directory / stem / source.name, palette, dual


def in_browser(page, profile):
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
    options = ["--headless", "--no-sandbox", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan", f"--user-data-dir={profile}"]
    browser = subprocess.Popen(["chromium", *options, f"http://127.0.0.1:{server.server_port}/"], stderr=subprocess.DEVNULL)
    try:
        return results.get(timeout=120)
    except queue.Empty:
        sys.exit("the page gave no result")
    finally:
        browser.terminate()
        browser.wait()
        server.shutdown()


def run(shader, directory):
    data, expected = [], []
    for name, rest, baked, palette, dual in cases(directory):
        content, rest, baked = palette.read_bytes(), Glb(rest), Glb(baked)
        word = lambda at: struct.unpack_from("<I", content, at)[0]
        nodes = rest.json["nodes"]
        skinned = [index for index, node in enumerate(nodes) if "skin" in node and "mesh" in node]
        for index in range(word(20)):
            record = [word(word(24) + 64 * index + 4 * place) for place in range(16)]
            skin = [word(word(16) + 64 * record[2] + 4 * place) for place in range(16)]
            mesh, primitive, _, vertices, sets, joints, weights, first_node = record[:8]
            matrices = [skin[4], 48 * skin[1]]
            duals = [skin[5], 32 * skin[1]] if skin[2] & 1 else matrices
            first = [skin[6], 48 * skin[1]] if skin[2] & 2 else matrices
            influences = [[joints, 16 * sets * vertices], [weights, 16 * sets * vertices]]
            positions, normals = (rest.vectors(mesh, primitive, name) for name in ("POSITION", "NORMAL"))
            normals = normals or [(0.0, 0.0, 0.0)] * vertices
            frames = b"".join(struct.pack("<8f", *p, 0, *n, 0) for p, n in zip(positions, normals))
            target = mesh
            if len(baked.json["nodes"]) > len(nodes):  # the roots that `bake` appends, one for each skinned node
                root = len(nodes) + skinned.index(word(first_node))
                target = baked.json["nodes"][root]["mesh"]
            encode = lambda part: base64.b64encode(part).decode()
            data.append({"palette": encode(content), "rest": encode(frames), "sets": sets, "flags": skin[2], "dual": dual, "vertices": vertices, "parts": [matrices, duals, first, *influences]})
            expected.append((f"{name} mesh {mesh}.{primitive}", *(baked.vectors(target, primitive, name) for name in ("POSITION", "NORMAL"))))
    page = PAGE.replace("DATA", json.dumps(data)).replace("SHADER", json.dumps(shader))
    result = in_browser(page.encode(), directory / "profile")
    if "error" in result:
        sys.exit(result["error"])
    worst, good = [0.0, 0.0], True
    for (name, positions, normals), text in zip(expected, result["results"], strict=True):
        found = base64.b64decode(text)
        found = [struct.unpack_from("<8f", found, 32 * i) for i in range(len(positions))]
        size = max(max(p[i] for p in positions) - min(p[i] for p in positions) for i in range(3))
        far = max(math.dist(f[:3], p) for f, p in zip(found, positions, strict=True)) / size
        turned = max(math.dist(f[4:7], n) for f, n in zip(found, normals, strict=True)) if normals else 0.0
        passed = far <= TOLERANCE and turned <= 10 * TOLERANCE
        print(f"{'ok  ' if passed else 'FAIL'} {name}: {len(positions)} vertices, {far:.1e} of size, normals {turned:.1e}")
        worst, good = [max(worst[0], far), max(worst[1], turned)], good and passed
    print(f"{len(expected)} primitives, worst {worst[0]:.1e} of size, normals {worst[1]:.1e}")
    return good


PROGRAM = str(Path(sys.argv[1]).resolve())
page = (ROOT / "docs/src/reference/palette.md").read_text()
shader = re.search(r"```wgsl\n(.*?)```", page, re.S)[1].replace("@vertex", "") + ENTRY
if sys.argv[2:3] == ["--break"]:
    assert sys.argv[3] in shader
    shader = shader.replace(sys.argv[3], sys.argv[4])
with tempfile.TemporaryDirectory() as name:
    sys.exit(0 if run(shader, Path(name)) else 1)
