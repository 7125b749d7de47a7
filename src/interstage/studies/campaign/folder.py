"""Folder of a campaign: its result files, the missing cases, and a lock against simultaneous runs.

A result file has the results of one chunk, a range of consecutive cases.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...tree import guarded_reader
from ...tree.errors import BadInput, Problem
from ...tree.saving import writing
from .chunk_file import ChunkFile, Stamp, Unusable, chunk_files, read
from .columns import Columns

SET_ASIDE = "set_aside"
"""Name of the subfolder for result files that cannot be used."""
LOCK = "running-{}-of-{}.lock"


class Part(NamedTuple):
    """Part of a campaign for one machine. A part consists of the chunks `number`, `number` + `count`, and so
    on; the first chunk has the number 1.
    """

    number: int = 1
    count: int = 1

    @classmethod
    def of(cls, text: str) -> Part:
        """Return the part for a text such as "3/40". Raises BadInput for an invalid text."""
        number, _, count = text.partition("/")
        if number.strip().isdecimal() and count.strip().isdecimal():
            found = cls(int(number), int(count))
            if 1 <= found.number <= found.count:
                return found
        raise BadInput(
            Problem(
                "--part", f"'{text}' is not a part of a campaign. Write i/n with i from 1 to n, such as 3/40"
            )
        )


WHOLE = Part()


class Range(NamedTuple):
    """Range of cases from `first` to `last` - 1."""

    first: int
    last: int


def missing_ranges(
    have: Sequence[tuple[int, int]], cases: int, chunk: int, part: Part = WHOLE
) -> list[Range]:
    """Return the ranges of cases that are not finished and belong to a part of the campaign.

    - have: finished ranges (first, last), without the case `last`.
    - cases: number of cases of the campaign.
    - chunk: largest number of cases in a range.
    """
    done = np.zeros(cases + 1, bool)
    for first, last in have:
        done[first:last] = True
    done[cases] = True
    starts = np.flatnonzero(~done & np.append(True, done[:-1]))
    ends = np.flatnonzero(done & np.append(False, ~done[:-1]))
    found = []
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        while start < end:
            last = min(end, (start // chunk + 1) * chunk)
            if start // chunk % part.count == part.number - 1:
                found.append(Range(start, last))
            start = last
    return found


class Contents(NamedTuple):
    """Contents of the result files in a folder: range of each usable file, and unusable files with the
    reason.
    """

    ranges: list[Range]
    unusable: list[tuple[ChunkFile, str]]


def contents_of(
    folder: Path, stamp: Stamp, cases: int, take: Callable[[Columns], None] = lambda columns: None
) -> Contents:
    """Read and verify all result files in a folder, one after another.

    - cases: number of cases of the campaign.
    - take: function that is called with the columns of each usable file. The columns are not kept here, so
      that the memory does not grow with the number of files.
    """
    found = Contents([], [])
    reached = 0
    for file in chunk_files(folder):
        if file.last <= reached:
            continue  # all of its cases are in a chunk before
        try:
            columns = read(file, stamp)
        except Unusable as error:
            found.unusable.append((file, str(error)))
            continue
        if file.first < cases:
            take(columns)
            found.ranges.append(Range(file.first, min(file.last, cases)))
            reached = file.last
    return found


def set_aside(folder: Path, files: Sequence[ChunkFile]) -> None:
    """Move unusable result files to a subfolder."""
    if not files:
        return
    with writing(folder / SET_ASIDE, "Move the file to another folder"):
        (folder / SET_ASIDE).mkdir(exist_ok=True)
        for file in files:
            with suppress(FileNotFoundError):  # another process was faster
                os.replace(file.path, folder / SET_ASIDE / file.path.name)


def remove_drafts(folder: Path) -> None:
    """Remove incomplete files of killed processes.

    Use only for a complete campaign, because processes on other machines are not detected.
    """
    for path in folder.glob(".*.part"):
        pid = path.name.removesuffix(".part").rpartition(".")[2].partition("-")[0]
        if pid.isdecimal() and not _runs(int(pid)):
            with suppress(OSError):
                path.unlink()


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


@contextmanager
def lock(folder: Path, part: Part) -> Iterator[None]:
    """Lock a part of a campaign in a folder against other processes on this machine, inside a with block.

    The operating system releases the lock when the process ends, even after kill -9. Processes on other
    machines are not detected. Such processes write identical files, so no result is lost. Raises BadInput if
    another process has the lock.
    """
    try:
        import fcntl
    except ImportError:  # not on Windows
        yield
        return
    path = folder / LOCK.format(*part)
    with writing(path, "Choose another folder"):
        file = open(path, "a+", encoding="utf-8")  # noqa: SIM115 - it is closed below
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadInput(
                f"'{folder}' is in use: {_holder(path)}. Wait until this process ends, or stop the process"
            ) from None
        except OSError:  # a file system without locks
            yield
            return
        file.truncate(0)
        file.write(json.dumps({"process": os.getpid(), "host": socket.gethostname()}))
        file.flush()
        try:
            yield
        finally:
            with suppress(OSError):
                path.unlink()
    finally:
        file.close()


def _holder(path: Path) -> str:
    try:
        found = json.loads(guarded_reader.read_text(path, guarded_reader.PROGRESS))
        return f"process {found['process']} on {found['host']} flies this campaign"
    except (guarded_reader.Unreadable, ValueError, KeyError):
        return "another process flies this campaign"
