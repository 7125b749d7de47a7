"""Starts from saved flights whose scenario text another program wrote, with a valid checksum."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import stub_flight
from interstage.record.results import Flight

from ._toml import written
from .scenarios import change

CASES = 100
QUICK = 2
START = """
planet = "earth"
gravity = "none"
wind = { kind = "none", gusts.blow = { kind = "time", start = 1, length = 1, velocity = [5, 0, 0] } }
phases.fly = { until = { time = "1 s" } }
[bodies.stage]
mass = 900
inertia = [1, 1, 1]
initial = { flight = "odd.nc", time = 20 }
[forces.bends]
kind = "modal_body"
body = "stage"
frequency = [30]
mass = [5]
points = { tip = { at = [1, 0, 0], shape = [[0, 1, 0]], turn = [[0, 0, 0.1]] } }
"""
"""A start from the end of the record of `stub_flight`."""
SAVED = """
planet = { kind = "earth" }
wind = { kind = "none", gusts = [{ name = "blow", kind = "time", start = 1, length = 1 }] }
joints = [{ name = "hinge", kind = "revolute", motion = { time = [0, 1], value = [0, 1] } }]
controls = { autopilot = { kind = "gimbal", rate = { time = [0, 1], value = [0, 1] } } }
forces = [{ name = "bends", kind = "modal_body", body = "stage", frequency = [30], mass = [5] }]
"""
"""The scenario text of the saved flight, as far as starts read it."""


def texts(rng: np.random.Generator) -> Iterator[tuple[str, str]]:
    """(name, scenario text) with one to three odd values, keys or tables; the first without modes."""
    whole = tomllib.loads(SAVED)
    yield "as it is", 'planet = "earth"\n'
    while True:
        data = copy.deepcopy(whole)
        said = [change(rng, data, whole) for _ in range(int(rng.integers(1, 4)))]
        yield "; ".join(said), written(data)


def cases(rng: np.random.Generator, folder: Path) -> Iterator[tuple[str, Path]]:
    """Checks of a scenario, each with another saved flight."""
    record = stub_flight.separation_record(stub_flight.flown_scenario())
    path = folder / "a.toml"
    path.write_text(START)
    for number, (said, text) in enumerate(texts(rng)):
        Flight(record, text, {"interstage": "0"}).save(folder / "odd.nc")
        yield f"{number}: {said}", path
