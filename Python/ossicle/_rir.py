"""Room impulse responses."""

from __future__ import annotations

import ctypes
import json
from ctypes import byref, c_char_p, c_double, c_void_p
from typing import Any, List, Optional, Sequence, Union

import numpy as np

from ._errors import refused
from ._library import Handle, ResponseOptions, RoomOptions, encoded, library, text
from ._sound import PathLike, Sound, sound_of

Vector = Union[Sequence[float], np.ndarray]


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
    def open(cls, path: PathLike, *, units: float = 1.0, up: str = "y", lenient: bool = False) -> "Room":
        """The surfaces of a scene (``.gltf``, ``.glb``) or of an OBJ, STL or PLY file.

        Args:
            units: Metres of one unit of an OBJ, STL or PLY file.
            up: The axis of such a file that looks up, ``y`` or ``z``; z turns x, y, z into x, z, −y.
            lenient: Unknown materials are concrete, with a warning, and no error.
        """
        if up not in ("y", "z"):
            raise refused("up", f"is {up!r}", "it is y or z", "give one of the two")
        options = RoomOptions()
        library().ossicle_room_options_init(byref(options))
        options.units, options.z_up, options.lenient = float(units), up == "z", lenient
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
    places = np.ascontiguousarray(() if microphones is None else microphones, dtype=np.float64).reshape(-1, 3)
    if microphones is not None:
        options.microphones = places.ctypes.data_as(ctypes.POINTER(c_double))
        options.microphone_count = len(places)
    return sound_of(Handle("sound", "ossicle_respond", room._handle.value, byref(options)))


def _place(name: str, value: Vector) -> ctypes.Array:
    return (c_double * 3)(*_triple(name, value))
