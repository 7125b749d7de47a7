"""Functions that write a file either completely or not at all.

If a path cannot be written, it is rejected before the work begins. If writing fails later, the file is saved
in another folder.
"""

from __future__ import annotations

import io
import itertools
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from .errors import BadInput, Problem, why

_drafts = itertools.count()


@contextmanager
def replacing(path: Path, private: bool = False) -> Iterator[Path]:
    """Return a context manager that yields a temporary file in the same folder. At the end of the block, the
    file is renamed to `path`.

    If the block fails, the temporary file is removed, and an older file at `path` stays unchanged. The
    package writes all its files through this function.

    `private`: true if only the user may read the file. A device or a pipe is written directly. Raises
    OSError.
    """
    path = Path(os.path.realpath(path))  # a link keeps its path
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
    """Write a file completely. If this fails, the old file is kept.

    `remedy`: last sentence of the error. Raises BadInput if the file cannot be written.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    with writing(path, remedy), replacing(path) as draft:
        draft.write_bytes(data)


def write_dataset(path: Path, tree: Any) -> None:
    """Write a dataset or a data tree of xarray as a NetCDF file. Raises BadInput if the file cannot be
    written.
    """
    # In memory: on a full disk the library prints its own errors and can end the process when it closes.
    whole = io.BytesIO()
    tree.to_netcdf(whole, engine="h5netcdf")
    write_file(path, whole.getvalue())


@contextmanager
def writing(path: Any, remedy: str = "Choose another file") -> Iterator[None]:
    """Return a context manager that converts a system error in its block to BadInput.

    `path`: file for the message. `remedy`: fix for the message.
    """
    try:
        yield
    except OSError as error:
        raise BadInput(f"cannot write '{path}': {why(error)}. {remedy}") from None


def draft_of(path: Path) -> Path:
    """Return the temporary path for an incomplete file, in the same folder as `path`."""
    return path.with_name(f".{path.name}.{os.getpid()}-{next(_drafts)}.part")


def is_draft_of(path: Path, process: int) -> bool:
    """Return whether a path is one that `draft_of` has returned in a process. process: id of the process."""
    return path.name.endswith(".part") and path.stem.rpartition(".")[2].startswith(f"{process}-")


def refuse_unwritable(path: Path) -> None:
    """Check that a file can be written. The check changes no existing file and leaves no new file.

    Raises BadInput if the file cannot be written.
    """
    try:
        if path.exists():
            with open(path, "r+b"):
                pass
        else:
            _try_to_create(path)
        if path.is_file() or not path.exists():
            _try_to_create(draft_of(Path(os.path.realpath(path))))
    except (OSError, ValueError) as error:
        reason = why(error) if isinstance(error, OSError) else str(error)
        raise BadInput(f"'{path}' cannot be written: {reason}. Choose another path") from None


def _try_to_create(path: Path) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    path.unlink()


Write = Callable[[Path], Any]
"""Type of a function that writes a file to a path."""


def save_file(path: Path, write: Write, what: str, plainly: Write | None = None) -> None:
    """Write a file. If writing fails for any reason, write the file into a new folder in the temporary folder
    of the system.

    `write`: function that writes the file. `what`: name of the content in messages, for example "the flight".
    `plainly`: function that writes only the numbers (.npz). The function is used if `write` fails in the
    temporary folder too. Raises BadInput after any failure, with the new path or with the reason for the
    loss.
    """
    try:
        write(path)
    except Exception as error:  # noqa: BLE001 - raised again as a message
        raise BadInput(
            Problem("", f"{_reason(path, error)}. {_save_elsewhere(path, write, what, plainly)}")
        ) from None


def _save_elsewhere(path: Path, write: Write, what: str, plainly: Write | None) -> str:
    """Save the content in another folder, and return a description of the saved content."""
    other, reason = _elsewhere(path, write)
    if other is not None:
        return f"{_capital(what)} is saved in '{other}'"
    if plainly is not None:
        other, _ = _elsewhere(path.with_suffix(".npz"), plainly)
        if other is not None:
            text = f"Only the numeric arrays of {what} are saved, in '{other}' (read it with numpy.load)."
            return (
                f"{text} The scenario and all other data are lost, because the complete file could not be "
                f"written to this folder ({reason})"
            )
    text = f"{_capital(what)} is lost: it could not be written to the temporary folder either ({reason})"
    return f"{text}. Free some space, or set TMPDIR to a folder with space, and run again"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _reason(path: Path, error: Exception) -> str:
    """Return the reason why a file could not be written."""
    if isinstance(error, BadInput):
        return "; ".join(problem.message for problem in error.problems)
    from .packages import fault, package_of_error

    if package := package_of_error(error):
        return fault(error, package).message
    text = next(iter(str(error).splitlines()), "")
    return f"'{path}' could not be written: {type(error).__name__}: {text}".rstrip(": ")


def _elsewhere(path: Path, write: Write) -> tuple[Path | None, str]:
    """Write the file into a temporary folder. Return (its path, "") or (None, the reason for the failure)."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="interstage-"))
    except OSError as error:
        return None, why(error)
    other = folder / f"{path.stem[:40]}{path.suffix}"
    try:
        write(other)
    except Exception as error:  # noqa: BLE001 - the same error as for the first path, or a full disk
        shutil.rmtree(folder, ignore_errors=True)
        cause = error.__context__ if isinstance(error.__context__, OSError) else error
        return None, why(cause) if isinstance(cause, OSError) else _reason(other, error)
    return other, ""
