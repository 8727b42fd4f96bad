from os import PathLike
from typing import Callable, Final, Literal, Mapping, NoReturn, Optional, Sequence, TypedDict, Union, final, overload

from numpy import float32, float64, uint32
from numpy.typing import NDArray
from typing_extensions import TypeAlias, Unpack

from ._descriptions import DocumentDescription, GltfDescription
from ._results import Bake, Clip, Difference, Finding, Frames, Outcome, RunResult, Verdict

_Path: TypeAlias = Union[str, PathLike[str]]
_Content: TypeAlias = Union[bytes, bytearray, str]
_Loader: TypeAlias = Union[Mapping[str, _Content], Callable[[str], _Content | None]]

# The fields of `Bake` that do not decide what `bake` returns.
# begin options: written by bindings/types.py
_Format: TypeAlias = Literal["glb", "obj", "stl", "3mf", "ply", "usda", "npz", "pc2", "mdd"]
_OtherFormat: TypeAlias = Literal["obj", "stl", "3mf", "ply", "usda", "npz", "pc2", "mdd"]

class _BakeOptions(TypedDict, total=False):
    animation: Union[Clip, None]
    motion: Optional[str]
    time: Optional[float]
    tolerance: Optional[float]
    helpers: Optional[int]
    join: Optional[Literal["all", "node"]]
    up: Optional[Literal["y", "z"]]
    scale: Optional[float]
    texture_format: Optional[Literal["exr", "png"]]
    solver: Optional[Literal["lbs", "dqs"]]
    joint_scale: Optional[Literal["global", "local", "reject"]]
    local_scale_joints: Sequence[str]
    two_stage: bool
    pivot: Literal["origin", "node", "bounds"]
    keep_skeleton: bool
    keep_extensions: bool
    allow_extensions: Sequence[str]
# end options

class _FramesOptions(TypedDict, total=False):
    animation: Union[Clip, None]
    motion: Optional[str]
    solver: Literal["lbs", "dqs"]
    joint_scale: Optional[Literal["global", "local", "reject"]]
    local_scale_joints: Sequence[str]
    two_stage: bool
    allow_extensions: Sequence[str]

__all__ = ["Instance", "Mesh", "bake", "Compiled", "compile", "diff", "frames", "inspect", "main", "run", "verify", "__version__"]
__version__: Final[str]

@final
class Mesh:
    """A mesh of a compiled document at rest, in model space. All primitives of the mesh are merged, in document order."""

    @property
    def name(self) -> str:
        """The name of the mesh and of its node in GLBs."""

    @property
    def is_skinned(self) -> bool:
        """True if poses move the mesh: it is bound to an armature."""

    @property
    def vertex_count(self) -> int:
        """The number of vertices."""

    @property
    def triangle_count(self) -> int:
        """The number of triangles."""

    @property
    def primitives(self) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        """The primitives in document order: of each, its vertices and its triangles as ranges of rows of the arrays."""

    @property
    def positions(self) -> NDArray[float32]:
        """The positions at rest, in metres: float32 of shape (vertex_count, 3), with the bits of the GLB. It cannot be written to."""

    @property
    def normals(self) -> NDArray[float32]:
        """The unit normals at rest: float32 of shape (vertex_count, 3), with the bits of the GLB. It cannot be written to."""

    @property
    def indices(self) -> NDArray[uint32]:
        """The triangles: uint32 of shape (triangle_count, 3), rows of `positions`. It cannot be written to."""

    @property
    def uvs(self) -> tuple[NDArray[float32], ...]:
        """The UV sets in order: float32 of shape (vertex_count, 2) each. They cannot be written to."""

@final
class Instance:
    """A part or mesh that is placed in a document, or a part that stands on another in a scene."""

    @property
    def id(self) -> str:
        """The id of the instance or child."""

    @property
    def base(self) -> str:
        """The namespace of the import, the id of the mesh, or the alias of the part that is placed."""

    @property
    def matrix(self) -> NDArray[float64]:
        """The transform to the space of the document or the scene: float64 of shape (4, 4), for column vectors. It cannot be written to."""

    @property
    def meshes(self) -> tuple[Mesh, ...]:
        """The meshes that are placed, at rest in their own space."""

@final
class Compiled:
    """A document that has been compiled. It does not depend on its files any more."""

    @property
    def name(self) -> str:
        """The name of the document in findings."""

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The warnings of the compilation."""

    @property
    def pose_ids(self) -> list[str]:
        """The ids of the poses, in document order."""

    @property
    def glb(self) -> bytes:
        """The GLB at rest, with skins and instances: the bytes that the program writes. It is made once.

        Raises RigyError if a number does not fit single precision, or the file would exceed 4 GiB."""

    def pose(self, pose_id: str) -> bytes:
        """Returns the GLB of a pose: plain meshes of posed vertices, the bytes that the program writes.

        Raises KeyError if the document has no such pose, and RigyError as for `glb`."""

    def positions(self, pose_id: str) -> tuple[NDArray[float32], ...]:
        """Returns the posed positions, in metres, one array for each of `meshes`: float32 of shape (vertex_count, 3), with the bits of the
        baked GLB. A mesh that is not skinned is at rest. The arrays cannot be written to.

        Raises KeyError if the document has no such pose, and RigyError as for `glb`."""

    def normals(self, pose_id: str) -> tuple[NDArray[float32], ...]:
        """Returns the posed unit normals, in the form of `positions`. The arrays of the pose that was asked for last are kept.

        Raises KeyError if the document has no such pose, and RigyError as for `glb`."""

    @property
    def meshes(self) -> tuple[Mesh, ...]:
        """The meshes of the document itself that have vertices, in the order of GLBs; of a scene those of the part that the others stand on."""

    @property
    def instances(self) -> tuple[Instance, ...]:
        """The instances of the document in its order, or the parts of a scene, depth first."""

@overload
def compile(
    path: _Path,
    *,
    text: None = None,
    root: _Path | None = None,
    with_instances: bool = False,
    double_sided: bool = False,
    outward: bool = False,
    limit: str | None = None,
) -> Compiled: ...
@overload
def compile(
    path: None = None,
    *,
    text: str,
    name: str | None = None,
    loader: _Loader | None = None,
    with_instances: bool = False,
    double_sided: bool = False,
    outward: bool = False,
    limit: str | None = None,
) -> Compiled:
    """Compiles a document or a scene: the file at `path`, or `text`.

    References of a file stay inside `root`, by default the directory of the file. References of a text are asked of `loader`: a mapping
    from paths to `bytes` or `str`, or a callable that takes a path and returns one of these, or None if there is no such file. The
    paths are relative to the directory of the document, with `/` between names. `name` is the name of the text in findings; one that
    ends in `.rigs.yaml` makes it a scene.

    `with_instances`, `double_sided`, `outward` and `limit` (as in "bytes=4M,vertices=1M") do what the options of the program do.

    Raises RigyError with all findings if the document has errors."""

@overload
def bake(
    source: _Path | bytes | bytearray,
    *,
    as_: Literal["frames", "morph", "step"] = "frames",
    frames: None = None,
    to: Literal["glb"] = "glb",
    textures: Literal["embed"] | None = None,
    loader: _Loader | None = None,
    root: _Path | None = None,
    **options: Unpack[_BakeOptions],
) -> bytes: ...
@overload
def bake(
    source: _Path | bytes | bytearray,
    *,
    as_: Literal["morph", "step"],
    frames: str,
    to: Literal["glb"] = "glb",
    textures: Literal["embed"] | None = None,
    loader: _Loader | None = None,
    root: _Path | None = None,
    **options: Unpack[_BakeOptions],
) -> bytes: ...
@overload
def bake(
    source: _Path | bytes | bytearray,
    *,
    as_: Literal["frames"] = "frames",
    frames: str | None = None,
    to: _OtherFormat,
    textures: Literal["embed"] | None = None,
    loader: _Loader | None = None,
    root: _Path | None = None,
    **options: Unpack[_BakeOptions],
) -> dict[str, bytes]: ...
@overload
def bake(
    source: _Path | bytes | bytearray,
    *,
    as_: Literal["frames", "morph", "step", "vat"] = "frames",
    frames: str | None = None,
    to: _Format = "glb",
    textures: Literal["embed", "beside"] | None = None,
    loader: _Loader | None = None,
    root: _Path | None = None,
    **options: Unpack[_BakeOptions],
) -> bytes | dict[str, bytes]:
    """Bakes a glTF file and returns the bytes that the program writes: those of a GLB with plain meshes, or a dictionary of several
    files.

    `source` is a path or the bytes of a file. References of a file stay inside `root`, by default its directory; those of bytes are
    asked of `loader`, as for `compile`. The other arguments are fields of `Bake`, with at most one animation.

    The file of `motion` is on the disk.

    The result is a dictionary from names to bytes, the outputs first, if `to` is another format than "glb", if `as_` is "vat", if
    `textures` is "beside", or if `frames` are files of their own.

    Warnings are emitted as RigyWarning. Raises RigyError with all findings if the file cannot be baked, and ValueError if the options
    have no such values or cannot be combined."""

def frames(
    source: _Path | bytes | bytearray,
    *,
    fps: float | None = None,
    frames: str | None = None,
    memory: int | None = None,
    loader: _Loader | None = None,
    root: _Path | None = None,
    **options: Unpack[_FramesOptions],
) -> Frames:
    """Returns the moments of an animation of a glTF file as arrays that are made once and not copied: `Frames`.

    `source`, `loader` and `root` are those of `bake`. `fps` is the number of moments a second, from the first key to the last, by default 24;
    `frames`, in the place of it, names others as "0..47@24". `animation` is a name or a number, by default the first. `memory` is the number of bytes that
    positions, normals and joints may take, by default half of those of the machine. The other arguments are fields of `Bake` that are not about
    files.

    Warnings are emitted as RigyWarning. Raises RigyError with all findings if the file cannot be baked, has no such animation or one without
    keys, if a mesh is hidden at some moments only, or if the arrays would take more memory; ValueError if the options have no such values."""

def run(
    paths: _Path | Sequence[_Path],
    *,
    output: _Path | None = None,
    poses: str | Sequence[str] | None = None,
    positions: bool = False,
    with_instances: bool = False,
    double_sided: bool = False,
    outward: bool = False,
    bake: Bake | None = None,
    jobs: int | None = None,
    force: bool = False,
    dry_run: bool = False,
    prune: bool = False,
    fail_fast: bool = False,
    hash: bool = False,
    root: _Path | None = None,
    exclude: Sequence[str] | None = None,
    no_ignore: bool = False,
    warn_as_error: str | Sequence[str] | None = None,
    allow_warnings: str | Sequence[str] | None = None,
    memory: int | None = None,
    shard: str | None = None,
    allow_empty: bool = False,
    limit: str | None = None,
    on_progress: Callable[[int, int, Outcome], object] | None = None,
) -> RunResult:
    """Compiles all documents and scenes below some paths, or with `bake` bakes all glTF files there, and writes the files that the
    program would write, by the same rules: outputs are whole or absent, and inputs that have not changed since the last run are
    skipped, as the cache in `.rigy-batch` below the output directory notes, which the program shares.

    `paths` are directories and files. `output` is the directory of outputs, which mirrors the tree of the inputs; without it they go
    beside their inputs. `poses` is "all", "none" or ids; by default all are baked. `bake` is a `Bake`, whose presence makes this a run
    over glTF files. `jobs` is the number of threads, by default one for each processor. `warn_as_error` and `allow_warnings` are codes
    or "all"; `exclude` are globs; `shard` is "I/N". The other arguments do what the options of the program do.

    `on_progress` is called with the number of inputs that are done, the number of all inputs, and the `Outcome` of each, in the order of
    their paths, in the calling thread. An exception in it ends the run and is raised, and so is KeyboardInterrupt: inputs in
    progress are given up between two of their outputs, and what has been written is whole.

    A failed input is no exception: `RunResult.ok` is false. Raises RigyError if the run cannot start, as when two outputs would be one
    file, and ValueError if an argument is malformed or there is no input."""

def verify(
    manifest: _Path,
    *,
    only: str | Sequence[str] | None = None,
    jobs: int | None = None,
    limit: str | None = None,
) -> tuple[Verdict, ...]:
    """Runs the tests of a conformance manifest and returns a verdict for each, in their order.

    `only` names the tests to run, `jobs` is the number of threads, by default one for each processor, and `limit` does what the option of
    the program does. Raises RigyError if the
    manifest cannot be used, and KeyError if it has no test that `only` names."""

def diff(
    a: _Path | bytes | bytearray,
    b: _Path | bytes | bytearray,
    *,
    tolerance: float | None = None,
) -> Difference:
    """Compares two glTF files, each a path or bytes: `a` has what is expected, and `b` what was found.

    The result passes if the files are equal, or if `tolerance` is given and they are within it, in model units. Files that cannot be
    read as glTF are different unless they are equal. Raises RigyError if a file cannot be read at all."""

@overload
def inspect(source: bytes | bytearray) -> GltfDescription: ...
@overload
def inspect(
    source: _Path,
    *,
    primitives: Sequence[str] | None = None,
    expanded: bool = False,
    pairwise_gaps: bool = False,
    intent_checks: bool = False,
    limit: str | None = None,
) -> DocumentDescription | GltfDescription:
    """Returns what a document, a scene or a glTF file has: the object that `rigy-batch inspect --format json` prints for a single file.

    `source` is a path, or the bytes of a GLB. `primitives`, `expanded`, `pairwise_gaps`, `intent_checks` and `limit` are for documents and do
    what the options of the program do.

    Warnings about documents are emitted as RigyWarning; those about glTF files are in the result. Raises RigyError with all findings
    if the file has errors."""

def main(arguments: Sequence[str]) -> NoReturn:
    """Runs the program with these arguments, the name of the program first, and ends the process with its exit status.

    It handles the signals of the process, so nothing of Python runs afterwards."""
