"""Process of an FMU that runs the scenario. The process communicates with the FMU library by standard input
and output; see `fmu.c`.
"""

from __future__ import annotations

import json
import os
import struct
import sys
from pathlib import Path
from typing import BinaryIO

from ...reading import loads
from ...tree import guarded_reader
from ...tree.errors import InterstageError
from ...tree.toml_file import read_text
from .session import Session

FLIES, ENDED, CANNOT = b"\0", b"\1", b"\2"
PORTS = "ports.json"
SCENARIO = "scenario.toml"


def serve(folder: Path) -> None:
    """Answer requests of the host until the host closes the pipe. All other output goes to standard error.

    folder: folder of the FMU resources.
    """
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    ports = json.loads(guarded_reader.read_text(folder / PORTS, guarded_reader.PORTS))
    scenario = loads(read_text(folder / SCENARIO), source=SCENARIO, folder=folder, trust=False)
    session = Session(scenario, ports["inputs"], ports["parameters"], ports["outputs"])
    count = len(session.given)
    while what := _read(sys.stdin.buffer, 1):
        until, *values = struct.unpack(f"={1 + count}d", _read(sys.stdin.buffer, 8 * (1 + count)))
        try:
            found = session.begin(values) if what == b"b" else session.advance(until, values)
        except InterstageError as error:
            text = str(error).encode()[:4000]
            answers.write(CANNOT + struct.pack("=I", len(text)) + text)
            continue
        answers.write((ENDED if session.ended else FLIES) + struct.pack(f"={len(found)}d", *found))


def _read(pipe: BinaryIO, size: int) -> bytes:
    """Read `size` bytes; fewer if the pipe ends."""
    found = b""
    while len(found) < size and (more := pipe.read(size - len(found))):
        found += more
    return found
