"""Scenes built in Python: glTF 2.0 with the extension OSSICLE_audio, and a timeline beside it.

`Documentation/SceneFile.md` of Ossicle says what each member means; names and values here are those of the file.
"""

from __future__ import annotations

import base64
import json
import shutil
import struct
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Union

import numpy as np

from ._errors import refused
from ._sound import PathLike, Sound

#: The extension's name in a glTF document.
EXTENSION = "OSSICLE_audio"

#: Corners of each wall of a box, counter-clockwise as seen from inside: low x, high x, floor, ceiling, low z, high z.
_WALLS = [(0, 2, 6, 4), (1, 5, 7, 3), (0, 4, 5, 1), (2, 3, 7, 6), (0, 1, 3, 2), (4, 6, 7, 5)]


class Scene:
    """A scene to be rendered or written.

    Nodes, sounds and so on are added by the methods below, each under a name of its own, and refer to each other by name.
    What has no method is put into `audio`, the extension as a dictionary.

    Args:
        engine: Settings of the engine: ``seed``, ``reverb``, ``acoustics`` (``preset``, ``geometry``), ``quality``,
            ``spatialization``, ``medium``.
    """

    def __init__(self, **engine: Any) -> None:
        #: The extension of the document.
        self.audio: Dict[str, Any] = {"version": 1}
        if engine:
            self.audio["engine"] = engine
        self._nodes: List[dict] = []
        self._meshes: List[dict] = []
        self._materials: List[dict] = []
        self._accessors: List[dict] = []
        self._views: List[dict] = []
        self._binary = bytearray()
        self._files: Dict[str, Union[Path, Sound]] = {}
        self._tracks: List[dict] = []
        self._actions: List[dict] = []
        self._duration: Optional[float] = None

    # Surfaces

    def material(self, name: str, **values: Any) -> str:
        """A material: ``preset``, or ``absorption``, ``scattering``, ``transmissionLoss`` (one value or ten octave bands).
        Without values the name is one that the library knows: ``ossicle.materials()``."""
        entry: Dict[str, Any] = {"name": name}
        if values:
            entry["extensions"] = {EXTENSION: {key: _plain(value) for key, value in values.items()}}
        self._materials.append(entry)
        return name

    def mesh(
        self,
        name: str,
        vertices: Any,
        triangles: Any,
        material: Union[str, Sequence[str]] = "concrete",
        material_of_triangle: Optional[Any] = None,
        *,
        position: Sequence[float] = (0, 0, 0),
        **roles: Any,
    ) -> str:
        """A node with a mesh, which is in the way of sound.

        Args:
            vertices: N × 3, metres.
            triangles: M × 3 numbers of vertices, counter-clockwise as seen from the side of the air.
            material: The name of one, or of several.
            material_of_triangle: M numbers of materials; otherwise the first one for all.
            roles: What else the node is: ``source``, ``zone``, ``occluder``.
        """
        points = np.asarray(vertices, dtype="<f4")
        corners = np.asarray(triangles, dtype="<u4")
        if points.ndim != 2 or points.shape[1] != 3 or corners.ndim != 2 or corners.shape[1] != 3 or not len(corners):
            raise refused(
                f"Mesh “{name}”", f"has vertices of the shape {points.shape} and triangles of {corners.shape}",
                "they are N × 3 and M × 3", "reshape them")
        if corners.max() >= len(points):
            raise refused(
                f"Mesh “{name}”", f"names the vertex {corners.max()}", f"there are {len(points)}",
                "give numbers of vertices, from 0 on")
        names = [material] if isinstance(material, str) else list(material)
        chosen = np.zeros(len(corners), int) if material_of_triangle is None else np.asarray(material_of_triangle)
        position_accessor = self._accessor(points, 34962, "VEC3", bounds=True)
        primitives = [
            {
                "attributes": {"POSITION": position_accessor},
                "indices": self._accessor(corners[chosen == number].reshape(-1), 34963, "SCALAR"),
                "material": self._material(each),
            }
            for number, each in enumerate(names)
            if (chosen == number).any()
        ]
        self._meshes.append({"name": name, "primitives": primitives})
        return self.node(name, position=position, mesh=len(self._meshes) - 1, **roles)

    def box(
        self, name: str, size: Sequence[float], material: Union[str, Sequence[str]] = "wood", *,
        position: Sequence[float] = (0, 0, 0), inwards: bool = False,
    ) -> str:
        """A solid box around `position`, or, with `inwards`, the walls of a room of air.

        Args:
            material: One, or six for low x, high x, floor, ceiling, low z, high z.
        """
        half = np.asarray(size, float) / 2
        vertices = [[half[axis] * (1 if corner >> axis & 1 else -1) for axis in range(3)] for corner in range(8)]
        triangles = [corners for a, b, c, d in _WALLS for corners in ((a, b, c), (a, c, d))]
        if not inwards:
            triangles = [(a, c, b) for a, b, c in triangles]
        names = [material] if isinstance(material, str) else list(material)
        if len(names) not in (1, 6):
            raise refused(f"Box “{name}”", f"has {len(names)} materials", "one or six are wanted", "give as many")
        walls = [number // 2 for number in range(12)] if len(names) == 6 else None
        return self.mesh(name, vertices, triangles, names, walls, position=position)

    # Nodes

    def node(
        self, name: str, *, position: Sequence[float] = (0, 0, 0), rotation: Optional[Sequence[float]] = None,
        parent: Optional[str] = None, mesh: Optional[int] = None, **roles: Any,
    ) -> str:
        """A node at a position in metres and with a rotation x, y, z, w, both relative to its parent; `roles` are ``source``,
        ``listener``, ``zone`` and ``occluder`` as in a file."""
        entry: Dict[str, Any] = {"name": name, "translation": [float(number) for number in position]}
        if rotation is not None:
            entry["rotation"] = [float(number) for number in rotation]
        if mesh is not None:
            entry["mesh"] = mesh
        if roles:
            entry["extensions"] = {EXTENSION: roles}
        if parent is not None:
            above = next((node for node in self._nodes if node["name"] == parent), None)
            if above is None:
                raise refused(f"Node “{name}”", f"is below “{parent}”", "there is no such node", "add that one first")
            above.setdefault("children", []).append(len(self._nodes))
        self._nodes.append(entry)
        return name

    def source(self, name: str, position: Sequence[float] = (0, 0, 0), *, gain: float = 1.0, **place: Any) -> str:
        """Where sound comes from: a point."""
        return self.node(name, position=position, source={"gain": gain}, **place)

    def listener(
        self, name: str = "listener", position: Sequence[float] = (0, 0, 0), *, yaw: float = 0.0, gain: float = 1.0,
        **place: Any,
    ) -> str:
        """Who listens, turned by `yaw` degrees to the left from looking along −z."""
        half = np.radians(yaw) / 2
        place.setdefault("rotation", (0, float(np.sin(half)), 0, float(np.cos(half))))
        return self.node(name, position=position, listener={"gain": gain}, **place)

    # Sound

    def sound(self, name: str, samples: Union[PathLike, Any], rate: Optional[int] = None, **values: Any) -> str:
        """A sound: a file, which is copied beside the scene, or an array, channels × frames, with its rate in Hz."""
        if isinstance(samples, (str, Path)):
            path = Path(samples)
            uri = f"{len(self._files)}-{path.name}"
            self._files[uri] = path
        else:
            rate = rate or getattr(samples, "rate", 0)
            if not rate:
                raise refused(f"Sound “{name}”", "has no rate", "an array does not say how fast it is", "give rate in Hz")
            uri = f"{len(self._files)}.wav"
            self._files[uri] = Sound(samples, rate)
        self._add("sounds", {"name": name, "uri": uri, **values})
        return name

    def mixer(self, name: str = "room", type: str = "spatial", **values: Any) -> str:
        """A mixer: ``spatial`` (direct, early and late sound unless `values` say which), ``ambient`` or ``channel``."""
        if type == "spatial" and not {"direct", "early", "late"} & set(values):
            values.update(direct={}, early={}, late={})
        self._add("mixers", {"name": name, "type": type, **values})
        return name

    def event(self, name: str, root: Dict[str, Any]) -> str:
        """A sound event: its tree of nodes, as in a file."""
        self._add("events", {"name": name, "root": root})
        return name

    def instance(self, name: str, event: str, **values: Any) -> str:
        """A sound event that plays: ``source``, ``listener``, ``start`` in seconds, ``bindings``."""
        self._add("instances", {"name": name, "event": event, **values})
        return name

    def play(
        self, sound: str, source: Optional[str] = None, *, mixer: str = "room", start: Optional[float] = 0.0,
        looping: bool = False, name: Optional[str] = None, **sampler: Any,
    ) -> str:
        """An event and an instance for a sound: the common case. The mixer is made where it is not there yet.

        Args:
            start: Seconds; None: the timeline starts it.
            sampler: What else the sampler has: ``level``, ``rate``, ``group``, ``culling`` and so on.
        """
        if not any(each["name"] == mixer for each in self.audio.get("mixers", [])):
            self.mixer(mixer)
        name = name or (sound if source is None else f"{sound} at {source}")
        root = {"type": "sampler", "sound": sound, "mixer": mixer, **sampler}
        if looping:
            root["playback"] = "looping"
        self.event(name, root)
        values: Dict[str, Any] = {}
        if source is not None:
            values["source"] = source
        if start is not None:
            values["start"] = float(start)
        return self.instance(name, name, **values)

    # What happens

    @property
    def duration(self) -> Optional[float]:
        """Seconds of the timeline; None: up to its last key and action."""
        return self._duration

    @duration.setter
    def duration(self, seconds: Optional[float]) -> None:
        self._duration = seconds

    def track(self, target: str, keys: Sequence[Any], interpolation: str = "linear", **what: str) -> None:
        """Values that change: `keys` are pairs of a time in seconds and a value. ``track("position", keys, node="voice")``."""
        self._tracks.append(
            {
                "target": target, "interpolation": interpolation, **what,
                "keys": [{"time": float(time), "value": _plain(value)} for time, value in keys],
            })

    def move(self, node: str, keys: Sequence[Any], interpolation: str = "smooth") -> None:
        """Positions of a node: pairs of a time in seconds and x, y, z."""
        self.track("position", keys, interpolation, node=node)

    def action(self, time: float, action: str, **what: Any) -> None:
        """``action(2, "start", instance="voice")``"""
        self._actions.append({"time": float(time), "action": action, **what})

    @property
    def timeline(self) -> Optional[Dict[str, Any]]:
        """The timeline as a dictionary; None where nothing happens and no duration is set."""
        if not self._tracks and not self._actions and self._duration is None:
            return None
        timeline: Dict[str, Any] = {"version": 1, "tracks": self._tracks, "actions": self._actions}
        if self._duration is not None:
            timeline["duration"] = self._duration
        return timeline

    # Files

    @property
    def document(self) -> Dict[str, Any]:
        """The glTF document as a dictionary, without its buffer."""
        below = {child for node in self._nodes for child in node.get("children", [])}
        document: Dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "Ossicle"},
            "extensionsUsed": [EXTENSION],
            "extensions": {EXTENSION: self.audio},
            "scene": 0,
            "scenes": [{"nodes": [number for number in range(len(self._nodes)) if number not in below]}],
        }
        parts = {
            "nodes": self._nodes, "meshes": self._meshes, "materials": self._materials, "accessors": self._accessors,
            "bufferViews": self._views,
        }
        document.update({name: part for name, part in parts.items() if part})
        return document

    def bytes(self, binary: bool = True) -> bytes:
        """The scene as a ``.glb``, or as a ``.gltf`` with its geometry in it. Sound files are not in it."""
        document, data = self.document, bytes(self._binary)
        if not binary:
            if data:
                uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode("ascii")
                document["buffers"] = [{"byteLength": len(data), "uri": uri}]
            return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode("utf-8")
        if data:
            document["buffers"] = [{"byteLength": len(data)}]
        text = json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
        if data:
            data += b"\0" * (-len(data) % 4)
            chunks += struct.pack("<II", len(data), 0x004E4942) + data
        return struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks

    def write(self, path: PathLike) -> Optional[Path]:
        """Writes the scene (``.gltf`` or ``.glb``), its sounds beside it and, where something happens, a timeline.

        Returns:
            Where the timeline is: ``walk.json`` beside ``walk.gltf``; None without one.
        """
        path = Path(path)
        if path.suffix.lower() not in (".gltf", ".glb"):
            raise refused(str(path), "is neither .gltf nor .glb", "a scene is one of them", "give such a name")
        path.write_bytes(self.bytes(binary=path.suffix.lower() == ".glb"))
        for uri, content in self._files.items():
            place = path.parent / uri
            if isinstance(content, Sound):
                content.write(place, overwrite=True)
            elif not place.exists() or not place.samefile(content):
                shutil.copyfile(content, place)
        timeline = self.timeline
        if timeline is None:
            return None
        beside = path.with_suffix(".json")
        beside.write_text(json.dumps(timeline, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        return beside

    def _add(self, kind: str, entry: Dict[str, Any]) -> None:
        self.audio.setdefault(kind, []).append({key: _plain(value) for key, value in entry.items()})

    def _material(self, name: str) -> int:
        for number, material in enumerate(self._materials):
            if material["name"] == name:
                return number
        self.material(name)
        return len(self._materials) - 1

    def _accessor(self, values: np.ndarray, target: int, type: str, bounds: bool = False) -> int:
        data = values.tobytes()
        self._views.append(
            {"buffer": 0, "byteOffset": len(self._binary), "byteLength": len(data), "target": target})
        self._binary += data
        entry: Dict[str, Any] = {
            "bufferView": len(self._views) - 1, "componentType": 5126 if bounds else 5125, "count": len(values),
            "type": type,
        }
        if bounds:
            entry["min"], entry["max"] = values.min(axis=0).tolist(), values.max(axis=0).tolist()
        self._accessors.append(entry)
        return len(self._accessors) - 1


def _plain(value: Any) -> Any:
    """Numbers and lists as JSON has them."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value
