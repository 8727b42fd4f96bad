#!/usr/bin/env bash
# Opens report pages in a browser without a window and checks what the guide promises of them: time to the first paint,
# elements in the document, time of a filter, no request beyond the folder, no message on the console, no markup from
# hostile names, no serious finding of axe-core, everything by keyboard, models opened in the viewer. Then measures what
# --html adds to a run over 10,000 documents, in pairs. Prints the figures and leaves screenshots; exit 1 if a promise is
# broken.
# Needs node, python3 and Chromium (Debian: apt-get install chromium); VIEWER_TOOLS may name a directory with playwright-core
# and axe-core in node_modules. Run by hand.
# Usage: scripts/report-page.sh [--pairs N] [--screenshots DIR]
set -euo pipefail
cd "$(dirname "$0")/.."

pairs=7 pictures=
while [ $# -gt 0 ]; do
    case $1 in
    --pairs) pairs=$2 && shift ;;
    --screenshots) pictures=$(mkdir -p "$2" && cd "$2" && pwd) && shift ;;
    *) sed -n '2,10s/^# //p' "$0" >&2; exit 2 ;;
    esac
    shift
done
browser=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)} || {
    echo "report-page.sh: there is no chromium" >&2
    exit 2
}
cargo build --locked --release --quiet
program=$(realpath "${CARGO_TARGET_DIR:-target}/release/rigy-batch")
here=$PWD work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The committed script and style are those that the sources give.
cp -r viewer/package.json viewer/package-lock.json viewer/build.mjs viewer/src "$work"
(cd "$work" && npm ci --silent --no-fund --no-audit && node build.mjs)
for file in report.js report.css view.js view.css; do
    cmp "$work/dist/$file" "viewer/dist/$file" || { echo "viewer/dist is out of date: node viewer/build.mjs" >&2; exit 1; }
done
if [ -n "${VIEWER_TOOLS:-}" ]; then
    cp -r "$VIEWER_TOOLS"/node_modules/{playwright-core,axe-core} "$work/node_modules"
else
    (cd "$work" && npm install --silent --no-save --no-fund --no-audit playwright-core@1 axe-core@4)
fi

cd "$work"
cp "$here"/scripts/report-{page,models}.mjs .
python3 - <<'PYTHON'
from pathlib import Path

DOCUMENT = """version: "0.5"
meshes: [{id: m, primitives: [{type: box, id: b, dimensions: {x: %s}}]}]
armatures: [{id: a, bones: [{id: r, parent: none, head: [0, %s, 0], tail: [0, 1, 0]}]}]
bindings: [{mesh_id: %s, armature_id: a, weights: [], skinning_solver: dqs}]
poses: [%s]
"""
POSE = '{id: "%s", bones: {r: {rotation: [0.6, 0.8, 0, 0]}}}'


def write(name, size=1, head=0, mesh="m", poses=("bent",)):
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(DOCUMENT % (size, head, mesh, ", ".join(POSE % pose for pose in poses)))


# 10,000 documents: one in ten with a warning, one in twenty with an error.
for i in range(10000):
    write(f"ten/{i // 1000}/model-{i:05}.rigy.yaml", 1 + i / 1e4, 0.1 if i % 10 == 0 else 0, "gone" if i % 20 == 7 else "m")
HOSTILE = "</script><img src=x onerror=alert(1)>\u202e<!--"
write("hostile/'&quot;<img src=x onerror=alert(1)>\u202egnp.rigy.yaml", poses=[HOSTILE, "a'b&amp;c", "javascript:alert(1)"])
write("hostile/error.rigy.yaml", mesh=f'"{HOSTILE}"')
write("hostile/double \" quote.rigy.yaml", mesh='"\' onmouseover=alert(1) x=\'"')
write("hostile/thousand.rigy.yaml", poses=["same"] * 1200)
PYTHON
run() { "$program" "$@" >/dev/null 2>&1 || [ $? -eq 1 ]; }
mkdir pages
ln -s "$here/conformance" conformance
run conformance/inputs conformance/invalid -n --timings --html pages/suite.html
run ten -n --html pages/ten.html
run ten -n --poses none --html pages/outputs.html # 10,000 outputs
run hostile -n --html pages/hostile.html
run hostile -n --html "pages/javascript:alert(1)%2e%2e'\"<img src=x onerror=alert(1)>"$'\u202e.html'
samples=$here/../shared/gltf-samples
if [ -d "$samples" ]; then # three moments of each real model
    ln -s "$samples" samples
    run bake samples/real samples/made samples/compressed -o baked --animation 0 --frames 0..2@2 --html pages/models.html
fi
rm -rf "${pictures:-$work/pictures}"/*.png
node report-page.mjs "$browser" "$work/pages" "${pictures:-$work/pictures}"

echo "== what --html adds to a run over 10,000 documents (seconds without, with, ratio)"
python3 - "$program" "$pairs" <<'PYTHON'
import subprocess, sys, time
from statistics import median

program, pairs = sys.argv[1], int(sys.argv[2])


def run(*more):
    start = time.perf_counter()
    subprocess.run([program, "ten", "-o", "out", "--force", "--quiet", *more], stdout=-3, stderr=-3)
    return time.perf_counter() - start


run()  # makes the directories
ratios = []
for pair in range(pairs):
    page = ["--html", "pages/ten.html"]
    first, second = (run(), run(*page)) if pair % 2 == 0 else (run(*page), run())[::-1]
    ratios.append(second / first)
    print(f"{first:.2f} {second:.2f} {second / first:.3f}")
print(f"median {median(ratios):.3f}")
sys.exit(median(ratios) > 1.2)
PYTHON
