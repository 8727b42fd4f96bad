#!/usr/bin/env bash
# Has pre-commit install the hooks from this repository and run them in a repository with documents: bad ones must stop a commit,
# untidy ones must be rewritten, and good ones must pass. Compiles the crate twice without optimisation. Exit 1 if anything is
# wrong. Run by hand; needs the network.
set -euo pipefail
cd "$(dirname "$0")/.."
here=$PWD

tools=${XDG_CACHE_HOME:-$HOME/.cache}/rigy-batch-peers/pre-commit/bin
[ -x "$tools/python" ] || python3 -m venv "${tools%/bin}"
"$tools/python" -m pip install --quiet --disable-pip-version-check pre-commit==4.7.0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PRE_COMMIT_HOME=$work/home PATH=$tools:$PATH GIT_CONFIG_GLOBAL=/dev/null
target=${CARGO_TARGET_DIR:-target}
case $target in /*) ;; *) target=$here/$target ;; esac
export CARGO_TARGET_DIR=$target/pre-commit CARGO_PROFILE_RELEASE_OPT_LEVEL=0

# Ends the script with a message and what the last command has printed.
wrong() {
    printf 'wrong: %s\n' "$1" >&2
    cat "$work/printed" >&2
    exit 1
}

# Runs a command that must end with the status $1; the second argument names the case.
expect() {
    local expected=$1 name=$2 status=0
    shift 2
    "$@" >"$work/printed" 2>&1 || status=$?
    [ "$status" = "$expected" ] || wrong "$name: status $status instead of $expected"
    printf 'ok: %s\n' "$name"
}

# A line that the last command must have printed.
printed() {
    grep -q -- "$1" "$work/printed" || wrong "nothing printed matches \`$1\`"
}

mkdir -p "$work/repository/parts" "$work/repository/models"
cd "$work/repository"
git init -q
git config user.name "Nobody"
git config user.email "nobody@localhost"
tidy='version: "0.5"
meshes: []'
printf '%s\nanchors:\n  - {id: a, translation: [0, 0, 0]}\n' "$tidy" >parts/base.rigy.yaml
printf '%s\nimports: {p: {source: ../parts/base.rigy.yaml}}\n' "$tidy" >"models/with blank.rigy.yml"
cp "models/with blank.rigy.yml" ./--version.rigy.yaml
sed -i.bak 's|\.\./||' ./--version.rigy.yaml
rm ./*.bak
printf 'not: [yaml\n' >other.txt
git add -A

start=$SECONDS
expect 0 "try-repo passes good documents" pre-commit try-repo "$here" --all-files --verbose
printed 'Rigy documents compile.*Passed'
printed 'canonical layout.*Passed'
printf 'try-repo took %s s with the installation\n' $((SECONDS - start))

printf 'repos:\n  - repo: %s\n    rev: %s\n    hooks: [{id: rigy-batch-check}, {id: rigy-batch-fmt}]\n' \
    "$here" "$(git -C "$here" rev-parse HEAD)" >.pre-commit-config.yaml
git add -A
expect 0 "the hooks are installed" pre-commit install --install-hooks
expect 0 "good documents are committed" git commit -m first
printf '%s\n  - {id: m, primitives: []}\n  - {id: m, primitives: []}\n' "${tidy% \[\]}" >models/bad.rigy.yaml
git add -A
expect 1 "a bad document stops the commit" git commit -m second
printed 'V01'
git rm -qf models/bad.rigy.yaml
printf 'meshes:   []\nversion: "0.5"\n' >models/untidy.rigy.yml
git add -A
expect 1 "an untidy document stops the commit" git commit -m third
printed 'files were modified by this hook'
printf '%s\n' "$tidy" | cmp - models/untidy.rigy.yml || wrong "the untidy document has another layout"
git add -A
expect 0 "the rewritten document is committed" git commit -m fourth
[ "$(git rev-list --count HEAD)" = 2 ] || wrong "there are not two commits"
[ -z "$(git ls-files --others)" ] || wrong "the hooks have left files behind"
