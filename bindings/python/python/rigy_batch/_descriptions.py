"""The dictionaries that ``inspect`` returns: the objects of ``rigy-batch inspect --format json``."""

from __future__ import annotations

from typing import Dict, List, Literal, Optional, TypedDict

# begin dictionaries: written by bindings/types.py
class Extremes(TypedDict):
    """The least and greatest coordinates, in model units."""

    min: List[float]
    max: List[float]


class _SummaryFacts(TypedDict):
    rigy_version: str
    mesh_count: int
    primitive_count: int
    bounds: Extremes


class SummaryFacts(_SummaryFacts, total=False):
    """Figures of a whole document."""

    scene_bounds: Extremes


class PrimitiveFacts(TypedDict):
    """A primitive of a document."""

    id: str
    type: str
    material: str
    aabb: Optional[Extremes]
    center: Optional[List[float]]
    extents: Optional[List[float]]


class Plane(TypedDict):
    """The points p with n·p + d = 0."""

    n: List[float]
    d: float


class Face(TypedDict):
    """A face of a box or a wedge."""

    primitive_id: str
    surface_key: str
    normal: List[float]
    plane: Plane


class Pair(TypedDict):
    """The distances of the bounds of two primitives along the axes, and the greatest of them as ``overall``."""

    a: str
    b: str
    gap: Dict[str, float]


_Check = TypedDict("_Check", {"check": Optional[str], "label": str, "pass": Optional[bool]})


class Check(_Check, total=False):
    """The result of a check of ``geometry_checks``."""

    cross_magnitude: float
    distance: float
    error: str


class InstanceFacts(TypedDict):
    """An instance; its matrix has 16 numbers, columns first."""

    id: str
    base: str
    matrix: List[float]
    bounds: Optional[Extremes]


class _DocumentDescription(TypedDict):
    inspect_schema_version: int
    summary: SummaryFacts
    primitives: List[PrimitiveFacts]
    faces: List[Face]


class DocumentDescription(_DocumentDescription, total=False):
    """A document or a scene: the object that ``rigy-batch inspect --format json`` prints."""

    pairs: List[Pair]
    checks: List[Check]
    instances: List[InstanceFacts]
    expanded_yaml: str


class NodeFacts(TypedDict):
    """A node."""

    index: int
    name: Optional[str]
    depth: int
    mesh: Optional[int]
    joint: bool


class ClipFacts(TypedDict):
    """An animation, with the times of its first and last key in seconds."""

    index: int
    name: Optional[str]
    start: Optional[float]
    end: Optional[float]
    channels: int
    keys: int


class SkinFacts(TypedDict):
    """A skin."""

    index: int
    name: Optional[str]
    joints: int
    influences: int


class Seams(TypedDict):
    """How the triangles of a mesh join, where corners at equal positions are one."""

    open_edges: int
    crowded_edges: int
    turned_edges: int
    parts: int


class MeshFacts(TypedDict):
    """A mesh."""

    index: int
    name: Optional[str]
    primitives: int
    vertices: int
    triangles: int
    morph_targets: int
    skinned: bool
    attributes: List[str]
    seams: Optional[Seams]


class MaterialFacts(TypedDict):
    """A material."""

    index: int
    name: Optional[str]
    base_color: List[float]
    alpha_mode: str
    double_sided: bool


class TextureFacts(TypedDict):
    """A texture."""

    index: int
    name: Optional[str]
    media_type: Optional[str]
    width: Optional[int]
    height: Optional[int]
    bytes: Optional[int]


class _FindingFacts(TypedDict):
    category: str
    code: Optional[str]
    message: str
    path: Optional[str]
    file: Optional[str]
    line: Optional[int]
    column: Optional[int]


class FindingFacts(_FindingFacts, total=False):
    """An error or a warning, as JSON lines have it."""

    transient: bool


class GltfDescription(TypedDict):
    """A glTF file: the object that ``rigy-batch inspect --format json`` prints."""

    file: str
    format: Literal["glb", "gltf"]
    generator: Optional[str]
    bytes: int
    vertex_bytes: int
    texture_bytes: int
    nodes: List[NodeFacts]
    clips: List[ClipFacts]
    skins: List[SkinFacts]
    meshes: List[MeshFacts]
    materials: List[MaterialFacts]
    textures: List[TextureFacts]
    extensions_used: List[str]
    bounds: Optional[Extremes]
    warnings: List[FindingFacts]
# end dictionaries
