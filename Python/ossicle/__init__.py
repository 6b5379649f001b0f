"""Spatial audio offline: scenes rendered, room impulse responses, data sets in bulk; the same bytes each time.

    walk = ossicle.render("two-rooms.gltf", "two-rooms.walk.json")
    response = ossicle.rir((6, 3, 5), (1, 1.5, 1), (4, 1.5, 3), material="brick", receiver="binaural")
"""

from ._errors import ArgumentError, BatchError, Error, FileError, MissingLibrary, PositionError, SceneError
from ._echo import EchoAnalysis, analyze_echo
from ._library import library as _library, text as _text
from ._render import render, scene_facts
from ._rir import Room, materials, rir
from ._sound import Sound
from ._batch import BatchResult, batch, verify
from .scene import Scene

__all__ = [
    "ArgumentError", "BatchError", "BatchResult", "EchoAnalysis", "Error", "FileError", "MissingLibrary",
    "PositionError", "Room", "Scene", "SceneError", "Sound", "analyze_echo", "batch", "materials", "render", "rir",
    "scene_facts", "verify", "version",
]


def version() -> str:
    """That of the library: "0.13.0"."""
    return _text(_library().ossicle_version()) or ""
