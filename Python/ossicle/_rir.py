"""Room impulse responses."""

from __future__ import annotations

import ctypes
import json
from ctypes import byref, c_char_p, c_double, c_void_p
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np

from ._errors import refused
from ._library import Handle, ResponseOptions, RoomOptions, encoded, library, text
from ._sound import PathLike, Sound, sound_of

Vector = Union[Sequence[float], np.ndarray]
Pattern = Union[str, float, Sequence[float]]


def materials() -> List[str]:
    """The names of materials that a room can be made of."""
    return json.loads(text(library().ossicle_materials()) or "[]")


def _names(names: Union[str, Sequence[str]]) -> ctypes.Array:
    listed = [names] if isinstance(names, str) else list(names)
    return (c_char_p * len(listed))(*[encoded(name) for name in listed])


def _triple(name: str, value: Any) -> list:
    try:
        numbers = [float(number) for number in value]
    except (TypeError, ValueError):
        numbers = []
    if len(numbers) != 3:
        raise refused(name, f"is {value!r}", "it is three numbers in metres", "give x, y (up), z")
    return numbers


class Room:
    """Surfaces of materials, in which sources and listeners are. Made once, it serves any number of responses."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle

    @classmethod
    def box(cls, size: Vector, material: Union[str, Sequence[str]] = "concrete") -> "Room":
        """A box with a corner at the origin.

        Args:
            size: Metres along x, y (up) and z.
            material: One for all walls, or six for low x, high x, floor, ceiling, low z, high z. A name, or one of your
                own as for `ossicle rir --material`: ``"felt=0.1,0.2,0.4,0.6,0.7,0.7/20/0.1"``.
        """
        names = _names(material)
        return cls(Handle("room", "ossicle_room_box", (c_double * 3)(*_triple("size", size)), names, len(names)))

    @classmethod
    def open(
        cls,
        path: PathLike,
        *,
        units: float = 1.0,
        up: str = "y",
        lenient: bool = False,
        materials: Optional[Mapping[str, Any]] = None,
    ) -> "Room":
        """The surfaces of a scene (``.gltf``, ``.glb``) or of an OBJ, STL or PLY file.

        Args:
            units: Metres of one unit of an OBJ, STL or PLY file.
            up: The axis of such a file that looks up, ``y`` or ``z``; z turns x, y, z into x, z, −y.
            lenient: Unknown materials are concrete, with a warning, and no error.
            materials: What the file's names stand for: by name that of another material, or a dictionary of ``absorption``,
                ``transmissionLoss`` (dB) and ``scattering``, each a number, a list of octave bands (1, 6, 7, 8 or 10), or a
                dictionary of values by frequency in Hz.
        """
        if up not in ("y", "z"):
            raise refused("up", f"is {up!r}", "it is y or z", "give one of the two")
        options = RoomOptions()
        library().ossicle_room_options_init(byref(options))
        options.units, options.z_up, options.lenient = float(units), up == "z", lenient
        options.materials = None if materials is None else _document("materials", materials)
        return cls(Handle("room", "ossicle_room_open", encoded(path), byref(options)))

    @classmethod
    def mesh(
        cls,
        vertices: Any,
        triangles: Any,
        material: Union[str, Sequence[str]] = "concrete",
        material_of_triangle: Optional[Any] = None,
    ) -> "Room":
        """Triangles in memory.

        Args:
            vertices: N × 3, metres.
            triangles: M × 3 numbers of vertices, counter-clockwise as seen from the side of the air.
            material: The name of one, or of several.
            material_of_triangle: M numbers of materials; otherwise the first one for all.
        """
        points = np.ascontiguousarray(vertices, dtype=np.float32)
        corners = _indices("triangles", triangles)
        if points.ndim != 2 or points.shape[1] != 3 or corners.ndim != 2 or corners.shape[1] != 3:
            raise refused(
                "The mesh", f"has vertices of the shape {points.shape} and triangles of {corners.shape}",
                "they are N × 3 and M × 3", "reshape them")
        chosen = None if material_of_triangle is None else _indices("material_of_triangle", material_of_triangle)
        if chosen is not None and chosen.shape != (len(corners),):
            raise refused(
                "material_of_triangle", f"has the shape {chosen.shape}", f"there are {len(corners)} triangles",
                "give a number for each")
        names = _names(material)
        return cls(
            Handle(
                "room", "ossicle_room_mesh", points.ctypes.data_as(c_void_p), len(points),
                corners.ctypes.data_as(c_void_p), len(corners), names, len(names),
                None if chosen is None else chosen.ctypes.data_as(c_void_p)))

    @property
    def facts(self) -> dict:
        """``title``, ``triangles``, ``lower`` and ``upper`` corner, ``warnings``."""
        return self._handle.facts


def _document(name: str, value: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(value, default=lambda array: array.tolist(), allow_nan=False).encode("utf-8")
    except (AttributeError, TypeError, ValueError) as error:
        raise refused(
            name, f"holds what is no JSON ({error})", "it is of finite numbers, texts, lists and dictionaries", "convert it") from None


def _indices(name: str, numbers: Any) -> np.ndarray:
    given = np.asarray(numbers)
    if given.size and (given.dtype.kind not in "iu" or given.min() < 0 or given.max() >= 2**32):
        raise refused(name, "has other numbers than indices", "they are whole and not negative", "give integers")
    return np.ascontiguousarray(given, dtype=np.uint32)


def rir(
    room: Union[Room, PathLike, Vector],
    source: Vector,
    listener: Vector,
    *,
    material: Optional[Union[str, Sequence[str]]] = None,
    receiver: str = "mono",
    microphones: Optional[Any] = None,
    yaw: float = 0.0,
    pitch: float = 0.0,
    facing: Optional[Vector] = None,
    rate: int = 48_000,
    quality: str = "high",
    rays: Optional[int] = None,
    order: Optional[int] = None,
    seed: int = 1,
    length: Optional[float] = None,
    temperature: float = 20.0,
    humidity: float = 50.0,
    lenient: bool = False,
    threads: Optional[int] = None,
    directivity: Optional[Union[str, Mapping[str, Any]]] = None,
    aim: Optional[Vector] = None,
    pattern: Optional[Pattern] = None,
    head: Optional[PathLike] = None,
    waves: Union[bool, Mapping[str, Any]] = False,
    metrics: str = "energies",
    speech: Optional[Mapping[str, Any]] = None,
    paths: bool = False,
) -> Sound:
    """The impulse response between two positions, as `ossicle rir` computes it: the same bytes.

    Args:
        room: A `Room`, a file (see `Room.open`), or the size of a box in metres along x, y (up), z.
        source, listener: x, y, z in metres.
        material: Of a box; concrete otherwise.
        receiver: ``mono``, ``binaural``, ``ambisonic:0`` to ``ambisonic:7`` (ACN, SN3D; ``ambisonic:7:n3d``: N3D), ``array``.
        microphones: Of an array, N × 3: metres to the listener's right, up and back.
        yaw, pitch: Degrees the listener is turned to the left from −z, and up.
        facing: A position the listener looks at, in place of yaw and pitch.
        quality: ``low``, ``medium``, ``high``, ``reference``; `rays` and `order` (reflections in a row: 0 to 3, in
            an empty box up to 1000) in place of its.
        length: Seconds; otherwise until all bands have decayed by 60 dB.
        temperature, humidity: Of the air, °C and %.
        lenient: Go on with positions outside the room or inside a solid.
        threads: Otherwise ``OSSICLE_THREADS``, or all cores. The bytes do not depend on it.
        directivity: Of the source: ``talker``, ``loudspeaker``, ``cardioid`` and its family as for
            `ossicle rir --source-directivity` (``cardioid:2``, ``cardioid:1:10,12,15,18,20,20``), ``{"file": "box.clf"}``,
            ``{"cardioid": p, "sharpness": n}``, ``{"cone": [inner, outer], "outerGain": dB}``.
        aim: A position the source looks at; −z otherwise.
        pattern: Of microphones: ``omni``, ``cardioid`` and so on, or p of p + (1 − p) cos θ, one or octave bands.
        head: A SOFA file, of the receiver ``binaural``.
        waves: Whether the low end is found as waves; ``{"crossover": Hz, "wallImpedance": [r, m, k]}``.
        metrics: ``all`` adds ``facts["response"]``, what the response itself says, with LF, LFC and LG of fields and IACC of
            ears.
        speech: ``{"level": dB, "noise": dB, one or seven octaves}`` for the speech transmission index.
        paths: Whether ``facts["paths"]`` lists the single paths: delay, octave levels, directions, corners, surfaces.

    Returns:
        float32, channels × frames. 1 is the direct sound at 1 m in the open, the first frame the moment of emission.
        ``facts["bands"]`` has t20, t30, edt, c50, c80, d50, centreTime, strength, lf, lfc and lg by
        octave.

    Raises:
        PositionError: the source or listener is outside the room or inside something solid.
        SceneError: the file or a material cannot be used.
        ArgumentError: an argument is out of its range.
    """
    if isinstance(room, (list, tuple, np.ndarray)):
        room = Room.box(room, "concrete" if material is None else material)
    elif material is not None:
        raise refused("material", f"is {material!r}", "a file or a Room has its own", "leave it out")
    if not isinstance(room, Room):
        room = Room.open(room, lenient=lenient)
    options = ResponseOptions()
    library().ossicle_response_options_init(byref(options))
    options.source, options.listener = _place("source", source), _place("listener", listener)
    options.receiver, options.quality = encoded(receiver), encoded(quality)
    options.yaw, options.pitch, options.rate = float(yaw), float(pitch), float(rate)
    if facing is not None:
        options.facing, options.has_facing = _place("facing", facing), 1
    options.rays, options.order = (-1 if number is None else int(number) for number in (rays, order))
    options.seed, options.length = int(seed) % 2**64, float(length or 0)
    options.temperature, options.humidity = float(temperature), float(humidity)
    options.lenient, options.threads = lenient, threads or 0
    more: Dict[str, Any] = {"directivity": directivity, "pattern": pattern, "speech": speech}
    more["aim"] = None if aim is None else _triple("aim", aim)
    more["head"] = None if head is None else str(head)
    more["waves"], more["paths"] = waves or None, paths or None
    more["metrics"] = None if metrics == "energies" else metrics
    options.more = _document("The options", {name: value for name, value in more.items() if value is not None})
    places = np.ascontiguousarray(() if microphones is None else microphones, dtype=np.float64).reshape(-1, 3)
    if microphones is not None:
        options.microphones = places.ctypes.data_as(ctypes.POINTER(c_double))
        options.microphone_count = len(places)
    return sound_of(Handle("sound", "ossicle_respond", room._handle.value, byref(options)))


def _place(name: str, value: Vector) -> ctypes.Array:
    return (c_double * 3)(*_triple(name, value))
