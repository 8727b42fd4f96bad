"""The exception and the category of warnings."""

from __future__ import annotations

import errno
from typing import Optional, Tuple

from ._results import Finding


class RigyWarning(UserWarning):
    """A warning about a file. Its text is that of a finding."""


class RigyError(Exception):
    """Errors in a file, or why a run could not start.

    The attributes other than ``findings`` are those of the first finding, and None if there is none.
    """

    findings: Tuple[Finding, ...]
    """All errors of the earliest stage that found any, in order."""

    def __init__(self, findings: Tuple[Finding, ...]) -> None:
        super().__init__(findings)
        self.findings = tuple(findings)

    def __str__(self) -> str:
        return "\n".join(str(finding) for finding in self.findings)

    @property
    def _first(self) -> Optional[Finding]:
        return self.findings[0] if self.findings else None

    @property
    def code(self) -> Optional[str]:
        """The stable code, such as ``V11``; None for failures that have none."""
        return self._first.code if self._first else None

    @property
    def category(self) -> Optional[str]:
        """The category, such as ``ValidationError``."""
        return self._first.category if self._first else None

    @property
    def message(self) -> Optional[str]:
        """A sentence that names the offending value."""
        return self._first.message if self._first else None

    @property
    def help(self) -> Optional[str]:
        """What to do about it."""
        return self._first.help if self._first else None

    @property
    def file(self) -> Optional[str]:
        """The file that the error is about."""
        return self._first.file if self._first else None

    @property
    def line(self) -> Optional[int]:
        """The line, from 1; None for a whole file and for glTF files."""
        return self._first.line if self._first else None

    @property
    def column(self) -> Optional[int]:
        """The column in characters, from 1."""
        return self._first.column if self._first else None

    @property
    def path(self) -> Optional[str]:
        """The path in the document, such as ``bindings[0].mesh_id``; None for a whole file."""
        return self._first.path if self._first else None


class RigyFileNotFoundError(RigyError, FileNotFoundError):
    """A file that is not there: a ``RigyError`` that is a ``FileNotFoundError``, too."""

    def __init__(self, findings: Tuple[Finding, ...]) -> None:
        super().__init__(findings)
        self.errno, self.filename = errno.ENOENT, self.file
