"""Read saved flights safely: check the checksums at the end of the file (the seal), then read the file with
HDF5.

A damaged file can hang or crash HDF5. A file without a seal was written by an older version or by another
program. Such a file is first read by HDF5 in a separate process with a time limit. A fault in this process is
reported as an error message.
"""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from ..tree.errors import BadInput
from ..tree.guarded_reader import FLIGHT, Missing, Unreadable, read_bytes
from ..tree.similar_names import no_file
from . import integrity, netcdf
from .integrity import Damaged
from .record import Record

COMMAND = f"from {__name__} import serve; serve()"
LONGEST = 20.0
"""Base time limit [s] of the process that reads a file without a seal.

The process takes 1 to 5 s to start on a busy machine, and 1 s more for a flight of 10 MB.
"""
RATE = 2e6
"""File size that extends the time limit by one second [bytes/s]."""
SEARCH = 5.0
"""Time limit [s] of the search for the damaged variable in a file."""
MEMORY = 2 * netcdf.MOST_VALUES
"""Limit of the address space [bytes] of the process that reads a file without a seal.

HDF5 and NumPy each store a copy of the values.
"""
NOTE = "%s has no checksum of the file, because an older version or another program wrote the file. %s"


def read(path: Path) -> tuple[Record, dict[str, Any]]:
    """Return the record and the attributes of the root group of a saved flight.

    The returned record has no scenario; the caller must set it. Raises BadInput for a file that is missing or
    damaged, or that is not a saved flight.
    """
    try:
        content = read_bytes(path, FLIGHT)
    except Missing:
        raise BadInput(f"'{path}': {no_file(path, 'correct the path')}") from None
    except Unreadable as error:
        folder = "is a folder. Give the path of a saved flight (.nc)"
        raise BadInput(f"'{path}' {folder if path.is_dir() else error}") from None
    if not content.startswith(integrity.SIGNATURE):
        raise BadInput(_no_flight(path))
    try:
        image, sealed = _safe_image(content)
        record, attrs = read_image(image, sealed)
    except Damaged as error:
        raise BadInput(f"'{path}' {error}. Run the scenario again, and save the flight with -o") from None
    if not sealed:
        agree = integrity.ATTRIBUTE in attrs
        how = (
            "The values agree with the checksums of the variables."
            if agree
            else "Damaged values in the file cannot be detected."
        )
        logging.getLogger("interstage").warning(NOTE, path, how)
    return record, attrs


def _no_flight(path: Path) -> str:
    """The message for a file that is not a flight."""
    if path.suffix.lower() == ".toml":
        saved = path.with_suffix(".nc")
        return (
            f"'{path}' is a scenario, not a saved flight. Run the scenario with: interstage run {path} -o"
            f" {saved} --report {path.with_suffix('.html')}"
        )
    if path.suffix.lower() != ".nc":
        return (
            f"'{path}' is not a saved flight (.nc). Save a flight with: interstage run"
            " scenario.toml -o flight.nc"
        )
    return (
        f"'{path}' is damaged or is not a NetCDF-4 file. Run the scenario again, and save the flight with -o"
    )


def _safe_image(content: bytes) -> integrity.Image:
    """Return the HDF5 part of a file that this process may read. Raises Damaged."""
    try:
        found = integrity.check_seal(content)
    except integrity.Unlocated as error:
        # Texts or the structure are damaged, no numbers: the other process may find the variable.
        named = _fault_elsewhere(error.image, SEARCH)
        raise Damaged(named if integrity.VALUES in named else str(error)) from None
    if not found.sealed and (fault := _fault_elsewhere(found.image, LONGEST + len(found.image) / RATE)):
        raise Damaged(fault)
    return found


# --- in a separate process


def _fault_elsewhere(image: bytes, longest: float) -> str:
    """Return the fault that another process finds in an HDF5 image within a time [s], or ""."""
    if not sys.executable:
        return ""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONSAFEPATH": "1"}
    try:
        done = subprocess.run(
            [sys.executable, "-c", COMMAND],
            input=image,
            capture_output=True,
            timeout=longest,
            env=env,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"is damaged: the HDF5 library cannot read the file within {longest:.0f} s"
    except OSError as error:
        return f"has no checksum and cannot be checked: {error.strerror}"
    try:
        return str(json.loads(done.stdout)["fault"])
    except (ValueError, KeyError, TypeError):
        return "is damaged: reading the file crashes the process"


def serve() -> None:
    """Read an HDF5 file from the standard input, and write a description of its fault to the standard
    output.
    """
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # libraries print there
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    fault = ""
    try:
        read_image(sys.stdin.buffer.read(), False)
    except Damaged as error:
        fault = str(error)
    json.dump({"fault": fault}, answers)
    answers.close()


# --- by HDF5


def read_image(image: bytes, sealed: bool) -> tuple[Record, dict[str, Any]]:
    """Return the record and the attributes of the root group from the bytes of an HDF5 file.

    - image: bytes of the HDF5 file, without the seal.
    - sealed: whether the checksums of the seal were already verified.

    The attribute with the versions is returned as a table. Raises Damaged for any fault.
    """
    import h5py
    from h5py import h5f  # pyright: ignore[reportAttributeAccessIssue]

    try:
        with h5py.File(h5f.open_file_image(image)) as file:
            members = _members(file)
            attrs = {key: file.attrs[key] for key in file.attrs}
            netcdf.refuse_other_formats(attrs)
            if not sealed:
                _compare(_variables(file, members), attrs)
            record = netcdf.read_record(file, attrs)
        if not sealed:
            _refuse_misshapen(record, attrs)
        attrs["versions"] = json.loads(str(attrs["versions"]))
        if not isinstance(attrs["versions"], dict):
            raise Damaged("is damaged: the attribute 'versions' is not a JSON object")
        return record, attrs
    except Damaged:
        raise
    except RecursionError:
        raise Damaged("is damaged: the groups of the file refer to each other in a circle") from None
    except KeyError as error:
        name = re.search(r"object '(.*)' doesn't exist", str(error)) or re.search("(.*)", str(error))
        raise Damaged(f"is damaged: the file has no {name[1][:100] if name else 'such member'}") from None
    except (OSError, RuntimeError, SystemError) as error:
        raise Damaged(f"is damaged: the HDF5 library cannot read the file ({_first_line(error)})") from None
    except Exception as error:  # noqa: BLE001 - a damaged file can raise any exception
        text = f"{type(error).__name__}: {_first_line(error)}"
        raise Damaged(f"is damaged: data of a flight are missing ({text})") from None


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), "")[:200]


def _members(file: Any) -> list[str]:
    """Return the paths of all groups and variables.

    Raises Damaged for a link to another file, and for a link to an existing member, such as a cycle."""
    from h5py import h5l  # pyright: ignore[reportAttributeAccessIssue]

    found: list[str] = []
    places: set[Any] = set()

    def note(name: bytes, link: Any) -> str | None:
        """Add a name; a returned name ends the search."""
        found.append(name.decode("utf-8", "replace"))
        known = link.u in places
        places.add(link.u)
        return None if link.type == h5l.TYPE_HARD and not known else found[-1]

    if link := file.id.links.visit(note, info=True):
        raise Damaged(
            f"contains the link '{link}' to another location, which is not allowed in a saved flight"
        )
    return found


def _variables(file: Any, members: list[str]) -> dict[str, Any]:
    """Return the variables by path. Raises Damaged for values in another file, and for too many values."""
    import h5py

    found = {path: item for path in members if isinstance(item := file[path], h5py.Dataset)}
    for path, one in found.items():
        if one.external or one.is_virtual:
            raise Damaged(
                f"has the values of '{path}' in another file, which is not allowed for a saved flight"
            )
    if sum(one.nbytes for one in found.values()) > netcdf.MOST_VALUES:
        raise Damaged(netcdf.TOO_MANY)
    return found


def _compare(variables: dict[str, Any], attrs: dict[str, Any]) -> None:
    """Compare the values with their checksums, if there are any. Raises Damaged."""
    if integrity.ATTRIBUTE not in attrs:
        return
    saved = json.loads(attrs[integrity.ATTRIBUTE])
    found = {"": integrity.checksum_of_attributes(attrs)}
    found |= {
        path: integrity.checksum(one[()], dict(one.attrs)) for path, one in variables.items() if path in saved
    }
    integrity.compare(found, saved)


def _refuse_misshapen(record: Record, attrs: dict[str, Any]) -> None:
    """Check that the parts of a record fit together. Raises Damaged."""
    for one in record.legs.values():
        _refuse_misshapen(one, attrs)
    texts = [attrs["scenario"], attrs["versions"], record.outcome, *record.warnings]
    if not all(isinstance(text, str) for text in texts):
        raise Damaged("is damaged: attributes of the root group are not texts")
    if not isinstance(record.statistics, dict):
        raise Damaged("is damaged: the attribute 'statistics' is not a table")
    if record.legs:
        return
    count, events = np.shape(record.time), len(record.events)
    if len(count) != 1 or not np.all(np.diff(record.time) >= 0):
        raise Damaged("is damaged: the sample times are not in increasing order")
    for name, values in record.series.items():
        if np.shape(values)[:1] != count:
            raise Damaged(
                f"is damaged: {name} has values of shape {np.shape(values)} for {count[0]} sample times"
            )
    for side in (record.before, record.after):
        for name, values in side.items():
            if np.shape(values)[:1] != (events,):
                raise Damaged(
                    f"is damaged: {name} has values of shape {np.shape(values)} for {events} events"
                )
