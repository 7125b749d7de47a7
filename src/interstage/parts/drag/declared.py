"""Drag devices: parachutes and streamers that are fired, fill, and are cut."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import model_validator

from ...model.effect import ALL, Device, either
from ...model.pattern import Repeatable
from ...tree.errors import Problem, Refused
from ...tree.names import Name
from ...tree.units import si


class DragDevice(Repeatable, Device):
    """What hangs in the atmosphere behind a body: its force is along the atmosphere's velocity past its
    point, with the density there, F = rho V^2 A(t) / 2. Its own mass and the length of its line are left out.

    The drag area A = CD S grows with the time tau since the deployment as A0 (tau / fill_time)^exponent up to
    A0. Source: Knacke, "Parachute Recovery Systems Design Manual", NWC TP 6575 (1992), section 5.4.
    """

    points: ClassVar[tuple[str, ...]] = ("at",)
    words: ClassVar[tuple[str, ...]] = ("deployed",)
    moment_fields: ClassVar[tuple[str, ...]] = ("after", "cut")
    from_start: ClassVar[bool] = True
    fireable: ClassVar[bool] = True
    idle: ClassVar[bool] = True
    outside: ClassVar[frozenset[str]] = ALL

    kind: Any = ""
    """What hangs there."""
    name: Name
    """Name of the device in paths and tables."""
    body: str
    """The body that it hangs on."""
    at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Where its line is attached [m], structural axes, drawing coordinates of the body."""
    after: str | None = None
    """Phase, event, or what a device does, that fires it by itself. If not set, only `fire` does so."""
    delay: Annotated[Any, si("s", nonnegative=True, endless=True)] = 0.0
    """From the firing to the deployment [s]; inf for one that does not answer."""
    fill_time: Annotated[Any, si("s", nonnegative=True)] = 0.0
    """From the deployment until it is full [s]; 0 for one that is so at once."""
    exponent: Annotated[Any, si("1", positive=True)] = 1.0
    """Power of the time with which it fills, at least 1: 1 is linear, 2 a common one of solid cloth."""
    strength: Annotated[Any, si("1", nonnegative=True)] = 1.0
    """Factor on its drag area: 1 as declared, 0.5 for one that fills by half, 0 for one that is missing."""
    works: Annotated[Any, si("1")] = 1.0
    """1 if it deploys, 0 if it fails."""
    cut: str | None = None
    """Phase, event, or what a device does, at which it is cut. Default: never."""

    @property
    def full(self) -> Any:
        """Drag area of the full one [m^2]."""
        raise NotImplementedError

    @model_validator(mode="after")
    def _checked(self) -> DragDevice:
        problems = either(self.works)
        if isinstance(self.exponent, np.ndarray) and (self.exponent < 1).any():
            text = f"{float(self.exponent.min()):g} fills in no time at first; allowed: 1 (linear) and more"
            problems.append(Problem("exponent", text))
        if problems:
            raise Refused(*problems)
        return self


class Parachute(DragDevice):
    """A parachute."""

    kind: Literal["parachute"] = "parachute"
    """A parachute."""
    drag_area: Annotated[Any, si("m^2", positive=True)]
    """Drag coefficient times area of the full canopy CD S [m^2]."""

    @property
    def full(self) -> Any:
        """Drag area of the full one [m^2]."""
        return self.drag_area


class Streamer(DragDevice):
    """A ribbon that flutters in the atmosphere."""

    kind: Literal["streamer"] = "streamer"
    """A ribbon that flutters in the atmosphere."""
    length: Annotated[Any, si("m", positive=True)]
    """Length of the ribbon [m]."""
    width: Annotated[Any, si("m", positive=True)]
    """Width of the ribbon [m]."""
    drag_coefficient: Annotated[Any, si("1", positive=True)]
    """Drag coefficient over the area of one side, length times width."""

    @property
    def full(self) -> Any:
        """Drag area of the whole ribbon [m^2]."""
        return self.drag_coefficient * self.length * self.width


KINDS = {"devices": (Parachute, Streamer)}
