"""Documents: bytes, arrays, files that they refer to, and errors."""

from __future__ import annotations

import errno
import json
import pickle
import threading
from pathlib import Path

import numpy as np
import pytest
from conftest import INPUTS, INVALID, call, documents, lines
from glb import attribute, read, triangles

import rigy_batch

PART = """
version: "0.5"
meshes: [{id: cube, primitives: [{type: box, id: b, dimensions: {x: 1}}]}]
anchors: [{id: a, translation: [0, 0, 0]}, {id: b, translation: [1, 0, 0]}, {id: c, translation: [0, 1, 0]}]
"""
WHOLE = """
version: "0.5"
imports: {part: {source: parts/cube.yaml}}
anchors: [{id: o, translation: [5, 0, 0]}, {id: p, translation: [7, 0, 0]}, {id: q, translation: [5, 2, 0]}]
instances: [{id: big, import: part, attach3: {from: [a, b, c], to: [o, p, q], mode: uniform}}]
"""


@pytest.mark.parametrize("document", documents(INPUTS), ids=lambda path: path.name)
def test_bytes_and_arrays_are_those_of_the_program(document: Path, written: dict) -> None:
    compiled = rigy_batch.compile(document)
    assert compiled.glb == written[document.name, None, ".glb"]
    assert compiled.name == str(document)
    for index, mesh in enumerate(compiled.meshes):
        # A document's own meshes come first in its file.
        assert mesh.name == read(compiled.glb)[0]["meshes"][index]["name"]
        assert np.array_equal(mesh.positions, attribute(compiled.glb, index, "POSITION"))
        assert np.array_equal(mesh.normals, attribute(compiled.glb, index, "NORMAL"))
        assert np.array_equal(mesh.indices, triangles(compiled.glb, index))
        assert mesh.positions.shape == (mesh.vertex_count, 3) and mesh.indices.shape == (mesh.triangle_count, 3)
        for number, uvs in enumerate(mesh.uvs):
            assert np.array_equal(uvs, attribute(compiled.glb, index, f"TEXCOORD_{number}"))
        assert mesh.primitives[0][0][0] == 0 and mesh.primitives[-1][1][1] == mesh.triangle_count
    for pose_id in compiled.pose_ids:
        assert compiled.pose(pose_id) == written[document.name, pose_id, ".glb"]
        expected = json.loads(written[document.name, pose_id, ".json"])
        positions, normals = compiled.positions(pose_id), compiled.normals(pose_id)
        assert len(positions) == len(normals) == len(compiled.meshes)
        for mesh, of_mesh, their_normals in zip(compiled.meshes, positions, normals):
            assert of_mesh.dtype == np.float32 and of_mesh.shape == (mesh.vertex_count, 3)
            assert np.array_equal(of_mesh, np.array(expected[mesh.name]["positions"], np.float32))
            assert np.array_equal(their_normals, np.array(expected[mesh.name]["normals"], np.float32))


def test_arrays_are_made_once_and_own_nothing() -> None:
    compiled = rigy_batch.compile(INPUTS / "L02_two_bone_dqs_twist.rigy.yaml")
    [pose_id, *_] = compiled.pose_ids
    [array] = compiled.positions(pose_id)
    assert compiled.positions(pose_id)[0] is array
    assert not array.flags.owndata and not array.flags.writeable and array.flags.c_contiguous
    [mesh] = compiled.meshes
    assert mesh.positions is mesh.positions and not mesh.positions.flags.writeable
    with pytest.raises(ValueError):
        array[0, 0] = 1
    kept = array.copy()
    del compiled, mesh
    assert np.array_equal(array, kept), "arrays outlive the document"


def test_a_mapping_and_a_function_load_imports() -> None:
    asked = []

    def load(path: str) -> bytes | None:
        asked.append(path)
        return {"parts/cube.yaml": PART.encode()}.get(path)

    by_function = rigy_batch.compile(text=WHOLE, loader=load)
    by_mapping = rigy_batch.compile(text=WHOLE, loader={"parts/cube.yaml": PART})
    assert by_function.glb == by_mapping.glb and set(asked) == {"parts/cube.yaml"}
    [instance] = by_function.instances
    assert (instance.id, instance.base) == ("big", "part")
    assert instance.matrix.tolist() == [[2, 0, 0, 5], [0, 2, 0, 0], [0, 0, 2, 0], [0, 0, 0, 1]]
    [cube] = instance.meshes
    assert cube.name == "cube" and cube.positions.shape == (24, 3) and by_function.meshes == ()


def test_an_absent_file_is_a_finding_and_an_exception_is_raised_as_it_is() -> None:
    with pytest.raises(rigy_batch.RigyError) as absent:
        rigy_batch.compile(text=WHOLE, loader={})
    assert absent.value.category == "ParseError" and absent.value.line == 3

    def broken(path: str) -> bytes:
        raise RuntimeError(path)

    with pytest.raises(RuntimeError, match="parts/cube.yaml"):
        rigy_batch.compile(text=WHOLE, loader=broken)
    with pytest.raises(TypeError, match="bytes"):
        rigy_batch.compile(text=WHOLE, loader=lambda path: 1)


def test_nothing_is_loaded_from_above_the_document() -> None:
    with pytest.raises(rigy_batch.RigyError) as outside:
        rigy_batch.compile(text=WHOLE.replace("parts/", "../"), loader=lambda path: pytest.fail(path))
    assert outside.value.code == "U14"


@pytest.mark.parametrize("document", documents(INVALID), ids=lambda path: path.name)
def test_findings_are_those_of_the_program(document: Path, tmp_path: Path) -> None:
    found = lines(call(document, "-o", tmp_path, "--format", "json", status=None))[0]["errors"]
    try:
        compiled = rigy_batch.compile(document)
        [compiled.glb, *map(compiled.pose, compiled.pose_ids)]
        findings = ()
    except rigy_batch.RigyError as error:
        findings = error.findings
        assert (error.code, error.line, error.path) == (findings[0].code, findings[0].line, findings[0].path)
        assert pickle.loads(pickle.dumps(error)).findings == findings
    keys = ["category", "code", "file", "line", "column", "path"]
    assert [[getattr(finding, key) for key in keys] for finding in findings] == [[one[key] for key in keys] for one in found]
    for finding, one in zip(findings, found):
        imported = "".join(f" (imported at {importer})" for importer in finding.importers)
        assert one["message"] == finding.message + (f"; {finding.help}" if finding.help else "") + imported


def test_a_pose_that_is_not_there() -> None:
    compiled = rigy_batch.compile(INPUTS / "L02_two_bone_dqs_twist.rigy.yaml")
    [pose_id, *_] = compiled.pose_ids
    for ask in [compiled.pose, compiled.positions, compiled.normals]:
        with pytest.raises(KeyError, match="did you mean"):
            ask(pose_id + "x")


def test_arguments_that_contradict_each_other() -> None:
    for arguments in [{}, {"path": "a", "text": "b"}, {"path": "a", "loader": {}}, {"text": "a", "root": "b"}]:
        with pytest.raises(TypeError):
            rigy_batch.compile(**arguments)
    with pytest.raises(FileNotFoundError) as missing:
        rigy_batch.compile("no/such.rigy.yaml")
    assert isinstance(missing.value, rigy_batch.RigyError) and missing.value.category == "FileError"
    assert (missing.value.errno, missing.value.filename) == (errno.ENOENT, "no/such.rigy.yaml")
    for read in [rigy_batch.bake, rigy_batch.inspect]:
        with pytest.raises(FileNotFoundError, match="no/such.glb"):
            read("no/such.glb")


def test_threads_compile_at_the_same_time() -> None:
    paths = documents(INPUTS)
    expected = [rigy_batch.compile(path).glb for path in paths]
    results: list[list[bytes]] = []
    work = lambda: results.append([rigy_batch.compile(path).glb for path in paths])
    threads = [threading.Thread(target=work) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert results == [expected] * 4


@pytest.mark.filterwarnings("ignore::rigy_batch.RigyWarning")
@pytest.mark.parametrize("document", documents(INPUTS), ids=lambda path: path.name)
def test_instances_are_those_that_inspect_describes(document: Path) -> None:
    compiled = rigy_batch.compile(document)
    expected = rigy_batch.inspect(document).get("instances", [])
    found = [(one.id, one.base, one.matrix.T.ravel().tolist()) for one in compiled.instances]
    assert found == [(one["id"], one["base"], one["matrix"]) for one in expected]
    for one, facts in zip(compiled.instances, expected):
        corners = [mesh.positions @ one.matrix[:3, :3].T + one.matrix[:3, 3] for mesh in one.meshes]
        if facts["bounds"]:
            assert np.allclose(np.concatenate(corners).min(axis=0), facts["bounds"]["min"], atol=1e-5)
            assert np.allclose(np.concatenate(corners).max(axis=0), facts["bounds"]["max"], atol=1e-5)


def test_a_scene() -> None:
    scene = (INVALID / "U18_child_without_mount.rigs.yaml").read_text()
    scene = scene.replace("top_aside]}}", "top_aside]}, mount: {anchors: [below, below_ahead, below_aside]}}")
    part = (INVALID / "U18_child_without_mount.part.yaml").read_text()
    compiled = rigy_batch.compile(text=scene, name="x.rigs.yaml", loader={"U18_child_without_mount.part.yaml": part})
    [board] = compiled.meshes
    [shelf] = compiled.instances
    assert (board.name, shelf.id, shelf.base) == ("board", "shelf", "board")
    [again] = shelf.meshes
    assert np.array_equal(again.positions, board.positions) and compiled.pose_ids == []
    assert np.allclose(shelf.matrix, [[1, 0, 0, 0], [0, 1, 0, 0.1], [0, 0, 1, 0], [0, 0, 0, 1]])
    assert read(compiled.glb)[0]["asset"]["version"] == "2.0"


def test_a_longer_text_is_refused_with_the_option_that_takes_it(tmp_path: Path) -> None:
    text = 'version: "0.5"\nmeshes: []\n' + "# a line of a comment\n" * 55_000
    (tmp_path / "a.rigy.yaml").write_text(text)
    with pytest.raises(rigy_batch.RigyError, match="the limit is 1048576"):
        rigy_batch.compile(text=text)
    with pytest.raises(rigy_batch.RigyError, match="the limit is 1048576"):
        rigy_batch.inspect(tmp_path / "a.rigy.yaml")
    assert not rigy_batch.run(tmp_path, dry_run=True).ok
    assert rigy_batch.compile(text=text, limit="bytes=2M").pose_ids == []
    assert rigy_batch.inspect(tmp_path / "a.rigy.yaml", limit="bytes=2M")
    assert rigy_batch.run(tmp_path, dry_run=True, limit="bytes=2M").ok
    with pytest.raises(ValueError, match="there is no limit `height`"):
        rigy_batch.compile(text=text, limit="height=3")
