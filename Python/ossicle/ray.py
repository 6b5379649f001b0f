"""Data sets on a cluster, by Ray: `pip install ossicle[ray]`.

    import ray, ossicle.ray
    ray.init()                                             # or the address of a cluster
    result = ossicle.ray.batch("rooms.jsonl", "/shared/rooms", shards=64, seed=7)
    print(result.sha256)                                   # that of any other number of shards and workers

Rows are shared out as shards, each a task of Ray's. A task whose worker died is given out again by Ray and continues in its
journal; a call that was ended as a whole is given again.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Dict, List, Optional

import numpy as np

from . import _batch
from ._errors import BatchError, MissingLibrary, refused
from ._sound import PathLike
from .data import wave

try:
    import ray
    import ray.data
except ImportError as error:
    raise MissingLibrary(f"ossicle.ray needs Ray ({error}): pip install ossicle[ray].") from None


@dataclass
class RayResult:
    """What became of a data set: counts over all shards, and the hash of the set."""

    folder: Path
    rows: int
    made: int
    kept: int
    failed: int
    sha256: str
    messages: List[str] = field(default_factory=list)


def batch(
    manifest: "_batch.Rows",
    out: PathLike,
    *,
    shards: int = 64,
    seed: int = 0,
    format: str = "wav",
    tar: bool = False,
    concurrency: Optional[int] = None,
    cpus: float = 1.0,
) -> RayResult:
    """Computes a data set on a cluster: `ossicle.batch` for each shard, one thread each.

    Args:
        manifest: As for `ossicle.batch`. A file, and the files that rows name, are where every worker sees them; rows as
            dictionaries are written beside `out` meanwhile.
        out: A folder that every worker sees.
        shards: Tasks; some times as many as workers, so that none waits long for the last one.
        concurrency: Tasks at a time; otherwise as many as there are processors for.
        cpus: Of a task.

    Raises:
        BatchError: the results do not hold together; `ossicle.verify` says why.
    """
    if not 1 <= shards <= 1_000_000:
        raise refused("shards", f"is {shards}", "it is a number from 1 to 1000000", "give one in that range")
    folder = Path(out).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    base = str(_batch.written(manifest).base)
    with _shared(manifest, folder) as path:
        task = _Shard(manifest=str(path), out=str(folder), shards=shards, base=base, seed=seed, format=format, tar=tar)
        done = _mapped(ray.data.range(shards, override_num_blocks=shards), task, concurrency, cpus)
        reports = done.take_all()
    found = _batch.verify(folder)
    if found["findings"]:
        first = found["findings"][0]
        raise BatchError(f"{first['name']}: {first['message']}", object=str(folder))
    total = {name: sum(int(report[name]) for report in reports) for name in ("rows", "made", "kept", "failed")}
    messages = [message for report in reports for message in report["messages"]]
    return RayResult(folder, **total, sha256=found["sha256"], messages=messages)


def sounds(rows: "ray.data.Dataset", *, seed: int = 0, concurrency: Optional[int] = None, cpus: float = 1.0) -> Any:
    """`map_batches` over rows: a data set of Ray's with the rows of a manifest becomes one with their sounds, in memory.

    Each of its rows has ``id``, ``name`` (of the sound), ``rate``, ``frames``, ``channels`` and ``samples`` (float32, channel
    after channel). Rows that cannot be done are left out. A row's randomness comes from `seed` and its id, so that the
    sounds do not depend on how rows are put together.
    """
    return _mapped(rows, _Sounds(seed, os.getcwd()), concurrency, cpus)


def _mapped(rows: "ray.data.Dataset", task: Any, concurrency: Optional[int], cpus: float) -> "ray.data.Dataset":
    options: Dict[str, Any] = {"num_cpus": cpus, "batch_size": 1 if isinstance(task, _Shard) else 16}
    if concurrency is not None:
        options["concurrency"] = concurrency
    return rows.map_batches(task, **options)


class _Shard:
    """The work of a task: shards by their numbers."""

    def __init__(self, shards: int, **call: Any) -> None:
        self._call, self._shards = dict(call, jobs=1), shards

    def __call__(self, batch: Dict[str, np.ndarray]) -> Dict[str, Any]:
        reports = [_batch.batch(shard=f"{number}/{self._shards}", **self._call) for number in batch["id"]]
        columns = {name: [getattr(report, name) for report in reports] for name in ("rows", "made", "kept", "failed")}
        columns["messages"] = [report.messages for report in reports]
        return columns


class _Sounds:
    """The work of a task: some rows, into a folder that is read and thrown away."""

    def __init__(self, seed: int, base: str) -> None:
        self._seed, self._base = seed, base

    def __call__(self, batch: Dict[str, np.ndarray]) -> Dict[str, Any]:
        count = len(next(iter(batch.values())))
        rows = [{name: batch[name][number] for name in batch} for number in range(count)]
        columns: Dict[str, List[Any]] = {
            name: [] for name in ("id", "name", "rate", "frames", "channels", "samples")
        }
        with TemporaryDirectory(prefix="ossicle-") as folder:
            result = _batch.batch(
                [_batch.without_nulls(row) for row in rows], folder, seed=self._seed, jobs=1, base=self._base)
            for record in result.results():
                for sound in record["files"]:
                    samples = wave((Path(folder) / sound["name"]).read_bytes())
                    columns["id"].append(record["id"])
                    columns["name"].append(sound["name"])
                    columns["rate"].append(sound["sampleRate"])
                    columns["frames"].append(sound["frames"])
                    columns["channels"].append(sound["channels"])
                    columns["samples"].append(np.asarray(samples).reshape(-1))
        return columns


class _shared:
    """The manifest as a file that every worker sees."""

    def __init__(self, manifest: "_batch.Rows", folder: Path) -> None:
        self._manifest, self._folder = manifest, folder
        self._made: Optional[Path] = None

    def __enter__(self) -> Path:
        named = isinstance(self._manifest, (str, os.PathLike))
        if named and Path(self._manifest).suffix.lower() != ".parquet":
            return Path(self._manifest).absolute()
        with _batch.written(self._manifest) as file:
            self._made = self._folder.parent / f".{self._folder.name}-manifest.jsonl"
            self._made.write_bytes(file.path.read_bytes())
        return self._made

    def __exit__(self, *_: Any) -> None:
        if self._made is not None:
            self._made.unlink(missing_ok=True)
