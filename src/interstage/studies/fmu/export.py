"""Write a scenario as an FMU: its model description, the library that the host loads, and its resources."""

from __future__ import annotations

import hashlib
import json
import platform
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ... import __version__
from ...exchange import fmu
from ...exchange.fmu import Variable
from ...tree.errors import BadInput, Problem
from ...tree.saving import write_file
from .serve import PORTS, SCENARIO
from .session import Session

WHAT_IT_NEEDS = (
    "The FMU runs on machines with the operating system and the processor type of this machine. The FMU needs"
    " this version of Interstage on the machine: the command interstage on the PATH, or in the environment"
    " variable INTERSTAGE_COMMAND."
)


def export(
    scenario: Any, file: Path, inputs: Sequence[str], parameters: Sequence[str], outputs: Sequence[str]
) -> Session:
    """Write an FMU and return its session (scenario, inputs, parameters and outputs).

    - file: path of the FMU.
    - inputs, parameters, outputs: see `Session`.

    Raises BadInput, also if there is no C compiler.
    """
    session = Session(scenario, inputs, parameters, outputs)
    text = scenario.to_toml()
    ports = json.dumps({"inputs": list(inputs), "parameters": list(parameters), "outputs": list(outputs)})
    token = hashlib.sha256((text + ports + __version__).encode()).hexdigest()[:32]
    name = re.sub("[^A-Za-z0-9_]", "_", file.stem)
    library = _library(session, token)
    title = session.scenario.title or "Interstage scenario"
    described = fmu.description(name, title, token, __version__, variables(session, parameters))
    write_file(file, fmu.archive(name, described, library, {SCENARIO: text, PORTS: ports}))
    return session


def variables(session: Session, parameters: Sequence[str]) -> list[Variable]:
    """Return the variables of the FMU, in the order of the arrays in `fmu.c`.

    parameters: paths of the inputs that are FMU parameters.
    """
    given = zip(session.given, session.given_units, session.starts, strict=True)
    found = [Variable(p, u, "parameter" if p in parameters else "input", start) for p, u, start in given]
    return found + [Variable(p, u, "output") for p, u in zip(session.outputs, session.units, strict=True)]


def _library(session: Session, token: str) -> bytes:
    """The compiled library that hosts load. Raises BadInput."""
    compiler = shutil.which("cc")
    if platform.system() not in ("Linux", "Darwin") or compiler is None:
        text = (
            "the export of an FMU needs Linux or macOS with a C compiler, but the command cc is"
            " missing. Install a C compiler"
        )
        raise BadInput(Problem("fmu", text))
    source = Path(__file__).with_name("fmu.c").read_text(encoding="utf-8")
    put = {"INPUTS": len(session.given), "OUTPUTS": len(session.outputs), "TOKEN": token}
    put["START"] = ", ".join(map(repr, [*session.starts, 0.0]))
    for key, value in put.items():
        source = source.replace(f"@{key}@", str(value))
    with tempfile.TemporaryDirectory() as folder:
        written, built = Path(folder, "fmu.c"), Path(folder, "fmu.so")
        written.write_text(source, encoding="utf-8")
        command = [compiler, "-std=c99", "-O1", "-shared", "-fPIC", "-o", str(built), str(written)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            first = done.stderr.strip().splitlines()[:1]
            raise BadInput(
                Problem("fmu", f"the library of the FMU cannot be compiled. Check the C compiler: {first}")
            )
        return built.read_bytes()
