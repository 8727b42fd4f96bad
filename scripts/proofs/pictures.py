"""Draws 48 models with `preview` and with three.js from one place in one light: silhouettes and colours must agree, and another time or camera must be
noticed. Writes both beside each other into target/pictures. With --frames it measures pages of the viewer instead."""

import json
import shutil
import struct

from proofs.common import ROOT, SHARED, TARGET, call, in_browser, node, program, shared

NEEDS = "node, the network, Chromium, and the published samples"
OUT = TARGET / "pictures"
CAMERA = [35, 15, 30]
SIZE = 512
PROFILES = "node_modules/@webxr-input-profiles/assets/dist/profiles"

# A sample, an animation and a time.
SAMPLES = [
    ("real/CesiumMan-geometry.glb", 0, 0.5), ("real/Fox.glb",), ("real/Fox.glb", 1, 0.35), ("real/Fox.glb", 2, 0.4), ("real/Greenman.glb",),
    ("real/Greenman.glb", 3, 0.5), ("real/Lumberjack-geometry.glb", 0, 0.5), ("real/Mannequiny.glb", 0, 0.5), ("real/RiggedFigure.glb", 0, 0.5),
    ("real/RiggedSimple.glb", 0, 1.0), ("real/RobotQuaternius.glb",), ("real/RobotQuaternius.glb", 0, 0.5), ("real/SimpleSkin.gltf", 0, 0.5),
    ("made/morph_plus_skin.glb", 0, 0.6), ("made/multi_skin_shared_mesh.glb", 0, 0.75), ("made/spline_step_jointscale.glb", 0, 0.7),
    ("compressed/Fox-gltfpack-quantized.glb", 1, 0.35),
]
# Models of WebXR's controllers: textures of all kinds, mirrored nodes, vertex colours, one side and two.
CONTROLLERS = [
    "generic-button/left", "generic-fixed-hand/left", "generic-hand/left", "google-daydream/none", "hp-mixed-reality/left", "htc-vive-cosmos/left",
    "htc-vive-focus/none", "logitech-mx-ink/none", "magicleap-one/none", "meta-quest-touch-plus-v2/left", "microsoft-mixed-reality/left",
    "oculus-go/none", "oculus-touch-v3/left", "pico-4/right", "samsung-galaxyxr/left", "valve-index/left",
]
OURS = ("E01_robot", "G02_mirrored_rotation", "O01_opaque_and_translucent", "S05_prisms", "T01_every_field", "T04_mirrored_surface")
PUBLISHED = (
    "conformance/inputs/O02_material_with_skinning", "conformance/inputs/H112_box_decompose_multi_cutout",
    "conformance/inputs/P07_capsule_cyl_latlong", "conformance-0.5/inputs/E01_humanoid",
)
DOCUMENTS = [ROOT / "conformance/inputs" / name for name in OURS] + [SHARED / name for name in PUBLISHED]
GREENMAN = "samples/real/Greenman.glb"
# Files with changed materials.
VARIANTS = {
    "unlit": (GREENMAN, {"extensions": {"KHR_materials_unlit": {}}}),
    "blend": (GREENMAN, {"alphaMode": "BLEND", "pbrMetallicRoughness": {"baseColorFactor": [1, 0.6, 0.3, 0.6], "metallicFactor": 0}}),
    "one-side": (GREENMAN, {"doubleSided": False}),
    "metal": (GREENMAN, {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "roughnessFactor": 0.3}}),
    "mask": (f"{PROFILES}/meta-quest-touch-pro/left.glb", {"alphaMode": "MASK"}),
}


def options(parser):
    parser.add_argument("--frames", action="store_true", help="measure pages of the viewer instead of comparing pictures")


def write_variant(source, target, change):
    """Writes a GLB with changed materials."""
    data = source.read_bytes()
    end = 20 + struct.unpack_from("<I", data, 12)[0]
    tree = json.loads(data[20:end])
    tree["extensionsUsed"] = ["KHR_materials_unlit"]
    tree["materials"] = [material | change for material in tree["materials"]]
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    target.write_bytes(struct.pack("<4s4I", b"glTF", 2, 20 + len(text) + len(data) - end, len(text), 0x4E4F534A) + text + data[end:])


def cases(tool):
    """Gathers models below OUT, from which they are served. Returns what is drawn: name, path, and animation and time if there are any."""
    found = [(f"samples/{path}", *moment) for path, *moment in SAMPLES]
    found += [(f"{PROFILES}/{path}.glb",) for path in CONTROLLERS]
    for name, (source, change) in VARIANTS.items():
        write_variant(OUT / source, OUT / f"made/{name}.glb", change)
        found.append((f"made/{name}.glb",))
    for document in DOCUMENTS:
        call(tool, f"{document}.rigy.yaml", "--poses", "none", "--allow-warnings", "all", "-q", "-o", OUT / "made")
        found.append((f"made/{document.name}.glb",))
    names = ["-".join([*path.removesuffix(".glb").split("/")[-2:], *map(str, moment)]) for path, *moment in found]
    return [{"name": name, "path": path, "moment": moment} for name, (path, *moment) in zip(names, found)]


def run(context):
    tool, samples = program(), shared("gltf-samples")
    shared("conformance"), shared("conformance-0.5")
    three = json.loads((ROOT / "viewer/package.json").read_text())["dependencies"]["three"]
    packages = node(f"three@{three}", "@webxr-input-profiles/assets@1.0.20") / "node_modules"
    shutil.rmtree(OUT, ignore_errors=True)
    for folder in ("made", "ours"):
        (OUT / folder).mkdir(parents=True)
    (OUT / "node_modules").symlink_to(packages)
    (OUT / "samples").symlink_to(samples)
    (OUT / "light.json").symlink_to(ROOT / "crates/view/src/light.json")
    drawn, frames = cases(tool), context.options.frames
    if frames:
        drawn = drawn[::5]
    for case in drawn:
        source = OUT / case["path"]
        if frames:
            call(tool, "view", source, "--no-open", "-o", OUT / "pages" / case["name"], capture_output=True)
            continue
        moment = [f"{option}={value}" for option, value in zip(("--animation", "--time"), case["moment"])]
        look = ["--camera", ",".join(map(str, CAMERA)), "--background", "transparent", "--no-shadow", "--size", SIZE]
        call(tool, "preview", source, *moment, *look, "-q", "-o", OUT / f"ours/{case['name']}.png")
    (OUT / "cases.json").write_text(json.dumps({"cases": drawn, "camera": CAMERA, "size": SIZE}))
    in_browser("pictures.mjs", OUT, *(["--frames"] if frames else []))
