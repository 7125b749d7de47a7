"""Drag devices: parachutes and streamers that are deployed, inflate, and are cut."""

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
    """A drag device behind a body. Its force acts along the velocity of the atmosphere past the attachment
    point, with the density there, F = rho V^2 A(t) / 2. Its mass and the length of its line are neglected.

    The drag area A = CD S is A0 (tau / fill_time)^exponent up to A0, with the time tau since deployment.
    Source: Knacke, "Parachute Recovery Systems Design Manual", NWC TP 6575 (1992), section 5.4."""

    points: ClassVar[tuple[str, ...]] = ("at",)
    words: ClassVar[tuple[str, ...]] = ("deployed",)
    moment_fields: ClassVar[tuple[str, ...]] = ("after", "cut")
    from_start: ClassVar[bool] = True
    fireable: ClassVar[bool] = True
    idle: ClassVar[bool] = True
    outside: ClassVar[frozenset[str]] = ALL

    kind: Any = ""
    """Kind of drag device."""
    name: Name
    """Name of the device in paths and tables."""
    body: str
    """Body with the attachment point."""
    at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """Attachment point of the line [m], structural axes, drawing coordinates of the body."""
    after: str | None = None
    """Phase, event, or event of a device that fires it automatically. Default: only `fire` does."""
    delay: Annotated[Any, si("s", nonnegative=True, endless=True)] = 0.0
    """Delay from firing to deployment [s]; inf for a device that does not respond."""
    fill_time: Annotated[Any, si("s", nonnegative=True)] = 0.0
    """Time from deployment to full inflation [s]; 0 for immediate inflation."""
    exponent: Annotated[Any, si("1", positive=True)] = 1.0
    """Exponent of inflation, at least 1: 1 is linear, 2 is common for solid cloth."""
    strength: Annotated[Any, si("1", nonnegative=True)] = 1.0
    """Factor on the drag area: 1 as declared, 0.5 for partial inflation to one half, 0 for a missing
    device."""
    works: Annotated[Any, si("1")] = 1.0
    """1 if it deploys, 0 if it fails."""
    cut: str | None = None
    """Phase, event, or event of a device at which the line is cut. Default: never."""

    @property
    def full(self) -> Any:
        """Drag area of the full one [m^2]."""
        raise NotImplementedError

    @model_validator(mode="after")
    def _check_values(self) -> DragDevice:
        problems = either(self.works)
        if isinstance(self.exponent, np.ndarray) and (self.exponent < 1).any():
            text = f"{float(self.exponent.min()):g} is below 1. Give 1 (linear) or more"
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
    """Drag coefficient for the area of one side, length times width."""

    @property
    def full(self) -> Any:
        """Drag area of the full ribbon [m^2]."""
        return self.drag_coefficient * self.length * self.width


KINDS = {"devices": (Parachute, Streamer)}
