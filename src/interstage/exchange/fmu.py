"""Create the files of FMUs for co-simulation (FMI 3.0): the description of the variables, and the archive."""

from __future__ import annotations

import io
import platform
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple
from xml.sax.saxutils import quoteattr


class Variable(NamedTuple):
    """Variable of an FMU.

    - name: name of the variable.
    - unit: unit of the variable.
    - kind: "time", "input", "parameter" or "output".
    - start: start value if the simulator that loads the FMU can set the variable; otherwise None.
    """

    name: str
    unit: str
    kind: Literal["time", "input", "parameter", "output"]
    start: float | None = None


TIME = Variable("time", "s", "time")
_KINDS = {
    "time": 'causality="independent" variability="continuous"',
    "input": 'causality="input" variability="continuous"',
    "parameter": 'causality="parameter" variability="fixed"',
    "output": 'causality="output" variability="continuous" initial="calculated"',
}


def archive(name: str, description: str, library: bytes, resources: Mapping[str, str]) -> bytes:
    """Return the bytes of an FMU for the operating system and processor of this computer.

    - name: name of the model.
    - description: text of modelDescription.xml.
    - library: bytes of the shared library that the importing simulator loads.
    - resources: texts of additional files, by file name.
    """
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("modelDescription.xml", description)
        packed.writestr(f"binaries/{_platform()}/{name}{_ending()}", library)
        for file, text in resources.items():
            packed.writestr(f"resources/{file}", text)
    return whole.getvalue()


def description(name: str, title: str, token: str, version: str, variables: Sequence[Variable]) -> str:
    """Return the text of modelDescription.xml.

    - name: name of the model. title: its description.
    - token: instantiation token.
    - version: version of the model.
    - variables: variables of the FMU. Value references count from 0 (the time) in this order.
    """
    every = [TIME, *variables]
    known = sorted({one.unit for one in every} - {"", "1"})
    about = quoteattr(title)
    outputs = [k for k, one in enumerate(every) if one.kind == "output"]
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<fmiModelDescription fmiVersion="3.0" modelName={quoteattr(name)} description={about}',
            f'    instantiationToken="{token}" generationTool="Interstage {version}">',
            f'  <CoSimulation modelIdentifier="{name}" needsExecutionTool="true"',
            '      canHandleVariableCommunicationStepSize="true"/>',
            "  <UnitDefinitions>",
            *(f"    <Unit name={quoteattr(unit)}/>" for unit in known),
            "  </UnitDefinitions>",
            '  <DefaultExperiment startTime="0"/>',
            "  <ModelVariables>",
            *_variables(every),
            "  </ModelVariables>",
            "  <ModelStructure>",
            *(f'    <Output valueReference="{k}"/>' for k in outputs),
            *(f'    <InitialUnknown valueReference="{k}"/>' for k in outputs),
            "  </ModelStructure>",
            "</fmiModelDescription>",
            "",
        ]
    )


def _variables(every: Sequence[Variable]) -> Iterable[str]:
    for k, one in enumerate(every):
        unit = "" if one.unit in ("", "1") else f" unit={quoteattr(one.unit)}"
        start = "" if one.start is None else f' start="{one.start!r}"'
        more = f"{unit} {_KINDS[one.kind]}{start}"
        yield f'    <Float64 name={quoteattr(one.name)} valueReference="{k}"{more}/>'


def _platform() -> str:
    """Name of the FMU folder for this machine (FMI 3.0, section 2.5.1.4.1)."""
    system = {"Linux": "linux", "Darwin": "darwin"}.get(platform.system(), platform.system().lower())
    machine = {"arm64": "aarch64", "AMD64": "x86_64"}.get(platform.machine(), platform.machine())
    return f"{machine}-{system}"


def _ending() -> str:
    return ".dylib" if platform.system() == "Darwin" else ".so"
