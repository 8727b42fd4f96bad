"""Builds the Python wheels of bindings/python for x86-64 and aarch64, and tests the one for this machine in a fresh environment: its suite, which
compares it with the program, the examples of its README and its notebook."""

import os
import platform
import re
import shutil

from proofs.common import CACHE, ROOT, TARGET, call, printed, program, python

NEEDS = "rustup, Python and the network"
QUICK = ["--quick"]
TARGETS = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"]
PACKAGE = ROOT / "bindings/python/python/rigy_batch"
MANIFEST = ROOT / "bindings/python/Cargo.toml"


def options(parser):
    parser.add_argument("--native", action="store_true", help="for this machine only, with its own linker, for its glibc and later ones")
    parser.add_argument("--quick", action="store_true", help="the same, compiled without optimisations")


def write_licences(target):
    """Wheels contain the licences of what is compiled into them, as archives do."""
    text = printed(ROOT / "scripts/release/licences.py", target, MANIFEST)
    (PACKAGE / "THIRD-PARTY-LICENCES.txt").write_text(text + "\n")
    library = f"{printed('rustc', '--print', 'sysroot')}/share/doc/rust/COPYRIGHT-library.html"
    shutil.copy(library, PACKAGE / "RUST-LIBRARY-LICENCES.html")


def build(given, dist):
    is_native = given.native or given.quick
    python("wheels", "maturin==1.16.0", *([] if is_native else ["ziglang==0.17.1"]))
    path = f"{CACHE / 'wheels/bin'}:{os.environ['PATH']}"
    environment = os.environ | {"PATH": path}
    maturin = ["maturin", "build", "--profile", "dev" if given.quick else "release", "--locked", "--quiet", "--out", dist, "--manifest-path", MANIFEST]
    if is_native:
        write_licences(re.search(r"^host: (.*)$", printed("rustc", "-vV"), re.M)[1])
        call(*maturin, env=environment)
        return
    for target in TARGETS:
        call("rustup", "target", "add", target)
        write_licences(target)
        # zig links against an old glibc, so that the wheels run on distributions since 2018.
        call(*maturin, "--zig", "--compatibility", "manylinux_2_28", "--target", target, env=environment)


def run(context):
    dist = TARGET / "wheels"
    shutil.rmtree(dist, ignore_errors=True)
    dist.mkdir(parents=True)
    try:
        build(context.options, dist)
    finally:
        for file in PACKAGE.glob("*-LICENCES.*"):
            file.unlink()
    for wheel in sorted(dist.glob("*.whl")):
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB")
    (wheel,) = dist.glob(f"*{platform.machine()}.whl")
    call("python3", "-m", "venv", context.work)
    call(context.work / "bin/python", "-m", "pip", "install", "--quiet", f"{wheel}[test]")
    environment = os.environ | {"RIGY_BATCH": str(program())}
    call(context.work / "bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "bindings/python/tests", env=environment)
