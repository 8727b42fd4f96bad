"""Builds the npm package of bindings/js, and tests the tarball in a fresh project: types, the examples of the README, and all suites and samples
against the bytes and findings of the program. The module may have 1.5 MB compressed, and works in bundles of esbuild, Vite and webpack that are made
as the README says, in node and in Chromium. The tarball is left in npm/ of cargo's target directory."""

import gzip
import json
import os
import re
import shutil
import subprocess

from proofs.common import ROOT, SHARED, TARGET, call, in_browser, need, node, printed, program, wasm

NEEDS = "rustup, node 20, Chromium and the network"
QUICK = ["--quick"]
LIMIT = 1_500_000  # bytes of the module by gzip
CHECKS = "--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --target es2022 --module nodenext types.ts"

BUNDLERS = ["esbuild@0.28.2", "vite@7.3.8", "webpack@5.113.0", "webpack-cli@7.3.1"]
DOCUMENT = ROOT / "conformance/inputs/L02_two_bone_dqs_twist.rigy.yaml"
BUNDLED = """
import {compile} from "rigy-batch";
const twist = compile(TEXT);
const files = [twist.glb, ...twist.poses.map((id) => twist.pose(id))];
const sums = files.map((file) => file.reduce((sum, byte) => (31 * sum + byte) % 0xfffffff, file.length));
if (globalThis.document) document.title = sums;
else console.log(`${sums}`);
"""
PAGE = """<!doctype html>
<script type="importmap">{"imports": {"rigy-batch": "./node_modules/rigy-batch/index.js"}}</script>
<script type="module" src="./main.js"></script>
"""


def options(parser):
    parser.add_argument("--quick", action="store_true", help="compiled in less time: neither the size nor bundles are checked")


def pack(module):
    """Makes the tarball, and returns its path."""
    package = TARGET / "npm/package"
    shutil.rmtree(TARGET / "npm", ignore_errors=True)
    package.mkdir(parents=True)
    sources = ROOT / "bindings/js"
    for pattern in ("*.js", "*.d.ts", "package.json", "README.md", "LICENSE-*"):
        for file in sources.glob(pattern):
            shutil.copy(file, package)
    shutil.copytree(sources / "lib", package / "lib")
    shutil.copy(module, package / "rigy_batch.wasm")
    return TARGET / "npm" / printed("npm", "pack", "--silent", "./package", cwd=TARGET / "npm")


def bundle(project):
    """Runs a script without a bundler, and bundles of it that are made by the recipes of the README: all give the same bytes."""
    readme = (ROOT / "bindings/js/README.md").read_text()
    (commands,) = re.findall(r"```sh\n(.*?)```", readme, re.S)
    (config,) = re.findall(r"```mjs\n(.*?)```", readme, re.S)
    for_browsers, for_node, copy = commands.replace("npx ", "").splitlines()
    (project / "main.js").write_text(BUNDLED.replace("TEXT", json.dumps(DOCUMENT.read_text())))
    (project / "vite.config.js").write_text(config)
    (project / "index.html").write_text(PAGE)
    environment = os.environ | {"PATH": f"{node(*BUNDLERS) / 'node_modules/.bin'}:{os.environ['PATH']}"}
    expected = printed("node", "main.js", cwd=project)
    for command in [for_node, copy]:
        call("sh", "-c", command, cwd=project, env=environment)
    assert printed("node", "dist/main.js", cwd=project) == expected
    webpack = "webpack --mode production --entry ./main.js --output-path webpack"
    for command in [for_browsers, "vite build --outDir vite", webpack]:
        call("sh", "-c", command, cwd=project, env=environment, stdout=subprocess.DEVNULL)
    shutil.copy(project / "index.html", project / "dist")
    (project / "webpack/index.html").write_text('<script src="main.js"></script>')
    in_browser("bundles.mjs", expected, *(project / served for served in [".", "dist", "vite", "webpack"]))


def run(context):
    need("node", "npm")
    is_quick, fresh = context.options.quick, context.work
    module = wasm("dev" if is_quick else "module")
    tarball = pack(module)
    if not is_quick:
        size = len(gzip.compress(module.read_bytes(), 9))
        print(f"the module: {module.stat().st_size / 1e6:.2f} MB, by gzip {size / 1e6:.2f} MB; the tarball: {tarball.stat().st_size / 1e6:.2f} MB")
        assert size <= LIMIT, f"the module has more than {LIMIT} bytes by gzip"
    shutil.copytree(ROOT / "bindings/js/test", fresh, dirs_exist_ok=True)
    (fresh / "package.json").write_text('{"private": true, "type": "module"}')
    call("npm", "install", "--silent", "--no-audit", "--no-fund", tarball, "typescript@5.9.3", cwd=fresh)
    call("npx", "tsc", *CHECKS.split(), cwd=fresh)
    environment = {"RIGY_BATCH": str(program()), "RIGY_REPOSITORY": str(ROOT), "RIGY_SUITE": str(SHARED)}
    tests = sorted(file.name for file in fresh.glob("*.test.js"))
    call("node", "--test", "--test-reporter=dot", *tests, cwd=fresh, env=os.environ | environment)
    if not is_quick:
        bundle(fresh)
