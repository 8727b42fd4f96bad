#!/usr/bin/env python3
"""Time from an edit to its findings, in the language server of a release build.

    cargo build --release && scripts/lsp-latency.py [PROGRAM] [--edits N]

Opens documents of about 1 MB and changes one digit at a time: of a valid document, and to and from one with a finding; with
boxes, and with bound boxes, which have a pose. Prints the median and the longest time of each and, on Linux, the mean time of
the processor, which other work on the machine changes less.
"""

import argparse
import json
import os
import subprocess
import time

BOXES = """version: "0.5"
meshes:
"""
RIG = """armatures:
  - id: rig
    bones: [{id: root, parent: none, head: [0, 0, 0], tail: [0, 1, 0]}]
poses:
  - id: bow
    bones: {root: {rotation: [0.6, 0.8, 0, 0], translation: [0, 0, 0]}}
bindings:
"""


def boxes(meshes=200, parts=50):
    """A document of boxes, each on a line."""
    lines = [BOXES]
    for mesh in range(meshes):
        lines.append(f"  - id: mesh_{mesh}\n    primitives:\n")
        for part in range(parts):
            lines.append(
                f"      - {{type: box, id: part_{part}, dimensions: {{x: 1.5, y: 1, z: 2}}, "
                f"transform: {{translation: [{part / 4}, 0, {mesh}]}}}}\n"
            )
    return "".join(lines)


def bound(meshes=200, parts=34):
    """A document of boxes with weights for each, and a pose."""
    lines = [boxes(meshes, parts), RIG]
    for mesh in range(meshes):
        lines.append(f"  - mesh_id: mesh_{mesh}\n    armature_id: rig\n    skinning_solver: dqs\n    weights:\n")
        for part in range(parts):
            lines.append(f"      - {{primitive_id: part_{part}, bones: [{{bone_id: root, weight: 1}}]}}\n")
    return "".join(lines)


def processor_seconds(process):
    """The time of the processor that a process has used; None where it is not known."""
    try:
        with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Client:
    def __init__(self, program):
        self.process = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.send({"id": 1, "method": "initialize", "params": {"capabilities": {}}})
        self.read()
        self.notify("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def read(self):
        length = 0
        while (line := self.process.stdout.readline().strip()) != b"":
            length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def findings(self, version):
        """The first findings of a version. Those of the checks come before the document is built."""
        while True:
            message = self.read()
            if message.get("method") == "textDocument/publishDiagnostics":
                params = message["params"]
                if params.get("version") == version:
                    return params["diagnostics"]


def measure(program, name, text, edits):
    client = Client(program)
    uri = "untitled:large"
    document = {"uri": uri, "languageId": "rigy", "version": 0, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": document})
    assert client.findings(0) == [], "the document is valid"
    lines = text.split("\n")
    line = next(at for at in range(len(lines) // 3, len(lines)) if "x: 1.5" in lines[at])
    column = lines[line].index("x: 1.5") + 3
    for what, digits in (("valid", "12"), ("with a finding", "-1")):
        times, used = [], processor_seconds(client.process)
        for version in range(1, edits + 1):
            digit = digits[version % 2]
            ends = ({"line": line, "character": column + at} for at in (0, 1))
            change = {"range": dict(zip(("start", "end"), ends)), "text": digit}
            begun = time.perf_counter()
            client.notify(
                "textDocument/didChange",
                {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]},
            )
            found = client.findings(version)
            times.append((time.perf_counter() - begun) * 1000)
            assert bool(found) == (digit == "-"), found
        times.sort()
        median, longest = times[len(times) // 2], times[-1]
        result = f"{name}, {len(text)} bytes, {what}: median {median:.1f} ms, longest {longest:.1f} ms"
        if used is not None:
            used = (processor_seconds(client.process) - used) / edits * 1000
            result += f", processor {used:.1f} ms"
        print(result)
    client.process.stdin.close()
    client.process.wait()


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("program", nargs="?", default="target/release/rigy-batch")
    arguments.add_argument("--edits", type=int, default=40)
    given = arguments.parse_args()
    measure(given.program, "boxes", boxes(), given.edits)
    measure(given.program, "bound boxes with a pose", bound(), given.edits)


if __name__ == "__main__":
    main()
