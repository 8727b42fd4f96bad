"""Runs the program for Windows under wine. Its outputs of suites, generated documents and all bakes must be byte for byte those of this
machine, as must shards, and what it prints; a second run must find everything up to date. Then all tests run there, but for those that are
named in this file with the reason."""

import os
import signal
import subprocess
from pathlib import Path

from proofs.common import CACHE, TARGET, build, call, debian, outputs_hash, printed, run_tests_of
from proofs.machines import Here, files_of, prepare_inputs

NEEDS = "wine and mingw from Debian, which it installs if it has the rights of root. RIGY_BATCH_EXE may name a build of the program"
TRIPLE = "x86_64-pc-windows-gnu"
PREFIX = CACHE / "wine"
WINE = {"WINEPREFIX": str(PREFIX), "WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml="}
# Rust takes its random numbers from this library, which Windows has since version 8.1, and wine since 9.0.
RANDOM = """#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T len) { return RtlGenRandom(data, (ULONG)len); }
"""
# Tests that cannot pass under wine, by the reason.
LEFT_OUT = {
    "wine appends to a file at the end that it had when it was opened": ["io::journal::tests::runs_add_at_once"],
    "no file of Windows has such a name": [
        "bake::exported_textures::names_that_only_look_alike", "command::formats::github::commands_are",
        "command::formats::junit", "command::formats::others", "command::formats::sarif::results_have", "command::json_schemas::lines_summaries",
        "command::options::names_and_text", "command::preview_textures::a_broken_texture", "inspect::difference_page::names_of_meshes",
        "inspect::gltf_files::names_cannot", "runs::page_models::the_page_of_the_viewer", "runs::pages::what_files_bring",
    ],
    "wine does not resolve a path of more than 260 characters": ["command::systems::long_paths"],
    "a command line of Windows has at most 32,767 characters, a path of a program 260": [
        "command::preview::sheets_that_are_too_large", "runs::page_models::long_names",
    ],
}


def options(parser):
    parser.add_argument("--count", type=int, default=300, help="generated documents, and a tenth of it of later versions and of scenes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-tests", action="store_true", help="compare files only")


def prepare_wine():
    debian(["wine", "x86_64-w64-mingw32-gcc"], ["wine", "wine64", "gcc-mingw-w64-x86-64"])
    system = PREFIX / "drive_c/windows/system32"
    if not (system / "kernel32.dll").exists():
        PREFIX.mkdir(parents=True, exist_ok=True)
        call("wineboot", "--init", env=os.environ | WINE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    library = system / "bcryptprimitives.dll"
    if not library.exists():
        call("x86_64-w64-mingw32-gcc", "-shared", "-x", "c", "-", "-o", library, "-ladvapi32", input=RANDOM, text=True)
    call("rustup", "--quiet", "target", "add", TRIPLE)


class Windows(Here):
    """The program for Windows under wine. `/` in a word is a separator there, too, and `Z:` is this system's root."""

    name = "windows"

    def __init__(self, work):
        self.work, self.failed, self.out = work, [], work / "out" / self.name
        if named := os.environ.get("RIGY_BATCH_EXE"):
            self.program = Path(named).resolve()
        else:
            build("--release", "--bins", "--target", TRIPLE)
            self.program = TARGET / TRIPLE / "release/rigy-batch.exe"

    def start(self, *words):
        # One in forty programs that end with status 1 is killed by wine after its last write, while its threads end.
        for _ in range(5):
            ended = self.result(["wine", self.program, *words], cwd=self.work, env=os.environ | WINE)
            if ended[0] != -signal.SIGKILL:
                break
        return ended

    def disassembly(self):
        return printed("x86_64-w64-mingw32-objdump", "--disassemble", "--demangle", "--no-show-raw-insn", self.program)


def answers(machine):
    """What knows the system that it runs on: hashes of files and of text, by name."""
    out, found = f"more/{machine.name}", {}

    def ran(name, *words):
        status, printed_text, said = machine.start(*words)
        found[name] = (status, printed_text.replace(out, "OUT"), said.replace(out, "OUT"))

    for number in (0, 1):
        ran(f"shard {number}", "in/documents", "-o", f"{out}/shards", "--shard", f"{number}/2", "-q", "--report", f"{out}-{number}.json")
    ran("merged", "merge-reports", f"{out}-0.json", f"{out}-1.json", "-o", f"{out}.json")
    found["the shards"] = outputs_hash(machine.work / out / "shards")
    ran("again", "in/documents", "-o", f"{out}/shards", "-q", "--check")
    ran("pruned", "in/documents/later", "-o", f"{out}/shards", "-q", "--prune")
    found["what is left"] = outputs_hash(machine.work / out / "shards")
    for name in ("own", "published-conformance"):
        if (machine.work / "in/suites" / name).exists():
            ran(f"findings of {name}", f"in/suites/{name}", "-n", "--format", "json", "-q")
            ran(f"report of {name}", f"in/suites/{name}", "-n", "--format", "github", "-j", "1")
            ran(f"layout of {name}", "fmt", "--check", f"in/suites/{name}")
    ran("inspected", "inspect", "in/gltf", "--format", "json")
    return found


def compare(what, here, there):
    differing = sorted(name for name in {*here, *there} if here.get(name) != there.get(name))
    for name in differing[:5]:
        print(f"{name}: {str(here.get(name))[:1500]}\n--- windows: {str(there.get(name))[:1500]}", flush=True)
    assert not differing, f"{len(differing)} of {len(here)} {what} differ, such as {differing[:10]}"
    print(f"{len(here)} {what} are those of this machine", flush=True)


def run_tests():
    # An edit takes half a second there and 10 ms here, so fewer are tried.
    variables = {"CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER": "wine", "RIGY_LSP_EDITS": "60"}
    run_tests_of(TRIPLE, LEFT_OUT, WINE | variables)


def run(context):
    given, work = context.options, context.work
    prepare_wine()
    prepare_inputs(work, given)
    here, windows = Here(work), Windows(work)
    (work / "more").mkdir()
    compare("files and verdicts", files_of(here), files_of(windows))
    compare("answers", answers(here), answers(windows))
    if not given.no_tests:
        run_tests()
