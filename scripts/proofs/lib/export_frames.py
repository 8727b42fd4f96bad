"""Frames of a skinned file in USD, against those of single bakes, and against UsdSkel's own bake of the same model."""

import numpy as np
from pxr import Gf, Usd, UsdGeom, UsdSkel, Vt

from gltf import Glb

FRAMES, RATE = 6, 24.0


def check(run, file, work):
    """Returns in a line how far UsdSkel is from the exported frames."""
    path = work / f"{file.stem}-frames.usda"
    run(file, path, "--animation", 0, "--frames", f"0..{FRAMES - 1}@{RATE:g}")
    stage = Usd.Stage.Open(str(path))
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0, FRAMES - 1) and stage.GetTimeCodesPerSecond() == RATE
    mesh = UsdGeom.Mesh(stage.GetDefaultPrim().GetChildren()[0])
    assert mesh.GetPointsAttr().GetTimeSamples() == list(range(FRAMES))
    frames = [np.array(mesh.GetPointsAttr().Get(frame)) for frame in range(FRAMES)]
    for frame, points in enumerate(frames):
        run(file, work / "frame.glb", "--animation", 0, "--time", repr(frame / RATE))
        surfaces = Glb(work / "frame.glb").surfaces()
        if not any(surface["is_placed"] for surface in surfaces):
            wanted = np.concatenate([surface["positions"] for surface in surfaces]).astype("f4")
            assert np.array_equal(points, wanted), f"frame {frame}"
        box = np.array(mesh.GetExtentAttr().Get(frame))
        assert np.array_equal(box, [points.min(axis=0), points.max(axis=0)]), f"extent of frame {frame}"
    try:
        found = Skeleton(Glb(file)).baked()
    except ValueError as reason:
        return f"{file.name}: {FRAMES} frames; no UsdSkel: {reason}"
    size = np.ptp(frames[0], axis=0).max()
    apart = max(np.abs(found[frame] - frames[frame]).max() for frame in range(FRAMES)) / size
    assert apart < 1e-4, f"UsdSkel: {apart:.1e} of the size"
    return f"{file.name}: {FRAMES} frames, UsdSkel within {apart:.1e} of the size"


class Skeleton:
    """A stage of UsdSkel: one mesh, and joints that all stand at the root, each with its matrix in the scene."""

    def __init__(self, glb):
        self.glb = glb
        skinned = [n for n in glb.shown() if "skin" in glb.nodes[n] and "mesh" in glb.nodes[n]]
        if len(skinned) != 1 or any("mesh" in glb.nodes[n] for n in glb.shown() if n not in skinned):
            raise ValueError("the file has not one mesh")
        self.primitives = glb.primitives(skinned[0])
        if any("targets" in primitive or "JOINTS_1" in primitive["attributes"] for primitive in self.primitives):
            raise ValueError("it has morph targets or more than four influences")
        self.skin = glb.json["skins"][glb.nodes[skinned[0]]["skin"]]
        self.inverse = glb.accessor(self.skin["inverseBindMatrices"]).astype(float).reshape(-1, 4, 4)
        self.tracks = self.read_tracks()

    def read_tracks(self):
        animation, tracks = self.glb.json["animations"][0], []
        for channel in animation["channels"]:
            sampler, target = animation["samplers"][channel["sampler"]], channel["target"]
            if sampler.get("interpolation", "LINEAR") != "LINEAR":
                raise ValueError("its animation is not linear")
            times, values = (self.glb.accessor(sampler[key]).astype(float) for key in ("input", "output"))
            tracks.append((target["node"], target["path"], times.ravel(), values))
        return tracks

    def nodes_at(self, time):
        nodes = [dict(node) for node in self.glb.nodes]
        for node, path, times, values in self.tracks:
            time_in = min(max(time, times[0]), times[-1])
            after = min(max(int(np.searchsorted(times, time_in, side="right")), 1), len(times) - 1)
            if len(times) == 1:
                nodes[node][path] = values[0]
                continue
            share = (time_in - times[after - 1]) / (times[after] - times[after - 1])
            nodes[node][path] = between(values[after - 1], values[after], share, path)
        return nodes

    def baked(self):
        """The points of all frames, as UsdSkelBakeSkinning makes them."""
        stage = Usd.Stage.CreateInMemory()
        root = UsdSkel.Root.Define(stage, "/root")
        skeleton = UsdSkel.Skeleton.Define(stage, "/root/skeleton")
        animation = UsdSkel.Animation.Define(stage, "/root/skeleton/animation")
        names = [f"joint{number}" for number in range(len(self.skin["joints"]))]
        # Rows of USD are columns of glTF, in the order in which glTF stores them.
        # Scales of animations are halves. Those of the first frame go into the bind matrices, and leave 1.
        self.scales = np.array(UsdSkel.DecomposeTransforms(self.matrices(0))[2], float)
        first = [np.diag([*scale, 1.0]) for scale in self.scales]
        inverse = [matrix @ scale for matrix, scale in zip(self.inverse, first)]
        bind = [Gf.Matrix4d(*matrix.ravel()).GetInverse() for matrix in inverse]
        skeleton.CreateJointsAttr(names)
        skeleton.CreateBindTransformsAttr(bind)
        skeleton.CreateRestTransformsAttr(bind)
        animation.CreateJointsAttr(names)
        UsdSkel.BindingAPI.Apply(skeleton.GetPrim()).CreateAnimationSourceRel().SetTargets([animation.GetPath()])
        for frame in range(FRAMES):
            self.pose(animation, frame)
        meshes = [self.mesh(stage, index, skeleton) for index in range(len(self.primitives))]
        assert UsdSkel.BakeSkinning(root, Gf.Interval(0, FRAMES - 1))
        points = lambda frame: [np.array(mesh.GetPointsAttr().Get(frame)) for mesh in meshes]
        return [np.concatenate(points(frame)) for frame in range(FRAMES)]

    def matrices(self, frame):
        """The matrices of the joints in the scene, for rows."""
        nodes = self.nodes_at(frame / RATE)
        matrices = [self.glb.to_scene(joint, nodes) for joint in self.skin["joints"]]
        return Vt.Matrix4dArray([Gf.Matrix4d(*matrix.T.ravel()) for matrix in matrices])

    def pose(self, animation, frame):
        translations, rotations, scales = UsdSkel.DecomposeTransforms(self.matrices(frame))
        animation.GetTranslationsAttr().Set(translations, frame)
        animation.GetRotationsAttr().Set(rotations, frame)
        left = np.array(scales, float) / self.scales
        if np.abs(left - 1.0).max() > 1e-5:
            raise ValueError("its joints change their scale")
        sides = np.array(self.matrices(frame))[:, :3, :3]
        sides /= np.linalg.norm(sides, axis=2, keepdims=True)
        if np.abs(sides @ sides.transpose(0, 2, 1) - np.eye(3)).max() > 1e-5:
            raise ValueError("its joints are sheared, which animations of UsdSkel cannot be")
        animation.GetScalesAttr().Set(Vt.Vec3hArray([Gf.Vec3h(1)] * len(left)), frame)

    def mesh(self, stage, index, skeleton):
        primitive = self.primitives[index]
        read = lambda name: self.glb.accessor(primitive["attributes"][name])
        mesh = UsdGeom.Mesh.Define(stage, f"/root/mesh{index}")
        points = read("POSITION").astype("f4")
        mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(points)))
        mesh.CreateFaceVertexCountsAttr([len(points)])
        mesh.CreateFaceVertexIndicesAttr(list(range(len(points))))
        binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
        binding.CreateSkeletonRel().SetTargets([skeleton.GetPath()])
        weights = read("WEIGHTS_0").astype(float)
        weights /= weights.sum(axis=1, keepdims=True)
        joints = read("JOINTS_0").astype("i4")
        binding.CreateJointIndicesPrimvar(False, 4).Set(Vt.IntArray.FromNumpy(np.ascontiguousarray(joints.ravel())))
        binding.CreateJointWeightsPrimvar(False, 4).Set(Vt.FloatArray.FromNumpy(weights.astype("f4").ravel()))
        binding.CreateGeomBindTransformAttr(Gf.Matrix4d(1))
        return mesh


def between(a, b, share, path):
    """The value between two keys: for rotations, along the shorter arc."""
    if path != "rotation":
        return a + share * (b - a)
    cosine = a @ b
    b, cosine = (-b, -cosine) if cosine < 0.0 else (b, cosine)
    if cosine > 0.9999995:
        return a + share * (b - a)
    angle = np.arccos(cosine)
    return (np.sin((1 - share) * angle) * a + np.sin(share * angle) * b) / np.sin(angle)
