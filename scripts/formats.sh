#!/usr/bin/env bash
# Validates SARIF logs against the published JSON Schema of SARIF 2.1.0, which an npm package has, and reads JUnit XML with
# Python. Exit 1 if anything is wrong. Needs npm, the network and Python. Run by hand.
set -euo pipefail
cd "$(dirname "$0")/.."

schemas=$(mktemp -d)
trap 'rm -rf "$schemas"' EXIT
package=@microsoft/jest-sarif@1.0.0-beta.0
archive=$(npm pack --silent --pack-destination "$schemas" "$package" | tail -1)
tar -xzf "$schemas/$archive" -C "$schemas"
RIGY_SARIF_SCHEMA=$(ls "$schemas"/package/lib/schemas/sarif-2.1.0*.json)
export RIGY_SARIF_SCHEMA
cargo test --locked --test all command::formats

cargo build --locked
program=${CARGO_TARGET_DIR:-target}/debug/rigy-batch
"$program" conformance/invalid conformance/inputs -n -q --format junit 2>/dev/null >"$schemas/all.xml" || [ $? = 1 ]
python3 - "$schemas/all.xml" <<'PYTHON'
import sys
import xml.etree.ElementTree as tree

suites = tree.parse(sys.argv[1]).getroot().findall("testsuite")
for suite in suites:
    cases = suite.findall("testcase")
    for count, element in [("failures", "failure"), ("errors", "error"), ("skipped", "skipped")]:
        found = sum(case.find(element) is not None for case in cases)
        assert int(suite.get(count)) == found, (suite.get("name"), count)
    assert int(suite.get("tests")) == len(cases) > 0
print(f"{len(suites)} suites, {sum(len(suite) for suite in suites)} cases")
PYTHON
