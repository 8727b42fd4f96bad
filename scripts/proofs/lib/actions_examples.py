"""Checks which names the hooks take, and the manifests of the page about engines: usage actions_examples.py REPOSITORY."""

import json
import re
import sys
from pathlib import Path

import botocore.session
import kubernetes_validate
import yaml
from botocore.validate import ParamValidator

ROOT = Path(sys.argv[1])
PAGE = (ROOT / "docs/src/guide/engines.md").read_text()
TAKEN = ["a.rigy.yaml", "b/c d.rigy.yml", "a.rigs.yaml", "a.rigs.yml"]
LEFT = ["a.yaml", "rigy.yaml", "a.rigt.yaml", "a.rigy.yaml.bak", "a.rigyxyaml", "a.part.yaml"]


def check_hooks():
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text()):
        wrong = [name for name in TAKEN + LEFT if bool(re.search(hook["files"], name)) != (name in TAKEN)]
        assert not wrong, f"the hook {hook['id']} is wrong about {wrong}"


def check_kubernetes():
    manifests = [one for block in re.findall(r"^```yaml\n(.*?)^```", PAGE, re.M | re.S) for one in yaml.safe_load_all(block)]
    for manifest in manifests:
        for version in ("1.33", "1.37"):
            kubernetes_validate.validate(manifest, version, strict=True)
    job, merge = (manifest["spec"] for manifest in manifests if manifest["kind"] == "Job")
    pod, count = job["template"]["spec"]["containers"][0], job["completions"]
    assert f"--shard=$(JOB_COMPLETION_INDEX)/{count}" in pod["args"], "the shards are not those of the Job"
    (report,) = [argument.removeprefix("--report=") for argument in pod["args"] if argument.startswith("--report=")]
    reports = {report.replace("$(JOB_COMPLETION_INDEX)", str(index)) for index in range(count)}
    assert len(reports) == count and reports <= set(merge["template"]["spec"]["containers"][0]["args"]), "other reports are merged"
    print(f"{len(manifests)} manifests of Kubernetes")


def check_aws_batch():
    model = botocore.session.get_session().get_service_model("batch")
    definition, *requests = map(json.loads, re.findall(r"^```json\n(.*?)^```", PAGE, re.M | re.S))
    for operation, request in [("RegisterJobDefinition", definition), *(("SubmitJob", request) for request in requests)]:
        found = ParamValidator().validate(request, model.operation_model(operation).input_shape)
        assert not found.has_errors(), f"{operation}: {found.generate_report()}"
        assert operation == "RegisterJobDefinition" or request["jobDefinition"] == definition["jobDefinitionName"]
    retry = definition["retryStrategy"]
    assert 1 <= retry["attempts"] <= 10 and retry["evaluateOnExit"][-1] == {"onReason": "*", "action": "EXIT"}
    print(f"{1 + len(requests)} requests of AWS Batch")


check_hooks()
check_kubernetes()
check_aws_batch()
