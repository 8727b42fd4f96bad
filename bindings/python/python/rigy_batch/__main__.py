"""The program: ``rigy-batch`` and ``python -m rigy_batch``."""

from __future__ import annotations

import signal
import sys

from ._rigy_batch import main as program

TYPE_CHECKING = False  # as in the module typing, which takes long to import
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> NoReturn:
    """Runs the program with the arguments of this process, and ends the process with its exit status."""
    # The program handles Ctrl-C itself; the interpreter must not raise KeyboardInterrupt for it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    program(["rigy-batch", *sys.argv[1:]])


if __name__ == "__main__":
    main()
