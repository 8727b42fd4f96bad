"""Has Blender import files: usage skin_blender.py FILE..."""

import sys

import bpy

for path in sys.argv[1:]:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert bpy.ops.import_scene.gltf(filepath=path) == {"FINISHED"}, path
    armatures = [thing for thing in bpy.context.scene.objects if thing.type == "ARMATURE"]
    print(f"{path}: {len(armatures)} armatures, {sum(len(it.data.bones) for it in armatures)} bones, {len(bpy.data.actions)} actions")
    assert armatures and bpy.data.actions, path
