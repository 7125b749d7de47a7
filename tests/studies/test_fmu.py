"""Scenarios as FMUs: a flight led from moment to moment is the flight, and the library passes on what it is
told."""

from __future__ import annotations

import ctypes
import re
import shutil
import stat
import sys
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import interstage as ist
from interstage.cli.main import app
from interstage.exchange.fmu import description
from interstage.studies.fmu.export import variables as variables_of
from interstage.studies.fmu.session import Session

EXAMPLE = Path(__file__).parents[2] / "examples" / "first.toml"
SPRING, OUTPUTS = "devices.spring.stiffness", ("bodies.satellite.velocity.z", "joints.band.force.z")
MASS = "bodies.satellite.mass"


@pytest.fixture(scope="module")
def scenario() -> ist.Scenario:
    return ist.load(EXAMPLE)


@pytest.fixture(scope="module")
def session(scenario) -> Session:
    return Session(scenario, [SPRING], [MASS], OUTPUTS)


def test_a_flight_from_moment_to_moment(scenario, session):
    """The release comes at a moment of the host and the end of the push within a step: the speed is that of
    the flight by itself. A spring made softer before the release, and another mass, change it."""
    whole = scenario.run().record
    speed, release = whole.series[OUTPUTS[0][:-2]][-1, 2], 1.0
    values = [4000.0, 100.0]
    assert session.begin(values)[1] == pytest.approx(-400, rel=1e-12)
    found = [session.advance(until, values)[0] for until in (0.3, release, 1.1, 3.0)]
    assert np.abs(found[:2]).max() < 1e-15  # held, but for rounding
    assert 0 < found[2] < found[3]
    # The tolerance of the flights' steps, which end elsewhere.
    assert found[3] == pytest.approx(speed, rel=1e2 * float(scenario.solver.tolerance))
    assert session.ended == ""
    session.advance(10.0, values)
    assert session.ended == "Completed at 6 s."

    # Of a preload P over a stroke s the work is P s - k s^2 / 2, which both masses share.
    def closed_form(stiffness: float, mass: float) -> float:
        work, reduced = 400 * 0.1 - 0.5 * stiffness * 0.1**2, 900 * mass / (900 + mass)
        return np.sqrt(2 * work * reduced) / mass

    within = 1e2 * float(scenario.solver.tolerance)
    session.begin(values)
    session.advance(0.5, values)
    softer = session.advance(3.0, [3000.0, 100.0])[0]
    assert softer == pytest.approx(closed_form(3000, 100), rel=within)
    session.begin([4000.0, 400.0])
    assert session.advance(3.0, [4000.0, 400.0])[0] == pytest.approx(closed_form(4000, 400), rel=within)


@pytest.mark.parametrize(
    ("ports", "sentence"),
    [
        (([], [], []), "output: the list of outputs is empty"),
        (([], [], ["bodies.satellite.velocty.z"]), "there is no quantity 'bodies.satellite.velocty.z'"),
        (([], [], ["bodies.satellite.velocity"]), "Give one component, for example 'bodies.satell"),
        (([MASS], [], OUTPUTS), "is fixed at the start and cannot change in flight. Use --parameter"),
        ((["solver.tolerance"], [], OUTPUTS), "is a setting of the solver"),
        (([], ["bodies.satellite.inertia"], OUTPUTS), "has several numbers"),
        (([], ["bodies.satelite.mass"], OUTPUTS), "bodies.satelite.mass"),
        (([], [], [*OUTPUTS, OUTPUTS[0]]), f"{OUTPUTS[0]}: '{OUTPUTS[0]}' is listed twice"),
        (([], [], ["time"]), "'time' is already a variable of each FMU. Remove the output"),
    ],
)  # fmt: skip
def test_what_is_no_port(scenario, ports, sentence):
    with pytest.raises(ist.BadInput, match=re.escape(sentence)):
        Session(scenario, *ports)


def test_missions_are_refused():
    with pytest.raises(ist.BadInput, match="a mission with legs cannot be exported"):
        Session(ist.load(EXAMPLE.with_name("mission.toml")), [], [], OUTPUTS)


def test_the_description(session):
    """Well-formed, references in the order of the library's arrays, units declared."""
    text = description("first", "A & B", "token", "1.0", variables_of(session, [MASS]))
    root = ET.fromstring(text.encode())
    assert root.get("description") == "A & B"
    variables = root.findall("ModelVariables/Float64")
    assert [each.get("name") for each in variables] == ["time", SPRING, MASS, *OUTPUTS]
    assert [each.get("valueReference") for each in variables] == list("01234")
    causes = ["independent", "input", "parameter", "output", "output"]
    assert [each.get("causality") for each in variables] == causes
    known = {each.get("name") for each in root.findall("UnitDefinitions/Unit")}
    assert {each.get("unit") for each in variables} <= known
    assert float(variables[1].get("start", "nan")) == 4000


COMMAND = """#!{python}
import struct, sys
while what := sys.stdin.buffer.read(1):
    until, spring, mass = struct.unpack("=3d", sys.stdin.buffer.read(24))
    if mass < 0:
        text = b"bodies.satellite.mass: is too light"
        sys.stdout.buffer.write(bytes([2]) + struct.pack("=I", len(text)) + text)
    else:
        sys.stdout.buffer.write(bytes([until > 2]) + struct.pack("=2d", until + spring, mass))
    sys.stdout.buffer.flush()
"""
LOG = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler here")
def test_the_library(scenario, tmp_path, monkeypatch):
    """Numbers, the end of a flight and sentences come through the pipes; a process that plays Interstage's
    part answers."""
    file = tmp_path / "first.fmu"
    ports = ["--input", SPRING, "--parameter", MASS]
    outputs = [word for path in OUTPUTS for word in ("--output-of", path)]
    said = CliRunner().invoke(app, ["export", str(EXAMPLE), "--fmu", str(file), *ports, *outputs])
    assert said.exit_code == 0, said.output
    assert "this version of Interstage" in said.output
    with zipfile.ZipFile(file) as packed:
        packed.extractall(tmp_path)
    token = ET.parse(tmp_path / "modelDescription.xml").getroot().get("instantiationToken", "").encode()
    command = tmp_path / "played"
    command.write_text(COMMAND.format(python=sys.executable))
    command.chmod(command.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("INTERSTAGE_COMMAND", str(command))
    (path,) = (tmp_path / "binaries").glob("*/*")
    library, told = ctypes.CDLL(str(path)), []
    log = LOG(lambda environment, status, category, message: told.append(message.decode()))
    made = library.fmi3InstantiateCoSimulation
    made.restype = ctypes.c_void_p
    nothing = (False, False, False, False, None, ctypes.c_size_t(0), None, log, None)
    assert made(b"one", b"another", str(tmp_path).encode(), *nothing) is None
    assert "the token is not that of this FMU" in told.pop()
    one, other = (ctypes.c_void_p(made(b"it", token, str(tmp_path).encode(), *nothing)) for _ in range(2))
    step = (ctypes.c_bool * 3)(), ctypes.c_double()

    def do(at: float, size: float) -> int:
        flags = [ctypes.byref(step[0], k) for k in range(3)]
        return library.fmi3DoStep(
            one, ctypes.c_double(at), ctypes.c_double(size), True, *flags, ctypes.byref(step[1])
        )

    def values(way: str, references: list[int], given: list[float]) -> tuple[int, list[float]]:
        numbers = (ctypes.c_double * len(given))(*given)
        places, size = (ctypes.c_uint32 * len(references))(*references), ctypes.c_size_t(len(given))
        function = getattr(library, f"fmi3{way}Float64")
        return function(one, places, ctypes.c_size_t(len(references)), numbers, size), list(numbers)

    zero = ctypes.c_double(0.0)
    assert library.fmi3EnterInitializationMode(one, False, zero, ctypes.c_double(5.0), False, zero) == 0
    assert values("Set", [2], [7.0])[0] == 0
    assert library.fmi3ExitInitializationMode(one) == 0
    assert values("Get", [0, 1, 2, 3, 4], [0.0] * 5) == (0, [5.0, 4000.0, 7.0, 4000.0, 7.0])
    assert do(5.0, 1.5) == 0
    assert values("Get", [0, 3], [0.0] * 2) == (0, [6.5, 4001.5])
    assert not step[0][1]
    assert do(6.5, 1.0) == 0
    assert step[0][1]  # the host is to end
    assert step[1].value == 7.5
    assert values("Set", [3], [1.0])[0] == 3
    assert "only inputs and parameters can be set" in told.pop()
    assert library.fmi3Reset(one) == 0
    assert values("Set", [2], [-1.0])[0] == 0
    assert values("Get", [3], [0.0])[0] == 3
    assert told.pop() == "bodies.satellite.mass: is too light"
    assert library.fmi3GetBoolean(one) == 3
    assert "fmi3GetBoolean is not offered" in told.pop()
    library.fmi3FreeInstance(one)
    library.fmi3FreeInstance(other)
