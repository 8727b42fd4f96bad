"""What OpenUSD finds in an exported stage."""

import os

import numpy as np
from pxr import Usd, UsdGeom, UsdShade, UsdValidation


def check(expected, path, join, up):
    stage = Usd.Stage.Open(str(path))
    root = stage.GetDefaultPrim()
    assert root and UsdGeom.GetStageUpAxis(stage) == up.upper(), "up axis"
    unit = UsdGeom.GetStageMetersPerUnit(stage)
    assert unit == 1.0 / expected.scale, f"a unit of {unit} m, but positions are multiplied with {expected.scale}"
    meshes = [UsdGeom.Mesh(prim) for prim in root.GetChildren() if prim.IsA(UsdGeom.Mesh)]
    nodes = sorted({surface["node"] for surface in expected.surfaces})
    groups = [expected.surfaces]
    if join == "node":
        groups = [[s for s in expected.surfaces if s["node"] == node] for node in nodes]
    assert len(meshes) == len(groups), f"{len(meshes)} meshes, not {len(groups)}"
    for mesh, group in zip(meshes, groups):
        check_mesh(expected, mesh, group, os.path.dirname(path))
    if join == "node":
        names = [expected.glb.nodes[node].get("name") for node in nodes]
        for mesh, name in zip(meshes, names):
            shown = mesh.GetPrim().GetDisplayName() or mesh.GetPrim().GetName()
            assert not name or shown == cleaned(name), f"{shown!r}, not {name!r}"
    complain(stage)


def cleaned(name):
    """A name as files have it: control characters are escaped, as they are on terminals."""
    short = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return "".join(short.get(c, f"\\u{{{ord(c):x}}}") if ord(c) < 32 else c for c in name)


def check_mesh(expected, mesh, group, directory):
    values = lambda attribute: np.array(attribute.Get())
    expected.same("points", values(mesh.GetPointsAttr()), expected.rows("positions", group))
    assert np.array_equal(values(mesh.GetFaceVertexIndicesAttr()).reshape(-1, 3), expected.triangles(group)), "faces"
    points, counts = mesh.GetPointsAttr().Get(), mesh.GetFaceVertexCountsAttr().Get()
    assert UsdGeom.Mesh.ValidateTopology(mesh.GetFaceVertexIndicesAttr().Get(), counts, len(points))[0], "topology"
    extent = np.array(UsdGeom.Mesh.ComputeExtent(points))
    assert np.array_equal(values(mesh.GetExtentAttr()), extent), "extent"
    if expected.has("normals", group):
        expected.same("normals", values(mesh.GetNormalsAttr()), expected.rows("normals", group))
        assert mesh.GetNormalsInterpolation() == "vertex"
    primvars = UsdGeom.PrimvarsAPI(mesh)
    if expected.has("coordinates", group):
        expected.same("st", np.array(primvars.GetPrimvar("st").Get()), expected.rows("coordinates", group))
    if expected.has("colors", group):
        colors = expected.rows("colors", group)
        expected.same("displayColor", np.array(primvars.GetPrimvar("displayColor").Get()), colors[:, :3])
        if colors.shape[1] == 4 and (colors[:, 3] != 1.0).any():
            expected.same("displayOpacity", np.array(primvars.GetPrimvar("displayOpacity").Get()), colors[:, 3])
    check_materials(expected, mesh, group, directory)


def check_materials(expected, mesh, group, directory):
    """Checks that each face has the material of its surface."""
    count = len(expected.triangles(group))
    wanted = np.concatenate([[-1 if s["material"] is None else s["material"]] * len(s["triangles"]) for s in group])
    found = np.full(count, -1)
    subsets = UsdShade.MaterialBindingAPI(mesh.GetPrim()).GetMaterialBindSubsets()
    for prim, faces in [(mesh.GetPrim(), range(count))] + [(s.GetPrim(), s.GetIndicesAttr().Get()) for s in subsets]:
        material = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()[0]
        if material and (not subsets or prim != mesh.GetPrim()):
            shown = material.GetPrim().GetDisplayName() or material.GetPrim().GetName()
            candidates = {m for m in wanted[list(faces)]}
            assert len(candidates) == 1, "one material on faces of several"
            index = candidates.pop()
            name = expected.glb.json["materials"][index].get("name", f"material_{index}")
            assert shown == (cleaned(name) or "unnamed"), f"{shown!r}, not {name!r}"
            found[list(faces)] = index
            check_texture(expected, material, index, directory)
    assert np.array_equal(found, wanted), "materials of faces"


def check_texture(expected, material, index, directory):
    pbr = expected.glb.json["materials"][index].get("pbrMetallicRoughness", {})
    shader = UsdShade.Shader(material.GetPrim().GetChild("texture"))
    assert bool(shader) == ("baseColorTexture" in pbr), "texture"
    if shader:
        source = expected.glb.json["textures"][pbr["baseColorTexture"]["index"]]["source"]
        view = expected.glb.json["bufferViews"][expected.glb.json["images"][source]["bufferView"]]
        start = view.get("byteOffset", 0)
        file = shader.GetInput("file").Get().resolvedPath
        assert open(file, "rb").read() == expected.glb.binary[start : start + view["byteLength"]], "image"


def complain(stage):
    """Raises what the validators of USD find."""
    registry = UsdValidation.ValidationRegistry()
    names = [metadata.name for metadata in registry.GetAllValidatorMetadata()]
    validators = registry.GetOrLoadValidatorsByName([name for name in names if "Package" not in name])
    found = UsdValidation.ValidationContext(validators).Validate(stage)
    assert not found, [error.GetErrorAsString() for error in found[:3]]
