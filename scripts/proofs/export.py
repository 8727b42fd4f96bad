"""Exports every sample, and a file with hostile names, as OBJ, STL, 3MF, PLY and USD (NPZ, PC2 and MDD have tests of their own): trimesh, meshio, numpy-stl, plyfile, OpenUSD and, on request, Blender
must find the vertices of the baked GLB, as f32. Frames in USD are compared with single bakes and with UsdSkelBakeSkinning."""

from pathlib import Path

from proofs.common import LIB, blender, call, example, python, shared

NEEDS = "Python, the network, the published samples, and 900 MB for --blender"


def options(parser):
    parser.add_argument("--blender", action="store_true", help="have Blender import the files, too")
    parser.add_argument("--files", nargs="+", type=Path, help="other .glb files than the samples")


def run(context):
    samples = [file for folder in ("made", "real") for file in sorted(shared(f"gltf-samples/{folder}").glob("*.glb"))]
    files = [file.resolve() for file in context.options.files or samples]
    interpreter = python("venv", "numpy==2.4.6", "trimesh==5.2.0", "networkx==3.6.1", "lxml==6.1.3", "meshio==5.3.5", "numpy-stl==4.1.1", "plyfile==1.1.5", "pypng==0.20220715.0", "usd-core==26.11")
    importer = blender() if context.options.blender else ""
    call(interpreter, LIB / "export_clients.py", example("export"), context.work, importer, *files)
