"""Checks the manifests beside this file: by the JSON Schemas of Kubernetes, by botocore's model of AWS Batch, and by rules of both
engines that these do not have. Then makes one mistake after the other in them, each of which must be found."""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import botocore.session
import kubernetes_validate
import yaml
from botocore.validate import ParamValidator

HERE = Path(__file__).parent
VERSIONS = ("1.33", "1.37")
BATCH = botocore.session.get_session().get_service_model("batch")


def kubernetes(job: Any, merge: Any, data: Any) -> Iterator[str]:
    """Yields what is wrong with the manifests for Kubernetes."""
    for manifest in (job, merge, data):
        for version in VERSIONS:
            try:
                kubernetes_validate.validate(manifest, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                yield f"{version}: {error.message}"
    spec = job["spec"]
    container = spec["template"]["spec"]["containers"][0]
    told = {variable["name"]: variable.get("value") for variable in container.get("env", [])}
    count = spec.get("completions")
    if spec.get("completionMode") != "Indexed":
        yield "pods have no index"
    if told.get("JOB_COMPLETIONS") != str(count):
        yield "JOB_COMPLETIONS is not the number of completions"
    if spec.get("podFailurePolicy") and spec["template"]["spec"].get("restartPolicy") != "Never":
        yield "a policy for failures needs restartPolicy: Never"
    for rule in spec["podFailurePolicy"]["rules"]:
        if rule["action"] not in ("Ignore", "Count", "FailIndex", "FailJob"):
            yield f"there is no action {rule['action']}"
        if rule.get("onExitCodes", {}).get("containerName", container["name"]) != container["name"]:
            yield "a rule names another container"
        if rule.get("onExitCodes", {}).get("operator") == "In" and 0 in rule["onExitCodes"]["values"]:
            yield "0 is no failure"
    reports = [arg for arg in container["args"] if arg.startswith("--report=")]
    expected = {reports[0].removeprefix("--report=").replace("$(JOB_COMPLETION_INDEX)", str(n)) for n in range(int(count))}
    if len(expected) != int(count) or not expected <= set(merge["spec"]["template"]["spec"]["containers"][0]["args"]):
        yield "the reports that are merged are not those that are written"
    claim = spec["template"]["spec"]["volumes"][0]["persistentVolumeClaim"]["claimName"]
    if data["metadata"]["name"] != claim or data["spec"]["accessModes"] != ["ReadWriteMany"]:
        yield "the volume is not one that all nodes can write to"


def aws_batch(definition: Any, array: Any, merge: Any) -> Iterator[str]:
    """Yields what is wrong with the requests for AWS Batch."""
    for operation, request in (("RegisterJobDefinition", definition), ("SubmitJob", array), ("SubmitJob", merge)):
        shape = BATCH.operation_model(operation).input_shape
        found = ParamValidator().validate(request, shape)
        if found.has_errors():
            yield f"{operation}: {found.generate_report()}"
    # The limits that the User Guide names, and the model does not have.
    if not 2 <= array["arrayProperties"]["size"] <= 10000:
        yield "an array has 2 to 10,000 jobs"
    retry = definition["retryStrategy"]
    if not 1 <= retry["attempts"] <= 10 or not 1 <= len(retry["evaluateOnExit"]) <= 5:
        yield "there are at most 10 attempts, and 5 rules"
    last = retry["evaluateOnExit"][-1]
    if last != {"onReason": "*", "action": "EXIT"}:
        yield "a job that no rule matches is tried again, so the last rule must match all"
    if any(variable["name"].startswith("AWS_BATCH") for variable in definition["containerProperties"].get("environment", [])):
        yield "names that begin with AWS_BATCH are reserved"
    if {request["jobDefinition"] for request in (array, merge)} != {definition["jobDefinitionName"]}:
        yield "another job definition is used"
    names = {volume["name"] for volume in definition["containerProperties"]["volumes"]}
    if {mount["sourceVolume"] for mount in definition["containerProperties"]["mountPoints"]} != names:
        yield "a volume is not mounted"


def set_at(path: str, value: Any) -> Callable[[Any], None]:
    """Returns a function that sets the member at a path such as `0.spec.completions`, or removes it if the value is None."""

    def change(manifests: Any) -> None:
        *parents, last = [int(key) if key.isdigit() else key for key in path.split(".")]
        for key in parents:
            manifests = manifests[key]
        if value is None:
            del manifests[last]
        else:
            manifests[last] = value

    return change


POD = "0.spec.template.spec"
MISTAKES_OF_KUBERNETES = {
    "a number as text": set_at("0.spec.completions", "8"),
    "a number in the environment": set_at(f"{POD}.containers.0.env.0.value", 8),
    "a misspelt field": set_at("0.spec.backoffLimitPerIndexes", 4),
    "a field in the wrong place": set_at(f"{POD}.completions", 8),
    "a rule without an operator": set_at("0.spec.podFailurePolicy.rules.1.onExitCodes.operator", None),
    "more completions than the environment says": set_at("0.spec.completions", 9),
    "no JOB_COMPLETIONS": set_at(f"{POD}.containers.0.env", []),
    "restarts by the node": set_at(f"{POD}.restartPolicy", "OnFailure"),
    "an unknown action": set_at("0.spec.podFailurePolicy.rules.0.action", "Retry"),
    "a rule for another container": set_at("0.spec.podFailurePolicy.rules.1.onExitCodes.containerName", "main"),
    "no indexes": set_at("0.spec.completionMode", "NonIndexed"),
    "one report for all": set_at(f"{POD}.containers.0.args.3", "--report=/data/reports/0.json"),
    "a report that is not merged": set_at("1.spec.template.spec.containers.0.args.9", None),
    "a volume of one node": set_at("2.spec.accessModes", ["ReadWriteOnce"]),
    "another kind of list": set_at("1.spec.template.spec.containers", {}),
}
MISTAKES_OF_AWS_BATCH = {
    "a number as text": set_at("1.arrayProperties.size", "8"),
    "an array of one": set_at("1.arrayProperties.size", 1),
    "too large an array": set_at("1.arrayProperties.size", 10001),
    "no queue": set_at("1.jobQueue", None),
    "a misspelt field": set_at("0.retryStrategy.evaluateOnExits", []),
    "a rule without action": set_at("0.retryStrategy.evaluateOnExit.0.action", None),
    "an exit code as number": set_at("0.retryStrategy.evaluateOnExit.1.onExitCode", 75),
    "no rule for the rest": set_at("0.retryStrategy.evaluateOnExit.2", None),
    "too many attempts": set_at("0.retryStrategy.attempts", 11),
    "a reserved variable": set_at("0.containerProperties.environment", [{"name": "AWS_BATCH_JOB_ARRAY_SIZE", "value": "8"}]),
    "another definition": set_at("2.jobDefinition", "rigy"),
    "a command as text": set_at("2.containerOverrides.command", "rigy-batch"),
    "a volume that is not mounted": set_at("0.containerProperties.mountPoints", []),
}


def check(name: str, files: list[Path], judge: Callable[..., Iterator[str]], mistakes: dict[str, Callable[[Any], None]]) -> int:
    """Returns the number of things that are wrong with the files, or with the judge."""
    manifests = [yaml.safe_load(path.read_text()) if path.suffix == ".yaml" else json.loads(path.read_text()) for path in files]
    wrong = [f"{name}: {fault}" for fault in judge(*manifests)]
    for mistake, make in mistakes.items():
        changed = copy.deepcopy(manifests)
        make(changed)
        try:
            found = next(judge(*changed), None)
        except (KeyError, TypeError, IndexError) as error:
            found = f"{type(error).__name__} in this script: {error}"
            wrong.append(f"{name}: {mistake}: {found}")
        if found is None:
            wrong.append(f"{name}: {mistake} is not found")
    print(f"{name}: {len(files)} files, {len(mistakes)} variants with a mistake")
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    return len(wrong)


def main() -> int:
    manifests = [HERE / "kubernetes" / name for name in ("job.yaml", "merge.yaml", "data.yaml")]
    requests = [HERE / "aws-batch" / name for name in ("job-definition.json", "array.json", "merge.json")]
    wrong = check(f"Kubernetes {' and '.join(VERSIONS)}", manifests, kubernetes, MISTAKES_OF_KUBERNETES)
    wrong += check("AWS Batch", requests, aws_batch, MISTAKES_OF_AWS_BATCH)
    return 1 if wrong else 0


sys.exit(main())
