"""Runs the program a thousand times under faults of the system around it, chosen at random, and kills half of the runs: bind mounts, overlays,
FUSE with failing operations, small file systems, one with times of whole seconds, limits, links and devices as reports, two users, other times.
No file of the user may change, no output may be partial, no run may crash or hang; the clean run that follows must be right and leave nothing."""

import argparse
import collections
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from proofs.common import LIB, call, debian, digest, example, need_root, program, python, tree  # noqa: E402

NEEDS = "root, and from Debian's packages fuse, libfuse2 and faketime, which it installs"
GROUP = 61000
USERS = {"ann": 61001, "bob": 61002}
OPERATIONS = ["open", "create", "write", "rename", "unlink", "mkdir", "rmdir", "getattr", "read", "readdir", "chmod", "*"]
ERRORS = [5, 28, 13, 116]  # EIO, ENOSPC, EACCES, ESTALE
CRASHES = {134: "abort", 139: "segmentation fault", 101: "panic"}


def is_output(path):
    return ".rigy-batch" not in path.parts and not path.name.startswith("precious")


def command(*words, check=True):
    return subprocess.run([str(word) for word in words], check=check, capture_output=True)


class Around:
    def __init__(self, options):
        self.random = random.Random(options.seed)
        self.runs = options.runs
        self.place = Path(tempfile.mkdtemp(prefix="around-"))
        os.chmod(self.place, 0o755)
        self.program = self.place / "rigy-batch"
        shutil.copy(options.program, self.program)
        self.inputs = self.place / "in"
        command(options.generator, self.inputs, "--count", options.documents, "--seed", options.seed)
        self.counts = collections.Counter()
        self.reports = self.place / "reports"
        self.reports.mkdir()
        self.share(self.reports)
        self.user_files = None
        clean = self.place / "clean"
        done = command(self.program, self.inputs, "-o", clean, "--allow-warnings", "all", "--quiet", check=False)
        assert done.returncode == 0, done.stderr.decode()
        self.expected = tree(clean, is_output)
        self.sources = self.place / "sources"
        shutil.copytree(clean, self.sources, ignore=lambda _, names: [n for n in names if n == ".rigy-batch"])
        for path in list(self.sources.rglob("*.glb"))[40:]:
            path.unlink()
        self.share(self.sources)
        baked = self.place / "baked"
        command(self.program, "bake", self.sources, "-o", baked, "--quiet", "--allow-warnings", "all", check=False)
        self.expected_bakes = tree(baked, is_output)
        self.coarse = self.place / "coarse"
        self.coarse.mkdir()
        image = self.place / "coarse.img"
        command("truncate", "-s", "512M", image)
        # Small inodes have no space for fractions of a second.
        command("mkfs.ext4", "-q", "-I", "128", image)
        command("mount", "-o", "loop", image, self.coarse)

    def share(self, directory):
        os.chown(directory, -1, GROUP)
        os.chmod(directory, 0o2775)

    # One run.

    def run(self, number):
        chance = self.random
        self.mounts, self.helpers = [], []
        bake = chance.random() < 0.25
        kind = chance.choice(["plain", "plain", "small", "inodes", "overlay", "fuse", "fuse", "alias", "inside", "coarse"])
        if kind == "alias":
            bake = True
        out = (self.coarse if kind == "coarse" else self.place) / f"out-{'bake' if bake else 'documents'}-{kind}"
        inputs = self.sources if bake else self.inputs
        expected = self.expected_bakes if bake else self.expected
        fresh = not out.exists()
        out.mkdir(exist_ok=True)
        self.share(out)
        guarded = {root: tree(root, is_output) for root in (self.inputs, self.sources)}
        if chance.random() < 0.3:
            self.disturb(out, expected)
        precious = self.precious(out)
        try:
            where, inputs = self.mount(kind, out, inputs, bake)
            words, name = self.words(where, inputs, bake)
            status = self.start(words, name)
        finally:
            self.unmount()
        self.counts[f"{kind}{' bake' if bake else ''}"] += 1
        self.counts[f"status {status}"] += 1
        problems = []
        if status in CRASHES and not ("-v" in name and status == 134):
            problems.append(CRASHES[status])
        for root, before in guarded.items():
            if tree(root, is_output) != before:
                problems.append(f"files of {root} have changed")
        for path, before in precious.items():
            if not path.exists() or digest(path) != before:
                problems.append(f"{path} has changed")
        if kind == "coarse":
            self.tamper(out)
        if kind != "alias":
            for path, there in tree(out, is_output).items():
                if path.endswith(".glb") and there not in (expected.get(path), self.disturbed.get(path)):
                    problems.append(f"{path} is partial or wrong")
            problems += self.clean_run(out, self.sources if bake else self.inputs, bake, expected)
        if problems:
            print(f"run {number} ({kind}: {name}): " + "; ".join(problems[:5]), file=sys.stderr)
            print(self.said[-2000:], file=sys.stderr)
            self.counts["PROBLEMS"] += 1
        if fresh or chance.random() < 0.3:
            shutil.rmtree(out, ignore_errors=True)

    def disturb(self, out, expected):
        """Some outputs are missing, others have been tampered with."""
        for path in self.random.sample(sorted(expected), min(10, len(expected))):
            place = out / path
            if self.random.random() < 0.5:
                place.unlink(missing_ok=True)
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(b"tampered with")
                os.chmod(place, 0o664)
                self.disturbed[path] = digest(place)

    disturbed = {}

    def tamper(self, out):
        """Changes outputs in place, within the second in which a run has noted them."""
        made = sorted(path for path in tree(out, is_output) if path.endswith(".glb"))
        for path in self.random.sample(made, min(10, len(made))):
            with open(out / path, "r+b") as file:
                file.seek(100)
                file.write(b"XX")
            self.disturbed[path] = digest(out / path)

    def precious(self, out):
        """Files of the user beside outputs."""
        files = [out / "precious.txt", out / "precious.glb.bak"]
        for path in files:
            path.write_text("mine")
        return {path: digest(path) for path in files}

    def mount(self, kind, out, inputs, bake):
        """Where outputs go, and where inputs come from, by what is mounted."""
        where = out
        if kind == "alias":
            where = self.place / "alias"
            where.mkdir(exist_ok=True)
            self.mount_one("--bind", inputs, where)
        elif kind in ("small", "inodes"):
            limit = "size=300k" if kind == "small" else f"nr_inodes={self.random.randrange(20, 200)}"
            where = self.place / "small"
            where.mkdir(exist_ok=True)
            self.mount_one("-t", "tmpfs", "-o", f"{limit},mode=2775,gid={GROUP}", "none", where)
        elif kind == "overlay":
            layers = self.place / "layers"
            layers.mkdir(exist_ok=True)
            self.mount_one("-t", "tmpfs", "none", layers)
            for name in ("upper", "work"):
                (layers / name).mkdir()
            self.share(layers / "upper")
            where = self.place / "overlay"
            where.mkdir(exist_ok=True)
            layout = f"lowerdir={out},upperdir={layers}/upper,workdir={layers}/work"
            self.mount_one("-t", "overlay", "-o", layout, "none", where)
        elif kind == "fuse":
            where = self.place / "fuse"
            where.mkdir(exist_ok=True)
            fault = {}
            if self.random.random() < 0.7:
                fault = {
                    "operation": self.random.choice(OPERATIONS),
                    "every": self.random.randrange(2, 200),
                    "errno": self.random.choice(ERRORS),
                }
            self.fuse(out, where, fault)
        elif kind == "inside" and not bake:
            inside = next(iter(sorted(path for path in out.iterdir() if path.is_dir() and path.name[0] != ".")), None)
            if inside:
                self.mount_one("-t", "tmpfs", "-o", f"mode=2775,gid={GROUP}", "none", inside)
        return where, inputs

    def mount_one(self, *words):
        command("mount", *words)
        self.mounts.append(words[-1])

    def fuse(self, source, where, fault):
        faults = self.place / "faults.json"
        faults.write_text(json.dumps(fault))
        words = [sys.executable, LIB / "passthrough.py", source, where, faults]
        self.helpers.append(subprocess.Popen([str(word) for word in words], stderr=subprocess.DEVNULL))
        self.mounts.append(where)
        for _ in range(400):
            if os.path.ismount(where):
                return
            time.sleep(0.01)
        raise RuntimeError("the FUSE file system does not come up")

    def unmount(self):
        for where in reversed(self.mounts):
            for _ in range(50):
                if command("umount", where, check=False).returncode == 0:
                    break
                time.sleep(0.02)
            else:
                command("umount", "-l", where, check=False)
        for helper in self.helpers:
            helper.terminate()
            helper.wait()

    def words(self, where, inputs, bake):
        """The command line, and what is said of it."""
        chance = self.random
        words = [self.program, *(["bake"] if bake else []), inputs, "-o", where, "--allow-warnings", "all"]
        words += ["-j", chance.choice([1, 2, 8])]
        for option in (["--force"], ["--sync"], ["--format", "json"], ["--shard", "0/2"], ["--fail-fast"]):
            if chance.random() < 0.15:
                words += option
        choices = [""] * 8 + ["report.json", "link.json"] * 4 + ["/dev/null", "/dev/full", "no/such/directory.json"]
        report = chance.choice(choices)
        if report:
            link = self.reports / "link.json"
            if not link.is_symlink():
                link.symlink_to("linked.json")
            words += ["--report", report if report[0] == "/" else self.reports / report]
        limits = [""] * 10 + ["-f 8", "-f 64", "-f 0", "-n 12", "-n 20", "-n 40", "-v 400000", "-v 2000000", "-u 6", "-s 256"]
        limits = chance.choice(limits)
        user = chance.choice(["", "", "ann", "bob"])
        if user:
            prefix = f"setpriv --reuid {USERS[user]} --regid {USERS[user]} --groups {GROUP}"
        else:
            prefix = ""
        clock = chance.choice(["", "", "", "-2d", "+2d"])
        if clock and shutil.which("faketime"):
            prefix = f"{prefix} faketime -f {clock}"
        line = " ".join(str(word) for word in words)
        limit = f"ulimit {limits}; " if limits else ""
        name = f"{limit}{prefix} {line}"
        return f"umask 002; cd {self.place}; {limit}exec {prefix} {line}", name

    def start(self, line, name):
        """The exit status of one run, or of two at once, of which one is killed in half of the cases."""
        chance = self.random
        process = subprocess.Popen(
            ["bash", "-c", line], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
        )
        other = None
        if chance.random() < 0.2:
            other = subprocess.Popen(
                ["bash", "-c", line], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
            )
        if chance.random() < 0.5:
            self.counts["kills"] += 1
            time.sleep(chance.random() ** 2 * 0.15)
            how = chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
            try:
                os.killpg(process.pid, how)
            except ProcessLookupError:
                self.counts["kills too late"] += 1
        try:
            _, said = process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            _, said = process.communicate()
            self.counts["PROBLEMS"] += 1
            print(f"a run hangs: {name}", file=sys.stderr)
        self.said = said.decode(errors="replace")
        if other:
            other.wait(timeout=120)
        return process.returncode if process.returncode >= 0 else 128 - process.returncode

    def clean_run(self, out, inputs, bake, expected):
        words = [self.program, *(["bake"] if bake else []), inputs, "-o", out, "--allow-warnings", "all", "--quiet"]
        done = command(*words, check=False)
        problems = []
        if done.returncode != 0:
            problems.append(f"the clean run ends with {done.returncode}: {done.stderr.decode()[:300]}")
        there = tree(out, is_output)
        if there != expected:
            wrong = [path for path in {*there, *expected} if there.get(path) != expected.get(path)]
            problems.append(f"after the clean run {len(wrong)} files are wrong, such as {wrong[0]}")
        for private in [*out.rglob(".rigy-batch"), *out.rglob(".fuse_hidden*"), *out.rglob(".rigy-batch-*")]:
            left = [path.name for path in private.iterdir()] if private.is_dir() else [private.name]
            if set(left) - {"cache", ".gitignore", "CACHEDIR.TAG"}:
                problems.append(f"left over: {private}: {left}")
        self.disturbed.clear()
        return problems

    def report(self, seconds):
        print(f"{self.runs} runs in {seconds:.0f} s: {self.counts['PROBLEMS']} with a finding")
        for name, count in sorted(self.counts.items()):
            print(f"  {name}: {count}")


def options(parser):
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--seed", type=int, default=int(time.time()))


def run(context):
    """Starts this file in a mount namespace of its own, with the module `fuse`."""
    need_root()
    debian(["fusermount", "faketime"], ["fuse", "libfuse2", "faketime"])
    given = context.options
    words = [program(), example("generate"), "--runs", given.runs, "--documents", given.documents, "--seed", given.seed]
    call("unshare", "--mount", python("fuse", "fusepy==3.0.1"), __file__, *words)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("generator")
    options(parser)
    given = parser.parse_args()
    print(f"seed {given.seed}")
    around = Around(given)
    started = time.time()
    try:
        for number in range(given.runs):
            around.run(number)
            if number % 100 == 99:
                print(f"{number + 1} runs, {around.counts['PROBLEMS']} with a finding", flush=True)
    finally:
        around.report(time.time() - started)
        command("umount", "-l", around.coarse, check=False)
        shutil.rmtree(around.place, ignore_errors=True)
    sys.exit(1 if around.counts["PROBLEMS"] else 0)


if __name__ == "__main__":
    main()
