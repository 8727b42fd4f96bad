"""Runs `examples/cluster/submit.sh` under a Slurm of this host, with two nodes on the loopback: undisturbed, over what is done, with a worker killed, with
a node that fails, and with a disk that is full for a while. Outputs and merged report must be those of one machine."""

import os
import re
import secrets
import shutil
import socket
import subprocess
import time

from proofs.common import ROOT, call, debian, example, need_root, outputs_hash, printed, program
from proofs.shards import as_if_new

NEEDS = "root, and Slurm and munge from Debian's packages, which it installs"
BAD = 'version: "0.5"\nmeshes: 1\n'
# The ports are those of no service. Packages of Debian permit several slurmd on one host, by -N.
CONFIGURATION = """ClusterName=rigy
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort=17001
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
# A job that is started again waits for the credentials of its first start to expire.
AuthInfo=socket={site}/munge.socket,cred_expire=10
StateSaveLocation={site}/state
SlurmdSpoolDir={site}/spool.%n
SlurmctldPidFile={site}/slurmctld.pid
SlurmdPidFile={site}/slurmd.%n.pid
SlurmctldLogFile={site}/log/slurmctld
SlurmdLogFile={site}/log/slurmd.%n
# A node that does not answer is given up after so many seconds; sites have 300.
SlurmdTimeout=15
# The processors of both nodes are those of this host.
SlurmdParameters=config_overrides
SelectType=select/linear
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port=17011 CPUs=1
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port=17012 CPUs=1
PartitionName=all Nodes=n1,n2 Default=YES
"""


def options(parser):
    parser.add_argument("--documents", type=int, default=20000)
    parser.add_argument("--tasks", type=int, default=16)


def wait_for(seconds, message, holds):
    end = time.monotonic() + seconds
    while not (found := holds()):
        assert time.monotonic() < end, message
        time.sleep(0.2)
    return found


class Site:
    """A Slurm of one controller and two nodes, with files below a directory alone. Its daemons end with it."""

    def __init__(self, directory):
        self.directory, self.daemons, self.nodes = directory, [], {}

    def __enter__(self):
        for name in ("state", "log"):
            (self.directory / name).mkdir(parents=True)
        key = self.directory / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o600)
        configuration = self.directory / "slurm.conf"
        configuration.write_text(CONFIGURATION.format(site=self.directory, host=socket.gethostname().split(".")[0]))
        os.environ["SLURM_CONF"] = str(configuration)
        files = {"key-file": "key", "socket": "socket", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
        self.start("munged", "--foreground", *(f"--{option}={self.directory}/munge.{ending}" for option, ending in files.items()))
        wait_for(30, "munge does not start", (self.directory / "munge.socket").exists)
        self.start("slurmctld", "-D")
        for name in ("n1", "n2"):
            self.start_node(name)
        return self

    def start(self, *words):
        with open(self.directory / f"log/{words[0]}.out", "a") as log:
            self.daemons.append(subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log))
        return self.daemons[-1]

    def start_node(self, name):
        """A daemon with a namespace for it and its processes, so that a kill of the first ends all of them, as when a machine fails."""
        self.nodes[name] = self.start("unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "slurmd", "-D", "-N", name)
        idle = lambda: lines("sinfo", "--noheader", "--Node", "--format=%t").count("idle") == 2
        if len(self.nodes) == 2:
            wait_for(60, "the nodes do not start", idle)

    def __exit__(self, *_):
        call("scancel", f"--user={os.getuid()}", check=False, capture_output=True)
        for node in self.nodes.values():
            node.kill()
        for daemon in self.daemons:
            daemon.terminate()
            daemon.wait()


def lines(*words):
    return call(*words, check=False, capture_output=True, text=True).stdout.split("\n")


class Runs:
    """Runs of one machine and of the cluster over the same inputs."""

    def __init__(self, work, inputs, tasks):
        self.work, self.inputs, self.tasks, self.tool, self.out = work, inputs, tasks, program(), work / "out"

    def clear(self):
        shutil.rmtree(self.out, ignore_errors=True)

    def one_machine(self, report):
        words = [self.tool, self.inputs, "-o", "out", "--report", report, "--allow-warnings", "all"]
        begin = time.monotonic()
        status = call(*words, cwd=self.work, check=False, capture_output=True).returncode
        assert status == 1, f"status {status}, though one input fails"
        print(f"one machine: {time.monotonic() - begin:.1f} s", flush=True)
        self.report, self.expected = self.work / report, outputs_hash(self.out)

    def cluster(self, name, disturb=lambda: None, *more):
        """Submits a run, disturbs it, waits for its end, and judges it by outputs, report, and what is said of the input that fails."""
        submit = [ROOT / "examples/cluster/submit.sh", "--tasks", self.tasks, "--program", self.tool, *more, self.inputs, "out", "--", "--allow-warnings", "all"]
        begin = time.monotonic()
        ended = call(*submit, cwd=self.work, check=False, stdout=subprocess.PIPE, text=True)
        assert ended.returncode == (1 if "--wait" in more else 0), f"status {ended.returncode} of submit.sh"
        found = re.search(r"^array (\d+) .* merge (\d+); .*: (.*)$", ended.stdout, re.M)
        self.array, merge, run = found[1], found[2], self.work / found[3]
        self.run = run
        disturb()
        wait_for(3600, "the run does not end", lambda: not any(lines("squeue", "--noheader", f"--jobs={merge}")))
        took, restarts = time.monotonic() - begin, self.restarts()
        report = run / "report.json"
        assert outputs_hash(self.out) == self.expected, f"{name}: other outputs"
        assert as_if_new(report) == as_if_new(self.report), f"{name}: another report"
        assert f"failed: {self.inputs}/bad.rigy.yaml" in (run / "merge.log").read_text().split("\n"), f"{name}: the failure is not named"
        assert not (run / "good").exists(), f"{name}: the run is called good"
        same = "the report" if report.read_bytes() == self.report.read_bytes() else "the report but for outputs that were there"
        print(f"{name}: {took:.1f} s, {restarts} restarts; the outputs and {same} of one machine", flush=True)
        return restarts

    def restarts(self):
        return sum(map(int, re.findall(r"Restarts=(\d+)", "\n".join(lines("scontrol", "show", "job", self.array)))))

    def wait_for_third(self):
        wait_for(3600, "the first third does not end", lambda: len(list(self.run.glob("[0-9]*.json"))) >= self.tasks // 3)

    def kill_worker(self):
        self.wait_for_third()
        pattern = f"^{self.tool} .*--report {self.run}/"
        worker = wait_for(60, "there is no worker", lambda: lines("pgrep", "-of", pattern)[0])
        call("kill", "-KILL", worker)


def large(site, runs):
    runs.one_machine("one.json")
    first = runs.report
    runs.one_machine("again.json")
    again = runs.report
    runs.clear()
    runs.report = first
    runs.cluster("two nodes")
    runs.report = again
    runs.cluster("again, all is done", lambda: None, "--wait")
    runs.report = first
    runs.clear()
    assert runs.cluster("a worker killed", runs.kill_worker) > 0, "nothing was started again"

    def fail_node():
        runs.wait_for_third()
        wait_for(60, "there is no task on the node", lambda: any(lines("squeue", "--noheader", "--states=running", "--nodelist=n2")))
        site.nodes["n2"].kill()

    runs.clear()
    assert runs.cluster("a node failed", fail_node) > 0, "nothing was started again"
    site.start_node("n2")


def full_disk(runs, small):
    """Outputs go to a disk of 2 MiB, which grows when a task has been started again."""
    runs.clear()
    runs.one_machine("few.json")
    runs.clear()
    runs.out.symlink_to(small)

    def make_room():
        wait_for(600, "no task is started again", lambda: runs.restarts() > 0)
        call("mount", "-o", "remount,size=50%", small)

    runs.cluster("disk full for a while", make_room)


def run(context):
    need_root()
    debian(["slurmctld"], ["slurmctld", "slurmd", "slurm-client", "munge"])
    work, given = context.work, context.options
    work.chmod(0o755)  # munge insists that everybody can reach its socket
    call(example("generate"), work / "docs", "--count", given.documents, "--seed", 1)
    for directory in ("docs", "docs/0000"):  # one that fails: its status does not start a task again
        (work / directory / "bad.rigy.yaml").write_text(BAD)
    small = work / "small"
    small.mkdir()
    call("mount", "-t", "tmpfs", "-o", "size=2m", "none", small)  # a node sees what is mounted before it starts
    try:
        with Site(work / "site") as site:
            print(printed("slurmctld", "-V"))
            large(site, Runs(work, "docs", given.tasks))
            full_disk(Runs(work, "docs/0000", 4), small)
    finally:
        call("umount", small)
