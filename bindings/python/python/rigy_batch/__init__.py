"""Rigy documents and skinned glTF files into baked GLBs: the same bytes on every machine.

``compile`` takes a document and gives its GLBs and arrays of vertices, ``bake`` takes a skinned glTF file and gives a GLB of
plain meshes, and ``run`` does either for many files, as the program ``rigy-batch`` does. ``verify``, ``diff`` and ``inspect``
are the program's commands of these names.

Functions release the interpreter's lock while they work, so several threads of Python may call them at the same time.
"""

from ._descriptions import DocumentDescription, GltfDescription
from ._errors import RigyError, RigyWarning
from ._results import (
    Bake,
    Deviation,
    Difference,
    Finding,
    MeshDifference,
    Outcome,
    Output,
    RunResult,
    Summary,
    Verdict,
)
from ._rigy_batch import (
    Compiled,
    Instance,
    Mesh,
    __version__,
    bake,
    compile,
    diff,
    inspect,
    run,
    verify,
)

__all__ = [
    "Bake",
    "Compiled",
    "Deviation",
    "Difference",
    "DocumentDescription",
    "Finding",
    "GltfDescription",
    "Instance",
    "Mesh",
    "MeshDifference",
    "Outcome",
    "Output",
    "RigyError",
    "RigyWarning",
    "RunResult",
    "Summary",
    "Verdict",
    "__version__",
    "bake",
    "compile",
    "diff",
    "inspect",
    "run",
    "verify",
]
