"""Opens the pages of `view` for every sample and document in Chromium: vertices read back from the shader must be those of bakes, and changed
shaders must be noticed; then console, requests, hostile names, accessibility, keyboard, narrow windows, links, comparisons."""

import shutil
import subprocess

from proofs.common import LIB, ROOT, SHARED, TARGET, call, in_browser, program, shared

NEEDS = "node, the network, Chromium, and the published samples"


def options(parser):
    parser.add_argument("--few", action="store_true", help="only the files that the checks of the page name")


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
        ended = subprocess.run([tool, "view", file, "--no-open", "-o", pages / f"{number:03}"], capture_output=True, text=True)
        if ended.returncode != 0:
            refused.append(file)
    # Fixtures that must be refused, and documents of later versions, have no page.
    wrong = [file.name for file in refused if file in models]
    print(f"{len(refused)} files are refused, of which models: {', '.join(wrong) or 'none'}")
    call("node", LIB / "viewer_hostile.mjs", tool, pages / "hostile")
    fox = samples / "real/Fox.glb"
    for solver in ("lbs", "dqs"):
        call(tool, "bake", fox, "--animation", "Walk", "--time", "0.35", "--solver", solver, "-q", "-o", pages / solver)
    # Comparisons: one whose meshes pair vertex by vertex, and one whose meshes do not.
    pairs = {"compared": [pages / "lbs/Fox.glb", pages / "dqs/Fox.glb"], "nearest": [samples / f"real/{name}.glb" for name in ("RiggedFigure", "CesiumMan-geometry")]}
    for name, files in pairs.items():
        ended = subprocess.run([tool, "diff", *files, "--html", pages / f"{name}.html"], stdout=subprocess.DEVNULL)
        assert ended.returncode in (0, 1), f"status {ended.returncode} of diff"
    in_browser("viewer.mjs", out)
