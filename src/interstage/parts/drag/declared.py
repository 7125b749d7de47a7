"""Declaration of drag devices: parachutes and streamers that deploy, inflate, and are cut."""

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
    """A drag device that is attached to a body by a line. The force F = rho V^2 A(t) / 2 acts along the
    velocity V of the atmosphere relative to the attachment point. The density rho is evaluated at the same
    point. The mass of the device and the length of its line are neglected.

    The drag area A = CD S is A0 (tau / fill_time)^exponent, and A0 after fill_time. The time since deployment
    is tau. Source: Knacke, "Parachute Recovery Systems Design Manual", NWC TP 6575 (1992), section 5.4."""

    points: ClassVar[tuple[str, ...]] = ("at",)
    words: ClassVar[tuple[str, ...]] = ("deployed",)
    moment_fields: ClassVar[tuple[str, ...]] = ("after", "cut")
    from_start: ClassVar[bool] = True
    fireable: ClassVar[bool] = True
    idle: ClassVar[bool] = True
    outside: ClassVar[frozenset[str]] = ALL

    kind: Any = ""
    """The kind of drag device."""
    name: Name
    """The name of the device in paths and tables."""
    body: str
    """The body with the attachment point."""
    at: Annotated[Any, si("m", (3,))] = (0.0, 0.0, 0.0)
    """The attachment point of the line [m], in the structural coordinates of the body."""
    after: str | None = None
    """The phase, event, or event of a device that fires the device. Default: only `fire` of a phase or event
    fires it."""
    delay: Annotated[Any, si("s", nonnegative=True, endless=True)] = 0.0
    """The delay from firing to deployment [s]. A device with the delay inf does not deploy."""
    fill_time: Annotated[Any, si("s", nonnegative=True)] = 0.0
    """The time from deployment to full inflation [s]. Default: 0, immediate inflation."""
    exponent: Annotated[Any, si("1", positive=True)] = 1.0
    """The exponent of the drag area over time, at least 1. The value 1 gives linear inflation. The value 2 is
    common for solid cloth."""
    strength: Annotated[Any, si("1", nonnegative=True)] = 1.0
    """The factor on the drag area. Use 1 for the declared area, 0.5 for inflation to one half, 0 for a
    missing device."""
    works: Annotated[Any, si("1")] = 1.0
    """1 if the device deploys, 0 if it fails."""
    cut: str | None = None
    """The phase, event, or event of a device at which the line is cut. Default: never."""

    @property
    def full(self) -> Any:
        """The drag area of the fully inflated device [m^2]."""
        raise NotImplementedError

    @model_validator(mode="after")
    def _check_values(self) -> DragDevice:
        problems = either(self.works)
        if isinstance(self.exponent, np.ndarray) and (self.exponent < 1).any():
            text = (
                f"the exponent {float(self.exponent.min()):g} is below 1. Give an exponent of 1 (linear) "
                "or more"
            )
            problems.append(Problem("exponent", text))
        if problems:
            raise Refused(*problems)
        return self


class Parachute(DragDevice):
    """A parachute."""

    kind: Literal["parachute"] = "parachute"
    """A parachute."""
    drag_area: Annotated[Any, si("m^2", positive=True)]
    """The drag area CD S of the full canopy [m^2]: drag coefficient times reference area."""

    @property
    def full(self) -> Any:
        """The drag area of the full canopy [m^2]."""
        return self.drag_area


class Streamer(DragDevice):
    """A ribbon that flutters in the atmosphere."""

    kind: Literal["streamer"] = "streamer"
    """A ribbon that flutters in the atmosphere."""
    length: Annotated[Any, si("m", positive=True)]
    """The length of the ribbon [m]."""
    width: Annotated[Any, si("m", positive=True)]
    """The width of the ribbon [m]."""
    drag_coefficient: Annotated[Any, si("1", positive=True)]
    """The drag coefficient, referred to the area of one side: length times width."""

    @property
    def full(self) -> Any:
        """The drag area of the full ribbon [m^2]."""
        return self.drag_coefficient * self.length * self.width


KINDS = {"devices": (Parachute, Streamer)}
