"""Write a scenario as an FMU: its description, the library that hosts load, and its resources."""

from __future__ import annotations

import hashlib
import io
import json
import platform
import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from ... import __version__
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
    """Write the FMU; returns its session. Raises BadInput, also without a C compiler."""
    session = Session(scenario, inputs, parameters, outputs)
    text = scenario.to_toml()
    ports = json.dumps({"inputs": list(inputs), "parameters": list(parameters), "outputs": list(outputs)})
    token = hashlib.sha256((text + ports + __version__).encode()).hexdigest()[:32]
    name = re.sub("[^A-Za-z0-9_]", "_", file.stem)
    library = _library(session, token)
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("modelDescription.xml", description(session, name, token, parameters))
        packed.writestr(f"binaries/{_platform()}/{name}{_ending()}", library)
        packed.writestr(f"resources/{SCENARIO}", text)
        packed.writestr(f"resources/{PORTS}", ports)
    write_file(file, whole.getvalue())
    return session


def description(session: Session, name: str, token: str, parameters: Sequence[str]) -> str:
    """The text of modelDescription.xml, with the variables by value reference."""
    units = [*session.given_units, *session.units]
    variables = [_variable("time", 0, "s", 'causality="independent" variability="continuous"')]
    for k, (path, value) in enumerate(zip(session.given, session.starts, strict=True), start=1):
        kind = 'causality="parameter" variability="fixed"' if path in parameters else _INPUT
        variables.append(_variable(path, k, units[k - 1], f'{kind} start="{value!r}"'))
    first = 1 + len(session.given)
    for k, path in enumerate(session.outputs):
        kind = 'causality="output" variability="continuous" initial="calculated"'
        variables.append(_variable(path, first + k, session.units[k], kind))
    known = sorted({"s", *units} - {"", "1"})
    outputs = [f'    <Output valueReference="{first + k}"/>' for k in range(len(session.outputs))]
    unknown = [f'    <InitialUnknown valueReference="{first + k}"/>' for k in range(len(session.outputs))]
    title = quoteattr(session.scenario.title or "Interstage scenario")
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<fmiModelDescription fmiVersion="3.0" modelName={quoteattr(name)} description={title}',
            f'    instantiationToken="{token}" generationTool="Interstage {__version__}">',
            f'  <CoSimulation modelIdentifier="{name}" needsExecutionTool="true"',
            '      canHandleVariableCommunicationStepSize="true"/>',
            "  <UnitDefinitions>",
            *(f"    <Unit name={quoteattr(unit)}/>" for unit in known),
            "  </UnitDefinitions>",
            '  <DefaultExperiment startTime="0"/>',
            "  <ModelVariables>",
            *variables,
            "  </ModelVariables>",
            "  <ModelStructure>",
            *outputs,
            *unknown,
            "  </ModelStructure>",
            "</fmiModelDescription>",
            "",
        ]
    )


_INPUT = 'causality="input" variability="continuous"'


def _variable(path: str, reference: int, unit: str, kind: str) -> str:
    of = "" if unit in ("", "1") else f" unit={quoteattr(unit)}"
    return f'    <Float64 name={quoteattr(path)} valueReference="{reference}"{of} {kind}/>'


def _library(session: Session, token: str) -> bytes:
    """The compiled library that hosts load. Raises BadInput."""
    compiler = shutil.which("cc")
    if platform.system() not in ("Linux", "Darwin") or compiler is None:
        text = "the export of an FMU needs Linux or macOS with a C compiler (cc). Install a C compiler"
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
            raise BadInput(Problem("fmu", f"the library of the FMU cannot be compiled: {first}"))
        return built.read_bytes()


def _platform() -> str:
    """Name of the FMU folder for this machine (FMI 3.0, section 2.5.1.4.1)."""
    system = {"Linux": "linux", "Darwin": "darwin"}.get(platform.system(), platform.system().lower())
    machine = {"arm64": "aarch64", "AMD64": "x86_64"}.get(platform.machine(), platform.machine())
    return f"{machine}-{system}"


def _ending() -> str:
    return ".dylib" if platform.system() == "Darwin" else ".so"
