"""Runs `examples/cluster/ray_bake.py` on a Ray cluster of this host, with a head and two workers: 20,000 documents clean, unchanged, with a node killed,
interrupted and resumed; and programs that fail in each way. Outputs and merged reports must be those of one machine."""

import os

from proofs.common import LIB, call, example, program, python

NEEDS = "Python and the network"


def options(parser):
    parser.add_argument("--documents", type=int, default=20000)
    parser.add_argument("--wheel", help="a wheel of bindings/python, which is tried as well")


def run(context):
    work, given = context.work, context.options
    interpreter = python("ray", "ray==2.60.0")
    if given.wheel:
        call(interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", given.wheel)
    generate = example("generate")
    call(generate, work / "docs", "--count", given.documents, "--seed", 7)
    call(generate, work / "texts", "--count", 100, "--seed", 7, "--size", "l02")  # documents that refer to no files
    environment = {"RAY_TMPDIR": str(work), "RAY_AUTH_TOKEN_PATH": str(work / "token")}
    call(interpreter, LIB / "ray_cases.py", program(), work, env=os.environ | environment)
