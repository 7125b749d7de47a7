"""Results of a campaign in an object store, such as Amazon S3, by the file systems of pyarrow.

A campaign works in a local copy of the results. The copy is in the cache of the user. Finished chunks are
uploaded at once. An upload replaces an object as a whole, so that an object is never incomplete.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ...programs import store
from ...tree import guarded_reader
from ...tree.errors import BadInput, print_error
from ...tree.saving import replacing, write_file, writing
from .chunk_file import NO_SPACE, require_pyarrow
from .folder import SET_ASIDE
from .manifest import NAME

SCHEMES = ("s3", "gs", "gcs", "abfs", "abfss", "file")
"""Schemes of addresses that pyarrow reads."""
ADDRESS = re.compile(rf"({'|'.join(SCHEMES)}):/+(?=[^/])")
UNKNOWN = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):/")
"""Address with another scheme. One letter is a drive, such as C:/results."""
GOOGLE, RETRY = ("gs", "gcs"), 60
"""Schemes of Google Cloud, and the time [s] after which its file system gives up. Its default is 15 minutes,
in which a command without network or credentials prints nothing."""
KNOWN = ".known.json"
"""File in the local copy with the objects that the store has."""
ADDED = ".known-added.json"
"""File in the local copy with the objects that were uploaded since the file `KNOWN` was written, one in each
line."""
COPIES = "campaigns"
"""Folder of the local copies in the folder of stored programs."""

Notice = Callable[[str], None]


def print_warning(text: str) -> None:
    """Print a warning on the standard error stream."""
    print_error(f"Warning: {text}")


def address_of(folder: str | Path) -> str | None:
    """Return the address of an object store; None for a folder of this machine.

    A path of `pathlib` has only one slash after the scheme. The address has two, and three for files. Raises
    BadInput for an unknown scheme."""
    found = ADDRESS.match(str(folder))
    if found is None:
        other = UNKNOWN.match(str(folder))
        if other and other[1] not in SCHEMES and not Path(folder).exists():
            known = ", ".join(f"{scheme}://" for scheme in SCHEMES)
            raise BadInput(f"'{folder}': the scheme '{other[1]}' is unknown. Allowed: {known}, or a folder")
        return None
    root = "/" if found[1] == "file" else ""
    return f"{found[1]}://{root}{str(folder)[found.end() :].rstrip('/')}"


def shown_folder(folder: str | Path) -> str:
    """Return the folder of the results as the user wrote it."""
    return address_of(folder) or str(folder)


@contextmanager
def local_results(folder: str | Path, notice: Notice = print_warning) -> Iterator[LocalResults]:
    """Provide a local copy of the results in a folder or an object store, and upload new files at the end.

    For a folder of this machine, the copy is the folder. Raises BadInput if the store cannot be read."""
    address = address_of(folder)
    if address is None:
        yield LocalResults(Path(folder))
        return
    copy = StoredResults(address, notice)
    copy.download()
    try:
        yield copy
    finally:
        copy.upload()
    copy.check()


class LocalResults:
    """Results in a folder of this machine.

    - folder: the folder."""

    def __init__(self, folder: Path):
        self.folder = folder

    def upload(self, names: Sequence[str] | None = None) -> None:
        """Upload new files. A folder of this machine needs no upload.

        names: names of the new files. Default: all files are compared with those that were uploaded.
        """


class StoredResults(LocalResults):
    """Local copy of results in an object store.

    - address: address of the store, for example "s3://bucket/campaign".
    - notice: function that is called with a warning if an upload fails. Later uploads try again."""

    def __init__(self, address: str, notice: Notice):
        require_pyarrow()
        self.address, self._notice = address, notice
        self._files, self._root = _file_system(address)
        name = re.sub(r"\W+", "-", address.partition("?")[0]).strip("-")
        key = hashlib.sha256(address.encode()).hexdigest()[:12]
        super().__init__(store.folder() / COPIES / f"{name[-60:]}-{key}")
        self._fault = ""
        self._waiting: list[str] = []

    def download(self) -> None:
        """Copy new and changed objects of the store to this machine. Delete local files whose objects were
        deleted in the store. Raises BadInput."""
        with writing(self.folder, NO_SPACE):
            self.folder.mkdir(parents=True, exist_ok=True)
            remote, known = self._objects(), self._known()
            for name, size in remote.items():
                path = self.folder / name
                if name == NAME or not path.is_file() or path.stat().st_size != size:
                    self._copy_here(name)
            for name in known.keys() - remote.keys():
                (self.folder / name).unlink(missing_ok=True)
            self._note({name: state for name in remote if (state := _state(self.folder / name))})

    def upload(self, names: Sequence[str] | None = None) -> None:
        """Copy new local files to the store. If it fails, the files are kept and `check` raises an error.

        names: names of the new files. Files whose upload failed before are tried again with them. Default:
        all local files are compared with those that were uploaded.
        """
        known = self._known() if names is None else {}
        wanted = [*self._waiting, *names] if names is not None else self._local_names()
        states = {name: state for name in wanted if (state := _state(self.folder / name))}
        new = [name for name, state in states.items() if known.get(name) != state]
        done, fault = self._upload_files(new)
        self._waiting = new[done:]
        uploaded = {name: states[name] for name in new[:done]}
        if names is None:
            self._note(known | uploaded)
        else:
            self._add_known(uploaded)
        if fault and not self._fault:
            self._notice(f"{fault} The upload is tried again after the next chunk.")
        self._fault = fault

    def _upload_files(self, names: Sequence[str]) -> tuple[int, str]:
        """Copy files to the store until one fails. Return how many were copied, and the fault."""
        from pyarrow.fs import LocalFileSystem

        for done, name in enumerate(names):
            place = self._place(name)
            try:
                if self._files.type_name == "local":  # object stores have no folders
                    Path(place).parent.mkdir(parents=True, exist_ok=True)
                self._copy(LocalFileSystem(), str(self.folder / name), self._files, place)
            except _faults() as error:
                return done, f"'{self.address}' cannot be written: {_first_line(error)}."
        return len(names), ""

    def check(self) -> None:
        """Raise BadInput if the last upload failed. All results are in the local copy."""
        if self._fault:
            text = f"{self._fault} All results are in '{self.folder}'."
            raise BadInput(f"{text} Run the same command again to upload them.")

    def _local_names(self) -> list[str]:
        """Names of finished files, the manifest first: without a manifest, nobody can read the chunks."""
        paths = [path.relative_to(self.folder) for path in self.folder.rglob("*") if path.is_file()]
        kept = [path for path in paths if not _is_internal(path)]
        return [path.as_posix() for path in sorted(kept, key=lambda path: (path.name != NAME, path))]

    def _objects(self) -> dict[str, int]:
        """Names and sizes [bytes] of the objects of the campaign in the store."""
        from pyarrow.fs import FileSelector, FileType

        try:
            found = self._files.get_file_info(FileSelector(self._root, allow_not_found=True, recursive=True))
        except _faults() as error:
            raise _unreadable(self.address, error) from None
        sizes = {Path(one.path): one.size for one in found if one.type == FileType.File}
        names = {path.relative_to(self._root): size for path, size in sizes.items()}
        return {name.as_posix(): size for name, size in names.items() if not _is_internal(name)}

    def _copy_here(self, name: str) -> None:
        from pyarrow.fs import LocalFileSystem

        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with replacing(path) as draft:
                self._copy(self._files, self._place(name), LocalFileSystem(), str(draft))
        except FileNotFoundError:
            return  # deleted meanwhile
        except _faults() as error:
            raise _unreadable(self.address, error) from None

    @staticmethod
    def _copy(source_files: Any, source: str, target_files: Any, target: str) -> None:
        """Copy one file between two file systems."""
        from pyarrow.fs import copy_files

        files = {"source_filesystem": source_files, "destination_filesystem": target_files}
        copy_files(source, target, **files, use_threads=False)

    def _place(self, name: str) -> str:
        return f"{self._root}/{name}"

    def _known(self) -> dict[str, list[int]]:
        """Names of the objects in the store at the last contact, with the states of their local files."""
        known: dict[str, list[int]] = {}
        for line in (*self._lines(KNOWN), *self._lines(ADDED)):
            with suppress(ValueError, TypeError):  # of a process that was killed
                known |= dict(json.loads(line))
        return known

    def _lines(self, name: str) -> list[str]:
        with suppress(guarded_reader.Unreadable, guarded_reader.Missing):
            return guarded_reader.read_text(self.folder / name, guarded_reader.PROGRESS).splitlines()
        return []

    def _note(self, known: dict[str, list[int]]) -> None:
        write_file(self.folder / KNOWN, json.dumps(known), NO_SPACE)
        (self.folder / ADDED).unlink(missing_ok=True)

    def _add_known(self, known: dict[str, list[int]]) -> None:
        """Append the states of new objects to a file, whose size does not change the time that it takes."""
        if known:
            with (
                writing(self.folder / ADDED, NO_SPACE),
                open(self.folder / ADDED, "a", encoding="utf-8") as file,
            ):
                file.write(f"\n{json.dumps(known)}")  # first, to end a line of a process that was killed


def _state(path: Path) -> list[int] | None:
    """Size [bytes] and time of the last change [ns] of a file; None without a file."""
    with suppress(FileNotFoundError):
        found = path.stat()
        return [found.st_size, found.st_mtime_ns]
    return None


def _is_internal(path: Path) -> bool:
    """Whether a file concerns this machine only."""
    return path.name.startswith(".") or path.suffix == ".lock" or path.parts[0] == SET_ASIDE


def with_time_limit(address: str) -> str:
    """Return an address with a time limit for retries, if it is of Google Cloud and has no such limit."""
    if address.partition(":")[0] not in GOOGLE or "retry_limit_seconds" in address:
        return address
    return f"{address}{'&' if '?' in address else '?'}retry_limit_seconds={RETRY}"


def _file_system(address: str) -> tuple[Any, str]:
    """The file system of an address, and the path in it."""
    from pyarrow.fs import FileSystem

    try:
        files, root = FileSystem.from_uri(with_time_limit(address))
    except _faults() as error:
        raise _unreadable(address, error) from None
    if not root.strip("/"):
        example = f"{address.rstrip('/')}/campaign"
        raise BadInput(f"'{address}' names no folder. Add a name, for example '{example}'")
    if files.type_name == "local":
        Path(root).mkdir(parents=True, exist_ok=True)
    return files, root.rstrip("/")


def _faults() -> tuple[type[Exception], ...]:
    """Errors of the file systems of pyarrow. Azure raises those of Arrow itself."""
    import pyarrow as pa

    return OSError, pa.ArrowException


def _unreadable(address: str, error: Exception) -> BadInput:
    fix = "Check the address, the network connection, and the credentials in the environment"
    return BadInput(f"'{address}' cannot be read: {_first_line(error)}. {fix}")


def _first_line(error: Exception) -> str:
    """The first line of an error of pyarrow, without the full stop at its end."""
    return next(iter(str(error).splitlines()), type(error).__name__)[:200].rstrip(". ")
