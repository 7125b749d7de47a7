"""Reading of all files that a user names. Only regular files are read, with limits of size and time.

Pipes, devices and files that are too large are rejected before any data is read. Readers of file formats get
the content from this module and never open a file themselves.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from .similar_names import no_file

MB = 1_000_000
CHUNK = 16 * MB
LONGEST = 120.0
"""Maximum time to read a file [s]. At 10 MB/s, as on a slow network drive, this time suffices for 1.2 GB."""


class FileKind(NamedTuple):
    """Kind of a file, with its size limit.

    - what: plural noun for messages.
    - most: maximum size [bytes].
    """

    what: str
    most: int


SCENARIO = FileKind("scenarios and studies (.toml)", 10 * MB)
FLIGHT = FileKind("saved flights (.nc)", 2000 * MB)
TABLE = FileKind("tables (.csv)", 100 * MB)
PUNCH = FileKind("punch files (.pch)", 500 * MB)
EPHEMERIS = FileKind("orbit messages (.oem)", 100 * MB)
MOTOR = FileKind("motor files (.eng)", 10 * MB)
MODEL = FileKind("DAVE-ML models", 32 * MB)
URDF = FileKind("robot descriptions (.urdf)", 32 * MB)
MESH = FileKind("meshes", 200 * MB)
GRAVITY = FileKind("gravity fields (.gfc)", 500 * MB)
PROGRESS = FileKind("progress files", 100 * MB)
PORTS = FileKind("lists of FMU variables (.json)", 10 * MB)


class Unreadable(Exception):
    """Error for a file that cannot be read. The text of the error continues a sentence that begins with the
    file name."""


class Missing(Unreadable):
    """Error for a file that does not exist."""


def read_bytes(path: str | os.PathLike[str], kind: FileKind) -> bytes:
    """Return the content of a file as bytes. `kind`: kind of the file, with its size limit. Raises
    `Unreadable`.
    """
    try:
        number = _open_guarded(path, kind)
        try:
            return _content(number, kind)
        finally:
            os.close(number)
    except FileNotFoundError:
        raise Missing(no_file(path)) from None
    except (OSError, ValueError) as error:  # a name with a NUL character gives a ValueError
        raise Unreadable(f"cannot be read: {getattr(error, 'strerror', None) or error}") from None


def read_text(
    path: str | os.PathLike[str], kind: FileKind, encoding: str = "utf-8-sig", errors: str = "strict"
) -> str:
    """Return the content of a file as text. `kind`: kind of the file, with its size limit. Raises
    `Unreadable`.
    """
    try:
        return read_bytes(path, kind).decode(encoding, errors)
    except UnicodeDecodeError as error:
        raise Unreadable(f"is not UTF-8 text (byte {error.start}). Save the file as UTF-8") from None


def head(path: str | os.PathLike[str], size: int) -> bytes:
    """Return the first `size` bytes of a file. Returns b"" if the path is not a regular file or cannot be
    read."""
    try:
        number = _open(path)
    except (OSError, ValueError):
        return b""
    try:
        return os.read(number, size) if stat.S_ISREG(os.fstat(number).st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(number)


class GuardedFolder(Mapping[str, bytes]):
    """Mapping from the file names of a folder to the contents of the files, for formats that refer to further
    files.

    Each file is read on access. A name outside of the folder, or the name of a file that cannot be read,
    raises KeyError.
    """

    def __init__(self, folder: Path, kind: FileKind):
        self._folder, self._kind = folder.resolve(), kind

    def __getitem__(self, name: str) -> bytes:
        path = (self._folder / name).resolve()
        if not path.is_relative_to(self._folder):
            raise KeyError(name)
        try:
            return read_bytes(path, self._kind)
        except Unreadable as error:
            raise KeyError(f"{name} {error}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (self._folder / name).is_file()


def _open_guarded(path: str | os.PathLike[str], kind: FileKind) -> int:
    """Return the descriptor of a readable file. Raises Unreadable or OSError."""
    # Opening a device may have effects: reject it by its name first.
    _refuse(os.stat(path), kind)
    number = _open(path)
    try:
        _refuse(os.fstat(number), kind)
    except BaseException:
        os.close(number)
        raise
    return number


def _open(path: str | os.PathLike[str]) -> int:
    """Return the descriptor of a file, opened in a mode that does not wait. A pipe without a writer would
    otherwise never open."""
    flags = (getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
    return os.open(path, os.O_RDONLY | sum(flags))


def _refuse(state: os.stat_result, kind: FileKind) -> None:
    if stat.S_ISDIR(state.st_mode):
        raise Unreadable("is a folder. Name a file in this folder")
    if not stat.S_ISREG(state.st_mode):
        raise Unreadable("is not a regular file but a pipe or a device. Copy the content into a regular file")
    if state.st_size > kind.most:
        raise Unreadable(_too_large(size_in_words(state.st_size), kind))


def _too_large(size: str, kind: FileKind) -> str:
    allowed = f"allowed for {kind.what}: {size_in_words(kind.most)}"
    return f"has a size of {size}; {allowed}. Check the path of the file"


def size_in_words(size: int) -> str:
    """Return a file size [bytes] as a text such as "12 MB" or "3.2 GB"."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"


def _content(number: int, kind: FileKind) -> bytes:
    """Return all data that can be read, in pieces.

    A file may grow while it is read, and its size may be unknown (0 in /proc).
    """
    pieces, total, until = [], 0, time.monotonic() + LONGEST
    while piece := os.read(number, min(CHUNK, kind.most + 1 - total)):
        pieces.append(piece)
        total += len(piece)
        if total > kind.most:
            raise Unreadable(_too_large(f"more than {size_in_words(kind.most)}", kind))
        if time.monotonic() > until:
            raise Unreadable(f"took longer than {LONGEST:.0f} s to read. Copy the file to a local disk first")
    return b"".join(pieces)
