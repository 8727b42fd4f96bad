"""Rigy documents and skinned glTF files into baked GLBs: the same bytes on every machine.

``compile`` takes a document and gives its GLBs and arrays of vertices, ``bake`` takes a skinned glTF file and gives a GLB of
plain meshes, ``frames`` gives all moments of its animation as arrays, which ``animated`` turns into files again, and ``run`` does
``compile`` or ``bake`` for many files, as the program ``rigy-batch`` does. ``verify``, ``diff`` and ``inspect``
are the program's commands of these names.

Functions release the interpreter's lock while they work, so several threads of Python may call them at the same time.
"""

from __future__ import annotations

from ._rigy_batch import (
    Compiled,
    Instance,
    Mesh,
    __version__,
    bake,
    compile,
    diff,
    frames,
    inspect,
    run,
    verify,
)

TYPE_CHECKING = False  # as in the module typing, which would take longer to import than all of this
if TYPE_CHECKING:
    from ._animated import animated
    from ._descriptions import DocumentDescription, GltfDescription
    from ._errors import RigyError, RigyWarning
    from ._results import (
        Bake,
        Deviation,
        Difference,
        Finding,
        Frames,
        MeshDifference,
        Outcome,
        Output,
        RunResult,
        Summary,
        Verdict,
    )

__all__ = [
    "Bake",
    "Compiled",
    "Deviation",
    "Difference",
    "DocumentDescription",
    "Finding",
    "Frames",
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
    "animated",
    "bake",
    "compile",
    "diff",
    "frames",
    "inspect",
    "run",
    "verify",
]

_MODULES = {"animated": "_animated", "RigyError": "_errors", "RigyWarning": "_errors", "DocumentDescription": "_descriptions", "GltfDescription": "_descriptions"}


def __getattr__(name: str) -> object:
    """Imports a type of results when it is first used: the program, which uses none, starts faster."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = __import__(f"{__name__}.{_MODULES.get(name, '_results')}", fromlist=[name])
    found = globals()[name] = getattr(module, name)
    return found


def __dir__() -> list[str]:
    return [*__all__]
