"""Opens the pages of `view` for every sample and document in Chromium: vertices read back from the shader must be those of bakes, and changed
shaders must be noticed; then console, requests, hostile names, accessibility, keyboard, narrow windows, links, comparisons."""

import json
import shutil
import struct
import subprocess

from proofs.common import LIB, ROOT, SHARED, TARGET, call, in_browser, program, shared

NEEDS = "node, the network, Chromium, and the published samples"


def options(parser):
    parser.add_argument("--few", action="store_true", help="only the files that the checks of the page name")


SCALED = {
    "made/spline_step_jointscale": ["--joint-scale", "local"], "real/Lumberjack-geometry": ["--joint-scale", "local"],
    "real/Mannequiny": ["--local-scale-joints", "upperarm.l,spine_02"],
}


def instanced(sample, folder):
    """Copies of a sample that draw its skinned mesh twice: turned and moved; scaled, too, and mirrored; and that hide it for a while."""
    folder.mkdir(parents=True)
    with sample.open("rb") as file:
        _, _, _, length, _ = struct.unpack("<5I", file.read(20))
        tree, rest = json.loads(file.read(length)), file.read()
    binary = rest[8:]
    places = [1, 2, 3, 0, 0, -4], [0, 0.6, 0, 0.8, 0.8, 0, 0.6, 0]
    for name, sizes, visible in (("turned", [1] * 6, None), ("mirrored", [1, 1, 1, -1, 2, 1], None), ("blinking", [1] * 6, [1, 0, 1])):
        made, data = json.loads(json.dumps(tree)), binary

        def accessor(numbers, kind, width, code="f", component=5126):
            nonlocal data
            packed = struct.pack(f"<{len(numbers)}{code}", *numbers)
            made["bufferViews"].append({"buffer": 0, "byteOffset": len(data), "byteLength": len(packed)})
            data += packed + bytes(-len(packed) % 4)
            bounds = {"min": [min(numbers)], "max": [max(numbers)]} if width == 1 else {}
            made["accessors"].append({"bufferView": len(made["bufferViews"]) - 1, "componentType": component, "count": len(numbers) // width, "type": kind, **bounds})
            return len(made["accessors"]) - 1

        shown = next(index for index, node in enumerate(made["nodes"]) if "skin" in node)
        attributes = {"TRANSLATION": accessor(places[0], "VEC3", 3), "ROTATION": accessor(places[1], "VEC4", 4), "SCALE": accessor(sizes, "VEC3", 3)}
        made["nodes"][shown].setdefault("extensions", {})["EXT_mesh_gpu_instancing"] = {"attributes": attributes}
        made["extensionsUsed"] = ["EXT_mesh_gpu_instancing", "KHR_node_visibility", "KHR_animation_pointer"]
        if visible:
            clip = made["animations"][0]
            clip["samplers"].append({"input": accessor([0, 0.2, 0.4], "SCALAR", 1), "output": accessor(visible, "SCALAR", 1, "B", 5121), "interpolation": "STEP"})
            pointer = f"/nodes/{shown}/extensions/KHR_node_visibility/visible"
            clip["channels"].append({"sampler": len(clip["samplers"]) - 1, "target": {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": pointer}}}})
        made["buffers"][0]["byteLength"] = len(data)
        text = json.dumps(made).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<2I", len(text), 0x4E4F534A) + text + struct.pack("<2I", len(data), 0x004E4942) + data
        path = folder / f"{name}.glb"
        path.write_bytes(struct.pack("<3I", 0x46546C67, 2, 12 + len(chunks)) + chunks)
        yield path


def view(tool, file, folder, words=()):
    """Writes the page of a file, and beside it what it shows. Returns true if it could."""
    ended = subprocess.run([tool, "view", file, *words, "--no-open", "-o", folder], capture_output=True, text=True)
    if ended.returncode == 0:
        (folder / "source.json").write_text(json.dumps({"path": str(file), "options": list(words)}))
    return ended.returncode == 0


def run(context):
    tool, out = program("debug"), TARGET / "viewer"
    shutil.rmtree(out, ignore_errors=True)
    (out / "pictures").mkdir(parents=True)
    samples, pages = shared("gltf-samples"), out / "pages"
    models = [file for folder in ("real", "made", "compressed") for file in sorted((samples / folder).glob("*.gl*"))]
    suites = [ROOT / "conformance", SHARED / "conformance", SHARED / "conformance-0.5"]
    documents = [file for suite in suites for file in sorted((suite / "inputs").glob("*.rigy.yaml"))]
    if context.options.few:
        names = ("Fox.glb", "Greenman.glb", "L02_two_bone_dqs_twist.rigy.yaml", "E01_robot.rigy.yaml", "N03_reference_bone.rigy.yaml",
                 "eight_influences_f32.glb", "spline_step_jointscale.glb")
        models, documents = ([file for file in files if file.name in names] for files in (models, documents))
    refused = []
    for number, file in enumerate(models + documents):
        if not view(tool, file, pages / f"{number:03}"):
            refused.append(file)
    # The forms of joint scale that are no default.
    for name, words in SCALED.items():
        assert view(tool, samples / f"{name}.glb", pages / f"{words[0]} {name.replace('/', ' ')}", words), f"no page of {name}"
    # Fixtures that must be refused, and documents of later versions, have no page.
    wrong = [file.name for file in refused if file in models]
    print(f"{len(refused)} files are refused, of which models: {', '.join(wrong) or 'none'}")
    call("node", LIB / "viewer_hostile.mjs", tool, pages / "hostile")
    for file in instanced(samples / "made/eight_influences_f32.glb", out / "made"):
        assert view(tool, file, pages / file.stem), f"no page of {file.name}"
    fox = samples / "real/Fox.glb"
    for solver in ("lbs", "dqs"):
        call(tool, "bake", fox, "--animation", "Walk", "--time", "0.35", "--solver", solver, "-q", "-o", pages / solver)
    # Comparisons: one whose meshes pair vertex by vertex, and one whose meshes do not.
    pairs = {"compared": [pages / "lbs/Fox.glb", pages / "dqs/Fox.glb"], "nearest": [samples / f"real/{name}.glb" for name in ("RiggedFigure", "CesiumMan-geometry")]}
    for name, files in pairs.items():
        ended = subprocess.run([tool, "diff", *files, "--html", pages / f"{name}.html"], stdout=subprocess.DEVNULL)
        assert ended.returncode in (0, 1), f"status {ended.returncode} of diff"
    in_browser("viewer.mjs", out, tool)
