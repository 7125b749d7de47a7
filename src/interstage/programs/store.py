"""Store of compiled programs: files in the user's cache folder, up to a size limit.

An entry is a compiled program, so reading an entry can execute code. An entry is read only if three
conditions hold: the file belongs to the user, only the user can write to its folder, and its checksum and key
are correct. Any fault of the store, for example a full disk, has the same effect as an empty store.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from ..tree.saving import is_draft_of, replacing

FOLDER_VARIABLE = "INTERSTAGE_CACHE_DIR"
"""Name of the environment variable that sets the folder of the store.

Default folder: `interstage/compiled` in the user's cache folder.
"""
SIZE_VARIABLE = "INTERSTAGE_CACHE_SIZE"
"""Name of the environment variable that sets the size limit of the store, for example "500 MB".

With "0", nothing is stored.
"""
USUAL_SIZE = 10**9
"""Default size limit of the store [bytes]. This size is enough for a few hundred scenario structures."""
UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30}
ENDING = ".program"
TIMES = "times.json"
TIMES_KEPT = 200
SEEN = "files.json"
SEEN_KEPT = 20
LONG = "long.json"
SHORT = "short.json"
FLIGHTS_KEPT = 500
MARK = b"interstage program 1\n"
ABANDONED = 3600.0
"""Age [s] after which an incomplete file is deleted."""


class Entry(NamedTuple):
    """One stored program: file, size [bytes] and time of the last use [s since 1970]."""

    path: Path
    size: int
    used: float


def folder() -> Path:
    """Return the folder of the store. The environment variable `FOLDER_VARIABLE` sets the folder."""
    named = os.environ.get(FOLDER_VARIABLE)
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "interstage" / "compiled"


def size_of(text: str) -> int | None:
    """Return the number of bytes that a text like "500 MB", "2 GiB" or "0" states; None for other texts."""
    number = text.strip().rstrip("bBiIkKmMgG").strip()
    unit = text.strip()[len(number) :].strip().lower()
    try:
        found = float(number) * UNITS[unit]
    except (ValueError, KeyError):
        return None
    return int(found) if 0.0 <= found < float("inf") else None


def limit() -> int:
    """Return the size limit of the store [bytes].

    The environment variable sets it. If the variable is missing or not a size, the default is returned.
    """
    found = size_of(os.environ.get(SIZE_VARIABLE, ""))
    return USUAL_SIZE if found is None else found


def read(key: str) -> bytes | None:
    """Return the entry that is stored under a key; None if no entry exists, or if it cannot be trusted."""
    try:
        _refuse_others(folder())
        path = folder() / (key + ENDING)
        whole = _own_file(path)
        if whole is None:
            return None
        head = MARK + key.encode() + b"\n"
        body = whole[len(head) + 32 :]
        if whole.startswith(head) and hashlib.sha256(body).digest() == whole[len(head) : len(head) + 32]:
            with suppress(OSError):
                os.utime(path)  # when it was last used
            return body
        with suppress(OSError):
            path.unlink()
    except OSError:
        pass
    return None


def has(key: str) -> bool:
    """Return whether the store has a file for a key. The file is not checked."""
    try:
        return (folder() / (key + ENDING)).exists()
    except OSError:
        return False


def write(key: str, body: bytes) -> bool:
    """Store an entry under a key, and return whether it was stored.

    Old entries are deleted if the store exceeds its size limit. body: content of the entry.
    """
    whole = MARK + key.encode() + b"\n" + hashlib.sha256(body).digest() + body
    if len(whole) > limit():
        return False
    try:
        _make_folder(folder())
        _write_aside(folder() / (key + ENDING), whole)
        prune(limit())
    except OSError:
        return False
    return True


def entries() -> list[Entry]:
    """Return all stored programs. The most recently used program comes first."""
    found = []
    with suppress(OSError):
        for path in folder().glob(f"*{ENDING}"):
            with suppress(OSError):
                state = path.stat()
                found.append(Entry(path, state.st_size, state.st_mtime))
    return sorted(found, key=lambda entry: -entry.used)


def is_writable() -> bool:
    """Return whether programs can be stored."""
    try:
        _make_folder(folder())
        return limit() > 0 and os.access(folder(), os.W_OK)
    except OSError:
        return False


def remove_drafts(process: int) -> None:
    """Delete the incomplete files of a process that has been stopped. process: id of the process."""
    for path in _half_written():
        if is_draft_of(path, process):
            with suppress(OSError):
                path.unlink()


def prune(size: int) -> list[Entry]:
    """Delete stored programs until the remaining programs fit in `size` bytes, and return the deleted
    programs.

    The programs that were not used for the longest time are deleted first. Incomplete files from processes
    that have ended are also deleted.
    """
    gone, total = [], 0
    for entry in entries():
        total += entry.size
        if total > size:
            with suppress(OSError):
                entry.path.unlink()
                gone.append(entry)
    for path in _half_written():
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > ABANDONED:
                path.unlink()
    return gone


def clear() -> list[Entry]:
    """Delete all stored programs, and return them."""
    gone = prune(-1)
    for path in [*_half_written(), *(folder() / name for name in (TIMES, SEEN, LONG, SHORT))]:
        with suppress(OSError):
            path.unlink()
    return gone


def listing() -> list[str]:
    """Return a text that describes the content of the store, as lines."""
    found, now = entries(), time.time()
    lines = [
        f"Folder: {folder()}",
        f"Content: {count_text(found)}; size limit: {told_size(limit())} ({SIZE_VARIABLE})",
    ]
    if found:
        used = f"{age_text(now - found[0].used)} to {age_text(now - found[-1].used)} ago"
        lines.append(f"Last use: {used if len(found) > 1 else age_text(now - found[0].used) + ' ago'}")
    return lines


def count_text(found: list[Entry]) -> str:
    """Return the number of stored programs and their total size as text, for example "3 programs, 12 MB"."""
    plural = "program" if len(found) == 1 else "programs"
    return f"{len(found)} {plural}, {told_size(sum(entry.size for entry in found))}"


def told_size(size: float) -> str:
    """Return a size in bytes as text, for example "1.2 MB"."""
    for unit in ("bytes", "kB", "MB"):
        if size < 999.5:  # a larger size is 1000 in three digits
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} GB"


def age_text(seconds: float) -> str:
    """Return an age in seconds as text, for example "5 min" or "3 days"."""
    for length, unit in ((86400.0, "days"), (3600.0, "h"), (60.0, "min")):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{max(seconds, 0.0):.0f} s"


def _half_written() -> Iterator[Path]:
    with suppress(OSError):
        yield from folder().glob("*.part")


# --- how long compiling took


def took(kind: str, size: int, seconds: float) -> None:
    """Record how long the compilation of a program took [s].

    kind: kind of the program. size: size of its inputs and its structure, as for `estimate`.
    """
    if limit() == 0:
        return
    _note(TIMES, [*_times(), [kind, size, round(seconds, 3)]][-TIMES_KEPT:])


def estimate(kind: str, size: int) -> float | None:
    """Return the expected compilation time of a program [s] from programs of the same kind and similar size.

    The result is None if no compilation of this kind is recorded.
    """
    known = sorted((abs(other - size), seconds * size / other) for k, other, seconds in _times() if k == kind)
    near = sorted(seconds for _, seconds in known[:3])
    return near[len(near) // 2] if near else None


def _times() -> list[Any]:
    try:
        return [[str(k), max(int(n), 1), float(s)] for k, n, s in _notes(TIMES)]
    except (ValueError, TypeError):
        return []


# --- what files hold


def see(state: str, checksum: str) -> None:
    """Record the checksum of some files together with their state.

    state: text that changes if a name, size or time stamp of the files changes.
    """
    if limit() > 0:
        _note(SEEN, [*_notes(SEEN), [state, checksum]][-SEEN_KEPT:])


def noted_checksum(state: str) -> str | None:
    """Return the recorded checksum of source files, or None if no checksum is recorded for this state.

    state: text that changes if a name, size or time stamp of the files changes, as passed to `see`.
    """
    try:
        return {str(known): str(checksum) for known, checksum in _notes(SEEN)}.get(state)
    except (ValueError, TypeError):
        return None


# --- flights that are too long for NumPy


def note_long(flight: str) -> None:
    """Record that a flight is too long to be computed with NumPy; see `runs.short`.

    flight: key of the flight.
    """
    if limit() > 0:
        _note(LONG, [*_notes(LONG), flight][-FLIGHTS_KEPT:])


def known_long(flight: str) -> bool:
    """Return whether a flight is recorded as too long to be computed with NumPy. flight: key of the
    flight.
    """
    return flight in _notes(LONG)


def note_short(structure: str) -> None:
    """Record that NumPy completed a flight; see `runs.early`. structure: key of the flight's structure."""
    if limit() > 0 and structure not in (known := _notes(SHORT)):
        _note(SHORT, [*known, structure][-FLIGHTS_KEPT:])


def known_short(structure: str) -> bool:
    """Return whether NumPy is recorded to have completed a flight of a structure. structure: key of the
    flight's structure.
    """
    return structure in _notes(SHORT)


# --- notes


def _note(name: str, what: list[Any]) -> None:
    with suppress(OSError):
        _make_folder(folder())
        _write_aside(folder() / name, json.dumps(what).encode())


def _notes(name: str) -> list[Any]:
    try:
        _refuse_others(folder())
        found = json.loads((_own_file(folder() / name) or b"[]").decode())
    except (OSError, ValueError, RecursionError):  # damaged notes are ignored
        return []
    return found if isinstance(found, list) else []


# --- files


def _make_folder(place: Path) -> None:
    """Make the folder, for its owner only. Raises OSError, for one that others may write to, too."""
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    if _foreign(place.stat()) and place.stat().st_uid == _user():
        place.chmod(0o700)
    _refuse_others(place)


def _refuse_others(place: Path) -> None:
    if _foreign(place.stat()):
        raise PermissionError(f"{place} belongs to another user, or other users may write to this folder")


def _user() -> int:
    return os.geteuid() if hasattr(os, "geteuid") else 0  # Windows has neither, and user folders


def _foreign(state: os.stat_result) -> bool:
    if not hasattr(os, "geteuid"):
        return False
    return state.st_uid != _user() or bool(state.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


def _own_file(path: Path) -> bytes | None:
    """The content of a file of the user's own; None for others, and where there is none."""
    try:
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    except OSError:
        return None
    with os.fdopen(number, "rb") as file:
        state = os.fstat(file.fileno())
        return None if _foreign(state) or not stat.S_ISREG(state.st_mode) else file.read()


def _write_aside(path: Path, whole: bytes) -> None:
    """Write a file aside and give it its name when it is whole, so that nobody ever reads half of it."""
    with replacing(path, private=True) as draft:
        draft.write_bytes(whole)
