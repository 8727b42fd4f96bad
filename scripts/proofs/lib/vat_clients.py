"""What OpenEXR, pypng and numpy find in vertex animation textures: usage vat_clients.py PROGRAM EXAMPLE WORK FILE...

Each frame of each clip must have the vertices of the file that `rigy-batch bake` writes for it: in floats bit for bit, in half floats
within half a step, in integers within half of 1/65,535 of the bounds. Exit 1 if anything differs.
"""

import sys
from pathlib import Path

import numpy as np

from vat_bakes import PACKINGS, Bakes, Vat


def check(vat, clip, bakes):
    """Compares all frames of a clip. Returns the number of vertices that were compared."""
    count = 0
    for frame in range(clip["frames"]):
        for kind in vat.textures:
            wanted, is_placed = bakes.vectors(kind, frame)
            found = vat.vectors(kind, clip, frame)
            assert found.shape == wanted.shape, f"{kind}: {found.shape}, not {wanted.shape}"
            apart = np.abs(found - wanted)
            allowed = vat.allowed(kind, wanted) + (4 * np.spacing(np.abs(wanted).max().astype("f4")) if is_placed else 0.0)
            assert (apart <= allowed).all(), f"{clip['name']} frame {frame}: {kind} are up to {apart.max()} apart"
            count += len(found)
    return count


def main(program, example, work, files):
    failed = 0
    for number, file in enumerate(map(Path, files)):
        bakes = {}
        for packing in PACKINGS:
            for width in (8192, 1000):
                directory = Path(work) / f"{number}-{packing}-{width}"
                try:
                    vat = Vat(example, file, packing, directory, width)
                    for clip in vat.data["clips"]:
                        name = clip["name"]
                        bakes.setdefault(name, None)
                        if bakes[name] is None:
                            bakes[name] = Bakes(program, file, clip, Path(work) / f"{number}-bakes-{len(bakes)}")
                    counts = [check(vat, clip, bakes[clip["name"]]) for clip in vat.data["clips"]]
                    sizes = "×".join(str(vat.data[side]) for side in ("width", "height"))
                    print(f"ok   {file.stem} {packing} {sizes}: {len(counts)} clips, {sum(counts)} vectors")
                except AssertionError as error:
                    failed += 1
                    print(f"FAIL {file.stem} {packing}: {error}")
    return failed


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    sys.exit(1 if main(*sys.argv[1:4], sys.argv[4:]) else 0)
