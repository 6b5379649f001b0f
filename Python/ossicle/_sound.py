"""What the library computes, as numpy arrays."""

from __future__ import annotations

from ctypes import c_void_p
from typing import Any, Dict, Optional, Union
import os

import numpy as np

from ._errors import refused
from ._library import Handle, call, encoded, library, text

PathLike = Union[str, "os.PathLike[str]"]


class Sound(np.ndarray):
    """A sound: an array of float32 of the shape (channels, frames), full scale ±1.

    Attributes:
        rate: Sample rate in Hz.
        facts: What the library says about it: of a rendering layout, seed, peak and so on, of an impulse response the
            room-acoustic metrics. Empty for parts of a sound and for what is computed from one.
    """

    rate: int
    facts: Dict[str, Any]

    def __new__(cls, samples: Any, rate: int, facts: Optional[dict] = None) -> "Sound":
        sound = np.atleast_2d(np.asarray(samples, dtype=np.float32)).view(cls)
        if sound.ndim != 2:
            raise refused("samples", f"have the shape {np.shape(samples)}", "a sound has channels × frames", "reshape them")
        sound.rate, sound.facts = rate, dict(facts or {})
        return sound

    def __array_finalize__(self, other: Any) -> None:
        self.rate = getattr(other, "rate", 0)
        self.facts = {}

    def __reduce__(self):
        return _restored, (np.asarray(self), self.rate, self.facts)

    @property
    def seconds(self) -> float:
        return self.shape[-1] / self.rate

    @property
    def sha256(self) -> str:
        """Of the file that `write` writes, in hexadecimal."""
        handle = self._handle()
        return text(library().ossicle_sound_sha256(handle.value)) or ""

    def write(self, path: PathLike, *, overwrite: bool = False) -> None:
        """Writes a .wav of 32-bit floating point, which is there when it is whole.

        Raises:
            FileError: it exists and is not to be replaced, or the folder cannot be written to.
        """
        handle = self._handle()
        call("ossicle_sound_write", handle.value, encoded(path), int(overwrite))

    def play(self, dry: Any) -> "Sound":
        """A dry sound through this response, as `ossicle rir --play-through` makes it: each channel convolved, peak at −1 dBFS.

        Args:
            dry: Samples at the rate of the response, frames or channels × frames, which are mixed to one channel; a `Sound` of
                another rate is refused.

        Returns:
            The response's channels × (frames of both − 1). ``facts["gain"]`` is the gain in dB that brought the peak there.

        Raises:
            ArgumentError: another rate.
            SceneError: nothing is heard.
        """
        sound = dry if isinstance(dry, Sound) else Sound(dry, self.rate)
        one, other = sound._handle(), self._handle()
        return sound_of(Handle("sound", "ossicle_sound_play", one.value, other.value))

    def _handle(self) -> Handle:
        samples = np.ascontiguousarray(np.atleast_2d(np.asarray(self)), dtype=np.float32)
        pointer = samples.ctypes.data_as(c_void_p)
        return Handle("sound", "ossicle_sound_make", pointer, samples.shape[1], samples.shape[0], float(self.rate))


def _restored(samples: np.ndarray, rate: int, facts: dict) -> Sound:
    return Sound(samples, rate, facts)


def sound_of(handle: Handle) -> Sound:
    loaded = library()
    frames, channels = loaded.ossicle_sound_frames(handle.value), loaded.ossicle_sound_channels(handle.value)
    samples = np.empty((channels, frames), dtype=np.float32)
    call("ossicle_sound_copy", handle.value, samples.ctypes.data_as(c_void_p), samples.size, 0)
    return Sound(samples, int(loaded.ossicle_sound_rate(handle.value)), handle.facts)
