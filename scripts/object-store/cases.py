"""The cases of test.sh: a server of object storage on this host, a proxy in front of it, and runs to compare with one on a disk."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import boto3

PROGRAM, WORK = Path(sys.argv[1]), Path(sys.argv[2])
DOCUMENTS = WORK / "docs"
PROXY = Path(__file__).with_name("proxy.py")
BUCKET = "rigy"
KEYS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "us-east-1"}
TRANSIENT = 75


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def wait_for_port(port: int) -> None:
    for _ in range(600):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.05)
    raise TimeoutError(f"nobody listens on port {port}")


class Server:
    """A server of object storage, with a bucket that holds the documents."""

    def __init__(self) -> None:
        self.port = free_port()
        command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for_port(self.port)
        self.client = boto3.client(
            "s3",
            endpoint_url=f"http://127.0.0.1:{self.port}",
            aws_access_key_id=KEYS["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=KEYS["AWS_SECRET_ACCESS_KEY"],
            region_name=KEYS["AWS_REGION"],
        )
        self.client.create_bucket(Bucket=BUCKET)
        files = [path for path in DOCUMENTS.rglob("*") if path.is_file()]
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(self.upload, files))

    def upload(self, path: Path) -> None:
        key = f"docs/{path.relative_to(DOCUMENTS)}"
        self.client.put_object(Bucket=BUCKET, Key=key, Body=path.read_bytes())

    def objects(self, prefix: str) -> dict[str, str]:
        """Returns the MD5 of each object below a prefix, as the server gives it, by its key without the prefix."""
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=f"{prefix}/")
        items = (item for page in pages for item in page.get("Contents", []))
        return {item["Key"].removeprefix(f"{prefix}/"): item["ETag"].strip('"') for item in items}

    def unfinished(self) -> int:
        """Returns the number of uploads that have begun and not ended."""
        return len(self.client.list_multipart_uploads(Bucket=BUCKET).get("Uploads", []))

    @contextlib.contextmanager
    def behind_proxy(self, share: float, seed: int = 1) -> Iterator["Proxied"]:
        """Gives a proxy that lets a share of the requests fail."""
        counts = WORK / "counts.json"
        port = free_port()
        command = [sys.executable, PROXY, str(port), str(self.port), str(share), str(seed), counts]
        process = subprocess.Popen(command)
        wait_for_port(port)
        proxied = Proxied(port)
        try:
            yield proxied
        finally:
            process.terminate()
            process.wait()
            proxied.counts = json.loads(counts.read_text())


class Proxied:
    """A proxy, and after its end the numbers of requests and failures."""

    def __init__(self, port: int) -> None:
        self.counts: dict[str, int] = {}
        self.env = os.environ | KEYS | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}", "AWS_ALLOW_HTTP": "true"}

    def failed(self) -> int:
        """Returns the number of requests that a client has to repeat."""
        return sum(self.counts.get(kind, 0) for kind in ("busy", "lost", "cut"))

    def start(self, inputs: str, outputs: str, report: Path, *options: str) -> subprocess.Popen[str]:
        command = [PROGRAM, inputs, "-o", outputs, "--report", report, "--quiet", *options]
        return subprocess.Popen(command, env=self.env, stderr=subprocess.PIPE, text=True)

    def run(self, inputs: str, outputs: str, report: Path, *options: str) -> tuple[int, float]:
        """Returns the exit status and the seconds of a run."""
        began = time.monotonic()
        process = self.start(inputs, outputs, report, *options)
        said = process.communicate()[1]
        report.with_suffix(".log").write_text(said)
        return process.returncode, time.monotonic() - began


def url(place: str) -> str:
    return f"s3://{BUCKET}/{place}"


def hashes(directory: Path) -> dict[str, str]:
    """Returns the MD5 of each output below a directory, by its path."""
    files = (path for path in directory.rglob("*") if path.is_file() and ".rigy-batch" not in path.parts)
    return {str(path.relative_to(directory)): hashlib.md5(path.read_bytes()).hexdigest() for path in files}


def report_of(path: Path, outputs: str) -> dict[str, Any]:
    """Returns a report as one machine would write them on a disk, where nothing was before."""
    text = path.read_text().replace(url("docs"), str(DOCUMENTS)).replace(outputs, "OUT")
    text = text.replace('"status":"unchanged"', '"status":"written"')
    text = re.sub(r'"written":\d+,"unchanged":\d+', '"written":0,"unchanged":0', text)
    report: dict[str, Any] = json.loads(text)
    report["summary"].pop("repeated_requests", None)
    return report


def repeated(report: Path) -> int:
    """Returns how many requests a run has repeated, by its report."""
    summary = json.loads(report.read_text())["summary"]
    return int(summary.get("repeated_requests", 0))


class Judge:
    """Compares runs with the one on the disk, and prints a line for each."""

    def __init__(self) -> None:
        self.failures = 0
        self.outputs: dict[str, str] = {}
        self.report: dict[str, Any] = {}
        self.seconds = 0.0

    def learn(self, directory: Path, report: Path, seconds: float) -> None:
        """Takes the run on the disk as the one to compare with."""
        self.outputs = hashes(directory)
        self.report = report_of(report, str(directory))
        self.seconds = seconds
        print(f"{'on the disk':36} {seconds:7.1f} s   {len(self.outputs)} files", flush=True)

    def check(self, name: str, seconds: float, facts: dict[str, bool], note: str = "") -> None:
        wrong = [fact for fact, holds in facts.items() if not holds]
        self.failures += bool(wrong)
        verdict = f"WRONG: {', '.join(wrong)}" if wrong else "same outputs and report"
        print(f"{name:36} {seconds:7.1f} s   {seconds / self.seconds:5.1f} times   {verdict}{note}", flush=True)


def main() -> int:
    judge = Judge()
    local = WORK / "local"
    began = time.monotonic()
    one = [PROGRAM, DOCUMENTS, "-o", local, "--report", WORK / "local.json", "--quiet", "--allow-warnings", "all"]
    status = subprocess.run(one, stderr=subprocess.DEVNULL).returncode
    assert status == 1, f"one input has errors, and the run on the disk ends with {status}"
    judge.learn(local, WORK / "local.json", time.monotonic() - began)

    server = Server()
    try:
        on_the_store(server, judge, ("--allow-warnings", "all"))
    finally:
        server.process.kill()
    return judge.failures


def on_the_store(server: Server, judge: Judge, options: tuple[str, ...]) -> None:
    """Makes all runs over the store. The last one ends the server."""

    def judged(name: str, place: str, share: float, seed: int) -> None:
        """Runs over the store once, and compares outputs and report."""
        report = WORK / f"{place}.json"
        with server.behind_proxy(share, seed) as proxied:
            status, seconds = proxied.run(url("docs"), url(place), report, *options)
        counted = repeated(report)
        facts = {
            "exit status": status == 1,
            "outputs": server.objects(place) == judge.outputs,
            "report": report_of(report, url(place)) == judge.report,
            "unfinished uploads": server.unfinished() == 0,
            "requests that were repeated": counted >= proxied.failed() and (share > 0 or counted == 0),
        }
        judge.check(name, seconds, facts, f"; {proxied.counts}, {counted} repeated")

    judged("store to store", "clean", 0.0, 1)
    judged("again: all is there", "clean", 0.0, 1)
    judged("1 % of requests fail", "faulty", 0.01, 1)
    judged("10 % of requests fail", "worse", 0.1, 2)
    store_and_disk(server, judge, options)
    two_writers(server, judge, options)
    shards(server, judge, options)
    killed(server, judge, options)
    packs(server, judge, options)
    without_server(server, judge, options)


def store_and_disk(server: Server, judge: Judge, options: tuple[str, ...]) -> None:
    """Reads from the disk and writes to the store; reads from the store and writes to the disk."""
    with server.behind_proxy(0.01, 3) as proxied:
        status, seconds = proxied.run(str(DOCUMENTS), url("up"), WORK / "up.json", *options)
        facts = {"exit status": status == 1, "outputs": server.objects("up") == judge.outputs}
        judge.check("disk to store, 1 % fail", seconds, facts)
        down = WORK / "down"
        status, seconds = proxied.run(url("docs"), str(down), WORK / "down.json", *options)
    judge.check("store to disk, 1 % fail", seconds, {"exit status": status == 1, "outputs": hashes(down) == judge.outputs})


def two_writers(server: Server, judge: Judge, options: tuple[str, ...]) -> None:
    """Two runs make the same outputs at the same time."""
    began = time.monotonic()
    with server.behind_proxy(0.01, 4) as proxied:
        reports = [WORK / f"both{number}.json" for number in (0, 1)]
        runs = [proxied.start(url("docs"), url("both"), report, *options) for report in reports]
        for run in runs:
            run.communicate()
    facts = {
        "exit status": [run.returncode for run in runs] == [1, 1],
        "outputs": server.objects("both") == judge.outputs,
        "reports": all(report_of(report, url("both")) == judge.report for report in reports),
    }
    judge.check("two runs write the same, 1 % fail", time.monotonic() - began, facts)


def shards(server: Server, judge: Judge, options: tuple[str, ...]) -> None:
    """Two shards share the prefix of their outputs, and their reports are merged."""
    began = time.monotonic()
    reports = [WORK / f"shard{number}.json" for number in (0, 1)]
    with server.behind_proxy(0.01, 5) as proxied:
        runs = [
            proxied.start(url("docs"), url("shards"), report, "--shard", f"{number}/2", *options)
            for number, report in enumerate(reports)
        ]
        for run in runs:
            run.communicate()
    merged = WORK / "merged.json"
    subprocess.run([PROGRAM, "merge-reports", *reports, "-o", merged], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    facts = {
        "outputs": server.objects("shards") == judge.outputs,
        "merged report": report_of(merged, url("shards")) == judge.report,
    }
    judge.check("two shards, 1 % fail", time.monotonic() - began, facts)


def killed(server: Server, judge: Judge, options: tuple[str, ...]) -> None:
    """A run is killed several times, and each object that it leaves is whole."""
    began = time.monotonic()
    whole = True
    with server.behind_proxy(0.01, 6) as proxied:
        for number in range(1, 6):
            run = proxied.start(url("docs"), url("killed"), WORK / "killed.json", *options)
            time.sleep(number)
            run.send_signal(signal.SIGKILL)
            run.communicate()
            there = server.objects("killed")
            whole &= there.items() <= judge.outputs.items() and server.unfinished() == 0
        status, _ = proxied.run(url("docs"), url("killed"), WORK / "killed.json", *options)
    facts = {
        "what a killed run leaves": whole,
        "exit status": status == 1,
        "outputs": server.objects("killed") == judge.outputs,
        "report": report_of(WORK / "killed.json", url("killed")) == judge.report,
    }
    judge.check("killed five times, 1 % fail", time.monotonic() - began, facts)


def packs(server: Server, judge: Judge, options: tuple[str, ...]) -> None:
    """Outputs go to the store in packs, by an input list: once, again, and with other packs in their place."""
    began = time.monotonic()
    list_, report = WORK / "inputs.list", WORK / "packs.json"
    lengths = ("1M", "1M", "4M")
    with server.behind_proxy(0.01, 7) as proxied:
        planned = subprocess.run(
            [PROGRAM, "plan", url("docs"), "--sample", "5", "--inputs-to", list_, "-q"], env=proxied.env, stdout=subprocess.DEVNULL
        )
        statuses = []
        for length in lengths:
            pack = ("--pack", "tar", "--pack-size", length, "--inputs-from", str(list_))
            statuses.append(proxied.run(url("docs"), url("packs"), report, *pack, *options)[0])
    # What the store has, on the disk.
    copy = WORK / "packs"
    copy.mkdir()
    for name in server.objects("packs"):
        server.client.download_file(BUCKET, f"packs/{name}", str(copy / name))
    verified = subprocess.run([PROGRAM, "verify", copy, WORK / "local"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    facts = {
        "exit status": [planned.returncode, *statuses] == [0, 1, 1, 1],
        "packs": verified.returncode == 0,
    }
    judge.check(f"packs three times, {len(server.objects('packs'))} objects", time.monotonic() - began, facts)


def without_server(server: Server, judge: Judge, options: tuple[str, ...]) -> None:
    """The server goes away in the middle of a run, which says that it may be tried again."""
    began = time.monotonic()
    with server.behind_proxy(0.0) as proxied:
        run = proxied.start(url("docs"), url("gone"), WORK / "gone.json", *options)
        time.sleep(3)
        server.process.kill()
        run.communicate()
    judge.check("the server goes away", time.monotonic() - began, {"exit status": run.returncode == TRANSIENT})


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
