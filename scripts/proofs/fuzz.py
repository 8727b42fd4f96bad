"""Fuzzes the library with address sanitizer, ten minutes for each target, one after the other. Findings stay in tests/fuzz/artifacts."""

import os
import re
import subprocess

from proofs.common import ROOT, Missing, call, printed, status

NEEDS = "cargo-fuzz (`cargo install cargo-fuzz`), and a nightly toolchain or leave to use the present one as if it were"
TARGETS = ["documents", "reader", "imports", "scenes", "formatter", "read_glb", "bake"]
LIMITS = ["-max_len=16384", "-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1"]
FUZZ = ROOT / "tests/fuzz"


def options(parser):
    parser.add_argument("--seconds", type=int, default=600, help="for each target")
    parser.add_argument("--targets", nargs="+", choices=TARGETS, default=TARGETS)


def build(targets):
    """Builds targets. Returns the environment to run them in; the fuzz crate has a target directory of its own."""
    if status("cargo", "fuzz", "--version") != 0:
        raise Missing("there is no cargo-fuzz: cargo install cargo-fuzz")
    # Optimising over all crates at once takes a quarter of an hour for each target here.
    quick = {"CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16", "CARGO_PROFILE_RELEASE_STRIP": "none"}
    environment = os.environ | quick | {"CARGO_TARGET_DIR": str(FUZZ / "target")}
    if status("rustup", "run", "nightly", "cargo", "--version") == 0:
        environment["RUSTUP_TOOLCHAIN"] = "nightly"
    else:
        print(f"there is no nightly toolchain: {printed('rustc', '--version')} is taken for one, by RUSTC_BOOTSTRAP=1")
        environment["RUSTC_BOOTSTRAP"] = "1"
    for target in targets:
        call("cargo", "fuzz", "build", "--fuzz-dir", FUZZ, target, env=environment)
    return environment


def fuzz(target, seconds, environment):
    """Runs a target. Returns whether it has found nothing."""
    corpus, seeds = FUZZ / "corpus" / target, FUZZ / "target/seeds" / target
    for directory in (corpus, seeds):
        directory.mkdir(parents=True, exist_ok=True)
    command = ["cargo", "fuzz", "run", "--fuzz-dir", FUZZ, target, corpus, seeds, "--", f"-max_total_time={seconds}", *LIMITS]
    environment = environment | {"FUZZ_SEEDS": str(seeds)}  # the target writes them when it starts
    stats = {}
    with subprocess.Popen(list(map(str, command)), cwd=ROOT, env=environment, stderr=subprocess.STDOUT, stdout=subprocess.PIPE,
                          text=True, errors="replace") as process:
        for line in process.stdout:
            if found := re.match(r"stat::(\w+): *(\d+)", line):
                stats[found[1]] = found[2]
            elif not re.match(r"#\d+.(NEW|REDUCE|RELOAD) ", line):
                print(line, end="", flush=True)
    figures = [stats.get(name, "?") for name in ("number_of_executed_units", "average_exec_per_sec", "peak_rss_mb")]
    print("{}: {} executions, {} a second, {} MiB at most".format(target, *figures), flush=True)
    return process.returncode == 0


def fuzz_all(targets, seconds):
    environment = build(targets)
    found = [target for target in targets if not fuzz(target, seconds, environment)]
    assert not found, f"findings of {', '.join(found)}: see tests/fuzz/artifacts"


def run(context):
    fuzz_all(context.options.targets, context.options.seconds)
