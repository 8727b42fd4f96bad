"""Validates SARIF logs by the published JSON Schema of SARIF 2.1.0, and reads JUnit XML with Python."""

import os
import subprocess
import xml.etree.ElementTree as tree

from proofs.common import ROOT, call, node, program

NEEDS = "npm and the network"


def run(context):
    folder = node("@microsoft/jest-sarif@1.0.0-beta.0") / "node_modules/@microsoft/jest-sarif/lib/schemas"
    (schema,) = folder.glob("sarif-2.1.0*.json")
    call("cargo", "test", "--locked", "--test", "all", "command::formats", env=os.environ | {"RIGY_SARIF_SCHEMA": str(schema)})
    command = [program("debug"), "conformance/invalid", "conformance/inputs", "-n", "-q", "--format", "junit"]
    ended = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert ended.returncode == 1, f"status {ended.returncode}"
    suites = tree.fromstring(ended.stdout).findall("testsuite")
    for suite in suites:
        cases = suite.findall("testcase")
        for count, element in [("failures", "failure"), ("errors", "error"), ("skipped", "skipped")]:
            found = sum(case.find(element) is not None for case in cases)
            assert int(suite.get(count)) == found, (suite.get("name"), count)
        assert int(suite.get("tests")) == len(cases) > 0
    assert suites
    print(f"{len(suites)} suites, {sum(len(suite) for suite in suites)} cases")
