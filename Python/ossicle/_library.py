"""libossicle.so through ctypes, which lets other threads of Python run during each call."""

from __future__ import annotations

import ctypes
import json
import os
import threading
from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_int32, c_size_t, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Callable, Optional

from ._errors import Error, MissingLibrary, of_code

ABI = 1
Progress = ctypes.CFUNCTYPE(c_int32, c_double, c_void_p)


class Sized(Structure):
    """Options that begin with their size; the library sets the defaults."""


class RenderOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("layout", c_char_p),
        ("listener", c_char_p),
        ("seconds", c_double),
        ("rate", c_double),
        ("seed", c_uint64),
        ("has_seed", c_int32),
        ("threads", c_int32),
        ("progress", Progress),
        ("context", c_void_p),
    ]


class RoomOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("units", c_double),
        ("z_up", c_int32),
        ("lenient", c_int32),
        ("materials", c_char_p),
    ]


class ResponseOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("source", c_double * 3),
        ("listener", c_double * 3),
        ("receiver", c_char_p),
        ("microphones", POINTER(c_double)),
        ("microphone_count", c_size_t),
        ("yaw", c_double),
        ("pitch", c_double),
        ("facing", c_double * 3),
        ("has_facing", c_int32),
        ("lenient", c_int32),
        ("rate", c_double),
        ("quality", c_char_p),
        ("rays", c_int32),
        ("order", c_int32),
        ("seed", c_uint64),
        ("length", c_double),
        ("temperature", c_double),
        ("humidity", c_double),
        ("threads", c_int32),
        ("more", c_char_p),
    ]


class BatchOptions(Sized):
    _fields_ = [
        ("size", c_size_t),
        ("shard", c_char_p),
        ("format", c_char_p),
        ("base", c_char_p),
        ("seed", c_uint64),
        ("jobs", c_int32),
        ("tar", c_int32),
        ("overwrite", c_int32),
        ("progress", Progress),
        ("context", c_void_p),
    ]


_PLACE = POINTER(c_void_p)
_FUNCTIONS: dict = {
    "ossicle_abi": (c_int32, []),
    "ossicle_version": (c_char_p, []),
    "ossicle_materials": (c_char_p, []),
    "ossicle_error_code": (c_int32, [c_void_p]),
    "ossicle_error_text": (c_char_p, [c_void_p, c_int32]),
    "ossicle_error_free": (None, [c_void_p]),
    "ossicle_sound_make": (c_int32, [c_void_p, c_size_t, c_size_t, c_double, _PLACE, _PLACE]),
    "ossicle_sound_frames": (c_size_t, [c_void_p]),
    "ossicle_sound_channels": (c_size_t, [c_void_p]),
    "ossicle_sound_rate": (c_double, [c_void_p]),
    "ossicle_sound_copy": (c_int32, [c_void_p, c_void_p, c_size_t, c_int32, _PLACE]),
    "ossicle_sound_write": (c_int32, [c_void_p, c_char_p, c_int32, _PLACE]),
    "ossicle_sound_sha256": (c_char_p, [c_void_p]),
    "ossicle_sound_facts": (c_char_p, [c_void_p]),
    "ossicle_sound_free": (None, [c_void_p]),
    "ossicle_sound_play": (c_int32, [c_void_p, c_void_p, _PLACE, _PLACE]),
    "ossicle_scene_open": (c_int32, [c_char_p, c_char_p, _PLACE, _PLACE]),
    "ossicle_scene_facts": (c_char_p, [c_void_p]),
    "ossicle_scene_free": (None, [c_void_p]),
    "ossicle_render_options_init": (None, [POINTER(RenderOptions)]),
    "ossicle_render": (c_int32, [c_void_p, POINTER(RenderOptions), _PLACE, _PLACE]),
    "ossicle_room_options_init": (None, [POINTER(RoomOptions)]),
    "ossicle_room_box": (c_int32, [POINTER(c_double), POINTER(c_char_p), c_size_t, _PLACE, _PLACE]),
    "ossicle_room_open": (c_int32, [c_char_p, POINTER(RoomOptions), _PLACE, _PLACE]),
    "ossicle_room_mesh": (
        c_int32,
        [c_void_p, c_size_t, c_void_p, c_size_t, POINTER(c_char_p), c_size_t, c_void_p, _PLACE, _PLACE],
    ),
    "ossicle_room_facts": (c_char_p, [c_void_p]),
    "ossicle_room_free": (None, [c_void_p]),
    "ossicle_response_options_init": (None, [POINTER(ResponseOptions)]),
    "ossicle_batch_options_init": (None, [POINTER(BatchOptions)]),
    "ossicle_batch": (c_int32, [c_char_p, c_char_p, POINTER(BatchOptions), _PLACE, _PLACE]),
    "ossicle_verify": (c_int32, [c_char_p, _PLACE, _PLACE]),
    "ossicle_analyze_echo": (c_int32, [c_void_p, c_void_p, c_void_p, c_void_p, _PLACE, _PLACE]),
    "ossicle_report_facts": (c_char_p, [c_void_p]),
    "ossicle_report_free": (None, [c_void_p]),
    "ossicle_respond": (c_int32, [c_void_p, POINTER(ResponseOptions), _PLACE, _PLACE]),
}

_lock = threading.Lock()
_loaded: Optional[ctypes.CDLL] = None


def library() -> ctypes.CDLL:
    """The library, loaded when it is first needed: that of ``OSSICLE_LIBRARY``, else that of the wheel."""
    global _loaded
    with _lock:
        if _loaded is None:
            _loaded = _load()
        return _loaded


def _load() -> ctypes.CDLL:
    path = os.environ.get("OSSICLE_LIBRARY") or str(Path(__file__).parent / "lib" / "libossicle.so")
    try:
        found = ctypes.CDLL(path)
    except OSError as error:
        raise MissingLibrary(
            f"{path} cannot be loaded ({error}): install the wheel that Scripts/make-wheel builds, or name the library in"
            " OSSICLE_LIBRARY.",
            object=path,
        ) from None
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(found, name)
        function.restype, function.argtypes = result, arguments
    if found.ossicle_abi() != ABI:
        raise MissingLibrary(
            f"{path} has the interface {found.ossicle_abi()}, this package {ABI}: install both from one release.",
            object=path,
        )
    return found


def text(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else value.decode("utf-8", "replace")


def encoded(value: Any) -> Optional[bytes]:
    """A text or path for C; None stays None."""
    if value is None:
        return None
    return os.fsencode(value) if isinstance(value, os.PathLike) else str(value).encode("utf-8")


_PARTS = ("object", "finding", "rule", "cure", "path")


def call(name: str, *arguments: Any) -> None:
    """Calls a function that takes a place for an error last; raises what it puts there."""
    loaded, place = library(), c_void_p()
    code = getattr(loaded, name)(*arguments, byref(place))
    if code == 0:
        return
    try:
        message = text(loaded.ossicle_error_text(place, 0)) or f"{name} failed with code {code}."
        parts = {part: text(loaded.ossicle_error_text(place, number + 1)) for number, part in enumerate(_PARTS)}
    finally:
        loaded.ossicle_error_free(place)
    raise of_code(code, message, parts)


class Handle:
    """Something of the library's, freed when Python drops it."""

    def __init__(self, kind: str, make: str, *arguments: Any) -> None:
        self._kind, self.value = kind, c_void_p()
        call(make, *arguments, byref(self.value))

    def __del__(self) -> None:
        value = getattr(self, "value", None)
        # The interpreter may be on its way out, and its modules gone.
        if value and _loaded is not None:
            getattr(_loaded, f"ossicle_{self._kind}_free")(value)

    @property
    def facts(self) -> dict:
        return json.loads(text(getattr(library(), f"ossicle_{self._kind}_facts")(self.value)) or "{}")


class Watcher:
    """Calls `progress` from C. What it raises, Ctrl-C included, ends the work and is raised again after it."""

    def __init__(self, progress: Optional[Callable[[float], Any]]) -> None:
        self._progress = progress
        self.raised: Optional[BaseException] = None
        self.function = Progress(self._call)

    def _call(self, share: float, context: Any) -> int:
        try:
            if self._progress is not None:
                self._progress(share)
            return 0
        except BaseException as error:  # noqa: B902: nothing may be raised through C.
            self.raised = error
            return 1

    def watched(self, work: Callable[[], Any]) -> Any:
        try:
            return work()
        except Error:
            if self.raised is not None:
                raise self.raised from None
            raise
