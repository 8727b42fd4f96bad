"""Opens report pages in Chromium and checks what the guide promises of them: every kind of row with its findings, first paint, few elements, quick
filters, no request beyond the folder, no message on the console, no markup from hostile names, accessibility, everything by keyboard, models opened in
the viewer."""

import shutil
import subprocess

from proofs.common import ROOT, SHARED, TARGET, call, in_browser, npm_ci, program

NEEDS = "node, the network, and Chromium"
QUICK = ["--quick"]
DOCUMENT = """version: "0.5"
meshes: [{id: m, primitives: [{type: box, id: b, dimensions: {x: %s}}]}]
armatures: [{id: a, bones: [{id: r, parent: none, head: [0, %s, 0], tail: [0, 1, 0]}]}]
bindings: [{mesh_id: %s, armature_id: a, weights: [], skinning_solver: dqs}]
poses: [%s]
"""
POSE = '{id: "%s", bones: {r: {rotation: [0.6, 0.8, 0, 0]}}}'
IMPORTER = """version: "0.5"
imports: {p: {source: p.part.yaml}}
"""
HOSTILE = "</script><img src=x onerror=alert(1)>\u202e<!--"
HOSTILE_PAGE = "javascript:alert(1)%2e%2e'\"<img src=x onerror=alert(1)>\u202e.html"


def write(path, size=1, head=0, mesh="m", poses=("bent",)):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(DOCUMENT % (size, head, mesh, ", ".join(POSE % pose for pose in poses)))


def write_documents(work):
    # 10,000 documents: one in ten with a warning, one in twenty with an error.
    for i in range(10000):
        write(work / f"ten/{i // 1000}/model-{i:05}.rigy.yaml", 1 + i / 1e4, 0.1 if i % 10 == 0 else 0, "gone" if i % 20 == 7 else "m")
    hostile = work / "hostile"
    write(hostile / "'&quot;<img src=x onerror=alert(1)>\u202egnp.rigy.yaml", poses=[HOSTILE, "a'b&amp;c", "javascript:alert(1)"])
    write(hostile / "error.rigy.yaml", mesh=f'"{HOSTILE}"')
    write(hostile / 'double " quote.rigy.yaml', mesh="\"' onmouseover=alert(1) x='\"")
    write(hostile / "thousand.rigy.yaml", poses=["same"] * 1200)


def options(parser):
    parser.add_argument("--quick", action="store_true", help="every kind of row, and nothing else")


def every_row(work, tool):
    """Opens every row of runs that together have each kind of row; each page has the report of its run beside it."""
    pages = work / "rows"
    pages.mkdir()

    def page(name, *words, status):
        ended = subprocess.run([tool, *words, "--html", pages / f"{name}.html", "--report", pages / f"{name}.json"], cwd=work, capture_output=True, text=True)
        assert ended.returncode == status, f"{name}: status {ended.returncode}: {ended.stderr[-2000:]}"

    source = work / "kinds"
    write(source / "good.rigy.yaml", poses=["bent", "other"])
    write(source / "gone.rigy.yaml")
    write(source / "warned.rigy.yaml", head=0.1, poses=["bent", "other"])
    page("written", "kinds", "-o", "made", "--timings", "--thumbnails", "64", status=0)
    (source / "gone.rigy.yaml").unlink()
    write(source / "unknown-mesh.rigy.yaml", mesh="gone")
    write(source / "p.part.yaml", mesh="gone")
    (source / "importer.rigy.yaml").write_text(IMPORTER)
    (source / "unknown-key.rigy.yaml").write_text((source / "good.rigy.yaml").read_text().replace("id: b,", "id: b, colour: red,"))
    (source / "no-text.rigy.yaml").write_bytes(b"\xff\xfe\x00")
    page("again", "kinds", "-o", "made", "--prune", status=1)
    page("strict", "kinds", "-o", "strict", "--warn-as-error", "all", "--shard", "0/1", status=1)
    files = work / "files"
    files.mkdir()
    shutil.copy(ROOT / "docs/src/pictures/fish.glb", files)
    (files / "broken.glb").write_bytes(b"glTF\x02\0\0\0")
    (files / "still.gltf").write_text('{"asset": {"version": "2.0"}, "nodes": [{}], "scenes": [{"nodes": [0]}], "scene": 0}')
    page("files", "bake", "files", "-o", "baked", "--animation", "Swim,Twist", "--frames", "0..3@2", "--missing-animation", "skip", status=1)
    in_browser("report_rows.mjs", pages)


def run(context):
    work, tool = context.work, program()
    npm_ci("viewer")
    every_row(work, tool)
    if context.options.quick:
        return
    call("viewer/check.sh")  # the committed script and style are those that the sources give
    write_documents(work)
    pages = work / "pages"
    pages.mkdir()

    def page(name, *words):
        ended = subprocess.run([tool, *words, "--html", pages / name], cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        assert ended.returncode in (0, 1) and (pages / name).exists(), ended.stderr[-2000:]

    (work / "conformance").symlink_to(ROOT / "conformance")
    page("suite.html", "conformance/inputs", "conformance/invalid", "-n", "--timings")
    page("ten.html", "ten", "-n")
    page("outputs.html", "ten", "-n", "--poses", "none")
    page("hostile.html", "hostile", "-n")
    page(HOSTILE_PAGE, "hostile", "-n")
    samples = SHARED / "gltf-samples"
    if samples.exists():  # three moments of each real model
        (work / "samples").symlink_to(samples)
        folders = [f"samples/{name}" for name in ("real", "made", "compressed")]
        page("models.html", "bake", *folders, "-o", "baked", "--animation", "0", "--frames", "0..2@2")
    in_browser("report.mjs", pages, TARGET / "report-pictures")
