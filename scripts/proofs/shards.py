"""Runs two shards at the same time that share an output root and its cache and nothing else, a hundred times; in every other run one is killed at a
random moment and started again. Outputs and merged report must be those of one machine, and nothing may be left over."""

import random
import re
import shutil
import subprocess
import time

from proofs.common import call, example, outputs_hash, program

NEEDS = "only Rust"
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def options(parser):
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--documents", type=int, default=300)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 16))


def as_if_new(report):
    """A report that calls outputs written that were there already: a shard that is started again finds some."""
    made = lambda match: b'"written":%d' % (int(match[1]) + int(match[2]))
    return re.sub(rb'"written":(\d+),"unchanged":(\d+)', made, report.read_bytes().replace(b'"status":"unchanged"', b'"status":"written"'))


class Shards:
    def __init__(self, tool, work):
        self.tool, self.work, self.out = tool, work, work / "out"

    def command(self, *words):
        return [self.tool, "docs", "-o", "out", "--allow-warnings", "all", *words]

    def start(self, number):
        words = self.command("--shard", f"{number}/2", "--report", f"{number}.json", "-j", "1")
        return subprocess.Popen(words, cwd=self.work, **QUIET)

    def run(self, kill_after=None):
        """Runs both shards. Returns whether one was killed before it had ended."""
        first, second = self.start(0), self.start(1)
        killed = False
        if kill_after is not None:
            time.sleep(kill_after)
            first.kill()
            # The other shard goes on, and is often done when this one begins again.
            killed = first.wait() != 0
            first = self.start(0) if killed else first
        assert (first.wait(), second.wait()) == (0, 0), "a shard fails"
        return killed

    def check(self, expected):
        """Compares with one machine. Returns how many outputs were there already."""
        call(self.tool, "merge-reports", "0.json", "1.json", "-o", "all.json", cwd=self.work)
        assert outputs_hash(self.out) == expected, "outputs differ"
        merged = self.work / "all.json"
        assert as_if_new(merged) == as_if_new(self.work / "one.json"), "the merged report differs"
        unchanged = merged.read_bytes().count(b'"status":"unchanged"')
        merged.unlink()
        call(*self.command("--check"), cwd=self.work, **QUIET)
        call(*self.command(), cwd=self.work, **QUIET)
        left = [path for private in self.work.rglob(".rigy-batch") for path in private.glob("tmp-*")]
        assert not left, f"left over: {left}"
        return unchanged


def run(context):
    given, chance = context.options, random.Random(context.options.seed)
    print(f"seed {given.seed}")
    call(example("generate"), context.work / "docs", "--count", given.documents, "--seed", given.seed)
    shards = Shards(program(), context.work)
    call(*shards.command("--report", "one.json"), cwd=context.work, **QUIET)
    expected = outputs_hash(shards.out)
    shutil.rmtree(shards.out)
    begin = time.monotonic()
    shards.run()
    length = time.monotonic() - begin
    killed = unchanged = 0
    for number in range(given.runs):
        shutil.rmtree(shards.out)
        killed += shards.run(chance.random() * length if number % 2 else None)
        unchanged += shards.check(expected)
    print(f"{given.runs} runs over {given.documents} documents: nothing lost, nothing torn; {killed} shards were killed and found {unchanged} outputs there")
