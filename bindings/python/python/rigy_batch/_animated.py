"""Arrays of moments as a glTF file that plays them."""

from __future__ import annotations

import json
import struct
import warnings
from numbers import Real
from typing import TYPE_CHECKING, Any, Optional

from ._rigy_batch import bake

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

FLOAT, UNSIGNED = 5126, 5125
OF_VERTICES, OF_INDICES = 34962, 34963
TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3"}
MOST = 2**32 - 1


class _Data:
    """The binary chunk, and what describes it."""

    def __init__(self) -> None:
        self.chunks: list[bytes] = []
        self.length = 0
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []

    def add(self, rows: NDArray[Any], target: Optional[int] = None, has_bounds: bool = False) -> int:
        """Appends an accessor with an element in each row. Returns its index."""
        view: dict[str, Any] = {"buffer": 0, "byteOffset": self.length, "byteLength": rows.nbytes}
        accessor: dict[str, Any] = {"bufferView": len(self.views), "componentType": FLOAT if rows.dtype.kind == "f" else UNSIGNED, "count": len(rows), "type": TYPES[rows.shape[1]]}
        if has_bounds:
            accessor |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        self.views.append(view if target is None else view | {"target": target})
        self.accessors.append(accessor)
        self.chunks.append(rows.astype(rows.dtype.newbyteorder("<"), copy=False).tobytes())
        self.length += rows.nbytes
        return len(self.accessors) - 1


def animated(vertices: ArrayLike, faces: ArrayLike, fps: float = 24, *, normals: Optional[ArrayLike] = None, uvs: Optional[ArrayLike] = None, name: str = "mesh", **options: Any) -> Any:
    """Returns a mesh that moves: a GLB that plays by morph targets, or what `bake` makes of it with other options.

    `vertices` are the positions of T moments of N vertices, of shape (T, N, 3), `fps` of them a second; `faces` are triangles of shape (M, 3).
    `normals` have the shape of `vertices`, `uvs`, with V down, the shape (N, 2). `name` is that of the mesh. Other options are those of `bake`, such
    as `to="usda"`, `as_="vat"` or `tolerance`; by default `as_` is "morph".

    Raises ValueError if a shape does not fit, a number is not finite or a face has a vertex that is not there; other errors are those of `bake`."""
    import numpy as np

    def array(what: str, given: ArrayLike, shape: tuple[Optional[int], ...]) -> NDArray[np.float32]:
        rows = np.asarray(given, np.float32)
        if rows.ndim != len(shape) or any(want not in (None, has) for want, has in zip(shape, rows.shape)) or not rows.size:
            wanted = ", ".join("at least 1" if side is None else str(side) for side in shape)
            raise ValueError(f"{what} has the shape {rows.shape}, and not ({wanted})")
        if not np.isfinite(rows).all():
            raise ValueError(f"{what} has a number that is not finite")
        with np.errstate(over="ignore"):
            if not np.isfinite(np.ptp(rows)):
                raise ValueError(f"{what} has numbers whose distance exceeds single precision")
        return np.ascontiguousarray(rows)

    positions = array("vertices", vertices, (None, None, 3))
    moments, count, _ = positions.shape
    corners = np.asarray(faces)
    if corners.ndim != 2 or corners.shape[1] != 3 or not corners.size or corners.dtype.kind not in "iu":
        raise ValueError(f"faces has the shape {corners.shape} of {corners.dtype}, and not (at least 1, 3) of integers")
    if not (0 <= corners.min() and corners.max() < count):
        raise ValueError(f"faces has the vertices {corners.min()} to {corners.max()}; there are {count}")
    if not (isinstance(fps, Real) and np.isfinite(fps) and fps > 0):
        raise ValueError(f"fps is {fps!r}, and not a number greater than 0")
    if not isinstance(name, str):
        raise TypeError(f"name is {name!r}, and not a text")
    name.encode()  # half a pair of surrogates is no text, which this says
    if moments == 1 and options and "to" not in options:
        raise ValueError("vertices has one moment, which is no animation")
    if options.get("as_") == "skin":
        raise ValueError('as_="skin" is for files with joints, and arrays have none')
    vectors = {"POSITION": positions}
    if normals is not None:
        vectors["NORMAL"] = array("normals", normals, positions.shape)
    coordinates = None if uvs is None else array("uvs", uvs, (count, 2))
    times = (np.arange(moments) / fps).astype(np.float32)
    if not (np.isfinite(times).all() and (np.diff(times) > 0).all()):
        raise ValueError(f"fps is {fps}: the times of {moments} moments are not distinct in single precision")
    size = moments * (12 * count * len(vectors) + 4 * moments) + corners.size * 4
    if size > MOST:
        raise ValueError(f"vertices of {moments} moments would make a file of {size} bytes, more than {MOST}")

    data = _Data()
    attributes = {kind: data.add(rows[0], OF_VERTICES, kind == "POSITION") for kind, rows in vectors.items()}
    if coordinates is not None:
        attributes["TEXCOORD_0"] = data.add(coordinates, OF_VERTICES)
    primitive: dict[str, Any] = {"attributes": attributes, "indices": data.add(corners.astype(np.uint32).reshape(-1, 1), OF_INDICES)}
    mesh: dict[str, Any] = {"name": name, "primitives": [primitive]}
    tree: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": "rigy-batch"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": name, "mesh": 0}],
        "meshes": [mesh],
    }
    if moments > 1:
        # Of each moment after the first, a target with its distances, which alone has a weight then.
        primitive["targets"] = [{kind: data.add(rows[at] - rows[0], OF_VERTICES, kind == "POSITION") for kind, rows in vectors.items()} for at in range(1, moments)]
        mesh["weights"] = [0] * (moments - 1)
        weights = np.eye(moments, dtype=np.float32)[:, 1:].reshape(-1, 1)
        sampler = {"input": data.add(times.reshape(-1, 1), has_bounds=True), "output": data.add(weights)}
        tree["animations"] = [{"name": name, "samplers": [sampler], "channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}]}]
    tree |= {"accessors": data.accessors, "bufferViews": data.views, "buffers": [{"byteLength": data.length}]}
    glb = _glb(tree, data)
    if not options:
        return glb
    if "to" not in options:
        options.setdefault("as_", "morph")
    if moments > 1:
        options.setdefault("frames", f"@{fps}")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "file.glb: ValidationError W08: there is no skin")
        return bake(glb, **options)


def _glb(tree: dict[str, Any], data: _Data) -> bytes:
    text = json.dumps(tree, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    chunks = [struct.pack("<I4s", len(text), b"JSON"), text, struct.pack("<I4s", data.length, b"BIN\0"), *data.chunks]
    return b"".join([struct.pack("<4sII", b"glTF", 2, 12 + sum(map(len, chunks))), *chunks])
