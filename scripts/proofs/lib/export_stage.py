"""What OpenUSD finds in an exported stage."""

import numpy as np
import png
from pxr import Usd, UsdGeom, UsdShade, UsdValidation

import export_made


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
        check_mesh(expected, mesh, group)
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


def check_mesh(expected, mesh, group):
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
    check_materials(expected, mesh, group)


def check_materials(expected, mesh, group):
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
            check_textures(expected, material, index)
    assert np.array_equal(found, wanted), "materials of faces"


def check_textures(expected, material, index):
    """Checks that the inputs of the surface come from the images of the material, as far as these lie as the base colour's."""
    described = expected.glb.json["materials"][index]
    pbr = described.get("pbrMetallicRoughness", {})
    base = pbr.get("baseColorTexture")
    kinds = {
        "texture": (base, ["diffuseColor"]),
        "normal": (described.get("normalTexture"), ["normal"]),
        "occlusion": (described.get("occlusionTexture"), ["occlusion"]),
        "emissive": (described.get("emissiveTexture"), ["emissiveColor"]),
        "metallic_roughness": (pbr.get("metallicRoughnessTexture"), ["metallic", "roughness"]),
    }
    base = base if base and lies(base)[0] == 0 else None
    surface = material.ComputeSurfaceSource()[0]
    for prim, (info, inputs) in kinds.items():
        shader = UsdShade.Shader(material.GetPrim().GetChild(prim))
        wanted = info is not None and lies(info)[0] == 0 and lies(info) == lies(base or {})
        assert bool(shader) == wanted, f"{prim}: {bool(shader)}, not {wanted}"
        if not wanted:
            continue
        for name in inputs:
            source = surface.GetInput(name).GetConnectedSources()[0][0].source
            assert source.GetPrim() == shader.GetPrim(), f"the source of {name}"
        check_image(expected, info, shader.GetInput("file").Get().resolvedPath)


def lies(info):
    """The set of texture coordinates of a texture, and how it is moved."""
    moved = info.get("extensions", {}).get("KHR_texture_transform", {})
    place = [moved.get("offset", [0, 0]), moved.get("rotation", 0), moved.get("scale", [1, 1])]
    return moved.get("texCoord", info.get("texCoord", 0)), place


def check_image(expected, info, file):
    """Checks the file of a texture: the image as it is, or the pixels of a WebP image."""
    texture = expected.glb.json["textures"][info["index"]]
    in_extension = texture.get("extensions", {}).get("EXT_texture_webp", {}).get("source")
    image = expected.glb.json["images"][texture.get("source", in_extension)]
    view = expected.glb.json["bufferViews"][image["bufferView"]]
    start = view.get("byteOffset", 0)
    bytes_of_image = expected.glb.binary[start : start + view["byteLength"]]
    if bytes_of_image == export_made.WEBP:
        width, height, rows, _ = png.Reader(filename=file).asRGBA8()
        found = np.array([list(row) for row in rows]).reshape(height, width, 4)
        assert np.array_equal(found, export_made.WEBP_PIXELS), "pixels of WebP"
    else:
        assert open(file, "rb").read() == bytes_of_image, "image"


def complain(stage):
    """Raises what the validators of USD find."""
    registry = UsdValidation.ValidationRegistry()
    names = [metadata.name for metadata in registry.GetAllValidatorMetadata()]
    validators = registry.GetOrLoadValidatorsByName([name for name in names if "Package" not in name])
    found = UsdValidation.ValidationContext(validators).Validate(stage)
    # The scale of normals of made.glb is not 1. The validator warns of any other, because some clients take no notice of it.
    found = [error for error in found if error.GetName() != "NonCompliantScaleValues"]
    assert not found, [error.GetErrorAsString() for error in found[:3]]
