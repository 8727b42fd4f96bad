"""Builds the npm package of bindings/js, and tests the tarball in a fresh project: types, the examples of the README, and all suites and samples
against the bytes and findings of the program. The module may have 1.5 MB compressed. The tarball is left in npm/ of cargo's target directory."""

import gzip
import os
import shutil

from proofs.common import ROOT, SHARED, TARGET, call, need, printed, program, wasm

NEEDS = "rustup, node 20 and the network"
QUICK = ["--quick"]
LIMIT = 1_500_000  # bytes of the module by gzip
CHECKS = "--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --target es2022 --module nodenext types.ts"


def options(parser):
    parser.add_argument("--quick", action="store_true", help="compiled in less time: the size is not checked")


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
