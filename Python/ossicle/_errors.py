"""What goes wrong, as exceptions with the fields of the library's errors."""

from __future__ import annotations

from typing import Optional


class Error(Exception):
    """An error of the library. The text holds all of it; the fields hold its parts, where the error has them.

    Attributes:
        code: The number in `ossicle.h`; 0 for what the package itself finds.
        object: What was asked: a file, an argument.
        finding: What is wrong with it.
        rule: What must be.
        cure: What to do.
        path: Where in a JSON document: ``extensions.OSSICLE_audio.groups[0].gain``.
    """

    def __init__(
        self,
        message: str,
        *,
        code: int = 0,
        object: Optional[str] = None,
        finding: Optional[str] = None,
        rule: Optional[str] = None,
        cure: Optional[str] = None,
        path: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.object = object
        self.finding = finding
        self.rule = rule
        self.cure = cure
        self.path = path

    def __reduce__(self):  # Ray and multiprocessing carry errors from one process to another.
        parts = {name: getattr(self, name) for name in ("code", "object", "finding", "rule", "cure", "path")}
        return _restored, (type(self), self.message, parts)


def _restored(kind, message, parts):
    return kind(message, **parts)


class ArgumentError(Error, ValueError):
    """An argument makes no sense: out of its range, not a number, of another shape."""


class SceneError(Error):
    """A scene, a timeline, a mesh or a sound in them cannot be used."""


class PositionError(Error):
    """A source or listener is outside the room or inside something solid."""


class FileError(Error, OSError):
    """A file cannot be written."""

    def __str__(self) -> str:
        return self.message


class BatchError(Error):
    """A manifest cannot be worked on, or a folder of results is of another."""


class MissingLibrary(Error, ImportError):
    """libossicle.so, or an optional Python package, is not there."""


def refused(object: str, finding: str, rule: str, cure: str, kind: type = ArgumentError) -> Error:
    """An error of the package's own, in the library's words."""
    return kind(f"{object} {finding}; {rule}: {cure}.", object=object, finding=finding, rule=rule, cure=cure)


_KINDS = {1: ArgumentError, 2: ArgumentError, 3: SceneError, 4: PositionError, 5: FileError, 7: BatchError}


def of_code(code: int, message: str, parts: dict) -> Error:
    return _KINDS.get(code, Error)(message, code=code, **parts)
