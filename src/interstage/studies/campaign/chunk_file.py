"""Read and write result files. A result file has the results of consecutive cases in Parquet format, with a
checksum.
"""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...tree.errors import BadInput
from ...tree.saving import replacing, writing
from .columns import ENVELOPE, TEXTS, Columns, content_hash

FORMAT = 1
"""Version of the format of result files and of the manifest."""
MARK = b"interstage"
NAME = re.compile(r"cases-(\d+)-(\d+)-([0-9a-f]{16})\.parquet")
WIDTH = 9
"""Number of digits of a case number in a file name."""
NO_SPACE = "Free some space and run the same command again: all finished chunks are kept"


def require_pyarrow() -> None:
    """Check that pyarrow, which writes Parquet files, is installed. Raises BadInput."""
    if importlib.util.find_spec("pyarrow") is None:
        text = "a campaign is saved in Parquet files, which need pyarrow. Run pip install"
        raise BadInput(f"{text} 'interstage[campaigns]'")


class Stamp(NamedTuple):
    """Identity of a campaign: its key, and the version of Interstage.

    A result file with another identity is not used.
    """

    key: str
    version: str


class ChunkFile(NamedTuple):
    """A result file with the cases of one chunk: `first` to `last` - 1."""

    path: Path
    first: int
    last: int


class Unusable(Exception):
    """Error for a result file that cannot be used. The message is the reason."""


def chunk_files(folder: Path) -> list[ChunkFile]:
    """Return the result files in a folder, ordered by their first case."""
    found = []
    for path in folder.glob("cases-*.parquet"):
        if named := NAME.fullmatch(path.name):
            found.append(ChunkFile(path, int(named[1]), int(named[2]) + 1))
    return sorted(found, key=lambda one: (one.first, -one.last, one.path.name))


def write(folder: Path, columns: Columns, stamp: Stamp) -> Path:
    """Write the results of consecutive cases to a file in `folder` and return the path of the file.

    The file has a temporary name until it is complete. Raises BadInput if the file cannot be written.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    first, last = int(columns["case"][0]), int(columns["case"][-1])
    checksum = content_hash(columns, stamp.key)
    about = {"format": FORMAT, **stamp._asdict(), "first": first, "last": last, "checksum": checksum}
    path = folder / f"cases-{first:0{WIDTH}}-{last:0{WIDTH}}-{checksum[:16]}.parquet"
    table = pa.table({name: _array(values, name) for name, values in columns.items()})
    table = table.replace_schema_metadata({MARK: json.dumps(about).encode()})
    with writing(path, NO_SPACE), replacing(path) as draft:
        pq.write_table(table, draft)
        _flush(draft)
    return path


def _flush(path: Path) -> None:
    """Have the system write a file to its disk, so that a loss of power cannot leave it empty."""
    import os

    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read(file: ChunkFile, stamp: Stamp) -> Columns:
    """Return the columns of a result file.

    Raises `Unusable` if the file is damaged, or if its campaign or version differs from `stamp`.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.ParquetFile(file.path).read()
        about: dict[str, Any] = json.loads((table.schema.metadata or {})[MARK])
        columns = {name: _values(table.column(name), name) for name in table.column_names}
    except (pa.ArrowException, OSError, ValueError, KeyError) as error:
        raise Unusable(f"is damaged ({_first_line(error)})") from None
    if about.get("format") != FORMAT or about.get("version") != stamp.version:
        raise Unusable(f"was written by interstage {about.get('version')}, not by {stamp.version}")
    if about.get("key") != stamp.key:
        raise Unusable("belongs to another campaign")
    checksum = content_hash(columns, stamp.key)
    cases = np.array_equal(columns.get("case", ()), np.arange(file.first, file.last))
    if checksum != about.get("checksum") or not file.path.stem.endswith(checksum[:16]) or not cases:
        raise Unusable("is damaged (the checksum is wrong)")
    return columns


def _array(values: np.ndarray, name: str) -> Any:
    """A column in the format of Parquet; the values (cases, times) of an envelope are lists."""
    import pyarrow as pa

    if values.ndim == 2:
        return pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), values.shape[1])
    return pa.array(values, pa.string() if name in TEXTS else None)


def _values(column: Any, name: str) -> np.ndarray:
    if name in TEXTS:
        coded = column.combine_chunks().dictionary_encode()  # so that equal texts are one object in memory
        return np.array(coded.dictionary.to_pylist(), object)[coded.indices.to_numpy()]
    if name.startswith(ENVELOPE):
        return column.combine_chunks().flatten().to_numpy().reshape(len(column), -1)
    return column.to_numpy()


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)[:120]
