"""Data sets in bulk: the rows of a manifest, as `ossicle batch` computes them."""

from __future__ import annotations

import json
import os
from ctypes import byref
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Union

from ._errors import BatchError, MissingLibrary, refused
from ._library import BatchOptions, Handle, Watcher, encoded, library
from ._sound import PathLike

Rows = Union[PathLike, Iterable[Mapping[str, Any]]]


@dataclass
class BatchResult:
    """What became of a shard.

    Attributes:
        folder: Where the results are.
        rows: Of the shard; `made` now, `kept` from an earlier call, `failed`.
        messages: About rows that cannot be done, or are odd: sentences, the first 1,000.
        sha256: Of the shard's files; `verify` has that of the set.
    """

    folder: Path
    shard: str
    rows: int
    made: int
    kept: int
    failed: int
    sha256: str
    messages: List[str] = field(default_factory=list)

    def results(self) -> Iterator[Dict[str, Any]]:
        """The shard's results: ``id``, ``files`` (``name``, ``sha256``, ``frames``, ``channels``, ``peak`` …), facts of the
        room."""
        index, count = self.shard.split("/")
        name = "results.jsonl" if count == "1" else f"results-{index}-of-{count}.jsonl"
        with open(self.folder / name, encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)


def batch(
    manifest: Rows,
    out: PathLike,
    *,
    shard: str = "0/1",
    seed: int = 0,
    jobs: Optional[int] = None,
    format: str = "wav",
    tar: bool = False,
    overwrite: bool = False,
    base: Optional[PathLike] = None,
    strict: bool = False,
    progress: Optional[Callable[[float], Any]] = None,
) -> BatchResult:
    """Computes the rows of a manifest into a folder as `ossicle batch` does: the same bytes, whatever the number of shards.

    A call that was ended, or whose process was killed, is given again and continues where it was.

    Args:
        manifest: JSON Lines, a ``.parquet`` with a column for each member of a row, or rows as dictionaries. Files that rows
            name are looked for beside the manifest, those of dictionaries in the current folder.
        out: The folder of the results; made if need be.
        shard: ``"3/64"`` is each 64th row from row 3 on, counted from 0.
        seed: Of the data set.
        jobs: Rows at a time; otherwise ``OSSICLE_THREADS``, or all cores.
        format: Where rows name none: ``wav`` (32-bit floating point), ``flac`` (24 bits), ``flac16``.
        tar: One ``.tar`` for WebDataset in place of files.
        base: Where files are that rows name, in place of that.
        overwrite: Begin anew where there are results.
        strict: Raise where rows failed.
        progress: Called some times a second with the share that is done. What it raises ends the work.

    Raises:
        BatchError: no manifest, or results of another one in the folder; with `strict`, rows that failed.
    """
    with written(manifest) as file:
        options = BatchOptions()
        library().ossicle_batch_options_init(byref(options))
        watcher = Watcher(progress)
        options.shard, options.format, options.base = encoded(shard), encoded(format), encoded(base or file.base)
        options.seed, options.jobs = int(seed) % 2**64, jobs or 0
        options.tar, options.overwrite, options.progress = tar, overwrite, watcher.function
        report = watcher.watched(
            lambda: Handle("report", "ossicle_batch", encoded(file.path), encoded(out), byref(options)))
        facts = report.facts
    facts["folder"] = Path(facts["folder"])
    result = BatchResult(**facts)
    if strict and result.failed:
        raise BatchError(f"{result.failed} of {result.rows} rows could not be done. {' '.join(result.messages[:3])}")
    return result


def verify(folder: PathLike) -> dict:
    """Checks the results in a folder as `ossicle verify` does.

    Returns:
        ``sha256`` of the set, the same for any number of shards; ``findings`` (``kind``, ``name``, ``message``), ``rows``,
        ``files``, ``bytes``, ``failedRows``, ``rowsOfManifest``.
    """
    return Handle("report", "ossicle_verify", encoded(folder)).facts


def rows_of(manifest: Rows) -> Iterator[Dict[str, Any]]:
    """The rows of a manifest as dictionaries. Members that are null in a Parquet file are not there."""
    if not isinstance(manifest, (str, os.PathLike)):
        yield from (dict(row) for row in manifest)
        return
    path = Path(manifest)
    if path.suffix.lower() == ".parquet":
        try:
            from pyarrow.parquet import ParquetFile
        except ImportError:
            raise MissingLibrary(
                f"{path} needs pyarrow: pip install ossicle[parquet], or write the manifest as JSON Lines.") from None
        for part in ParquetFile(path).iter_batches():
            yield from (without_nulls(row) for row in part.to_pylist())
        return
    with open(path, encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def without_nulls(value: Any) -> Any:
    """A row as JSON has it: arrays of numpy's as lists, and no member that is None, which Arrow has for what is not there."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {name: without_nulls(each) for name, each in value.items() if each is not None}
    return [without_nulls(each) for each in value] if isinstance(value, list) else value


class written:
    """The manifest as a file that the library reads; in a temporary place where it is none yet. `base` is where files are
    that rows name."""

    def __init__(self, manifest: Rows) -> None:
        self._manifest = manifest
        self._folder: Optional[TemporaryDirectory] = None
        named = isinstance(manifest, (str, os.PathLike))
        self.base = Path(manifest).absolute().parent if named else Path.cwd()

    def __enter__(self) -> "written":
        manifest = self._manifest
        if isinstance(manifest, (str, os.PathLike)) and Path(manifest).suffix.lower() != ".parquet":
            self.path = Path(manifest)
            return self
        self._folder = TemporaryDirectory(prefix="ossicle-")
        self.path = Path(self._folder.name) / "manifest.jsonl"
        with open(self.path, "w", encoding="utf-8") as lines:
            for number, row in enumerate(rows_of(manifest)):
                try:
                    lines.write(json.dumps(row, default=_number) + "\n")
                except TypeError as error:
                    raise refused(
                        f"Row {number}", f"holds what is no JSON ({error})", "rows are numbers, texts, lists and dictionaries",
                        "convert it") from None
        return self

    def __exit__(self, *_: Any) -> None:
        if self._folder is not None:
            self._folder.cleanup()


def _number(value: Any) -> Any:
    """numpy's numbers and arrays."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} {value!r}")
