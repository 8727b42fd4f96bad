"""Kills the program and changes its inputs under it at random moments, then runs `around` and `fuzz`: by default 1,000 kills of a run over 2,000
documents, 10,000 changes of inputs, a thousand runs of `around` and ten minutes for each fuzz target."""

import argparse
import os
import time

from proofs import around, fuzz
from proofs.common import call, need_root

NEEDS = "root, and cargo-fuzz unless --no-fuzz is given"


def options(parser):
    parser.add_argument("--minutes", type=int, default=0, help="so long in all: small rounds for one half, the fuzz targets for the other")
    for name in ("kills", "races", "documents"):
        parser.add_argument(f"--{name}", type=int)
    parser.add_argument("--no-fuzz", action="store_true")


def rounds(given, seconds):
    """Runs the tests of kills and changes once, and again until the time is over."""
    kills, races, documents = (50, 500, 200) if given.minutes else (1000, 10000, 2000)
    counts = {"KILLS": given.kills or kills, "RACES": given.races or races, "DOCUMENTS": given.documents or documents}
    environment = os.environ | {"RIGY_FULL": "1"} | {f"RIGY_SOAK_{name}": str(count) for name, count in counts.items()}
    test = ["cargo", "test", "--locked", "--quiet", "--test", "all"]
    call(*test, "--no-run")
    # All cases of the tests that try only some of them every day.
    call(*test, "--", "bytes::generated", "language::", "precision::", env=environment)
    end = time.monotonic() + seconds
    while True:
        call(*test, "--", "reliability::kills", "reliability::races", "--nocapture", "--test-threads", "1", env=environment)
        if time.monotonic() >= end:
            return


def run(context):
    given = context.options
    # Told now, and not when hours of the rest are over.
    need_root()
    if not given.no_fuzz:
        fuzz.build(fuzz.TARGETS)
    share = 1 if given.no_fuzz else 2
    rounds(given, 60 * given.minutes // share)
    parser = argparse.ArgumentParser()
    around.options(parser)
    context.options = parser.parse_args(["--runs", str(min(10 * given.minutes, 1000) or 1000)])
    around.run(context)
    if not given.no_fuzz:
        fuzz.fuzz_all(fuzz.TARGETS, 30 * given.minutes // len(fuzz.TARGETS) or 600)
