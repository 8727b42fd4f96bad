"""Measures the installed wheel beside the program. Usage: figures.py PROGRAM WHEEL..."""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import rigy_batch

INPUTS = Path(__file__).resolve().parents[2] / "conformance/inputs"
COUNT = 5000  # documents of the run
ROUNDS = 6
LIMIT = 1.2  # of the program's time


def median(work, rounds=ROUNDS):
    """The median of the seconds that calls take."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def python(code):
    subprocess.run([sys.executable, "-c", code], check=True)


def quiet(*command):
    subprocess.run([*map(str, command)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def tree(directory):
    """Directories with copies of the suite: at least COUNT documents."""
    documents = [path for path in INPUTS.iterdir() if path.name.endswith((".rigy.yaml", ".rigs.yaml"))]
    for number in range(-(-COUNT // len(documents))):
        shutil.copytree(INPUTS, directory / f"{number:03}")
    extra = sorted(path for path in directory.rglob("*") if path.name.endswith((".rigy.yaml", ".rigs.yaml")))
    for path in extra[COUNT:]:
        path.unlink()


def runs(program, inputs, work, force):
    """The median seconds of the program and of `run` over all documents, taken in turn."""
    times = {"program": [], "wheel": []}
    for number in range(ROUNDS):
        for kind in sorted(times, reverse=number % 2 == 1):
            output = work / (f"{kind}-{number}" if force else kind)
            start = time.perf_counter()
            if kind == "program":
                quiet(program, inputs, "-o", output, "--quiet", "--allow-warnings", "all")
            else:
                result = rigy_batch.run(inputs, output=output, allow_warnings="all")
                assert result.ok and result.summary.inputs == COUNT
            times[kind].append(time.perf_counter() - start)
            if force:
                shutil.rmtree(output)
    return [statistics.median(times[kind]) for kind in ("program", "wheel")]


def main():
    program, *wheels = sys.argv[1:]
    for wheel in wheels:
        print(f"{os.path.basename(wheel)}: {os.path.getsize(wheel) / 1e6:.2f} MB")
    extension = Path(rigy_batch._rigy_batch.__file__)
    print(f"the extension: {extension.stat().st_size / 1e6:.2f} MB, the program {os.path.getsize(program) / 1e6:.2f} MB")
    bare, imported = median(lambda: python("pass"), 11), median(lambda: python("import rigy_batch"), 11)
    print(f"import rigy_batch: {1e3 * (imported - bare):.1f} ms (Python alone {1e3 * bare:.1f} ms)")
    script = Path(sys.executable).parent / "rigy-batch"
    of_program, of_script = median(lambda: quiet(program, "--version"), 11), median(lambda: quiet(script, "--version"), 11)
    print(f"rigy-batch --version: the program {1e3 * of_program:.1f} ms, the wheel's {1e3 * of_script:.1f} ms")
    with tempfile.TemporaryDirectory() as work:
        work = Path(work)
        document = INPUTS / "E01_robot.rigy.yaml"

        def call():
            compiled = rigy_batch.compile(document)
            return [compiled.glb, *map(compiled.pose, compiled.pose_ids)]

        of_call = median(call, 101)
        of_process = median(lambda: quiet(program, document, "-o", work / "one", "--quiet", "--force"), 11)
        print(f"one document: a call {1e3 * of_call:.2f} ms, a process of the program {1e3 * of_process:.1f} ms")
        tree(work / "in")
        ratios = []
        for force, name in [(True, "new"), (False, "and again, unchanged")]:
            by_program, by_wheel = runs(program, work / "in", work, force)
            ratios.append(by_wheel / by_program)
            print(f"{COUNT} documents, {name}: the program {by_program:.2f} s, the wheel {by_wheel:.2f} s, ratio {ratios[-1]:.2f}")
    return int(ratios[0] > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
