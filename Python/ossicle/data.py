"""Data sets read back: rows with their sounds, for training and for measuring.

    rows = ossicle.data.DataSet("rooms")                   # a folder of `ossicle batch`, or its archives: "rooms/rows.tar"
    row = rows[0]
    row.id, row.record["sources"][0]["t30"], row.sounds["mix"].shape

Of shards rows are taken by turns, as the manifest has them. A `DataSet` has a length and indices, which is all that
PyTorch's `DataLoader` asks for; `ossicle.torch` makes tensors of it, and `write_cuts` a manifest for Lhotse. Needs numpy only; FLAC needs
soundfile (`pip install ossicle[data]`).
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import struct
import tarfile
from collections.abc import Sequence as SequenceOf
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._errors import BatchError, MissingLibrary, refused
from ._sound import PathLike, Sound

#: What a sound of a row is.
HOLDS = ("response", "mix", "near", "far", "echo", "noise", "reference", "render")


@dataclass(frozen=True)
class Row:
    """A row of a data set.

    Attributes:
        id: Of the row in its manifest.
        record: What was drawn and measured: ``sources``, ``listener``, ``room`` … (`Documentation/Schemas/result.schema.json`).
        sounds: By what they hold: ``mix``, ``near``, ``far``, ``echo``, ``noise``, ``reference``, ``render`` are sounds, and ``response`` is a list of
            them, one for each source. A sound is float32, channels × frames.
    """

    id: str
    record: Dict[str, Any]
    sounds: Dict[str, Union[Sound, List[Sound]]]

    @property
    def rate(self) -> int:
        """Of all sounds, in Hz."""
        return int(self.record["files"][0]["sampleRate"])


class DataSet(SequenceOf):
    """What `ossicle batch` has written, row by row. Sounds are read when a row is asked for.

    May be pickled, and read from several processes at a time.

    Args:
        source: A folder with its results, all shards of it; an archive of `--tar`; or several of them.
        sounds: What of each row is read, of `HOLDS`; all there is without it.

    Raises:
        BatchError: there are no results, or a record names a file that is not there.
    """

    def __init__(
        self, source: Union[PathLike, Iterable[PathLike]], *, sounds: Optional[Sequence[str]] = None
    ) -> None:
        for name in sounds or ():
            if name not in HOLDS:
                raise refused("sounds", f"has {name!r}", f"a row's sounds are {', '.join(HOLDS)}", "name some of those")
        self._holds = tuple(sounds) if sounds is not None else None
        places = [source] if isinstance(source, (str, os.PathLike)) else list(source)
        self._records: List[Tuple[Dict[str, Any], Union[_Folder, _Archive]]] = []
        for place in map(Path, places):
            shards = [[(record, store) for record in store.records()] for store in _stores(place)]
            for number in range(max(map(len, shards))):
                self._records += [shard[number] for shard in shards if number < len(shard)]
        if not self._records:
            raise BatchError(f"{', '.join(map(str, places))}: no rows; name a folder that `ossicle batch` has finished.")

    def __len__(self) -> int:
        return len(self._records)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        record, store = self._records[index]
        sounds: Dict[str, Any] = {}
        for file in record["files"]:
            if self._holds is not None and file["holds"] not in self._holds:
                continue
            if file["holds"] not in HOLDS:
                continue
            sound = _decoded(store.read(file["name"]), file["name"])
            if file["holds"] == "response":
                sounds.setdefault("response", []).append(sound)
            else:
                sounds[file["holds"]] = sound
        return Row(record["id"], record, sounds)

    def records(self) -> List[Dict[str, Any]]:
        """The records alone, without their sounds."""
        return [record for record, _ in self._records]


def write_cuts(folder: PathLike, path: PathLike) -> int:
    """Writes a manifest of cuts for Lhotse, which `lhotse.CutSet.from_file` reads: for each row a cut of its mix (else of its rendering, else of
    its first response) with all channels, its other sounds as custom recordings, and its record as the custom field ``ossicle``.

    Args:
        folder: Results as files; Lhotse does not read sounds within archives of ours.
        path: Of the manifest: ``….jsonl`` or ``….jsonl.gz``.

    Returns:
        The number of cuts.
    """
    target = Path(path)
    if not target.name.endswith((".jsonl", ".jsonl.gz")):
        raise refused("path", f"is {target.name}", "a manifest of cuts ends in .jsonl or .jsonl.gz", "name it so")
    place = Path(folder).absolute()
    if not place.is_dir():
        raise refused("folder", f"is {place}", "cuts name files in a folder of `ossicle batch`", "give one that was written without --tar")
    rows = DataSet(place)
    whole = "".join(json.dumps(_cut(record, place)) + "\n" for record in rows.records()).encode()
    # The time within a compressed file is left out, so that the same set has the same bytes.
    target.write_bytes(gzip.compress(whole, mtime=0) if target.suffix == ".gz" else whole)
    return len(rows)


def _cut(record: Dict[str, Any], folder: Path) -> Dict[str, Any]:
    files = {}
    for file in record["files"]:
        if file["holds"] not in HOLDS:
            continue
        if not (folder / file["name"]).is_file():
            raise BatchError(f"{folder / file['name']}: not there; cuts need sounds as files, without --tar.")
        # Responses by their sources: response1, response2.
        twin = sum(name.rstrip("0123456789") == file["holds"] for name in files)
        files[file["holds"] if twin == 0 else f"{file['holds']}{twin + 1}"] = file
    main = next(name for name in ("mix", "render", "response") if name in files)
    recordings = {name: _recording(record["id"], name, file, folder) for name, file in files.items()}
    first = recordings[main]
    custom = {name: recording for name, recording in recordings.items() if name != main}
    channels = list(range(files[main]["channels"]))
    return {
        "id": record["id"], "start": 0, "duration": first["duration"], "recording": first,
        "channel": channels if len(channels) > 1 else 0, "supervisions": [],
        "custom": {**custom, "ossicle": record}, "type": "MultiCut" if len(channels) > 1 else "MonoCut",
    }


def _recording(id: str, name: str, file: Dict[str, Any], folder: Path) -> Dict[str, Any]:
    channels = list(range(file["channels"]))
    return {
        "id": f"{id}-{name}", "sampling_rate": file["sampleRate"], "num_samples": file["frames"],
        "duration": file["frames"] / file["sampleRate"], "channel_ids": channels,
        "sources": [{"type": "file", "channels": channels, "source": str(folder / file["name"])}],
    }


def _stores(place: Path) -> List[Union["_Folder", "_Archive"]]:
    if place.is_file():
        return [_Archive(place)]
    if not place.is_dir():
        raise BatchError(f"{place}: not there; name a folder or an archive of `ossicle batch`.")
    archives = sorted(place.glob("rows*.tar"), key=_shard)
    if archives:
        return [_Archive(archive) for archive in archives]
    lists = sorted(place.glob("results*.jsonl"), key=_shard)
    if not lists:
        raise BatchError(f"{place}: no results.jsonl; name a folder that `ossicle batch` has finished.")
    return [_Folder(place, path) for path in lists]


def _shard(path: Path) -> Tuple[int, str]:
    """The number of a shard: that of results-3-of-64.jsonl is 3."""
    number = re.search(r"-(\d+)-of-\d+\.", path.name)
    return (int(number.group(1)) if number else 0, path.name)


class _Folder:
    """Sounds as files, with the list of a shard's records."""

    def __init__(self, place: Path, results: Path) -> None:
        self._place, self._results = place, results

    def records(self) -> List[Dict[str, Any]]:
        with open(self._results, encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]

    def read(self, name: str) -> bytes:
        try:
            return (self._place / name).read_bytes()
        except OSError as error:
            raise BatchError(f"{self._place / name}: {error.strerror}; `ossicle verify` lists what is missing.") from None


class _Archive:
    """Sounds within a tar, read at their places: members are not compressed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._places: Dict[str, Tuple[int, int]] = {}
        try:
            with tarfile.open(path, "r:") as archive:
                self._places = {member.name: (member.offset_data, member.size) for member in archive if member.isfile()}
        except (OSError, tarfile.TarError) as error:
            raise BatchError(f"{path}: no archive of `ossicle batch --tar` ({error}).") from None

    def records(self) -> List[Dict[str, Any]]:
        return [json.loads(self.read(name)) for name in self._places if name.endswith(".json")]

    def read(self, name: str) -> bytes:
        if name not in self._places:
            raise BatchError(f"{self._path}: {name} is not in it; `ossicle verify` lists what is missing.")
        offset, size = self._places[name]
        with open(self._path, "rb") as file:
            file.seek(offset)
            return file.read(size)


def _decoded(data: bytes, name: str) -> Sound:
    if data[:4] == b"RIFF":
        return wave(data)
    try:
        import soundfile
    except ImportError:
        raise MissingLibrary(f"{name} needs soundfile: pip install ossicle[data], or write rows as \"wav\".") from None
    samples, rate = soundfile.read(io.BytesIO(data), dtype="float32", always_2d=True)
    return Sound(samples.T, rate)


def wave(data: bytes) -> Sound:
    """The sound of a .wav of 32-bit floating point, as the library writes them."""
    rate, channels, place = 0, 1, 12
    while place + 8 <= len(data):
        kind, size = data[place:place + 4], struct.unpack_from("<I", data, place + 4)[0]
        if kind == b"fmt ":
            channels, rate = struct.unpack_from("<HI", data, place + 10)
        if kind == b"data":
            samples = np.frombuffer(data, "<f4", size // 4, place + 8)
            return Sound(samples.reshape(-1, channels).T.copy(), rate)
        place += 8 + size + size % 2
    raise BatchError("A .wav without samples; `ossicle verify` says which files have changed.")
