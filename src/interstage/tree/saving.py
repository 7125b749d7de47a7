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
