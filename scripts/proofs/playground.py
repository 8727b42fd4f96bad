"""Builds the playground, and tests it in Chromium: examples, findings, proposals, poses, saved files against the program's bytes, links, dropped
files, hostile documents, random edits, requests, accessibility, the size of the module. With --build it only builds it."""

import shutil
import subprocess
from pathlib import Path

from proofs import book
from proofs.common import ROOT, TARGET, call, in_browser, npm_ci, program, wasm

NEEDS = "rustup, node 20, the network, and Chromium"


def options(parser):
    parser.add_argument("--build", type=Path, metavar="DIR", help="only build the playground, into DIR; with `docs`, the book and the playground in it")


def run(context):
    directory = context.options.build
    if directory == Path("docs"):
        directory = book.build() / "playground"
    out = (directory or context.work).resolve()
    out.mkdir(parents=True, exist_ok=True)
    npm_ci("playground")
    call("node", "build.mjs", out, cwd=ROOT / "playground", stdout=subprocess.DEVNULL)
    shutil.copy(wasm("module", "editor"), out / "rigy_batch.wasm")
    if context.options.build:
        print(f"{out}/index.html: serve the folder, for example with python3 -m http.server --directory {out}")
    else:
        in_browser("playground.mjs", out, TARGET / "playground-pictures", RIGY_BATCH=program())
