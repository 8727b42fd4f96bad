"""glTF files: baking, describing, comparing."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import warnings
from pathlib import Path

import numpy as np
import pytest
from conftest import INPUTS, REPOSITORY, call, documents, files, lines
from glb import attribute, read, wave

import rigy_batch


@pytest.fixture(scope="module")
def skinned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("skinned")
    (directory / "wave.gltf").write_bytes(wave())
    for document in ["L02_two_bone_dqs_twist", "E01_robot"]:
        compiled = rigy_batch.compile(INPUTS / f"{document}.rigy.yaml")
        (directory / f"{document}.glb").write_bytes(compiled.glb)
    return directory


OPTIONS = [
    ({}, []),
    ({"solver": "dqs"}, ["--solver", "dqs"]),
    ({"solver": "dqs", "joint_scale": "local"}, ["--solver", "dqs", "--joint-scale", "local"]),
    ({"keep_skeleton": True}, ["--keep-skeleton"]),
    ({"pivot": "bounds"}, ["--pivot", "bounds"]),
]


@pytest.mark.parametrize("name", ["wave.gltf", "L02_two_bone_dqs_twist.glb", "E01_robot.glb"])
@pytest.mark.parametrize("arguments, options", OPTIONS)
def test_bytes_are_those_of_the_program(skinned: Path, tmp_path: Path, name: str, arguments: dict, options: list[str]) -> None:
    call("bake", skinned / name, "-o", tmp_path, "--quiet", *options)
    expected = (tmp_path / Path(name).with_suffix(".glb")).read_bytes()
    assert rigy_batch.bake(skinned / name, **arguments) == expected
    assert rigy_batch.bake((skinned / name).read_bytes(), **arguments) == expected


@pytest.mark.parametrize("animation", ["Wave", 0])
def test_a_moment_of_an_animation(skinned: Path, tmp_path: Path, animation: str | int) -> None:
    call("bake", skinned / "wave.gltf", "-o", tmp_path, "--quiet", "--animation", animation, "--time", "0.5")
    baked = rigy_batch.bake(wave(), animation=animation, time=0.5)
    assert baked == (tmp_path / "wave.glb").read_bytes()
    # A quarter turn about z.
    assert np.allclose(attribute(baked, 0, "POSITION"), [[0, 0, 0], [0, 1, 0], [-1, 0, 0]], atol=1e-6)


def test_motion_is_on_the_disk(skinned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tree = json.loads(wave())
    animations = tree.pop("animations")
    Path("still.gltf").write_text(json.dumps(tree))
    (tmp_path / "moves").mkdir()
    Path("moves/walk.gltf").write_text(json.dumps({**tree, "animations": animations}))
    expected = rigy_batch.bake(wave(), time=0.5)
    for source in ["still.gltf", Path("still.gltf").read_bytes()]:
        assert rigy_batch.bake(source, motion="moves/walk.gltf", time=0.5) == expected
        assert rigy_batch.bake(source, motion="moves/walk.gltf#Wave", time=0.5) == expected
        with pytest.raises(rigy_batch.RigyError, match="U21"):
            rigy_batch.bake(source, motion="moves/walk.gltf#Wvae", time=0.5)
    result = rigy_batch.run("still.gltf", output="out", bake=rigy_batch.Bake(motion="moves/walk.gltf", time=0.5))
    assert result.ok and Path("out/still.glb").read_bytes() == expected


FILES = [
    ({"to": "obj", "join": "node", "up": "z", "scale": 1000}, ["--to", "obj", "--join", "node", "--up", "z", "--scale", "1000"]),
    ({"to": "stl", "time": 0.5}, ["--to", "stl", "--time", "0.5"]),
    ({"to": "ply", "frames": "@2"}, ["--to", "ply", "--frames", "@2"]),
    ({"to": "usda", "frames": "@4", "solver": "dqs"}, ["--to", "usda", "--frames", "@4", "--solver", "dqs"]),
    ({"to": "npz", "frames": "@4"}, ["--to", "npz", "--frames", "@4"]),
    ({"to": "mdd"}, ["--to", "mdd"]),
    ({"textures": "beside"}, ["--textures", "beside"]),
    ({"frames": "0..2@2"}, ["--frames", "0..2@2"]),
    ({"as_": "step", "frames": "@4"}, ["--as", "step", "--frames", "@4"]),
    ({"as_": "morph", "tolerance": 0.1}, ["--as", "morph", "--tolerance", "0.1"]),
    ({"as_": "vat", "texture_format": "png"}, ["--as", "vat", "--texture-format", "png"]),
]


@pytest.mark.parametrize("arguments, options", FILES)
def test_files_are_those_of_the_program(tmp_path: Path, arguments: dict, options: list[str]) -> None:
    (tmp_path / "in").mkdir()
    source = tmp_path / "in/wave.gltf"
    source.write_bytes(wave())
    call("bake", source, "-o", tmp_path / "out", "--quiet", *options)
    expected = files(tmp_path / "out")
    is_glb = arguments.get("as_") in ("morph", "step")
    assert rigy_batch.bake(source, **arguments) == (expected["wave.glb"] if is_glb else expected)
    result = rigy_batch.run(tmp_path / "in", output=tmp_path / "run", bake=rigy_batch.Bake(**arguments))
    assert result.ok and files(tmp_path / "run") == expected


@pytest.mark.parametrize("arguments, options", [({}, []), ({"solver": "lbs"}, ["--solver", "lbs"]), ({"tolerance": 0.001, "helpers": 3}, ["--tolerance", "0.001", "--helpers", "3"])])
def test_helper_joints_are_those_of_the_program(tmp_path: Path, arguments: dict, options: list[str]) -> None:
    fish = REPOSITORY / "docs/src/pictures/fish.glb"
    call("bake", fish, "--as", "skin", "-o", tmp_path / "out/", "--quiet", *options)
    expected = (tmp_path / "out/fish.glb").read_bytes()
    missed = pytest.warns(rigy_batch.RigyWarning, match="W26") if "helpers" in arguments else contextlib.nullcontext()
    with missed:
        assert rigy_batch.bake(fish, as_="skin", **arguments) == expected
    assert rigy_batch.run(fish, output=tmp_path / "run", bake=rigy_batch.Bake(as_="skin", **arguments)).ok
    assert (tmp_path / "run/fish.glb").read_bytes() == expected


def test_names_of_files() -> None:
    first, *others = rigy_batch.bake(wave(), to="obj")
    assert first == "file.obj" and sorted(Path(name).suffix for name in others) == [".mtl", ".png"]


@pytest.mark.parametrize("arguments", [{"to": "usda"}, {"as_": "morph"}, {"as_": "vat"}])
def test_all_work_is_done_by_the_calling_thread(arguments: dict) -> None:
    # Threads of runs before may still be ending.
    threads = set(os.listdir("/proc/self/task"))
    rigy_batch.bake(wave(), frames="@24", **arguments)
    assert set(os.listdir("/proc/self/task")) <= threads


def test_warnings_are_emitted() -> None:
    with pytest.warns(rigy_batch.RigyWarning, match="W10.*7 s is after the end"):
        rigy_batch.bake(wave(), animation="Wave", time=7)
    with pytest.raises(rigy_batch.RigyError) as missing:
        rigy_batch.bake(wave(), animation="Wove")
    assert missing.value.code == "U21" and "`Wave`" in (missing.value.help or "")


def test_buffers_come_from_the_loader() -> None:
    tree = json.loads(wave())
    embedded = tree["buffers"][0]["uri"]
    tree["buffers"][0]["uri"] = "wave.bin"
    chunk = base64.b64decode(embedded.split(",")[1])
    assert rigy_batch.bake(json.dumps(tree).encode(), loader={"wave.bin": chunk}) == rigy_batch.bake(wave())


REFUSED = [
    {"solver": "linear"},
    {"joint_scale": "x"},
    {"pivot": "x"},
    {"time": float("nan")},
    {"frames": "24"},
    {"to": "fbx"},
    {"to": "obj", "as_": "step"},
    {"to": "obj", "textures": "beside"},
    {"up": "z"},
    {"as_": "morph", "tolerance": -1},
    {"animation": ["Wave"]},
    {"missing_animation": "rest"},
]


@pytest.mark.parametrize("arguments", REFUSED)
def test_values_that_options_do_not_have(arguments: dict) -> None:
    with pytest.raises(ValueError):
        rigy_batch.bake(wave(), **arguments)


@pytest.mark.parametrize("document", documents(INPUTS)[::5], ids=lambda path: path.name)
def test_descriptions_of_documents(document: Path) -> None:
    options = ["--expanded", "--pairwise-gaps", "--intent-checks"]
    expected = json.loads(call("inspect", document, "--format", "json", *options))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rigy_batch.RigyWarning)
        found = rigy_batch.inspect(document, expanded=True, pairwise_gaps=True, intent_checks=True)
    assert found == expected


def test_descriptions_of_gltf_files(skinned: Path) -> None:
    for path in skinned.iterdir():
        expected = json.loads(call("inspect", path, "--format", "json"))
        assert rigy_batch.inspect(path) == expected
        assert {**rigy_batch.inspect(path.read_bytes()), "file": str(path)} == expected


def test_differences(skinned: Path, tmp_path: Path) -> None:
    a, b = tmp_path / "a.glb", tmp_path / "b.glb"
    a.write_bytes(rigy_batch.bake(wave()))
    b.write_bytes(rigy_batch.bake(wave(), animation="Wave", time=0.1))
    [expected] = lines(call("diff", a, b, "--format", "json", status=1))
    found = rigy_batch.diff(a, b)
    assert rigy_batch.diff(a.read_bytes(), b.read_bytes()) == found
    assert (found.equal, found.first_difference, list(found.structure)) == (
        expected["equal"], expected["first_difference"], expected["structure"]
    )
    assert found.max_distance == expected["max_distance"] == found.meshes[0].position.max
    assert not found.passes and rigy_batch.diff(a, b, tolerance=1).passes
    same = rigy_batch.diff(a, a)
    assert same.equal and same.passes and same.meshes == () and same.max_distance == 0
    assert read(a.read_bytes())[0]["asset"]["version"] == "2.0"


def test_something_else_than_gltf() -> None:
    with pytest.raises(rigy_batch.RigyError) as refused:
        rigy_batch.bake(b"not glTF")
    assert refused.value.findings and refused.value.file == "file.glb"
    assert not rigy_batch.diff(b"x", b"y").passes
