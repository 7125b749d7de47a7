"""Files that are written: each one completely or not at all. A file that cannot be written is refused before
the work is done. If it turns out later, the file is saved in another folder."""

from __future__ import annotations

import csv
import io
import itertools
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from .errors import BadInput, Problem, why

_drafts = itertools.count()


@contextmanager
def replacing(path: Path, private: bool = False) -> Iterator[Path]:
    """Yield a new file in the same folder, which gets the name when the block ends.

    If the block fails, the new file is removed, and an older file of this name stays as it was. The package
    writes all its files through this function.

    private: only the user may read it. A device or a pipe is written directly. Raises OSError."""
    path = Path(os.path.realpath(path))  # a link keeps its place
    if path.exists() and not path.is_file():
        yield path
        return
    draft = draft_of(path)
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o666))
    try:
        if not private and path.exists():
            shutil.copymode(path, draft)
        yield draft
        os.replace(draft, path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


def write_file(path: Path, content: str | bytes, remedy: str = "Choose another file") -> None:
    """Write a whole file, or leave what was there. remedy: last sentence of the error. Raises BadInput."""
    data = content.encode("utf-8") if isinstance(content, str) else content
    with writing(path, remedy), replacing(path) as draft:
        draft.write_bytes(data)


def write_csv(path: Path, rows: Iterable[Iterable[Any]]) -> None:
    """Write rows as a CSV file. Raises BadInput."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    write_file(path, text.getvalue())


def write_dataset(path: Path, tree: Any) -> None:
    """Write a dataset of xarray, or a tree of them, as NetCDF. Raises BadInput."""
    # In memory: on a full disk the library prints its own errors and can end the process when it closes.
    whole = io.BytesIO()
    tree.to_netcdf(whole, engine="h5netcdf")
    write_file(path, whole.getvalue())


@contextmanager
def writing(path: Any, remedy: str = "Choose another file") -> Iterator[None]:
    """Turn an error of the system into a message with what to do. Raises BadInput."""
    try:
        yield
    except OSError as error:
        raise BadInput(f"cannot write '{path}': {why(error)}. {remedy}") from None


def draft_of(path: Path) -> Path:
    """The name under which a file is written, in its own folder, until it is complete."""
    return path.with_name(f".{path.name}.{os.getpid()}-{next(_drafts)}.part")


def refuse_unwritable(path: Path) -> None:
    """Refuse a file that cannot be written. Nothing is left there, and a file that is there stays as it is.
    Raises BadInput."""
    try:
        if path.exists():
            with open(path, "r+b"):
                pass
        else:
            _tried(path)
        if path.is_file() or not path.exists():
            _tried(draft_of(Path(os.path.realpath(path))))
    except (OSError, ValueError) as error:
        said = why(error) if isinstance(error, OSError) else str(error)
        raise BadInput(f"'{path}' cannot be written: {said}; choose another place") from None


def _tried(path: Path) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    path.unlink()


def saved(path: Path, write: Callable[[Path], Any], what: str) -> None:
    """Write a file, or where that fails another one in the folder for such of the system. what: what is kept
    so, "the flight". Raises BadInput that says where."""
    try:
        write(path)
    except BadInput as error:
        other = _elsewhere(path, write)
        if other is None:
            raise
        said = "; ".join(problem.message for problem in error.problems)
        raise BadInput(Problem("", f"{said}. {what[0].upper()}{what[1:]} is kept in '{other}'")) from None


def _elsewhere(path: Path, write: Callable[[Path], Any]) -> Path | None:
    """The file that was written elsewhere in place of another one, or none."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="interstage-"))
    except OSError:
        return None
    other = folder / f"{path.stem[:40]}{path.suffix}"
    try:
        write(other)
    except BadInput:
        shutil.rmtree(folder, ignore_errors=True)
        return None
    return other
