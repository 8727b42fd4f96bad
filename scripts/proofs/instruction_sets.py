"""Every instruction set with 1, 2 and 8 threads: the suites must pass, and a generated tree must have one hash."""

import re
import shutil

from proofs.common import ROOT, SHARED, call, example, outputs_hash, program, status

NEEDS = "only Rust"


def options(parser):
    parser.add_argument("--count", type=int, default=1000, help="generated documents")
    parser.add_argument("--seed", type=int, default=1)


def run(context):
    tool, inputs, out = program(), context.work / "in", context.work / "out"
    call(example("generate"), inputs, "--count", context.options.count, "--seed", context.options.seed)
    source = (ROOT / "crates/kernel/src/simd/isa.rs").read_text()
    hashes = {}
    for isa in re.findall(r'"(\w+)"', re.search(r"NAMES: .* = \[(.*)\];", source)[1]):
        if status(tool, inputs, "--isa", isa, "--dry-run", "--quiet", "--poses", "none") != 0:
            assert isa != "scalar", "the program does not run"
            print(f"{isa}: not on this machine")
            continue
        for manifest in (ROOT / "conformance/manifest.json", SHARED / "conformance-0.5/manifest.json"):
            if manifest.exists():
                call(tool, "verify", manifest, "--isa", isa, "--quiet")
            print(f"{isa}: {'passes' if manifest.exists() else 'there is no'} {manifest}")
        for jobs in (1, 2, 8):
            shutil.rmtree(out, ignore_errors=True)
            call(tool, inputs, "-o", out, "--isa", isa, "-j", jobs, "--quiet", capture_output=True)
            hashes[isa, jobs] = outputs_hash(out)
            print(f"{isa}, {jobs} threads: {hashes[isa, jobs][:16]}")
    assert len(set(hashes.values())) == 1, "outputs differ"
