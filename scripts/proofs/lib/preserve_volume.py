"""Vertices of skinned files in Blender, with and without Preserve Volume, beside those of bakes: usage preserve_volume.py PLAN."""

import json
import pathlib
import sys

import bpy
import numpy as np
from animated_blender import go_to, load, meshes

NEAR = 1e-5
"""Of the size: how far linear blending may be apart."""


def play(scene, animation, seconds):
    """Plays the animation with this name, or the only one of a file, without the tracks, which begin a frame late; and goes to a moment of it."""
    for thing in scene.objects:
        data = thing.animation_data
        if data and data.nla_tracks:
            named = [track for track in data.nla_tracks if animation and track.name.startswith(animation)]
            [track, *_] = sorted(named, key=lambda track: len(track.name)) or data.nla_tracks
            data.action = track.strips[0].action
            data.action_slot = data.action_suitable_slots[0]
            for track in data.nla_tracks:
                track.mute = True
    go_to(scene, seconds)


def skinned(scene, preserve=False):
    """World positions of all meshes, by linear blending or with Preserve Volume."""
    for thing in scene.objects:
        for modifier in thing.modifiers:
            if modifier.type == "ARMATURE":
                modifier.use_deform_preserve_volume = preserve
    return meshes(scene)


def distances(theirs, ours):
    """Largest and mean distance in sizes, each mesh with the nearest of as many vertices."""
    all_off = []
    for positions in ours:
        same = [other for other in theirs if len(other) == len(positions)]
        assert same, f"no mesh has {len(positions)} vertices: {[len(other) for other in theirs]}"
        off = [np.linalg.norm(positions - other, axis=1) for other in same]
        all_off.append(min(off, key=np.mean))
    size = np.ptp(np.concatenate(ours), axis=0).max()
    off = np.concatenate(all_off) / size
    return off.max(), off.mean()


def main():
    failed = 0
    print(f"Blender {bpy.app.version_string}")
    for one in json.loads(pathlib.Path(sys.argv[1]).read_text()):
        baked = {way: skinned(load(path)) for way, path in one["outputs"].items()}
        scene = load(one["source"])
        play(scene, one["animation"], one["time"])
        theirs = {False: skinned(scene), True: skinned(scene, preserve=True)}
        said = []
        for way, ours in baked.items():
            most, mean = distances(theirs[way != "lbs"], ours)
            said.append(f"{way} {most:.1e}, mean {mean:.1e}")
            failed += way == "lbs" and most > NEAR
        print(f"{pathlib.Path(one['source']).stem}: {'; '.join(said)}", flush=True)
    return failed


sys.exit(1 if main() else 0)
