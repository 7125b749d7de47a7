"""Files to be written: refused before work is done for them where they cannot be, and kept elsewhere where
that shows too late."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .errors import BadInput, Problem, why


def draft_of(path: Path) -> Path:
    """The file beside another one under whose name that is written, so that it is there as a whole or not."""
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def refuse_unwritable(path: Path) -> None:
    """Refuse a file that cannot be written. Nothing is left there, and a file that is there stays as it is.
    Raises BadInput."""
    try:
        if path.exists():
            with open(path, "r+b"):
                pass
        else:
            _tried(path)
        if path.suffix.lower() == ".nc":
            _tried(draft_of(path))
    except (OSError, ValueError) as error:
        said = why(error) if isinstance(error, OSError) else str(error)
        raise BadInput(f"'{path}' cannot be written: {said}; choose another place") from None


def _tried(path: Path) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    path.unlink()


Write = Callable[[Path], Any]
"""What writes a file."""


def saved(path: Path, write: Write, what: str, plainly: Write | None = None) -> None:
    """Write a file. If that fails for any reason, write it into the temporary folder of the system.

    what: the name of its content in messages, "the flight". plainly: writes the numbers alone (.npz), in case
    `write` itself fails. Raises BadInput with the place."""
    try:
        write(path)
    except Exception as error:
        other = _elsewhere(path, write) or (plainly and _elsewhere(path.with_suffix(".npz"), plainly))
        if other is None and isinstance(error, BadInput):
            raise
        said = f"{_reason(path, error)}. {what[0].upper()}{what[1:]}"
        if other is None:
            raise BadInput(Problem("", f"{said} cannot be kept anywhere else either")) from error
        raise BadInput(Problem("", f"{said} is kept in '{other}'")) from None


def _reason(path: Path, error: Exception) -> str:
    """Why a file could not be written, in words."""
    if isinstance(error, BadInput):
        return "; ".join(problem.message for problem in error.problems)
    from .packages import blamed, fault

    if package := blamed(error):
        return fault(error, package).message
    text = next(iter(str(error).splitlines()), "")
    return f"'{path}' could not be written: {type(error).__name__}: {text}".rstrip(": ")


def _elsewhere(path: Path, write: Write) -> Path | None:
    """The file that was written elsewhere in place of another one, or none."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="interstage-"))
    except OSError:
        return None
    other = folder / f"{path.stem[:40]}{path.suffix}"
    try:
        write(other)
    except Exception:  # noqa: BLE001 - whatever it is, it is the same as at the first place, or a full disk
        shutil.rmtree(folder, ignore_errors=True)
        return None
    return other
