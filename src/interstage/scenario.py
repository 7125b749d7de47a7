"""The scenario: one tree that says everything about a flight."""

from __future__ import annotations

from typing import Any, Literal

from .environment.gravity import Gravity, NoGravity
from .model.body import Body
from .model.device import AnyDevice
from .model.force import AnyForce
from .model.joint import Joint
from .model.sequence import Event, Phase
from .model.settings import Output, Requirement, Solver
from .tree import Declaration, group


class Scenario(Declaration):
    """Bodies, what joins and moves them, the world they are in, and what happens when."""

    title: str = ""
    """What the flight is, in one line."""
    units: Literal["SI", "US"] = "SI"
    """Units of tables, plots and reports: SI, or slug, ft and lbf. Bare numbers in a scenario are always SI."""
    gravity: Gravity = NoGravity()
    """The gravity field."""
    bodies: group(Body) = ()
    """The rigid bodies."""
    joints: group(Joint) = ()
    """What holds bodies together."""
    forces: group(AnyForce) = ()
    """Forces, torques and springs."""
    devices: group(AnyDevice) = ()
    """Separation devices."""
    phases: group(Phase) = ()
    """The stretches of the flight, in order."""
    events: group(Event) = ()
    """What happens in parallel with the phases."""
    solver: Solver = Solver()
    """How the equations are solved."""
    output: Output = Output()
    """When the flight is sampled."""
    requirements: group(Requirement) = ()
    """Limits that the flight must keep."""


def load(path: Any, set: dict[str, Any] | None = None) -> Scenario:  # noqa: A002
    import tomllib

    with open(path, "rb") as file:
        return Scenario.model_validate(tomllib.load(file))
