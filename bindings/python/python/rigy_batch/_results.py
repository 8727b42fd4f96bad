"""Plain data: findings, results, and the options of a run over glTF files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Optional, Sequence, Tuple, Union

if TYPE_CHECKING:
    from numpy import float32, str_, uint32
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Finding:
    """An error or a warning, with its place."""

    # begin finding: written by bindings/types.py
    code: Optional[str]
    """The stable code, such as ``V11``; None for failures that have none. ``rigy-batch explain`` says what it means."""
    category: str
    """The category, such as ``ValidationError``."""
    message: str
    """A sentence that names the offending value."""
    help: Optional[str]
    """What to do about it."""
    file: Optional[str]
    """The file that it is about."""
    line: Optional[int]
    """The line, from 1; None for a whole file and for glTF files."""
    column: Optional[int]
    """The column in characters, from 1."""
    path: Optional[str]
    """The path in the document or in the JSON of the glTF file; None for a whole file."""
    importers: Tuple[str, ...]
    """Where the file was imported, as ``file:line:column``, the nearest first."""
    is_warning: bool
    """True for a warning that does not count as an error."""
    is_transient: bool
    """True for an error that the machine has caused, such as a full disk, and that another try may not have."""
    # end finding

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        code = f" {self.code}" if self.code else ""
        path = f" ({self.path})" if self.path else ""
        end = f"; {self.help}" if self.help else ""
        imported = "".join(f" (imported at {importer})" for importer in self.importers)
        return f"{place + ': ' if place else ''}{self.category}{code}: {self.message}{path}{end}{imported}"


@dataclass(frozen=True)
class Output:
    """An output of an input of a run."""

    # begin output: written by bindings/types.py
    path: Optional[str]
    """The file; None if the input failed before it was known."""
    status: Literal["written", "unchanged", "failed", "skipped", "removed"]
    """``written``: the file is new or has new content, or would in a dry run; ``unchanged``: it had the content already; ``failed``;
    ``skipped``: the input was left out, as the options ask; ``removed``: a file of an earlier run that nothing makes any more."""
    pose: Optional[str]
    """The pose; None for the rest pose and for glTF files."""
    animation: Optional[str]
    """The animation of a glTF file, by its name, or its number if it has no name."""
    time: Optional[float]
    """The moment in seconds."""
    frame: Optional[int]
    """The number of the frame; None unless frames were asked for."""
    is_beside: bool
    """True for a file beside other outputs, which refer to it."""
    bytes: Optional[int]
    """The length of the file; None if it has failed."""
    sha256: Optional[str]
    """The SHA-256 of the file in hexadecimal, if it was asked for."""
    warnings: Tuple[Finding, ...]
    """The warnings that stand at this output, the first that they concern; those about the whole input stand at its first output."""
    errors: Tuple[Finding, ...]
    """The errors that stand at this output in the same way. One that has failed without an error of its own has the first of its
    input."""
    # end output


@dataclass(frozen=True)
class Outcome:
    """The outcome of one input of a run."""

    # begin outcome: written by bindings/types.py
    input: str
    """The path of the input."""
    outputs: Tuple[Output, ...]
    """The rest pose, then the poses in the order of the document; or the frames."""
    warnings: Tuple[Finding, ...]
    """All warnings about the input and its outputs, in the order of the checks."""
    errors: Tuple[Finding, ...]
    """The errors; if there are any, nothing was written, unless a file could not be renamed to its final path."""
    is_cached: bool
    """True if the input and its outputs have not changed since an earlier run, so that no work was done."""
    # end outcome

    @property
    def ok(self) -> bool:
        """True if no output has failed."""
        return not any(output.status == "failed" for output in self.outputs)


@dataclass(frozen=True)
class Summary:
    """Counts of a run: of inputs, of outputs by their status, and of warnings."""

    # begin summary: written by bindings/types.py
    inputs: int
    """The inputs."""
    written: int
    """The outputs that are new or have new content."""
    unchanged: int
    """The outputs that had their content already."""
    failed: int
    """The outputs that have failed."""
    skipped: int
    """The outputs of inputs that were left out."""
    removed: int
    """The files of earlier runs that nothing makes any more."""
    warnings: int
    """The warnings."""
    # end summary


@dataclass(frozen=True)
class RunResult:
    """The result of a run."""

    # begin run_result: written by bindings/types.py
    outcomes: Tuple[Outcome, ...]
    """The outcomes, sorted by the paths of inputs; last those about files that were removed."""
    summary: Summary
    """Counts of all outcomes."""
    errors: Tuple[Finding, ...]
    """Failures that belong to no input, such as a pose that no document has."""
    is_partial: bool
    """True if inputs are missing, because the run ended at the first failure."""
    # end run_result

    @property
    def ok(self) -> bool:
        """True if the program would have ended with the status 0."""
        return not (self.summary.failed or self.errors or self.is_partial)


@dataclass(frozen=True)
class Verdict:
    """The verdict on a test of a conformance manifest."""

    # begin verdict: written by bindings/types.py
    id: str
    """The name of the test."""
    category: str
    """The letter of its category."""
    passed: bool
    """True if it has passed."""
    detail: str
    """What was compared, or why it has failed."""
    # end verdict


@dataclass(frozen=True, eq=False, repr=False)
class Frames:
    """The moments of an animation: T moments of N vertices and J joints, in the axes and the unit of glTF. The arrays cannot be written to."""

    positions: NDArray[float32]
    """The positions in the space of the scene: float32 of shape (T, N, 3), with the bits of single bakes."""
    normals: NDArray[float32]
    """The normals: float32 of shape (T, N, 3); 0 for vertices of a primitive that has none."""
    triangles: NDArray[uint32]
    """The triangles, counter-clockwise from their front: uint32 of shape (M, 3), rows of a moment."""
    uvs: NDArray[float32]
    """The first texture coordinates, V down: float32 of shape (N, 2); 0 for vertices of a primitive that has none."""
    times: NDArray[float32]
    """The times in seconds: float32 of shape (T,)."""
    names: NDArray[str_]
    """The name of the mesh of each primitive, of long ones the beginning: text of shape (P,)."""
    primitives: NDArray[uint32]
    """Of each primitive, its vertices and its triangles, as the first and the one after the last: uint32 of shape (P, 2, 2)."""
    joints: NDArray[float32]
    """The matrices from joints to the scene, for column vectors: float32 of shape (T, J, 4, 4)."""
    joint_names: NDArray[str_]
    """The names of the joints, of long ones the beginning: text of shape (J,)."""

    def __repr__(self) -> str:
        return f"Frames({', '.join(f'{name}: {array.dtype} {array.shape}' for name, array in vars(self).items())})"


@dataclass(frozen=True)
class Deviation:
    """How far the vertices of a primitive are from where they should be."""

    # begin deviation: written by bindings/types.py
    max: float
    """The largest deviation."""
    mean: float
    """The mean of all vertices."""
    vertex: int
    """The first vertex with the largest."""
    # end deviation


@dataclass(frozen=True)
class MeshDifference:
    """The differences of a primitive that both files have."""

    # begin mesh_difference: written by bindings/types.py
    mesh: str
    """The name of the mesh, or ``mesh N``."""
    primitive: int
    """The index of the primitive in its mesh."""
    vertices: int
    """The number of vertices."""
    position: Deviation
    """Distances in model units, after the transforms of nodes."""
    normal_degrees: Optional[Deviation]
    """Angles between normals in degrees; None if a file has no normals."""
    # end mesh_difference


@dataclass(frozen=True)
class Difference:
    """The result of comparing two glTF files."""

    # begin difference: written by bindings/types.py
    equal: bool
    """True if both files, and the buffers that they refer to, have the same bytes."""
    passes: bool
    """True if they are equal, or within the tolerance."""
    first_difference: Optional[str]
    """The first byte that differs and the field that it belongs to, with both values; None for equal files."""
    structure: Tuple[str, ...]
    """Differences that are not distances of vertices, in words."""
    meshes: Tuple[MeshDifference, ...]
    """The primitives whose vertices could be compared, with distances in model units; empty for equal files."""
    max_distance: Optional[float]
    """The largest distance between two vertices in model units; None if none could be compared."""
    # end difference


Clip = Union[str, int]


@dataclass(frozen=True)
class Bake:
    """How ``run`` bakes glTF files, and the options of ``bake``. The fields do what the options of ``rigy-batch bake`` do."""

    # begin bake_options: written by bindings/types.py
    animation: Union[Clip, Sequence[Clip], None] = None
    """The name or the number of an animation; ``run`` of Python takes several, or ``all``. Without it, times, a ``motion`` and what holds
    frames take animation 0; else nodes are as they are stored."""
    motion: Optional[str] = None
    """A file whose animations are played on the joints of this one, ``FILE`` or ``FILE#CLIP``."""
    time: Optional[float] = None
    """The moment in seconds."""
    frames: Optional[str] = None
    """Frames as ``0..47@24``, or ``@24`` for a whole animation: each an output of its own, unless ``as`` or ``to`` joins them."""
    as_: Literal["frames", "morph", "step", "skin", "vat"] = "frames"
    """Single files, a GLB that plays by morph targets or by a mesh for each frame, the file itself with helper joints (``skin``), or
    (``vat``, not in JavaScript) vertex animation textures."""
    tolerance: Optional[float] = None
    """In units of the model: with ``morph``, frames are left out that blending gives within this distance; with ``skin``, the largest
    distance of a vertex from where dual quaternions put it."""
    helpers: Optional[int] = None
    """With ``skin``: most joints that a skin gets."""
    to: Literal["glb", "obj", "stl", "3mf", "ply", "usda", "npz", "pc2", "mdd"] = "glb"
    """The format."""
    join: Optional[Literal["all", "node"]] = None
    """With another format: one object for all meshes, or one for each node, by default ``node`` for ``3mf``."""
    up: Optional[Literal["y", "z"]] = None
    """With another format: the axis that points up, by default ``z`` for ``stl`` and ``3mf``, else ``y``."""
    scale: Optional[float] = None
    """With another format or ``vat``: the factor of positions, by default 1000 (millimetres) for ``stl`` and ``3mf``, else 1."""
    texture_format: Optional[Literal["exr", "png"]] = None
    """With ``vat``: the file of the texture, by default ``exr``."""
    textures: Optional[Literal["embed", "beside"]] = None
    """Images in each output, or as files beside them; by default beside several frames."""
    solver: Optional[Literal["lbs", "dqs"]] = None
    """Linear blending or dual quaternions; without it ``lbs``, and ``dqs`` with ``skin``."""
    joint_scale: Optional[Literal["global", "local", "reject"]] = None
    """The treatment of joint scale under dual quaternions, by default ``global``."""
    local_scale_joints: Sequence[str] = ()
    """Joints whose scale alone is local, and that of all others global."""
    two_stage: bool = False
    """Blends joint scale before the dual quaternions move a vertex."""
    pivot: Literal["origin", "node", "bounds"] = "origin"
    """The origin of baked meshes."""
    keep_skeleton: bool = False
    """Keeps the nodes of skeletons that nothing needs any more."""
    keep_extensions: bool = False
    """Leaves extensions as they are where the bake makes them untrue."""
    allow_extensions: Sequence[str] = ()
    """Required extensions that are taken to leave geometry alone."""
    # end bake_options
    missing_animation: Optional[Literal["error", "skip", "rest"]] = None
    """What becomes of a file that lacks the animation; for ``run``."""
