"""Edits a document with the language server in Neovim and in Helix, with the configuration of `editors`: findings, a quick fix, an explanation, proposals,
a new name, layout. Both come from a Debian root, because other systems have versions that are too old."""

import json
import os
import pty
import re
import select
import shutil
import subprocess
import time

from proofs.common import CACHE, LIB, ROOT, call, debian, need_root, printed, program

NEEDS = "root, and 500 MB for a Debian root with Neovim and Helix, which it makes once"
SITE = CACHE / "editors"
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


def in_neovim():
    (SITE / "work/lamp.rigy.yaml").write_text(LAMP)
    ran = call("chroot", SITE, "env", "HOME=/root", "nvim", "--clean", "--headless", "-c", "luafile /editors/editor.lua",
               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120)
    found = json.loads(ran.stdout.strip().splitlines()[-1])
    assert "fault" not in found, found["fault"]
    assert found["first"][0]["line"] == 5, found["first"]
    check_text(found["mended"])
    assert "type" in found["hover"], found["hover"]
    assert {"id", "bones"} <= set(found["proposals"]), found["proposals"]
    assert found["formatted"].count("mast") == 2 and "arm," not in found["formatted"], found["formatted"]
    check_layout(found["formatted"])
    assert min(found["folds"], found["tokens"], found["symbols"]) > 0, found
    print(printed("chroot", SITE, "nvim", "--version").splitlines()[0], "ok:", {name: found[name] for name in ("folds", "tokens", "symbols")}, flush=True)


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
    prepare_site()
    in_neovim()
    in_helix()
