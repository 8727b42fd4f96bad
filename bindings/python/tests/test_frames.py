"""Moments as arrays, and arrays as files."""

from __future__ import annotations

import io
import json
import os
import warnings
from pathlib import Path

import numpy as np
import pytest
from conftest import INPUTS, REPOSITORY
from glb import attribute, read, triangles, wave

import rigy_batch

SHARED = REPOSITORY / "../shared/gltf-samples/real"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Path, int]]:
    """Files, and their animations."""
    path = tmp_path_factory.mktemp("frames") / "wave.gltf"
    path.write_bytes(wave())
    samples = [("Fox", 1), ("Mannequiny", 5), ("CesiumMan-geometry", 0), ("RobotQuaternius", 2)]
    shared = [(SHARED / f"{name}.glb", animation) for name, animation in samples]
    return [(path, 0), *(one for one in shared if one[0].exists())]


def vertices(ply: bytes) -> tuple[np.ndarray, np.ndarray | None, np.ndarray]:
    """Positions, normals and triangles of a PLY file."""
    head, body = ply.split(b"end_header\n", 1)
    lines = [line.split() for line in head.decode().splitlines()]
    [count, faces] = [int(line[2]) for line in lines if line[0] == "element"]
    kinds = [(line[2], "<f4" if line[1] == "float" else "u1") for line in lines if line[0] == "property" and line[1] != "list"]
    rows = np.frombuffer(body, kinds, count)
    of_faces = np.frombuffer(body, [("n", "u1"), ("v", "<i4", 3)], faces, rows.nbytes)
    normals = np.stack([rows[axis] for axis in ("nx", "ny", "nz")], 1) if "nx" in rows.dtype.names else None
    return np.stack([rows[axis] for axis in "xyz"], 1), normals, of_faces["v"]


@pytest.mark.parametrize("solver", ["lbs", "dqs"])
def test_moments_have_the_bits_of_single_bakes(files: list[tuple[Path, int]], solver: str) -> None:
    for path, animation in files:
        found = rigy_batch.frames(path, animation=animation, fps=8, solver=solver)
        assert found.positions.shape == (len(found.times), len(found.uvs), 3) == found.normals.shape
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rigy_batch.RigyWarning)
            for moment in range(0, len(found.times), 3):
                time = round(found.times[moment] * 8) / 8
                ply = rigy_batch.bake(path, animation=animation, time=time, solver=solver, to="ply")
                positions, normals, faces = vertices(next(iter(ply.values())))
                assert found.positions[moment].tobytes() == positions.tobytes()
                if normals is not None:
                    assert found.normals[moment].tobytes() == normals.tobytes()
                assert (found.triangles == faces).all()
            baked = rigy_batch.bake(path, animation=animation, time=found.times[0], solver=solver)
        if path.name == "Mannequiny.glb":
            assert found.positions[0].tobytes() == attribute(baked, 0, "POSITION").tobytes()
            assert (found.triangles == triangles(baked, 0)).all()


def test_what_the_arrays_have() -> None:
    found = rigy_batch.frames(wave(), fps=2)
    assert found.times.tolist() == [0, 0.5, 1] and found.names.tolist() == ["sail"] and found.joint_names.tolist() == ["joint"]
    assert found.primitives.tolist() == [[[0, 3], [0, 1]]] and found.triangles.tolist() == [[0, 1, 2]]
    assert found.uvs.tolist() == [[0, 0], [1, 0], [0, 1]]
    assert not found.normals.any()
    quarter = [[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    assert np.allclose(found.joints[1, 0], quarter, atol=1e-6)
    # The joint is the only one of all vertices, and its inverse bind matrix is 1.
    moved = found.positions[0] @ found.joints[:, 0, :3, :3].transpose(0, 2, 1)
    assert np.allclose(found.positions, moved, atol=1e-6)
    for array in vars(found).values():
        assert not array.flags.writeable and not array.flags.owndata
        with pytest.raises(ValueError):
            array.flags.writeable = True
    assert rigy_batch.frames(wave(), frames="1..2@4").times.tolist() == [0.25, 0.5]


def test_an_archive_has_the_same_arrays(files: list[tuple[Path, int]]) -> None:
    for path, animation in files:
        found = rigy_batch.frames(path, animation=animation, fps=6)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rigy_batch.RigyWarning)
            made = rigy_batch.bake(path, animation=animation, frames="@6", to="npz")
        [(name, content)] = made.items()
        assert name == path.stem + ".npz"
        archive = np.load(io.BytesIO(content))
        assert {*archive.files} == {*vars(found)}
        for name, array in vars(found).items():
            assert archive[name].dtype == array.dtype and np.array_equal(archive[name], array)


def test_arrays_that_do_not_fit() -> None:
    with pytest.raises(rigy_batch.RigyError, match="1000 moments of 3 vertices and 1 joints take 136000 bytes as arrays; there are 100000") as refused:
        rigy_batch.frames(wave(), frames="0..999@24", memory=100_000)
    assert "`memory`" in (refused.value.help or "")
    with pytest.raises(rigy_batch.RigyError) as missing:
        rigy_batch.frames(wave(), animation="Wove")
    assert missing.value.code == "U21"
    still = json.loads(wave())
    still["animations"][0]["channels"] = []
    with pytest.raises(rigy_batch.RigyError, match="`Wave`.* has no keys, so it has no moments"):
        rigy_batch.frames(json.dumps(still).encode())
    with pytest.raises(rigy_batch.RigyError):
        rigy_batch.frames(json.dumps({"asset": {"version": "2.0"}}).encode())


@pytest.mark.parametrize("arguments", [{"to": "obj"}, {"up": "z"}, {"as_": "morph"}, {"time": 1}, {"fps": 0}, {"fps": float("nan")}, {"fps": 24, "frames": "@24"}, {"frames": "24"}, {"solver": "x"}])
def test_values_that_options_do_not_have(arguments: dict) -> None:
    with pytest.raises(ValueError):
        rigy_batch.frames(wave(), **arguments)


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(ValueError, match="time is for `bake`"):
        rigy_batch.frames(wave(), time=0.5)
    with pytest.raises(FileNotFoundError, match="check its name"):
        rigy_batch.frames("foxx.glb")
    with pytest.raises(FileNotFoundError, match="walk.glb"):
        rigy_batch.frames(wave(), motion="none/walk.glb#Run")
    with pytest.raises(TypeError, match="fps"):
        rigy_batch.frames(wave(), fps="24")


def test_a_motion_is_played(tmp_path: Path) -> None:
    (tmp_path / "wave.gltf").write_bytes(wave())
    still = json.loads(wave())
    del still["animations"]
    played = rigy_batch.frames(json.dumps(still).encode(), motion=f"{tmp_path}/wave.gltf")
    assert played.positions.tobytes() == rigy_batch.frames(wave()).positions.tobytes()


def test_frames_are_shown_by_their_shapes() -> None:
    shown = repr(rigy_batch.frames(wave(), fps=2))
    assert shown.startswith("Frames(positions: float32 (3, 3, 3), ") and len(shown) < 400


def test_all_work_is_done_by_the_calling_thread() -> None:
    threads = set(os.listdir("/proc/self/task"))
    rigy_batch.frames(wave())
    assert set(os.listdir("/proc/self/task")) <= threads


def test_arrays_make_a_file_with_the_same_moments(files: list[tuple[Path, int]]) -> None:
    for path, animation in files:
        found = rigy_batch.frames(path, animation=animation, fps=10)
        played = rigy_batch.animated(found.positions, found.triangles, 10, normals=None if path.suffix == ".gltf" else found.normals, uvs=found.uvs)
        again = rigy_batch.frames(played, fps=10)
        assert len(again.times) == len(found.times) and np.array_equal(again.triangles, found.triangles)
        size = np.abs(found.positions).max()
        assert np.abs(again.positions - found.positions).max() <= 1e-6 * size
        assert np.abs(again.normals - found.normals).max() <= 2e-5
        assert np.array_equal(again.uvs, found.uvs)
        assert np.array_equal(again.positions[0], found.positions[0])


def test_arrays_make_other_files() -> None:
    found = rigy_batch.frames(wave(), fps=4)
    assert rigy_batch.animated(found.positions, found.triangles, 4) == rigy_batch.animated(found.positions.tolist(), found.triangles.tolist(), fps=4)
    smaller = rigy_batch.animated(found.positions, found.triangles, 4, tolerance=10)
    assert len(read(smaller)[0]["meshes"][0]["primitives"][0]["targets"]) == 1
    stage = rigy_batch.animated(found.positions, found.triangles, 4, to="usda", name="sail")["file.usda"]
    assert b"endTimeCode = 4" in stage and stage.count(b"points.timeSamples") == 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rigy_batch.RigyWarning)
        textures = rigy_batch.animated(found.positions, found.triangles, 4, as_="vat")
        assert [*textures] == ["file-remap_info.json", "file.glb", "file_vat.exr"]
        assert json.loads(textures["file-remap_info.json"])["os-remap"]["Frames"] == 5
        still = rigy_batch.animated(found.positions[:1], found.triangles, to="obj")
    assert [*still] == ["file.obj"] and "animations" not in read(rigy_batch.animated(found.positions[:1], found.triangles))[0]


SQUARE = np.zeros((2, 4, 3), np.float32)
FACES = [[0, 1, 2], [0, 2, 3]]
MISFITS = [
    ("vertices has the shape \\(4, 3\\)", SQUARE[0], FACES, {}),
    ("vertices has the shape \\(2, 0, 3\\), and not \\(at least 1, at least 1, 3\\)", SQUARE[:, :0], FACES, {}),
    ("vertices has a number that is not finite", SQUARE * np.nan, FACES, {}),
    ("faces has the shape \\(2, 4\\)", SQUARE, [[0, 1, 2, 3]] * 2, {}),
    ("faces has the shape .* float64", SQUARE, [[0.5, 1, 2]], {}),
    ("faces has the vertices 0 to 4; there are 4", SQUARE, [[0, 1, 4]], {}),
    ("faces has the vertices -1 to 1", SQUARE, [[0, 1, -1]], {}),
    ("normals has the shape \\(4, 3\\), and not \\(2, 4, 3\\)", SQUARE, FACES, {"normals": SQUARE[0]}),
    ("uvs has the shape \\(3, 2\\), and not \\(4, 2\\)", SQUARE, FACES, {"uvs": np.zeros((3, 2))}),
    ("vertices has numbers whose distance exceeds single precision", SQUARE + np.float32([[[[2e38]]], [[[-2e38]]]])[:, 0], FACES, {}),
    ("vertices has one moment", SQUARE[:1], FACES, {"tolerance": 0.1}),
    ("surrogates", SQUARE, FACES, {"name": "\ud800"}),
    ("fps is 0", SQUARE, FACES, {"fps": 0}),
    ("fps is '24', and not a number", SQUARE, FACES, {"fps": "24"}),
    ("skin.* is for files with joints", SQUARE, FACES, {"as_": "skin"}),
    ("fps is 1e\\+50.* not distinct", SQUARE, FACES, {"fps": 1e50}),
    ("more than 4294967295", np.zeros((100_000, 1, 3), np.float32), [[0, 0, 0]], {}),
]


@pytest.mark.parametrize("message, positions, faces, options", MISFITS)
def test_shapes_that_do_not_fit(message: str, positions: np.ndarray, faces: list, options: dict) -> None:
    with pytest.raises(ValueError, match=message):
        rigy_batch.animated(positions, faces, **options)


def test_poses_of_documents_make_an_animation() -> None:
    compiled = rigy_batch.compile(INPUTS / "L02_two_bone_dqs_twist.rigy.yaml")
    [mesh], [posed] = compiled.meshes, compiled.positions(compiled.pose_ids[0])
    played = rigy_batch.animated([mesh.positions, posed], mesh.indices, fps=1)
    assert np.abs(rigy_batch.frames(played, fps=1).positions[1] - posed).max() <= 1e-6
