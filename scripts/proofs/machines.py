"""Compares files byte by byte with those of other machines: aarch64, riscv64 and s390x (which is big-endian) under qemu, and WebAssembly (32 bits) under
node. All run the suites, generated documents and all bakes; no program may multiply and add with one rounding."""

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

from proofs.common import LIB, ROOT, SHARED, TARGET, Missing, call, example, need, printed, program, tree

NEEDS = "cross compilers, qemu-user and node (Debian: gcc-aarch64-linux-gnu and so on), or root and 5 GB for --root"
TRIPLES = {
    "aarch64": "aarch64-unknown-linux-gnu", "riscv64": "riscv64gc-unknown-linux-gnu", "s390x": "s390x-unknown-linux-gnu",
    "wasm32": "wasm32-unknown-unknown",
}
# Mnemonics of fused instructions: aarch64, riscv64 and x86-64; vectors of aarch64; vectors of riscv64; s390x; vectors of s390x.
FUSED = re.compile(r"v?fn?m(add|sub).*|fml[as].*|vfw?n?m(acc|sac|add|sub).*|m[as][de]b?r?|[vw]fn?m[as][ds]b")
PRODUCT = re.compile(r"v?fmul.*|v?mul[sp]d|m[de]e?br?|[vw]fm[ds]b")
MOVED = ["--animation", "0", "--time", "0.25", "--missing-animation", "rest"]
FORMATS = re.findall(r' = "(\w+)",', (ROOT / "crates/export/src/format.rs").read_text())
INSIDE = Path("/machines")  # where sources, builds and work lie in the root


def options(parser):
    parser.add_argument("--machines", nargs="+", choices=TRIPLES, default=list(TRIPLES))
    parser.add_argument("--root", type=Path, metavar="DIR", help="build and run in this Debian root, which is made if it is not there")
    parser.add_argument("--count", type=int, default=1000, help="generated documents, and a tenth of it of later versions and of scenes")
    parser.add_argument("--seed", type=int, default=1)


class Here:
    """This machine."""

    name, lacks = "x86_64", ()

    def __init__(self, work):
        self.work, self.failed, self.out = work, [], work / "out" / self.name
        self.program = program()

    def start(self, *words):
        """Runs the program where the inputs are, and returns what it has printed, and its status."""
        return self.result([self.program, *words], cwd=self.work)

    @staticmethod
    def result(words, **settings):
        ended = subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **settings)
        return ended.returncode, ended.stdout, ended.stderr

    def attempt(self, *words):
        """Runs the program. If it fails, goes on: what it did not write is missing in the comparison."""
        status, _, said = self.start(*words)
        if status != 0:
            self.failed.append(f"{self.name}: status {status} of {' '.join(map(str, words))}: {said[-500:]}")

    def verdicts(self, suite):
        return self.start("verify", f"in/suites/{suite}/manifest.json", "--format", "json")[1]

    def do_all(self):
        out = f"out/{self.name}"
        self.attempt("in/documents", "-o", f"{out}/documents", "--positions", "--quiet")
        for solver in ("lbs", "dqs"):
            self.attempt("bake", "in/gltf", "-o", f"{out}/bakes/{solver}/rest", "--solver", solver, "--quiet")
            self.attempt("bake", "in/gltf", "-o", f"{out}/bakes/{solver}/moved", "--solver", solver, *MOVED, "--quiet")
            if "draco" not in self.lacks and any((self.work / "in/draco").iterdir()):
                self.attempt("bake", "in/draco", "-o", f"{out}/draco/{solver}", "--solver", solver, *MOVED, "--quiet")
        for form in FORMATS:
            self.attempt("bake", "in/gltf", "-o", f"{out}/forms/{form}", "--to", form, *MOVED, "--quiet")
        for form in ("morph", "step", "vat"):
            self.attempt("bake", "in/gltf", "-o", f"{out}/forms/{form}", "--as", form, "--animation", "0", "--missing-animation", "skip", "--quiet")
        # Files without animations, and joints without rotations, are refused on every machine.
        self.start("bake", "in/gltf", "-o", f"{out}/forms/skin", "--as", "skin", "--quiet")
        self.attempt("preview", "in/gltf", "-o", f"{out}/forms/pictures", "--quiet")

    def disassembly(self):
        return printed("objdump", "--disassemble", "--demangle", "--no-show-raw-insn", self.program)

    def check_fused(self):
        """A fused instruction rounds once where the kernel must round twice; functions of it are inlined anywhere, so all are searched."""
        found, function, products = [], "", 0
        for line in self.disassembly().splitlines():
            fields = line.split("\t")
            if len(fields) == 1:
                function = line
                continue
            mnemonic = fields[1].split()[0] if fields[1].split() else ""
            products += bool(PRODUCT.fullmatch(mnemonic))
            if FUSED.fullmatch(mnemonic):
                found.append(f"{function} {' '.join(fields[1:])}")
        assert products, f"no multiplication is in the disassembly for {self.name}"
        assert not found, f"fused instructions in the program for {self.name}: {found[:10]}"


class Emulated(Here):
    """Another machine under qemu, whose compiler is on this system or in a root of Debian."""

    def __init__(self, name, work, root):
        self.name, self.work, self.root, self.failed, self.out = name, work, root, [], work / "out" / name
        self.lacks = ("draco",) if name == "s390x" else ()  # the decoder of Draco needs the lowest byte first
        triple, gcc = TRIPLES[name], f"{name}-linux-gnu-gcc"
        self.program = (INSIDE / "target" if root else TARGET / "machines") / triple / "release/rigy-batch"
        if not root:
            need(gcc, f"qemu-{name}")
        tools = {f"CARGO_TARGET_{triple.upper().replace('-', '_')}_LINKER": gcc, f"CC_{triple.replace('-', '_')}": gcc}
        build_for(triple, root, tools, "--release", "--bin", "rigy-batch")
        if root:
            shutil.rmtree(root / "machines/work", ignore_errors=True)
            shutil.copytree(work / "in", root / "machines/work/in")

    def start(self, *words):
        emulator = ["env", f"QEMU_LD_PREFIX=/usr/{self.name}-linux-gnu", f"qemu-{self.name}", self.program]
        if self.root:
            return self.result(["chroot", self.root, "env", "-C", INSIDE / "work", *emulator, *words])
        return self.result([*emulator, *words], cwd=self.work)

    def do_all(self):
        super().do_all()
        if "draco" in self.lacks and any((self.work / "in/draco").iterdir()):
            status, _, said = self.start("bake", "in/draco", "-o", "refused", "--quiet")
            if status == 0 or "lowest byte" not in said:
                self.failed.append(f"{self.name}: Draco data are not refused: {said}")
        if self.root:
            shutil.copytree(self.root / "machines/work/out" / self.name, self.out, dirs_exist_ok=True)

    def disassembly(self):
        prefix = ["chroot", self.root] if self.root else []
        return printed(*prefix, f"{self.name}-linux-gnu-objdump", "--disassemble", "--demangle", "--no-show-raw-insn", self.program)


class WebAssembly(Here):
    """The module of bindings/js under node. It bakes to GLB only, and has no fused instructions but in relaxed vectors, which are off."""

    name, lacks = "wasm32", ("forms",)

    def __init__(self, work, root):
        self.work, self.failed, self.out = work, [], work / "out" / self.name
        need("node")
        # Debian's Rust has no linker of its own for it.
        tools = {"CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER": "wasm-ld"} if root else {}
        build_for(TRIPLES["wasm32"], root, tools, "--profile", "checked", folder="bindings/js")
        target = root / "machines/target" if root else TARGET / "machines"
        self.module = target / "wasm32-unknown-unknown/checked/rigy_batch_js.wasm"

    def start(self, *words):
        return self.result(["node", LIB / "machines.mjs", self.module, *words], cwd=self.work)

    def verdicts(self, suite):
        return self.start("verify", f"in/suites/{suite}/manifest.json")[1]

    def do_all(self):
        out = f"out/{self.name}"
        self.attempt("documents", "in/documents", f"{out}/documents")
        for solver in ("lbs", "dqs"):
            self.attempt("bake", "in/gltf", f"{out}/bakes/{solver}/rest", solver)
            self.attempt("bake", "in/gltf", f"{out}/bakes/{solver}/moved", solver, "0.25")
            self.attempt("bake", "in/draco", f"{out}/draco/{solver}", solver, "0.25")

    def check_fused(self):
        pass


def build_for(triple, root, tools, *words, folder="."):
    environment = tools | {"CARGO_INCREMENTAL": "0"}
    command = ["cargo", "build", "--locked", "--target", triple, *words]
    if root:
        variables = [f"{name}={value}" for name, value in {**environment, "CARGO_TARGET_DIR": INSIDE / "target"}.items()]
        call("chroot", root, "env", "-C", INSIDE / "source" / folder, *variables, *command, "--offline")
    else:
        call("rustup", "target", "add", triple)
        call(*command, cwd=ROOT / folder, env=os.environ | environment | {"CARGO_TARGET_DIR": str(TARGET / "machines")})


def prepare_root(root):
    """Makes the Debian root, and copies the sources into it with all crates, since there is no network inside."""
    if not (root / "usr/bin/cargo").exists():
        script = SHARED / "tools/foreign-root.sh"
        if not script.exists():
            raise Missing(f"there is neither {root} nor {script}")
        call("bash", script, root)
    source = root / "machines/source"
    for name in printed("git", "ls-files", "--cached", "--others", "--exclude-standard").split("\n"):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, source / name)
    (source / ".cargo").mkdir(exist_ok=True)
    configuration = printed("cargo", "vendor", "--locked", "--quiet", root / "machines/vendor")
    (source / ".cargo/config.toml").write_text(configuration.replace(str(root), "") + "\n")


def prepare_inputs(work, given):
    """Draco data lie apart, since not all machines can decode them."""
    inputs, generate, generate_skinned = work / "in", example("generate"), example("generate_skinned")
    for name in ("suites", "documents", "gltf", "draco"):
        (inputs / name).mkdir(parents=True)
    shutil.copytree(ROOT / "conformance", inputs / "suites/own")
    for name in ("conformance", "conformance-0.5"):
        if (SHARED / name).exists():
            shutil.copytree(SHARED / name, inputs / f"suites/published-{name}")
    for folder, series in (("small", []), ("later", ["--series", "later"]), ("scenes", ["--series", "scenes"])):
        count = given.count // 10 if series else given.count
        call(generate, inputs / "documents" / folder, "--count", count, "--seed", given.seed, *series)
    for name, more in (("column", []), ("narrow", ["--narrow-joints"])):
        call(generate_skinned, inputs / f"gltf/{name}.glb", "--vertices", 3000, *more)
    for name in ("real", "made", "compressed"):
        if (SHARED / "gltf-samples" / name).exists():
            shutil.copytree(SHARED / "gltf-samples" / name, inputs / "gltf" / name)
    for file in inputs.glob("gltf/**/*-draco.glb"):
        shutil.move(file, inputs / "draco")
    call("chmod", "-R", "u+w", inputs)


def without_message(line):
    """Leaves only the category and the code of a refusal: messages name files as the program got them, and sizes of 32 bits have their own."""
    return re.sub(r'("detail":"refused: [A-Za-z]+( [A-Z][0-9]+)?).*', r'\1"}', line)


def files_of(machine):
    """Does all the work of a machine. Returns hashes of its files and its verdicts, and how many cases pass, of how many."""
    begin = time.monotonic()
    machine.check_fused()
    machine.out.mkdir(parents=True)
    found, passed, total = {}, 0, 0
    for suite in sorted(path.name for path in (machine.work / "in/suites").iterdir()):
        verdicts = [without_message(line) for line in machine.verdicts(suite).split("\n") if '"id"' in line]
        found[f"verdicts/{suite}"] = verdicts
        total += len(verdicts)
        passed += sum('"passed":true' in verdict for verdict in verdicts)
    machine.do_all()
    found |= tree(machine.out)
    counts = ", ".join(f"{sum(name.startswith(f'{group}/') for name in found)} {group}" for group in ("documents", "bakes", "draco", "forms"))
    print(f"{machine.name}: {passed} of {total} cases pass; {counts}; {(time.monotonic() - begin) / 60:.1f} minutes", flush=True)
    assert passed == total > 0, f"{machine.name}: {total - passed} cases fail"
    assert not machine.failed, "\n".join(machine.failed)
    return found


def run(context):
    given, work = context.options, context.work
    if given.root:
        given.root = given.root.resolve()
        prepare_root(given.root)
    here = Here(work)
    prepare_inputs(work, given)
    expected = files_of(here)
    for name in given.machines:
        machine = WebAssembly(work, given.root) if name == "wasm32" else Emulated(name, work, given.root)
        found = files_of(machine)
        wanted = {path: there for path, there in expected.items() if path.split("/")[0] not in machine.lacks}
        differing = sorted(path for path in {*found, *wanted} if found.get(path) != wanted.get(path))
        assert not differing, f"{name}: {len(differing)} of {len(wanted)} files differ, such as {differing[:10]}"
        print(f"{name}: the bytes of this machine")
