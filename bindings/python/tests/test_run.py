"""Runs: files, outcomes, progress, the cache, interruption, threads and processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from conftest import INPUTS, INVALID, call, files, installed, lines, program
from glb import wave

import rigy_batch


def facts(result: rigy_batch.RunResult) -> list[tuple]:
    """Outputs as JSON lines have them, with the codes of the findings that stand at each."""
    return [
        (outcome.input, output.pose, output.status, output.bytes, output.sha256, *([found.code for found in list] for list in (output.warnings, output.errors)))
        for outcome in result.outcomes
        for output in outcome.outputs
    ]


def printed(text: str) -> list[tuple]:
    keys = ["input", "pose", "status", "bytes", "sha256"]
    codes = lambda line: ([found["code"] for found in line[key]] for key in ("warnings", "errors"))
    return [(*(line[key] for key in keys), *codes(line)) for line in lines(text)[:-1]]


@pytest.mark.parametrize("jobs", [1, 2])
def test_files_and_outcomes_are_those_of_the_program(tmp_path: Path, jobs: int) -> None:
    text = call(INPUTS, INVALID, "-o", tmp_path / "a", "--positions", "--format", "json", status=1)
    result = rigy_batch.run([INPUTS, INVALID], output=tmp_path / "b", positions=True, hash=True, jobs=jobs)
    assert files(tmp_path / "a") == files(tmp_path / "b")
    assert facts(result) == printed(text)
    summary = lines(text)[-1]["summary"]
    counts = {key: getattr(result.summary, key) for key in summary}
    assert counts == summary and not result.ok and not result.is_partial
    failed = [outcome for outcome in result.outcomes if not outcome.ok]
    assert failed and all(outcome.errors for outcome in failed)


def test_a_second_run_finds_everything_unchanged(tmp_path: Path) -> None:
    first = rigy_batch.run(INPUTS, output=tmp_path)
    second = rigy_batch.run(INPUTS, output=tmp_path)
    assert first.ok and second.ok
    assert second.summary.unchanged == first.summary.written and second.summary.written == 0
    assert all(outcome.is_cached for outcome in second.outcomes)
    # The program of the wheel has the same code, so it knows the same cache.
    subprocess.run([installed(), INPUTS, "-o", tmp_path, "--quiet"], check=True, stderr=subprocess.DEVNULL)
    assert all(outcome.is_cached for outcome in rigy_batch.run(INPUTS, output=tmp_path).outcomes)


def test_options(tmp_path: Path) -> None:
    options = ["--poses", "none", "--double-sided", "--exclude", "[A-K]*", "--allow-warnings", "all"]
    text = call(INPUTS, "-o", tmp_path / "a", "--format", "json", *options)
    result = rigy_batch.run(
        str(INPUTS), output=tmp_path / "b", poses="none", double_sided=True, exclude=["[A-K]*"], allow_warnings="all",
        hash=True,
    )
    assert facts(result) == printed(text) and files(tmp_path / "a") == files(tmp_path / "b") != {}
    assert result.summary.warnings == 0
    dry = rigy_batch.run(INPUTS, output=tmp_path / "c", dry_run=True)
    assert dry.summary.written > 0 and not (tmp_path / "c").exists()


def test_pruning(tmp_path: Path) -> None:
    document = tmp_path / "in/x.rigy.yaml"
    document.parent.mkdir()
    document.write_text('version: "0.5"\nmeshes: [{id: m, primitives: [{type: box, id: b, dimensions: {x: 1}}]}]\n')
    rigy_batch.run(tmp_path / "in", output=tmp_path / "out")
    document.rename(tmp_path / "in/y.rigy.yaml")
    result = rigy_batch.run(tmp_path / "in", output=tmp_path / "out", prune=True)
    assert files(tmp_path / "out").keys() == {"y.glb"} and result.summary.removed == 1
    assert result.outcomes[-1].outputs[0].status == "removed"


def test_gltf_files(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/wave.gltf").write_bytes(wave())
    options = ["--animation", "Wave", "--frames", "@4", "--solver", "dqs"]
    text = call("bake", tmp_path / "in", "-o", tmp_path / "a", "--format", "json", *options)
    bake = rigy_batch.Bake(animation="Wave", frames="@4", solver="dqs")
    result = rigy_batch.run(tmp_path / "in", output=tmp_path / "b", bake=bake, hash=True)
    assert result.ok and files(tmp_path / "a") == files(tmp_path / "b") and len(files(tmp_path / "b")) == 6
    assert facts(result) == printed(text)
    [outcome] = result.outcomes
    assert [(output.animation, output.frame, output.time) for output in outcome.outputs if not output.is_beside] == [
        ("Wave", frame, frame / 4) for frame in range(5)
    ]


def test_progress_comes_in_order_in_the_calling_thread(tmp_path: Path) -> None:
    calls, thread = [], threading.get_ident()

    def progress(done: int, total: int, outcome: rigy_batch.Outcome) -> None:
        assert threading.get_ident() == thread
        calls.append((done, total, outcome.input))

    result = rigy_batch.run(INPUTS, output=tmp_path, on_progress=progress)
    inputs = [outcome.input for outcome in result.outcomes]
    assert calls == [(index + 1, len(inputs), name) for index, name in enumerate(inputs)] and inputs == sorted(inputs)


def test_an_exception_of_the_function_ends_the_run(copies: Path, tmp_path: Path) -> None:
    def progress(done: int, total: int, outcome: rigy_batch.Outcome) -> None:
        if done == 3:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        rigy_batch.run(copies, output=tmp_path / "out", on_progress=progress)
    whole = rigy_batch.run(copies, output=tmp_path / "whole")
    left = files(tmp_path / "out")
    assert len(left) < whole.summary.written and left.items() <= files(tmp_path / "whole").items()


INTERRUPTED = """
import rigy_batch, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell lets programs in the background ignore it
try:
    rigy_batch.run(sys.argv[1], output=sys.argv[2], on_progress=lambda done, *_: done == 1 and print("begun", flush=True))
except KeyboardInterrupt:
    print("interrupted")
    # Nothing of the run is left behind: another one works.
    rigy_batch.run(sys.argv[1] + "/0", output=sys.argv[2] + "-next")
    sys.exit(7)
"""


@pytest.mark.parametrize("repeat", range(3))
def test_ctrl_c_ends_a_run_and_what_is_there_is_whole(copies: Path, tmp_path: Path, repeat: int) -> None:
    arguments = [sys.executable, "-c", INTERRUPTED, copies, tmp_path / "out"]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
    assert process.stdout and process.stdout.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    start = time.monotonic()
    rest, _ = process.communicate(timeout=60)
    assert (rest, process.returncode) == ("interrupted\n", 7) and time.monotonic() - start < 30
    rigy_batch.run(copies, output=tmp_path / "whole")
    left, whole = files(tmp_path / "out"), files(tmp_path / "whole")
    assert len(left) < len(whole) and left.items() <= whole.items()
    private = tmp_path / "out/.rigy-batch"
    assert not [path for path in private.iterdir() if path.name.startswith("tmp")], "unfinished files are removed"


def test_other_threads_run_meanwhile(copies: Path, tmp_path: Path) -> None:
    ticks, done = [0], threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    rigy_batch.run(copies, output=tmp_path / "out")
    took, ticked = time.monotonic() - start, ticks[0]
    done.set()
    thread.join()
    assert ticked > 20 * took, "the lock is released during the work"


def compiled_glb(path: str) -> bytes:
    return rigy_batch.compile(path).glb


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_that_were_forked_after_a_run(tmp_path: Path, method: str) -> None:
    rigy_batch.run(INPUTS, output=tmp_path)
    path = str(INPUTS / "E01_robot.rigy.yaml")
    with multiprocessing.get_context(method).Pool(2) as pool:
        results = pool.map_async(compiled_glb, [path] * 4).get(timeout=60)
        broken = pool.apply_async(compiled_glb, [str(INVALID / "V01_duplicate_mesh_id.rigy.yaml")])
        with pytest.raises(rigy_batch.RigyError) as raised:
            broken.get(timeout=60)
    assert results == [rigy_batch.compile(path).glb] * 4 and raised.value.code == "V01"


def test_runs_that_do_not_start(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no .*rigy.yaml.* found"):
        rigy_batch.run(tmp_path)
    assert rigy_batch.run(tmp_path, allow_empty=True).outcomes == ()
    with pytest.raises(FileNotFoundError) as missing:
        rigy_batch.run(tmp_path / "absent")
    assert missing.value.category == "FileError"
    for arguments in [{"jobs": 2000}, {"shard": "3/2"}, {"warn_as_error": ["V01"]}, {"exclude": ["{a"]}]:
        with pytest.raises(ValueError):
            rigy_batch.run(INPUTS, output=tmp_path / "out", **arguments)
    for name in ["x.rigy.yaml", "x.rigy.yml"]:
        (tmp_path / name).write_text('version: "0.5"\n')
    with pytest.raises(rigy_batch.RigyError, match="x.glb"):
        rigy_batch.run(tmp_path)


def test_a_pose_that_no_document_has(tmp_path: Path) -> None:
    result = rigy_batch.run(INPUTS, output=tmp_path, poses=["no such pose"])
    assert not result.ok and result.summary.failed == 0 and "no such pose" in result.errors[0].message


def test_the_first_failure_ends_the_run(tmp_path: Path) -> None:
    result = rigy_batch.run(INVALID, output=tmp_path, fail_fast=True, jobs=1)
    assert result.is_partial and not result.ok


def test_the_verdicts_are_those_of_the_program() -> None:
    manifest = INPUTS.parent / "manifest.json"
    expected = lines(call("verify", manifest, "--format", "json"))[:-1]
    found = rigy_batch.verify(manifest)
    assert [vars(verdict) for verdict in found] == expected and all(verdict.passed for verdict in found)
    [one] = rigy_batch.verify(manifest, only=found[3].id, jobs=1)
    assert one == found[3]
    with pytest.raises(KeyError):
        rigy_batch.verify(manifest, only="no such test")
    with pytest.raises(rigy_batch.RigyError):
        rigy_batch.verify(INPUTS / "E01_robot.rigy.yaml")


assert os.path.exists(program()), "the program that results are compared with"
